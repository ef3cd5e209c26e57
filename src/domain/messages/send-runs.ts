/**
 * Sends as they come: a row for a run of messages, which is written at the end of its table and found in memory. What the memory holds
 * is what the transaction under way sees, because whoever writes a row here writes it there too, and undoes it with the
 * transaction. When there are many they go into `recent_sends`, which is in order of recipients: at each write twice as
 * many as are written, side by side in that order, so that they share its pages.
 */
import { type FoundPair, type PairIndex, createPairIndex } from "../../core/pair-runs.ts";
import type { Tx } from "../../db/write.ts";

/** Sends of messages whose ids follow each other, of one batch. */
export type SendRun = {
  /** The row id of the first message. */
  readonly firstId: number;
  /** When they were or are to be sent: the batch's schedule, else its acceptance. */
  readonly plannedAt: number;
  readonly isMarketing: number;
};

/** One send among those in memory: `first` and `second` are the keys of its recipient and its text. */
export type CachedSend = FoundPair<SendRun>;

type RunIndex = PairIndex<SendRun>;

/** Sends and runs in memory from which on they go into `recent_sends`. */
const MAX_SENDS = 65_536;
const MAX_RUNS = 16_384;

/** Of runs that are in `recent_sends` one is deleted for so many sends that are written, and one more. */
const SENDS_A_DELETION = 4;

/** Runs on their way into `recent_sends`: found here until all of them are there. */
type Leaving = {
  readonly index: RunIndex;
  readonly order: Uint32Array;
  /** How many of `order` are written there, and how many runs are deleted here. */
  written: number;
  deleted: number;
};

type Memory = {
  fresh: RunIndex;
  leaving: Leaving | null;
  /** Runs in memory whose row is gone. */
  readonly gone: Set<SendRun>;
  /** Whether `recent_sends` may hold something. */
  hasLeft: boolean;
};

/** What is found in memory of an account's sends to a number. */
export type SendCache = Pick<RunIndex, "withFirst" | "withBoth"> & {
  /** Whether there may be others in `recent_sends`. */
  readonly areOthers: boolean;
};

const memories = new WeakMap<Tx, Memory>();

function memoryOf(tx: Tx): Memory {
  const known = memories.get(tx);
  if (known) return known;
  const fresh = createPairIndex<SendRun>();
  for (const { keys, ...run } of tx.each<SendRun & { readonly keys: Uint8Array }>(
    `SELECT first_message_id AS firstId, planned_at AS plannedAt, is_marketing AS isMarketing, keys FROM send_runs
     ORDER BY first_message_id`,
  ))
    fresh.add(run, run.isMarketing, new Float64Array(keys.slice().buffer));
  const hasLeft =
    (tx.get<{ last: number | null }>("SELECT max(recipient_key) AS last FROM recent_sends")?.last ?? null) !==
    null;
  const memory: Memory = { fresh, leaving: null, gone: new Set(), hasLeft };
  memories.set(tx, memory);
  return memory;
}

/** The sends that are not in `recent_sends` yet, as the transaction under way sees them. */
export function createSendCache(tx: Tx): SendCache {
  const { fresh, leaving, gone, hasLeft } = memoryOf(tx);
  function* ofBoth(find: (index: RunIndex) => Iterable<CachedSend>): Generator<CachedSend> {
    for (const send of find(fresh)) if (!gone.has(send.run)) yield send;
    if (leaving) for (const send of find(leaving.index)) if (!gone.has(send.run)) yield send;
  }
  return {
    withFirst: (...asked) => ofBoth((index) => index.withFirst(...asked)),
    withBoth: (...asked) => ofBoth((index) => index.withBoth(...asked)),
    areOthers: hasLeft,
  };
}

/** Remembers the sends of a run: of each the keys of its recipient and of its text, one after the other; at least one. */
export function recordSendRun(tx: Tx, written: SendRun, keys: Float64Array): void {
  const memory = memoryOf(tx);
  // One that was undone and is written again is another.
  const run = { ...written };
  tx.run(
    "INSERT INTO send_runs (first_message_id, planned_at, is_marketing, keys) VALUES (?, ?, ?, ?)",
    run.firstId,
    run.plannedAt,
    run.isMarketing,
    new Uint8Array(keys.buffer, keys.byteOffset, keys.byteLength),
  );
  memory.fresh.add(run, run.isMarketing, keys);
  tx.onRollback(() => memory.gone.add(run));
  moveOn(tx, memory, keys.length / 2);
}

/** Forgets the runs that begin with one of these messages; how many. */
export function deleteSendRuns(tx: Tx, messageIds: readonly number[]): number {
  const memory = memoryOf(tx);
  const wanted = new Set(messageIds);
  const runs = runsOf(memory).filter((run) => wanted.has(run.firstId) && !memory.gone.has(run));
  for (const run of runs) forgetRun(tx, memory, run);
  return runs.length;
}

/** Forgets up to `limit` runs of a kind that were planned before a time, once there is a memory of them; how many. */
export function deleteSendRunsBefore(tx: Tx, isMarketing: number, beforeMs: number, limit: number): number {
  const memory = memories.get(tx);
  if (!memory) return 0;
  const isOld = (run: SendRun) =>
    run.isMarketing === isMarketing && run.plannedAt < beforeMs && !memory.gone.has(run);
  const runs = runsOf(memory).filter(isOld).slice(0, limit);
  for (const run of runs) forgetRun(tx, memory, run);
  return runs.length;
}

/** Forgets the sends to one recipient, by its key, in memory and in their rows; how many. */
export function blankSendsToNumber(tx: Tx, recipientKey: number): number {
  const { withFirst } = createSendCache(tx);
  const sends = [0, 1].flatMap((kind) => [...withFirst(kind, recipientKey)]);
  for (const send of sends) blankSend(tx, memoryOf(tx), send);
  return sends.length;
}

/** What stands in place of keys that are forgotten: no key of anybody is below zero. Nothing of it is written. */
const NOBODY = -1;

function blankSend(tx: Tx, { fresh, leaving }: Memory, { run, index, first, second }: CachedSend): void {
  const row = tx.get<{ keys: Uint8Array }>(
    "SELECT keys FROM send_runs WHERE first_message_id = ?",
    run.firstId,
  );
  if (row) {
    const keys = new Float64Array(row.keys.slice().buffer);
    keys.fill(NOBODY, 2 * index, 2 * index + 2);
    tx.run(
      "UPDATE send_runs SET keys = ? WHERE first_message_id = ?",
      new Uint8Array(keys.buffer),
      run.firstId,
    );
  }
  const indexes = [fresh, ...(leaving ? [leaving.index] : [])];
  for (const each of indexes) each.blank(run, index, NOBODY, NOBODY);
  tx.onRollback(() => {
    for (const each of indexes) each.blank(run, index, first, second);
  });
}

const runsOf = ({ fresh, leaving }: Memory): SendRun[] => [...(leaving?.index.runs() ?? []), ...fresh.runs()];

function forgetRun(tx: Tx, { gone }: Memory, run: SendRun): void {
  tx.run("DELETE FROM send_runs WHERE first_message_id = ?", run.firstId);
  gone.add(run);
  tx.onRollback(() => gone.delete(run));
}

/** Goes on with what is on its way into `recent_sends`, or begins when there are many sends; `added`: sends that were just written. */
function moveOn(tx: Tx, memory: Memory, added: number): void {
  const { fresh, leaving: before, gone, hasLeft } = memory;
  if (before === null) {
    if (fresh.size() < MAX_SENDS && fresh.runCount() < MAX_RUNS) return;
    memory.leaving = { index: fresh, order: fresh.inOrder(), written: 0, deleted: 0 };
    memory.fresh = createPairIndex<SendRun>();
  }
  const { leaving } = memory;
  if (leaving === null) return;
  const { written, deleted } = leaving;
  tx.onRollback(() => {
    Object.assign(leaving, { written, deleted });
    Object.assign(memory, { fresh, leaving: before, hasLeft });
  });
  memory.hasLeft = true;
  const { index, order } = leaving;
  const until = Math.min(order.length, written + 2 * added);
  for (; leaving.written < until; leaving.written++) {
    const send = index.at(order[leaving.written] ?? 0);
    if (send && send.first !== NOBODY && !gone.has(send.run)) writeSend(tx, send);
  }
  if (leaving.written < order.length) return;
  const runs = index.runs();
  const enough = Math.min(runs.length, deleted + 1 + Math.ceil(added / SENDS_A_DELETION));
  for (const run of runs.slice(deleted, enough)) if (!gone.has(run)) forgetRun(tx, memory, run);
  leaving.deleted = enough;
  if (enough < runs.length) return;
  memory.leaving = null;
  tx.afterCommit(() => {
    for (const run of runs) gone.delete(run);
  });
}

/** One that a process wrote that died on the way is there already. */
function writeSend(tx: Tx, { run, first, second, index }: CachedSend): void {
  tx.run(
    `INSERT OR IGNORE INTO recent_sends (recipient_key, is_marketing, text_key, planned_at, message_id)
     VALUES (?, ?, ?, ?, ?)`,
    first,
    run.isMarketing,
    second,
    run.plannedAt,
    run.firstId + index,
  );
}
