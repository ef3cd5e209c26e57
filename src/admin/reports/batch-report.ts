/** The report of one batch: messages by operator, state and cause, and how fast they were delivered. */
import { isoOrNull } from "../../core/clock.ts";
import { createYielder } from "../../core/concurrency.ts";
import type { RowPlace } from "../../core/import-row.ts";
import type { Xof } from "../../core/money.ts";
import type { Reader } from "../../db/reader.ts";
import { readOutcomes } from "../../domain/messages/batch-messages.ts";
import { readRejections } from "../../domain/messages/batches.ts";
import {
  type FamilyBatch,
  NEARNESS,
  readAttempts,
  readBatchFamily,
  type Try,
} from "../../domain/messages/corrections.ts";
import {
  alreadyReachedCount,
  createFirstRowResolver,
  createLineReader,
  DUPLICATE_ROW,
  leftOutCount,
  readLinkedRows,
  readRows,
  type StoredRow,
} from "../../domain/messages/import-rows.ts";
import { findAnyBatch } from "../operations/batches.ts";
import type { AdminContext } from "../operations/context.ts";
import { done } from "../operations/refusal.ts";

/** `NO_RECEIPT`: sent, and no receipt has come, or none ever will. */
export type OutcomeState = "DELIVERED" | "NO_RECEIPT" | "FAILED" | "CANCELLED" | "UNDER_WAY" | "WAITING";

const STATES: Readonly<Record<string, OutcomeState>> = {
  DELIVERED: "DELIVERED",
  SENT: "NO_RECEIPT",
  FAILED: "FAILED",
  CANCELLED: "CANCELLED",
  SUBMITTED: "UNDER_WAY",
  QUEUED: "WAITING",
};
const ORDER: readonly OutcomeState[] = [
  ...(["DELIVERED", "NO_RECEIPT", "FAILED", "UNDER_WAY", "WAITING", "CANCELLED"] as const),
];

export type OutcomeLine = {
  readonly operator: string;
  readonly state: OutcomeState;
  /** Why they failed or were cancelled; null for others. */
  readonly error: string | null;
  readonly messages: number;
  readonly segments: number;
  readonly amount: Xof;
};

const WITHIN_SECONDS = [10, 60, 300, 900, 3600, 6 * 3600, 24 * 3600, 72 * 3600];

/** Sums the messages of a batch in slices beside other work. */
export async function batchReport({ store, clock }: AdminContext, batchId: string) {
  const batch = findAnyBatch(store.read, batchId);
  if (!batch.ok) return batch;
  const lines = new Map<string, OutcomeLine>();
  const delivered: number[] = [];
  let [firstMs, messages] = [Number.POSITIVE_INFINITY, 0];
  const pause = createYielder(clock);
  for (const outcomes of readOutcomes(store.read, batch.value)) {
    for (const outcome of outcomes) {
      const { status, ...rest } = outcome;
      addOutcome(lines, { ...rest, state: STATES[status] ?? "UNDER_WAY" });
      const { submittedAtMs, deliveredAtMs } = outcome;
      if (submittedAtMs !== null) firstMs = Math.min(firstMs, submittedAtMs);
      if (deliveredAtMs !== null) delivered.push(deliveredAtMs);
    }
    messages += outcomes.length;
    await pause();
  }
  delivered.sort((a, b) => a - b);
  return done({
    batch_id: batch.value.ulid,
    /** By operator, state and cause. They sum to the accepted messages, except purged ones. */
    lines: [...lines.values()].sort(inOrder),
    /** Accepted messages that were purged: their outcomes are unknown here. */
    gone: batch.value.messages - messages,
    first_left_at: isoOrNull(Number.isFinite(firstMs) ? firstMs : null),
    last_delivered_at: isoOrNull(delivered.at(-1) ?? null),
    /** How many were delivered within so many seconds of the first submit; the last step has all of them. */
    course: courseOf(delivered, firstMs),
  });
}

/** Adds one message, or person, to the line of its operator, state and cause. */
export function addOutcome(
  lines: Map<string, OutcomeLine>,
  { operator, state, error, segments, amount }: Omit<OutcomeLine, "messages">,
): void {
  const key = `${operator} ${state} ${error}`;
  const sum = lines.get(key);
  lines.set(key, {
    operator,
    state,
    error,
    messages: (sum?.messages ?? 0) + 1,
    segments: (sum?.segments ?? 0) + segments,
    amount: (sum?.amount ?? 0) + amount,
  });
}

function inOrder(one: OutcomeLine, other: OutcomeLine): number {
  if (one.operator !== other.operator) return one.operator < other.operator ? -1 : 1;
  return ORDER.indexOf(one.state) - ORDER.indexOf(other.state) || other.messages - one.messages;
}

/** The course up to the first step by which all were delivered. */
function courseOf(delivered: readonly number[], firstMs: number) {
  if (delivered.length === 0 || !Number.isFinite(firstMs)) return [];
  const within = WITHIN_SECONDS.map((seconds) => ({
    seconds,
    delivered: delivered.filter((ms) => ms - firstMs <= seconds * 1000).length,
  }));
  const whole = within.findIndex((step) => step.delivered === delivered.length);
  return whole < 0 ? within : within.slice(0, whole + 1);
}

// Every person of a file and its corrections, once, by their last try (docs/administration.md#what-became-of-messages).

/** A person who was sent a text, with the try that counts; `batch`: its place in the family. */
export type SentRecipient = Pick<Try, "msisdn" | "operator" | "state" | "error" | "messageId"> & {
  readonly batch: number;
  /** Their row, in the first file known to have it. */
  readonly row: RowPlace | null;
  /** Totals of all texts to them in all batches: paid SMS segments, and XOF. */
  readonly segments: number;
  readonly amount: number;
  /** Why a later batch sent them nothing, the last such reason; null where none did. */
  readonly refusedSince: string | null;
};

/** A person who was never sent anything. */
export type RejectedPerson = {
  /** The number as written where it is not E.164; null where unknown. */
  readonly msisdn: string | null;
  /** Why the batch rejected it; null for an unreadable row. */
  readonly reason: string | null;
  readonly batch: number;
  readonly reference: string | null;
  readonly row: RowPlace | null;
  /** What is kept of an unreadable row. */
  readonly stored: StoredRow | null;
};

/** People are identified by number; without one, by row, until the row with its id has a number. */
export type FamilyRecipients = {
  readonly batches: readonly FamilyBatch[];
  readonly sent: readonly SentRecipient[];
  readonly refused: readonly RejectedPerson[];
  /** Rows of the first file that repeat an earlier row's number: not counted as people. */
  readonly repeats: number;
  /** Purged texts: whom they reached is unknown. */
  readonly forgotten: number;
};

/** The state while reading a batch: whose row stood at each place. */
type Gathering = {
  readonly read: Reader;
  readonly pause: () => Promise<void> | undefined;
  readonly place: number;
  readonly rowAt: (position: number) => RowPlace | null;
  readonly firstOf: (row: RowPlace) => RowPlace;
  readonly sent: Map<string, SentRecipient>;
  readonly refused: Map<string, RejectedPerson>;
  /** Maps a row's key to the key of its person among the rejected. */
  readonly byRow: Map<string, string>;
};

/** Rows read at once. */
const STEP = 1000;

/** Reads the people of a family in slices beside other work; of a batch without corrections, its own. */
export async function readFamilyRecipients(
  { store: { read }, clock }: Pick<AdminContext, "store" | "clock">,
  batchId: number,
): Promise<FamilyRecipients> {
  const { batches } = readBatchFamily(read, batchId);
  const ids = batches.map(({ id }) => id);
  const known = { read, pause: createYielder(clock), firstOf: createFirstRowResolver(read, ids) };
  const people = {
    sent: new Map<string, SentRecipient>(),
    refused: new Map<string, RejectedPerson>(),
    byRow: new Map<string, string>(),
  };
  let [repeats, forgotten] = [0, 0];
  for (const [place, batch] of batches.entries()) {
    const lineAt = createLineReader(read, batch.id);
    const rowAt = (position: number): RowPlace | null => {
      const line = lineAt(position);
      return line === null ? null : { batch: batch.id, line };
    };
    const gathering = { ...known, ...people, place, rowAt };
    // A row that comes back is identified by what this file has in its place.
    for (const link of readLinkedRows(read, batch.id))
      people.refused.delete(people.byRow.get(nameOf(known.firstOf(link))) ?? "");
    forgotten += batch.messages - (await gatherTries(gathering, batch, clock.nowMs()));
    const doubles = await gatherRejections(gathering, batch);
    if (place === 0) repeats = doubles;
    await gatherUnreadable(gathering, batch);
  }
  for (const msisdn of people.sent.keys()) people.refused.delete(msisdn);
  return {
    batches,
    sent: [...people.sent.values()],
    refused: [...people.refused.values()],
    repeats,
    forgotten,
  };
}

function nameOf({ batch, line }: RowPlace): string {
  return `${batch} ${line}`;
}

/** Notes the outcomes by number of a batch; returns how many texts there are. */
async function gatherTries(gathering: Gathering, batch: FamilyBatch, nowMs: number): Promise<number> {
  let texts = 0;
  for (const tries of readAttempts(gathering.read, batch, nowMs)) {
    texts += tries.length;
    for (const one of tries) noteTry(gathering, one);
    await gathering.pause();
  }
  return texts;
}

/** Keeps the try with the best state; among equals the last one. */
function noteTry({ sent, place, rowAt, firstOf }: Gathering, one: Try): void {
  const { msisdn, operator, state, error, messageId, position } = one;
  const before = sent.get(msisdn);
  // A message that failed or was cancelled at no cost used no paid segment.
  const isFree = one.amount === 0 && (state === "FAILED" || state === "CANCELLED");
  const segments = (isFree ? 0 : one.segments) + (before?.segments ?? 0);
  const amount = one.amount + (before?.amount ?? 0);
  const isNearer = before === undefined || NEARNESS[state] > NEARNESS[before.state];
  if (!isNearer && !(before.state === state && NEARNESS[state] <= 0)) {
    sent.set(msisdn, { ...before, segments, amount });
    return;
  }
  const own = rowAt(position);
  sent.set(msisdn, {
    msisdn,
    operator,
    state,
    error,
    messageId,
    batch: place,
    row: own === null ? (before?.row ?? null) : firstOf(own),
    segments,
    amount,
    refusedSince: null,
  });
}

/** Notes the rejected of a batch: the last time counts. Returns how many repeat a number. */
async function gatherRejections(gathering: Gathering, { id }: FamilyBatch): Promise<number> {
  const { read, pause, place: batch, rowAt, firstOf, sent } = gathering;
  let doubles = 0;
  for (let from = 0; ; ) {
    const page = readRejections(read, { id, client_reference: null }, from, STEP);
    for (const { index, msisdn, reason_code: reason, client_reference: reference = null } of page) {
      if (reason === DUPLICATE_ROW) {
        doubles += 1;
        continue;
      }
      const own = rowAt(index);
      const row = own && firstOf(own);
      const tried = msisdn === null ? undefined : sent.get(msisdn);
      if (tried && tried.batch < batch) sent.set(tried.msisdn, { ...tried, refusedSince: reason });
      const name = msisdn?.startsWith("+") ? msisdn : `rejected ${id} ${index}`;
      noteRefused(gathering, name, { msisdn, reason, batch, reference, row, stored: null });
    }
    const last = page.at(-1);
    if (!last || page.length < STEP) return doubles;
    from = last.index + 1;
    await pause();
  }
}

function noteRefused({ refused, byRow }: Gathering, name: string, person: RejectedPerson): void {
  refused.set(name, person);
  if (person.row !== null) byRow.set(nameOf(person.row), name);
}

/** Notes the unreadable rows of a batch's file, including those of which nothing is kept. */
async function gatherUnreadable(gathering: Gathering, { id }: FamilyBatch): Promise<void> {
  const { read, pause, place: batch, firstOf } = gathering;
  const all = leftOutCount(read, id);
  if (all === 0) return;
  let known = alreadyReachedCount(read, id);
  for (let from = 0; ; ) {
    const page = readRows(read, id, ["UNREADABLE"], from, STEP);
    for (const kept of page) {
      const row = firstOf({ batch: id, line: kept.line });
      const { written: msisdn, client_reference: reference } = kept;
      noteRefused(gathering, nameOf(row), { msisdn, reason: null, batch, reference, row, stored: kept });
    }
    known += page.length;
    const last = page.at(-1);
    if (!last || page.length < STEP) break;
    from = last.line + 1;
    await pause();
  }
  for (; known < all; known += 1) {
    const nobody = { msisdn: null, reason: null, batch, reference: null, row: null, stored: null };
    noteRefused(gathering, `unkept ${id} ${known}`, nobody);
  }
}
