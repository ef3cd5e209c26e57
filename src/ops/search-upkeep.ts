/**
 * Maintains the search index behind the sending: follows changes of messages, recomputes the summaries of blocks that changed, and
 * indexes the numbers of complete runs. It resumes where it was after any end, since all of it derives from committed data.
 * A database of an older version is indexed once, newest messages first.
 */

import { createDayResolver, readZones } from "../admin/operations/account-days.ts";
import type { Clock } from "../core/clock.ts";
import { createYielder } from "../core/concurrency.ts";
import type { Store } from "../db/store.ts";
import { accountsNote, listAccountNames, listSandboxes } from "../domain/accounts/accounts.ts";
import { deleteOffFeedChanges, findOffFeedChanges } from "../domain/messages/feed-stamps.ts";
import { highestId, idsAtAll } from "../domain/messages/id-ranges.ts";
import {
  APPLIANCE,
  type DaysOf,
  findStaleZones,
  hasFigures,
  recordZones,
  type Zones,
} from "../domain/messages/search/delivery-figures.ts";
import {
  deleteIndexBelow,
  indexRun,
  isKnownBelow,
  runOfBlock,
  stateOfRun,
  storeRun,
} from "../domain/messages/search/number-index.ts";
import {
  BLOCK,
  blockBelow,
  type FacetNumbers,
  type Followed,
  facetsOfAccounts,
  follow,
  indexBlock,
  isKnown,
  knownBlock,
  markStale,
  mayHoldMessages,
  moveCursor,
  staleBlocks,
} from "../domain/messages/search/search-blocks.ts";

/** The most blocks recomputed in one transaction, and how long it goes on with more. */
const BLOCKS_A_STEP = 4;
const STEP_MS = 3;

/** Blocks recomputed before the job rests: changes all over the database are handled in parts. */
const BLOCKS_A_ROUND = 400;

type Pace = {
  readonly store: Store;
  readonly clock: Clock;
  readonly pause: () => Promise<void> | undefined;
  readonly isStopping: () => boolean;
};

type SearchPace = {
  /** Up to this many changed blocks are left to the search itself, and nothing is recomputed. */
  readonly notWorthIt: number;
  /** The rest between two rounds, and before the first, unless enough messages came to be worth one. */
  readonly restMs: number;
};

const USUAL_PACE: SearchPace = { notWorthIt: 16, restMs: 300_000 };
const MESSAGES_WORTH_IT = 4096;

/** Above all blocks; the first id of it is a whole number still. */
const HIGHEST_BLOCK = Math.floor(Number.MAX_SAFE_INTEGER / (2 * BLOCK));

/** Versions of messages and accounts: either is another object after each write. */
type Seen = {
  readonly highest: ReturnType<typeof highestId>;
  readonly accounts: object | null;
  readonly timezone: string;
  readonly atMs: number;
};

/** The job's own state. */
type Memory = {
  /** The versions at the last round. */
  seen: Seen;
  /** Something was left to do, or no round was made yet. */
  isDue: boolean;
  readonly facets: FacetNumbers;
  readonly daysOf: DaysOf;
  /** Blocks from here on down are still to be searched for ones never computed; null before the first round. */
  fillBelow: number | null;
  /** Timezones by which daily figures are being recomputed, and the block from which on down that is still to be done. */
  rebuild: { readonly zones: Zones; below: number } | null;
  /** Runs whose numbers may have to be indexed. */
  readonly runs: Set<number>;
};

/** Makes one round; true where more is to be done at once. */
export function startSearchUpkeep(
  store: Store,
  clock: Clock,
  timezone: () => string,
  { notWorthIt, restMs }: SearchPace = USUAL_PACE,
): (isStopping: () => boolean) => Promise<boolean> {
  const now = (): Seen => ({
    highest: highestId(store.read),
    accounts: accountsNote(store.read),
    timezone: timezone(),
    atMs: clock.steadyMs(),
  });
  const memory: Memory = {
    seen: now(),
    isDue: true,
    facets: new Map(),
    daysOf: createDayResolver(store.read, timezone),
    fillBelow: null,
    rebuild: null,
    runs: new Set(),
  };
  return async (isStopping) => {
    const seen = now();
    if (!isWorthLooking(memory, seen, restMs)) return false;
    const pace: Pace = { store, clock, pause: createYielder(clock), isStopping };
    await beginRebuild(pace, memory, timezone());
    await followAll(pace, notWorthIt);
    const told = await tellStale(pace, memory);
    const filled = await fill(pace, memory);
    const isRetold = await retell(pace, memory);
    const isNoted = await noteNumbers(pace, memory);
    memory.isDue = told === BLOCKS_A_ROUND || !filled || !isRetold || !isNoted;
    if (memory.isDue) return !isStopping();
    memory.seen = seen;
    return false;
  };
}

function isWorthLooking({ seen, isDue }: Memory, now: Memory["seen"], restMs: number): boolean {
  const came = (now.highest?.id ?? 0) - (seen.highest?.id ?? 0);
  if (came >= MESSAGES_WORTH_IT) return true;
  const isChanged =
    seen.highest !== now.highest || seen.accounts !== now.accounts || seen.timezone !== now.timezone;
  return (isDue || isChanged) && now.atMs - seen.atMs >= restMs;
}

/** Removes index data of purged messages. */
async function forgetGone(store: Store): Promise<void> {
  const first = idsAtAll(store.read)?.first;
  if (first === undefined || !isKnownBelow(store.read, first)) return;
  await store.write((tx) => deleteIndexBelow(tx, first), "with the next");
}

/** Marks changed blocks as stale, if there are enough: otherwise searches read them directly. */
async function followAll({ store, pause }: Pace, notWorthIt: number): Promise<void> {
  const moved: Followed[] = [];
  const quiet = findOffFeedChanges(store.read);
  const changed = new Set(quiet);
  for (const id of [...listAccountNames(store.read).map(({ id }) => id), ...listSandboxes(store.read)]) {
    const followed = await follow(store.read, id, pause);
    if (!followed) continue;
    moved.push(followed);
    for (const block of followed.blocks) changed.add(block);
  }
  if (changed.size <= notWorthIt) return;
  await forgetGone(store);
  await store.write((tx) => {
    for (const each of moved) {
      markStale(tx, each.blocks);
      moveCursor(tx, each);
    }
    markStale(tx, quiet);
    deleteOffFeedChanges(tx, quiet);
  }, "with the next");
}

async function tellStale(pace: Pace, memory: Memory): Promise<number> {
  const stale = staleBlocks(pace.store.read, BLOCKS_A_ROUND);
  for (let at = 0; at < stale.length && !pace.isStopping(); )
    at += await tell(pace, stale.slice(at, at + BLOCKS_A_STEP), memory);
  return stale.length;
}

/** Recomputes as many blocks as a step has time for; returns how many. */
async function tell(
  { store, clock }: Pace,
  blocks: readonly number[],
  { facets, daysOf, runs }: Memory,
): Promise<number> {
  const told = await store.write((tx) => {
    const untilMs = clock.steadyMs() + STEP_MS;
    let count = 0;
    for (const block of blocks) {
      indexBlock(tx, block, facets, daysOf);
      count += 1;
      if (clock.steadyMs() >= untilMs) break;
    }
    return count;
  }, "with the next");
  for (const block of blocks.slice(0, told)) runs.add(runOfBlock(block));
  return told;
}

/** Continues indexing messages from before the index existed; true once done. */
async function fill(pace: Pace, memory: Memory): Promise<boolean> {
  const { store, pause, isStopping } = pace;
  const { read } = store;
  memory.fillBelow ??= HIGHEST_BLOCK;
  let told = 0;
  while (memory.fillBelow > 0 && told < BLOCKS_A_ROUND && !isStopping()) {
    const block = blockBelow(read, memory.fillBelow);
    if (block === null) {
      memory.fillBelow = 0;
      break;
    }
    memory.fillBelow = block;
    memory.runs.add(runOfBlock(block));
    if (!isKnown(read, block)) {
      await tell(pace, [block], memory);
      told += 1;
    }
    const turn = pause();
    if (turn !== undefined) await turn;
  }
  return memory.fillBelow === 0;
}

/** Detects a changed timezone: then daily figures are recomputed, from the newest block on down. */
async function beginRebuild({ store }: Pace, memory: Memory, timezone: string): Promise<void> {
  const { read } = store;
  const otherwise = [...findStaleZones(read, readZones(read, timezone))];
  const isUnderWay = ([id, zone]: readonly [number, string]) => memory.rebuild?.zones.get(id) === zone;
  if (otherwise.every(isUnderWay)) return;
  const [told, untold] = [true, false].map(
    (isTold) => new Map(otherwise.filter(([id]) => hasFigures(read, id) === isTold)),
  );
  memory.rebuild = told && told.size > 0 ? { zones: told, below: HIGHEST_BLOCK } : null;
  if (untold && untold.size > 0) await store.write((tx) => recordZones(tx, untold), "with the next");
}

/** Continues recomputing daily figures; true once all of them are by the current timezones. */
async function retell(pace: Pace, memory: Memory): Promise<boolean> {
  const { store, pause, isStopping } = pace;
  const { rebuild: retelling } = memory;
  if (retelling === null) return true;
  const { read } = store;
  const { zones } = retelling;
  const theirs = zones.has(APPLIANCE) ? null : facetsOfAccounts(read, [...zones.keys()]);
  for (let told = 0; told < BLOCKS_A_ROUND && !isStopping(); ) {
    const block = blockBelow(read, retelling.below);
    if (block === null) {
      memory.rebuild = null;
      await store.write((tx) => recordZones(tx, zones), "with the next");
      return true;
    }
    retelling.below = block;
    const known = knownBlock(read, block);
    if (known && mayHoldMessages(known, theirs)) {
      await tell(pace, [block], memory);
      told += 1;
    }
    const turn = pause();
    if (turn !== undefined) await turn;
  }
  return false;
}

/** Indexes the numbers of complete runs; true once none is left. Incomplete runs are checked again later. */
async function noteNumbers({ store, pause, isStopping }: Pace, { runs }: Memory): Promise<boolean> {
  for (const run of [...runs].sort((a, b) => b - a)) {
    if (isStopping()) return false;
    const state = stateOfRun(store.read, run);
    if (state === "not whole yet") continue;
    if (state === "to be indexed") {
      const indexed = await indexRun(store.read, run, pause);
      await store.write((tx) => storeRun(tx, indexed), "with the next");
    }
    runs.delete(run);
    const turn = pause();
    if (turn !== undefined) await turn;
  }
  return true;
}
