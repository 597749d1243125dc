// Requests to the table, with a deadline: an answer that never comes must not keep a page waiting.

/**
 * The answer of the table.
 * @typedef {object} Answer
 * @property {number} status 0 if the table could not be reached, or did not answer in time
 * @property {any} data
 * @property {boolean} late whether it did not answer in time
 * @property {number} wait how many seconds to wait before trying again, if the table said so; otherwise 0
 */

/** How long an answer may take. The table itself waits three seconds at most before it answers. */
const ANSWER_MS = 6000;

/**
 * Sends a request and returns the answer, read as JSON.
 * @param {string} path
 * @param {RequestInit} [options]
 * @returns {Promise<Answer>}
 */
export async function ask(path, options = {}) {
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), ANSWER_MS);
  try {
    const response = await fetch(path, { ...options, signal: deadline.signal });
    const data = await response.json().catch(() => ({}));
    if (!deadline.signal.aborted) {
      return { status: response.status, data, late: false, wait: Number(response.headers.get("Retry-After") ?? 0) };
    }
  } catch {
    /* the table could not be reached, or was too late */
  } finally {
    clearTimeout(timer);
  }
  return { status: 0, data: {}, late: deadline.signal.aborted, wait: 0 };
}

/**
 * Sends a POST request.
 * @param {string} path
 * @param {object} body
 * @param {RequestInit} [options]
 */
export function post(path, body, options = {}) {
  const headers = { "Content-Type": "application/json" };
  return ask(path, { ...options, method: "POST", headers, body: JSON.stringify(body) });
}
