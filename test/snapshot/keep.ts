/** Plays the snapshot anew and keeps what comes of it: `bun test/snapshot/keep.ts`, where something was changed on purpose. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { playSnapshot } from "./play.ts";

for (const [file, text] of Object.entries(await playSnapshot())) {
  writeFileSync(join(import.meta.dir, "kept", file), text);
}
