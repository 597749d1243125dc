// The page of the last result, which everybody may see, also after a restart.

import { makeFairPlay } from "../shared/fair_play.js";
import { chooseLanguage, page } from "../shared/page.js";
import { showResult } from "../shared/result.js";

chooseLanguage(/** @type {HTMLSelectElement} */ (document.getElementById("language")));
const fairPlay = makeFairPlay();
if (page.result) {
  const result = /** @type {HTMLElement} */ (document.getElementById("result"));
  showResult(result, page.result);
  result.after(fairPlay.panel);
  fairPlay.update(page.result);
}
