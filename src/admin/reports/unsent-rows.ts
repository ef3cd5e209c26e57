/** Searches unsent rows of files in recent batches for what a caller says: unreadable rows have no message to search. */

import { createYielder } from "../../core/concurrency.ts";
import { causePhrase, type RowPlace } from "../../core/import-row.ts";
import type { Reader } from "../../db/reader.ts";
import { accountById } from "../../domain/accounts/accounts.ts";
import { batchById, batchObject, readRejection } from "../../domain/messages/batches.ts";
import { correctingBatches } from "../../domain/messages/corrections.ts";
import {
  createFirstRowResolver,
  DUPLICATE_ROW,
  PAGE,
  readLinkedRows,
  readRowsBefore,
  type StoredRow,
} from "../../domain/messages/import-rows.ts";
import { type MessageRow, messageObject } from "../../domain/messages/message-view.ts";
import { findBatchIdAt } from "../../domain/messages/number-records.ts";
import { findAccountOrNull } from "../operations/account-names.ts";
import type { AdminContext } from "../operations/context.ts";
import { createDigitCounter, createMsisdnReader } from "../operations/msisdn.ts";
import { done } from "../operations/refusal.ts";
import { createRowMatcher, type RowMatch } from "./row-match.ts";

type RowsQuery = {
  /** A number as somebody has it, or a word. */
  readonly typed: string;
  readonly account: string | null;
  /** Whether the template values may be read; otherwise they are neither searched nor shown. */
  readonly readsValues: boolean;
  readonly limit: number;
};

/** A row that was not sent, with the batch whose file it stood in. */
type UnsentRowView = Readonly<NonNullable<ReturnType<typeof foundRow>>>;

const DAYS = 7;
const DAY_MS = 86_400_000;
/** How far ids of batches may be from the time that they were accepted at. */
const SLACK_MS = 3_600_000;
/** Rows that one search goes through, of whatever account: about 50 ms. */
const MAX_LOOKED = 20_000;

/** Returns what looks for a typed text in a row. */
export function createTypedMatcher(config: AdminContext["config"], typed: string) {
  const count = createMsisdnReader(config)(typed) === null ? null : createDigitCounter(config)(typed);
  const national = count === null ? null : typed.replaceAll(/\D/g, "").slice(-count.digits);
  return createRowMatcher(typed, national);
}

/** The newest first, in slices beside other work. `days`: how far back batches were looked at. */
export async function findUnsentRows(
  { store: { read }, clock, config }: AdminContext,
  { typed, account: wanted, readsValues, limit }: RowsQuery,
) {
  const account = findAccountOrNull(read, wanted);
  if (!account.ok) return account;
  const fromMs = clock.nowMs() - DAYS * DAY_MS;
  const span = { fromBatch: findBatchIdAt(read, fromMs - SLACK_MS), accountId: account.value?.id ?? null };
  const matchRow = createTypedMatcher(config, typed);
  const pause = createYielder(clock);
  const rows: UnsentRowView[] = [];
  const finding = { read, fromMs, correctedBy: correctionsOf(read) };
  let place = { batchId: Number.MAX_SAFE_INTEGER, line: 0 };
  for (let looked = 0; looked < MAX_LOOKED; looked += PAGE) {
    const step = readRowsBefore(read, place, span);
    for (const kept of step.rows) {
      const row = readsValues ? kept : { ...kept, cells: null };
      const match = matchRow(row);
      const found = match === null ? null : foundRow(finding, row, match);
      if (found && rows.length === limit) return done({ rows, is_more: true, days: DAYS });
      if (found) rows.push(found);
    }
    if (step.next === null) break;
    place = step.next;
    await pause();
  }
  return done({ rows, is_more: false, days: DAYS });
}

/** The same for rows of several batches: each one's corrections are read once. */
function correctionsOf(read: Reader): (batchId: number) => ReturnType<typeof createCorrectionLookup> {
  const known = new Map<number, ReturnType<typeof createCorrectionLookup>>();
  return (batchId) => {
    const corrected = known.get(batchId) ?? createCorrectionLookup(read, batchId);
    known.set(batchId, corrected);
    return corrected;
  };
}

type Finding = {
  readonly read: Reader;
  readonly fromMs: number;
  readonly correctedBy: ReturnType<typeof correctionsOf>;
};

function foundRow({ read, fromMs, correctedBy }: Finding, row: StoredRow, match: RowMatch) {
  const batch = batchById(read, row.batchId);
  if (!batch || batch.status === "VALIDATING" || batch.created_at < fromMs) return null;
  const isRejected = row.status === "REJECTED" && row.position !== null;
  const reason = isRejected ? readRejection(read, row.batchId, row.position ?? -1) : null;
  // The quote rejected it, but the submission did not.
  if (isRejected && reason === null) return null;
  const { batch_id, client_reference, created_at } = batchObject(batch);
  const isKnown = row.status === "REJECTED" && reason !== DUPLICATE_ROW;
  return {
    batch_id,
    account: accountById(read, batch.account_id)?.name ?? "",
    client_reference,
    created_at,
    line: row.line,
    /** The text in its number column. */
    written: row.written,
    /** What stood in its other columns, as far as the text asks for them. */
    values: Object.values(row.cells ?? {}),
    cause: causePhrase(row.cause),
    /** Why it was rejected; null of a row that was no recipient, or repeats a number: its cause says it. */
    reason,
    match,
    /** What a correction sent for it since; null: nothing found by its number. */
    corrected: correctedBy(row.batchId)({ line: row.line, number: isKnown ? row.msisdn : null }),
  };
}

// What a correction sent for an unsent row: its person may have got the text minutes later.

/** A row of a batch that was not sent. */
type UnsentRow = {
  readonly line: number | null;
  /** In E.164; null where nobody knows it, and of a row that repeats one: what goes to its number is another row's too. */
  readonly number: string | null;
};

/** Messages of corrections that are looked at. */
const MAX_CORRECTING_MESSAGES = 2000;

/**
 * Finds what a correction sent for a row of a batch: for the row with its id, otherwise to its number. Returns the last message
 * to that number.
 */
export function createCorrectionLookup(
  read: Reader,
  batchId: number,
): (row: UnsentRow) => CorrectedRow | null {
  const batches = correctingBatches(read, batchId, MAX_CORRECTING_MESSAGES);
  const firstOf = createFirstRowResolver(read, [batchId, ...batches.map(({ id }) => id)]);
  const nameOf = (row: RowPlace): string => {
    const { batch, line } = firstOf(row);
    return `${batch} ${line}`;
  };
  const numbers = new Map<string, string>();
  for (const { id, messages } of batches) {
    const byPlace = new Map(messages.map((message) => [message.position, message]));
    for (const link of readLinkedRows(read, id)) {
      const own = link.position === null ? undefined : byPlace.get(link.position);
      if (own) numbers.set(nameOf(link), own.msisdn);
    }
  }
  const last = new Map(batches.flatMap(({ messages }) => messages.map((one) => [one.msisdn, one])));
  return ({ line, number }) => {
    const own = line === null ? undefined : numbers.get(nameOf({ batch: batchId, line }));
    const message = last.get(own ?? number ?? "");
    return message ? shown(message) : null;
  };
}

/** A message of a batch that corrects the row's. */
export type CorrectedRow = Readonly<ReturnType<typeof shown>>;

function shown(message: MessageRow) {
  const { batch_id, message_id, msisdn, status, ...times } = messageObject(message);
  return {
    batch_id,
    message_id,
    msisdn,
    status,
    /** When it came to that. */
    at: times.finalized_at ?? times.sent_at ?? times.created_at,
  };
}
