// The table's own Wi-Fi, for the table screen: asks now and then whether it is open.

import { page } from "../shared/page.js";
import { ask } from "../shared/request.js";

/** @typedef {{name: string, password: string}} Hotspot */

const LOOK_MS = 15_000;

/**
 * Calls back whenever the Wi-Fi has opened or closed. Where nothing looks after the network, it does nothing.
 * @param {(hotspot: Hotspot|null) => void} changed
 */
export function watchHotspot(changed) {
  if (!page.network) return;
  let known = "null";
  const look = async () => {
    if (document.hidden) return;
    const { status, data } = await ask("/table/wifi");
    const now = JSON.stringify(data.hotspot ?? null);
    if (status !== 200 || now === known) return;
    known = now;
    changed(data.hotspot);
  };
  void look();
  setInterval(() => void look(), LOOK_MS);
  document.addEventListener("visibilitychange", () => void look());
}
