// Leaving seats: because their player wants to, or because somebody else has them now.

import { ask, post } from "./request.js";

/** Whether the player wants to leave; then no message that the seats are gone is needed. */
let leaving = false;

/**
 * Frees the seats, and goes to the page where one can be taken.
 * @param {string[]} seats
 */
export async function leaveSeats(seats) {
  leaving = true;
  for (const seat of seats) await post("/leave", { seat });
  location.assign("/join");
}

/**
 * Called when this page has lost a seat: goes on with its other seats, or to the page where one can be taken.
 * @param {string} seat
 * @param {string} here where it goes on
 */
export async function sentAway(seat, here) {
  if (leaving) return;
  const { data } = await ask("/me");
  location.replace(data.seats?.length ? here : `/join?gone=${seat}`);
}
