/**
 * Plays an administrator's year on the executable: `bun run build && bun scripts/admin-year.ts`. Needs gcc, for the clock of that year
 * (scripts/rehearse/shifted-clock.c). Every line that somebody would type is told, with what was to be seen after it; the last line
 * has the figures. Exits 1 when a promise was broken. `--short` for less of everything, `--only
 * TITLE` for chapters by their title beside the first three, `--keep` to leave what it made.
 */
import { parseArgs } from "node:util";
import { playYear } from "./admin-year/play.ts";
import { builtExecutable } from "./rehearse/executable.ts";

const { values } = parseArgs({
  options: {
    short: { type: "boolean", default: false },
    keep: { type: "boolean", default: false },
    only: { type: "string", multiple: true, default: [] },
  },
});

const played = await playYear({
  executable: builtExecutable(),
  size: { campaign: values.short ? 60 : 600, isShort: values.short },
  print: (line) => console.log(line),
  isKept: values.keep,
  only: values.only,
});
if (played === null) throw new Error("gcc is missing");
for (const broken of played.broken) console.log(`BROKEN: ${broken}`);
console.log(played.figures);
if (values.keep || played.broken.length > 0) console.log(`everything is in ${played.place}`);
process.exit(played.broken.length === 0 ? 0 : 1);
