// The Wi-Fi section of the workshop: how the table is connected, the networks in range, and joining one of them.

import { el, page, post, renew, t } from "../shared/page.js";
import { ask } from "../shared/request.js";

/**
 * @typedef {{ssid: string, name: string, words: string, is_open: boolean, can_be_joined: boolean}} WifiNetwork
 * @typedef {{link: string, words: string, trouble: string, network: string, networks: WifiNetwork[], looked: boolean,
 *   chosen: string[], hotspot: {name: string, password: string}, address: string}} WifiState
 */

const LOOK_MS = 3000;
/** What the list has for a network that hides its name. */
const HIDDEN = "hidden";

/** @param {string} where */
const inside = (where) => /** @type {HTMLElement} */ (document.querySelector(`#wifi ${where}`));

/** Starts the section, if anything looks after the network of this machine. */
export function makeWifi() {
  if (!page.network) return;
  /** @type {WifiState|null} */
  let state = null;
  /** Which network is chosen; empty when none is. */
  let choice = "";

  const choose = (/** @type {string} */ ssid) => {
    choice = ssid;
    render();
    /** @type {HTMLElement|null} */ (document.querySelector("#wifi .join input"))?.focus();
  };
  const request = async (/** @type {string} */ what, /** @type {object} */ body) => {
    const { status, data } = await post(`/workshop/wifi/${what}`, body);
    inside(".answer").textContent = status === 200 ? "" : (data.why ?? refusal(status));
    if (status === 200) choice = "";
    await look();
  };
  const render = () => {
    if (!state) return;
    const now = state;
    const busy = now.link === "joining" || now.link === "scanning";
    inside(".state").textContent = now.words;
    inside(".problem").hidden = !now.trouble;
    if (inside(".problem").textContent !== now.trouble) inside(".problem").textContent = now.trouble;
    inside(".leaving").hidden = !busy;
    renew(inside(".leaving"), [now.link, now.network, now.hotspot.name], () => leaving(now));
    renew(inside(".networks"), [now.networks, choice, busy], () => (busy ? [] : [list(now.networks, choice, choose)]));
    const chosen = now.networks.find(({ ssid }) => ssid === choice);
    renew(inside(".join"), [chosen, choice, busy, now.link, now.hotspot.name], () =>
      choice && !busy ? [joinForm(now, chosen, request)] : [],
    );
    renew(inside(".more"), [now.link, now.chosen, busy], () => (busy ? [] : more(now, request)));
  };
  const look = async () => {
    if (document.hidden) return;
    const { status, data } = await ask("/workshop/wifi");
    if (status === 200) {
      state = data;
      render();
    } else if (!state || status === 503) inside(".state").textContent = t("wifi-silent");
  };
  void look();
  setInterval(() => void look(), LOOK_MS);
  document.addEventListener("visibilitychange", () => void look());
}

/** What somebody is told whose request got no reason. @param {number} status */
const refusal = (status) => t(status === 503 ? "wifi-silent" : "failed");

/** What somebody reads on a phone that is about to lose the table. @param {WifiState} state */
function leaving({ link, network, hotspot, address }) {
  if (link !== "joining") return [el("p", {}, t("wifi-back-soon", { name: hotspot.name }))];
  return [
    el("p", {}, t("wifi-leaving", { network, address })),
    el("p", {}, t("wifi-if-not", { name: hotspot.name, password: hotspot.password })),
  ];
}

/**
 * @param {WifiNetwork[]} networks
 * @param {string} choice
 * @param {(ssid: string) => void} choose
 */
function list(networks, choice, choose) {
  const button = (/** @type {string} */ ssid, /** @type {(Node|string)[]} */ ...words) =>
    el(
      "button",
      {
        type: "button",
        "data-key": `wifi-${ssid}`,
        "aria-pressed": String(ssid === choice),
        click: () => choose(ssid === choice ? "" : ssid),
      },
      ...words,
    );
  return el(
    "ul",
    { class: "wifi-list" },
    ...networks.map(({ ssid, name, words, can_be_joined }) => {
      const known = el("span", {}, el("b", {}, name), " ", el("span", { class: "quiet" }, words));
      return el("li", {}, can_be_joined ? button(ssid, known) : known);
    }),
    el("li", {}, button(HIDDEN, t("wifi-hidden"))),
  );
}

/**
 * @param {WifiState} state
 * @param {WifiNetwork|undefined} network the chosen one; none for a hidden one
 * @param {(what: string, body: object) => Promise<void>} request
 */
function joinForm({ link, hotspot }, network, request) {
  const name = el("input", {
    name: "name",
    maxlength: 32,
    autocomplete: "off",
    autocapitalize: "none",
    required: true,
  });
  const open = network?.is_open ?? false;
  const password = el("input", {
    name: "password",
    type: "text",
    maxlength: 64,
    autocomplete: "off",
    autocapitalize: "none",
    spellcheck: "false",
    required: Boolean(network) && !open,
  });
  const join = (/** @type {Event} */ event) => {
    event.preventDefault();
    const which = network ? { ssid: network.ssid } : { name: name.value };
    void request("join", { ...which, password: open ? "" : password.value });
  };
  return el(
    "form",
    { submit: join },
    network ? null : el("label", {}, t("wifi-name"), name),
    open ? el("p", { class: "warning" }, t("wifi-open-warning")) : el("label", {}, t("wifi-password"), password),
    network || open ? null : el("p", { class: "how" }, t("wifi-hidden-open")),
    link === "hotspot" ? el("p", { class: "how" }, t("wifi-before", { name: hotspot.name })) : null,
    el("button", { type: "submit", class: "main", "data-key": "wifi-join" }, t("wifi-join")),
  );
}

/**
 * @param {WifiState} state
 * @param {(what: string, body: object) => Promise<void>} request
 */
function more({ link, chosen, looked }, request) {
  const scan = () => void request("scan", {});
  const forget = () => void request("forget", {});
  return [
    el(
      "p",
      {},
      el("button", { type: "button", "data-key": "scan", click: scan }, t(looked ? "wifi-again" : "wifi-look")),
    ),
    link === "hotspot" ? el("p", { class: "how" }, t("wifi-scan-how")) : null,
    chosen.length ? el("p", { class: "how" }, t("wifi-chosen", { names: chosen.join(", ") })) : null,
    chosen.length
      ? el("p", {}, el("button", { type: "button", "data-key": "forget", click: forget }, t("wifi-forget")))
      : null,
  ];
}
