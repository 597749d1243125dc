// The form that asks for the table code. A browser that has it may do what only the table may do.

import { post, t, tooManyTries } from "./page.js";

/** @param {HTMLFormElement} form */
export function watchUnlocking(form) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void unlock(form);
  });
}

/** @param {HTMLFormElement} form */
async function unlock(form) {
  const { status, wait } = await post("/table/open", { code: String(new FormData(form).get("code") ?? "").trim() });
  if (status === 200) {
    location.reload();
    return;
  }
  const words = status === 403 ? "wrong-table-code" : "failed";
  /** @type {HTMLElement} */ (form.querySelector(".answer")).textContent =
    status === 429 ? tooManyTries(wait) : t(words);
}
