/** Writes the list of promises and the tests that keep them; `--check` only says what is wrong with it. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { COMMAND, LIST, readPromises } from "../test/scenarios/promises.ts";

const { faults, list } = readPromises();
for (const fault of faults) console.error(fault);
const isCheck = process.argv.includes("--check");
const isCurrent = existsSync(LIST) && readFileSync(LIST, "utf8") === list;
if (!isCheck) writeFileSync(LIST, list);
else if (!isCurrent) console.error(`${LIST} is out of date: ${COMMAND}`);
process.exit(faults.length > 0 || (isCheck && !isCurrent) ? 1 : 0);
