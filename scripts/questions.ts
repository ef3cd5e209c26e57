/**
 * Writes what commands print into the pages of questions: `bun scripts/questions.ts`. With `--check` it writes nothing, and exits 1 where a page
 * is not what they print today.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { playedPage } from "./questions/pages.ts";
import { QUESTION_PAGES } from "./questions/question-pages.ts";

const root = join(import.meta.dir, "..");
const isCheck = process.argv.includes("--check");
let differing = 0;
for (const { file, language } of QUESTION_PAGES) {
  const path = join(root, file);
  const page = readFileSync(path, "utf8");
  const played = await playedPage(page, language);
  if (played === page) continue;
  differing += 1;
  if (!isCheck) writeFileSync(path, played);
  console.log(
    `${file} ${isCheck ? "is not what its commands print: bun scripts/questions.ts" : "was written"}`,
  );
}
process.exit(isCheck && differing > 0 ? 1 : 0);
