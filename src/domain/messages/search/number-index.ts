/**
 * Numbers by a hash, in runs of messages: four octets a message, written once for each run, side by side. An index of the
 * messages' own would be written with each of them, a page for every one.
 */
import { hashKey } from "../../../core/ids.ts";
import type { Reader } from "../../../db/reader.ts";
import type { Tx } from "../../../db/writer.ts";
import { completeBelow, findIdsTo, type IdSpan } from "../id-ranges.ts";
import { BLOCK, eachBlock, toBlock } from "./search-blocks.ts";
import { readNumbers } from "./search-rows.ts";

/** Messages of a run: those whose id divided by this is the run's number. The place of one in it has 16 bits. */
const RUN = 32_768;
const BLOCKS_A_RUN = RUN / BLOCK;

/** The run that a block's messages are in. */
export function runOfBlock(block: number): number {
  return Math.floor(block / BLOCKS_A_RUN);
}

/** So many that a bucket of a run is some 500 octets: above a thousand each would take a page of its own. */
const BUCKETS = 256;
const MORE = 65_536;

/** Rows read in one go. */
const PAGE = 2000;

type Place = { readonly bucket: number; readonly more: number };

function placeOf(msisdn: string): Place {
  const key = hashKey(msisdn);
  return { bucket: key % BUCKETS, more: Math.floor(key / BUCKETS) % MORE };
}

/** Whether the numbers of a run are known. */
type RunState = "known" | "to be indexed" | "not whole yet";

/** How a run stands: its numbers are not known while messages may still be written into it, or since some were. */
export function stateOfRun(read: Reader, run: number): RunState {
  const found = read.get<{ written: number | null; known: number | null }>(
    `SELECT (SELECT sum(messages) FROM search_blocks WHERE block >= ?1 AND block < ?2) AS written,
       (SELECT messages FROM search_runs WHERE run = ?3) AS known`,
    run * BLOCKS_A_RUN,
    (run + 1) * BLOCKS_A_RUN,
    run,
  );
  if ((found?.known ?? -1) >= (found?.written ?? 0)) return "known";
  return (run + 1) * RUN <= completeBelow(read) ? "to be indexed" : "not whole yet";
}

/** What a run is known by. */
type RunIndexed = {
  readonly run: number;
  readonly messages: number;
  readonly buckets: readonly Uint16Array[];
};

/** Reads the numbers of a run; `pause` is asked between pages. */
export async function indexRun(
  read: Reader,
  run: number,
  pause: () => Promise<void> | undefined,
): Promise<RunIndexed> {
  const first = run * RUN;
  const buckets: number[][] = Array.from({ length: BUCKETS }, () => []);
  let messages = 0;
  for (let from = first; from < first + RUN; from += PAGE) {
    const page = readNumbers(read, { fromId: from, belowId: Math.min(from + PAGE, first + RUN) });
    for (const { id, msisdn } of page) {
      const { bucket, more } = placeOf(msisdn);
      buckets[bucket]?.push(id - first, more);
    }
    messages += page.length;
    const turn = pause();
    if (turn !== undefined) await turn;
  }
  return { run, messages, buckets: buckets.map((entries) => Uint16Array.from(entries)) };
}

/** Stores what a run is known by. */
export function storeRun(tx: Tx, { run, messages, buckets }: RunIndexed): void {
  for (const [bucket, entries] of buckets.entries()) {
    tx.run(
      `INSERT INTO search_numbers (bucket, run, entries) VALUES (?1, ?2, ?3)
       ON CONFLICT (bucket, run) DO UPDATE SET entries = ?3`,
      bucket,
      run,
      new Uint8Array(entries.buffer),
    );
  }
  tx.run(
    `INSERT INTO search_runs (run, messages) VALUES (?1, ?2) ON CONFLICT (run) DO UPDATE SET messages = ?2`,
    run,
    messages,
  );
}

/** Ids of messages that may be to a number, of the known runs from one to another; a few are to others. */
function mayBeTo(read: Reader, msisdn: string, fromRun: number, toRun: number): number[] {
  const { bucket, more } = placeOf(msisdn);
  const rows = read.all<{ run: number; entries: Uint8Array }>(
    "SELECT run, entries FROM search_numbers WHERE bucket = ? AND run >= ? AND run <= ?",
    bucket,
    fromRun,
    toRun,
  );
  const found: number[] = [];
  for (const { run, entries } of rows) {
    const pairs = new Uint16Array(entries.slice().buffer);
    for (let at = 0; at < pairs.length; at += 2) {
      if (pairs[at + 1] === more) found.push(run * RUN + (pairs[at] ?? 0));
    }
  }
  return found;
}

/** Removes messages to a number from what is known of their runs: 24 bits of its hash, beside the place of each. */
export function deleteNumberFromIndex(tx: Tx, msisdn: string, messageIds: readonly number[]): void {
  const { bucket, more } = placeOf(msisdn);
  const placesOf = new Map<number, Set<number>>();
  for (const id of messageIds) {
    const run = Math.floor(id / RUN);
    placesOf.set(run, (placesOf.get(run) ?? new Set()).add(id - run * RUN));
  }
  for (const [run, places] of placesOf) {
    const known = tx.get<{ entries: Uint8Array }>(
      "SELECT entries FROM search_numbers WHERE bucket = ? AND run = ?",
      bucket,
      run,
    );
    if (!known) continue;
    const pairs = new Uint16Array(known.entries.slice().buffer);
    const kept: number[] = [];
    for (let at = 0; at < pairs.length; at += 2) {
      const [place, other] = [pairs[at] ?? 0, pairs[at + 1] ?? 0];
      if (other !== more || !places.has(place)) kept.push(place, other);
    }
    tx.run(
      "UPDATE search_numbers SET entries = ? WHERE bucket = ? AND run = ?",
      new Uint8Array(Uint16Array.from(kept).buffer),
      bucket,
      run,
    );
  }
}

/** The id behind the last message of a run. */
export function endOfRun(run: number): number {
  return (run + 1) * RUN;
}

/** The runs from one to another of which the numbers are known. */
export function knownRuns(read: Reader, fromRun: number, toRun: number): ReadonlySet<number> {
  const rows = read.all<{ run: number }>(
    "SELECT run FROM search_runs WHERE run >= ? AND run <= ?",
    fromRun,
    toRun,
  );
  return new Set(rows.map(({ run }) => run));
}

/** Whether something is known of blocks below an id. */
export function isKnownBelow(read: Reader, messageId: number): boolean {
  const lowest = read.get<{ block: number | null }>("SELECT min(block) AS block FROM search_blocks")?.block;
  return lowest != null && lowest < Math.floor(messageId / BLOCK);
}

/** Forgets what is known of messages below an id, which are gone; whole blocks and runs alone. The figures of days stay. */
export function deleteIndexBelow(tx: Tx, messageId: number): void {
  const block = Math.floor(messageId / BLOCK);
  tx.run("DELETE FROM search_blocks WHERE block < ?", block);
  tx.run("DELETE FROM block_figures WHERE block < ?", block);
  const gone = tx.all<{ run: number }>(
    "SELECT run FROM search_runs WHERE run < ?",
    Math.floor(messageId / RUN),
  );
  for (const { run } of gone) {
    for (let bucket = 0; bucket < BUCKETS; bucket++)
      tx.run("DELETE FROM search_numbers WHERE bucket = ? AND run = ?", bucket, run);
    tx.run("DELETE FROM search_runs WHERE run = ?", run);
  }
}

/**
 * Ids of all messages of a span to a number, and of a few others: where numbers are indexed, those with the same hash; else the messages
 * are looked through. `changed` are blocks that changed too lately to be indexed; `pause` is asked between blocks.
 */
export async function idsToNumber(
  read: Reader,
  msisdn: string,
  span: IdSpan,
  changed: ReadonlySet<number>,
  pause: () => Promise<void> | undefined,
): Promise<number[]> {
  const fromRun = runOfBlock(toBlock(span.fromId));
  const toRun = runOfBlock(toBlock(span.belowId - 1));
  const runs = knownRuns(read, fromRun, toRun);
  const ids = new Set(mayBeTo(read, msisdn, fromRun, toRun));
  for (const { block, facets } of eachBlock(read, span)) {
    const turn = pause();
    if (turn !== undefined) await turn;
    if (runs.has(runOfBlock(block)) && facets !== null && !changed.has(block)) continue;
    for (const id of findIdsTo(read, msisdn, { fromId: block * BLOCK, belowId: (block + 1) * BLOCK }))
      ids.add(id);
  }
  return [...ids].filter((id) => id >= span.fromId && id < span.belowId).sort((a, b) => b - a);
}
