import { wait } from "../../../core/clock.ts";
import type { SoughtNumber } from "../../../core/sought-number.ts";
import { askThread } from "../../../core/thread.ts";
import type { AdminContext } from "../context.ts";
import type { SearchWork } from "./search-thread.ts";

/** How often the log is tried to be emptied: a reader may hold it for a moment. */
const TRIES = 20;
const BETWEEN_MS = 100;

/**
 * Whether the octets of a number are gone: empties the log and looks through the file, in a thread. How often they still stand
 * there, in what SQLite left of pages that it divided; null where that cannot be looked at.
 */
export async function leftInFile(
  { store, clock, machine, breakOff }: AdminContext,
  { msisdn }: SoughtNumber,
): Promise<number | null> {
  for (let tries = 0; tries < TRIES && store.logBytes() > 0; tries++) {
    store.emptyLog();
    await store.write(() => {});
    if (store.logBytes() > 0) await wait(clock, BETWEEN_MS);
  }
  const file = store.file();
  if (file === null || store.logBytes() > 0) return null;
  const work: SearchWork = { file, text: msisdn.slice(1) };
  return (await askThread(
    machine.startThread,
    "admin/operations/erasure/search-thread.ts",
    work,
    breakOff,
  )) as number;
}
