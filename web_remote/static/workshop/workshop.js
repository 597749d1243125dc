// The workshop: check the board, try its parts, enrol its pieces, and find faults.

import { chooseLanguage, listen, page } from "../shared/page.js";
import { watchUnlocking } from "../shared/unlock.js";
import { makeChecks } from "./checks.js";
import { makeEnrolment } from "./enrol.js";
import { makeSerialLog } from "./serial.js";
import { makeTrying } from "./try.js";
import { makeWifi } from "./wifi.js";

/**
 * @typedef {{check: string, verdict: "ok"|"warning"|"problem"|"skipped", found: string, do: string}} Finding
 * @typedef {{short: number, long: number, down: boolean}} ButtonTried
 * @typedef {{condition: string, dead: boolean, tag: string, piece: string, times: number, here: boolean}} ReaderTried
 * @typedef {{piece: string, words: string, wanted: number, count: number, afresh: boolean, untapped: number}} Batch
 * @typedef {{practice: boolean, counts: Record<string, number>, batch: Batch|null, said: string[]}} Enrolment
 * @typedef {{looking: boolean, findings: Finding[], troubles: string[], held: boolean, step: number|null,
 *   buttons: Record<string, ButtonTried>, readers: Record<string, ReaderTried>, enrolment: Enrolment}} Shop
 * @typedef {{place: string, name: string, button: number, reader: string|null}} Part
 * @typedef {{steps: {words: string, ma: number, place: string|null}[],
 *   places: Part[], controls: Part[], hubs: string[],
 *   pieces: {piece: string, words: string, wanted: number}[], simulated: boolean}} Plan
 */

chooseLanguage(/** @type {HTMLSelectElement} */ (document.getElementById("language")));

const plan = /** @type {Plan|undefined} */ (page.plan);
const form = document.getElementById("unlock");
if (form) watchUnlocking(/** @type {HTMLFormElement} */ (form));
if (plan) {
  const parts = [makeChecks(), makeTrying(plan), makeEnrolment(plan)];
  makeSerialLog(plan);
  makeWifi();
  listen("/workshop/events", (data) => {
    /** @type {Shop} */
    const shop = JSON.parse(data);
    for (const part of parts) part.update(shop);
  });
}
