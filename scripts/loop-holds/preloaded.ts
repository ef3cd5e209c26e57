/**
 * Loaded into a server that is measured or attacked, its executable too: each hold of its event loop goes as a line into the file that
 * BENDRE_HOLDS names (written.ts). No client can measure that.
 */
import { appendFileSync } from "node:fs";
import { watchHolds } from "./watch.ts";

const file = process.env.BENDRE_HOLDS;
if (file && Bun.isMainThread) {
  watchHolds({
    everyMs: 1,
    shortestMs: 5,
    told: (hold) => appendFileSync(file, `${JSON.stringify(hold)}\n`),
  });
}
