// SHA-256 of a few bytes. The browser's own (crypto.subtle) is missing where a page comes by plain HTTP.

/** The first n prime numbers. @param {number} n */
function primes(n) {
  /** @type {number[]} */
  const found = [];
  for (let each = 2; found.length < n; each += 1) if (found.every((prime) => each % prime)) found.push(each);
  return found;
}

/** The first 32 bits of the fraction of a number. @param {number} number */
const fraction = (number) => ((number - Math.floor(number)) * 2 ** 32) | 0;

const ROUND_CONSTANTS = primes(64).map((prime) => fraction(Math.cbrt(prime)));
const START = primes(8).map((prime) => fraction(Math.sqrt(prime)));

/** @param {number} word @param {number} by */
const turned = (word, by) => (word >>> by) | (word << (32 - by));

/**
 * Returns the SHA-256 of some bytes, in hexadecimal digits.
 * @param {Uint8Array} bytes
 */
export function sha256(bytes) {
  const padded = new Uint8Array((((bytes.length + 8) >> 6) + 1) << 6);
  padded.set(bytes);
  padded[bytes.length] = 0x80;
  const words = new DataView(padded.buffer);
  words.setUint32(padded.length - 4, bytes.length * 8);
  const hash = [...START];
  const schedule = new Int32Array(64);
  for (let block = 0; block < padded.length; block += 64) {
    for (let at = 0; at < 64; at += 1) {
      if (at < 16) {
        schedule[at] = words.getInt32(block + 4 * at);
        continue;
      }
      const [early, late] = [schedule[at - 15], schedule[at - 2]];
      const first = turned(early, 7) ^ turned(early, 18) ^ (early >>> 3);
      const second = turned(late, 17) ^ turned(late, 19) ^ (late >>> 10);
      schedule[at] = schedule[at - 16] + first + schedule[at - 7] + second;
    }
    let [a, b, c, d, e, f, g, h] = hash;
    for (let at = 0; at < 64; at += 1) {
      const choice = (e & f) ^ (~e & g);
      const turnedE = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
      const first = (h + turnedE + choice + ROUND_CONSTANTS[at] + schedule[at]) | 0;
      const majority = (a & b) ^ (a & c) ^ (b & c);
      const second = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + majority) | 0;
      [a, b, c, d, e, f, g, h] = [(first + second) | 0, a, b, c, (d + first) | 0, e, f, g];
    }
    [a, b, c, d, e, f, g, h].forEach((word, at) => (hash[at] = (hash[at] + word) | 0));
  }
  return hash.map((word) => (word >>> 0).toString(16).padStart(8, "0")).join("");
}
