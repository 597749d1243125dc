// Seats are left: by the wish of who sits there, or because another has them now.

import { post } from "./page.js";

/** Whether the seats are left by wish: then nobody need be told that they are gone. */
let leaving = false;

/**
 * Frees the seats, and goes where one can be taken.
 * @param {string[]} seats
 */
export async function leaveSeats(seats) {
  leaving = true;
  for (const seat of seats) await post("/leave", { seat });
  location.assign("/join");
}

/**
 * A seat is not this page's any more: it goes on with the others it holds, or says so where a seat can be taken.
 * @param {string} seat
 * @param {string} here where it goes on
 */
export async function sentAway(seat, here) {
  if (leaving) return;
  const mine = await fetch("/me")
    .then((response) => response.json())
    .catch(() => ({ seats: [] }));
  location.replace(mine.seats.length ? here : `/join?gone=${seat}`);
}
