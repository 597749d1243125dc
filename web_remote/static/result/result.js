// The page of the last result, which everybody may see, also after a restart.

import { chooseLanguage, page } from "../shared/page.js";
import { showResult } from "../shared/result.js";

chooseLanguage(/** @type {HTMLSelectElement} */ (document.getElementById("language")));
if (page.result) showResult(/** @type {HTMLElement} */ (document.getElementById("result")), page.result);
