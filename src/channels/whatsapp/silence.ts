import type { Settings } from "../../config/in-force.ts";
import type { Store } from "../../db/store.ts";
import type { PostComposer } from "./wording.ts";

const HOUR_MS = 3_600_000;
/** What a status may need after a message's life was over. */
const LATE_MS = 300_000;

/** How long statuses of a batch's messages are waited for: as configured, or Meta's own end and a little more where that is sooner. */
export function readStatusTimeout(
  deps: { readonly settings: Settings; readonly store: Pick<Store, "read">; readonly wording: PostComposer },
  batchId: number,
): number {
  const longestMs = deps.settings.now().whatsapp.receipt_timeout_hours * HOUR_MS;
  const lifeMs = deps.wording.lifeMs(deps.store.read, batchId);
  return lifeMs === null ? longestMs : Math.min(longestMs, lifeMs + LATE_MS);
}
