/**
 * Reads batches (docs/behaviour.md#7-batches): one by its public id or its row id, the object that the public API shows, lists
 * (docs/behaviour.md#list-of-batches), and what belongs to one: text, client reference, warnings, rejected recipients.
 *
 * Main types: `BatchRow` is the row with its counters, `BatchFilter` what a list asks for. It only reads: batches are written by
 * insert.ts, and moved by batch-totals.ts.
 */
import { assert } from "../../core/assert.ts";
import { isoInZone } from "../../core/calendar.ts";
import type { Channel } from "../../core/channels.ts";
import { type Clock, isoOrNull } from "../../core/clock.ts";
import { createYielder } from "../../core/concurrency.ts";
import { isSandbox } from "../../core/sandbox.ts";
import type { TextRules } from "../../core/text-rules.ts";
import type { Reader } from "../../db/reader.ts";
import { EXACT_ENGLISH, readPhrase } from "../../i18n/phrase.ts";
import { english, withTexts } from "../../i18n/text.ts";
import type { BatchStatus } from "./batch-status.ts";
import type { BatchPlace } from "./billing.ts";
import type { CancelReason } from "./cancellation.ts";
import type { NewRejection } from "./insert.ts";

export type BatchRow = {
  id: number;
  ulid: string;
  account_id: number;
  status: Exclude<BatchStatus, "STAGING">;
  sender: string;
  channel: Channel;
  message_class: "OTP" | "TRANSACTIONAL" | "MARKETING";
  is_test: number;
  timezone: string;
  created_at: number;
  scheduled_at: number | null;
  accepted: number;
  rejected: number;
  total_segments: number;
  queued: number;
  submitted: number;
  sent: number;
  delivered: number;
  failed: number;
  cancelled: number;
  reserved_amount: number;
  charged_amount: number;
  released_amount: number;
  failure_code: string | null;
  failure_detail: string | null;
  text_policy: TextRules["textPolicy"];
  missing_attributes: TextRules["missingAttributes"];
  warnings: string | null;
  cancel_requested_at: number | null;
  client_reference: string | null;
};

const COLUMNS = `id, ulid, account_id, status, sender, channel, message_class, is_test, timezone, created_at,
  scheduled_at, accepted, rejected, total_segments, queued, submitted, sent, delivered, failed, cancelled,
  reserved_amount, charged_amount, released_amount, failure_code, failure_detail,
  coalesce(text_policy, 'as_is') AS text_policy, coalesce(missing_attributes, 'empty') AS missing_attributes, warnings,
  cancel_requested_at, client_reference`;

/** One batch of an account, or null: missing, another account's, or not answered for yet. */
export function findBatch(read: Reader, accountId: number, ulid: string): BatchRow | null {
  return read.get<BatchRow>(
    `SELECT ${COLUMNS} FROM batches WHERE ulid = ? AND account_id = ? AND status <> 'STAGING'`,
    ulid,
    accountId,
  );
}

/** One batch by its row id, whichever account's it is; null while it is being staged. */
export function batchById(read: Reader, id: number): BatchRow | null {
  return read.get<BatchRow>(`SELECT ${COLUMNS} FROM batches WHERE id = ? AND status <> 'STAGING'`, id);
}

/** The text of a batch, as its tags are filled in from; "" once it is forgotten. */
export function batchText(read: Reader, id: number): string {
  return batchWritten(read, id).body;
}

/** The same with what of its braces is a tag although it is no plain name. */
export function batchWritten(read: Reader, id: number): { body: string; otherTags: readonly string[] } {
  const sql = "SELECT body, other_tags AS otherTags FROM batches WHERE id = ?";
  const row = read.get<{ body: string; otherTags: string | null }>(sql, id);
  return { body: row?.body ?? "", otherTags: readOtherTags(row?.otherTags ?? null) };
}

/** Reads what a batch keeps of them: a JSON list, or nothing. */
export function readOtherTags(text: string | null): readonly string[] {
  if (text === null) return [];
  const names: unknown = JSON.parse(text);
  assert(Array.isArray(names), "other tags are a list");
  return names.map(String);
}

/** What the administration asks of a batch beside its fetch form. */
export type BatchRecord = {
  readonly id: number;
  readonly ulid: string;
  readonly accountId: number;
  readonly status: string;
  readonly cancelReason: CancelReason | null;
  readonly cancelNote: string | null;
  readonly createdAtMs: number;
  readonly endedAtMs: number | null;
  /** Its messages follow each other from this one on. */
  readonly firstMessageId: number;
  readonly messages: number;
};

/** The batch that a public id names, whichever account's it is; null: missing, or not answered for yet. */
export function batchRecord(read: Reader, ulid: string): BatchRecord | null {
  return read.get<BatchRecord>(
    `SELECT id, ulid, account_id AS accountId, status, cancel_reason AS cancelReason, cancel_note AS cancelNote,
       created_at AS createdAtMs, ended_at AS endedAtMs, first_message_id AS firstMessageId, accepted AS messages
     FROM batches WHERE ulid = ? AND status <> 'STAGING'`,
    ulid,
  );
}

/** The public ids of up to `limit` batches of an account that stand before a place in the order of acceptance, newest first. */
export function batchUlids(read: Reader, accountId: number, before: BatchPlace, limit: number): string[] {
  return read
    .all<{ ulid: string }>(
      `SELECT ulid FROM batches WHERE account_id = ? AND (created_at, id) < (?, ?) AND status <> 'STAGING'
       ORDER BY created_at DESC, id DESC LIMIT ?`,
      accountId,
      before.createdAtMs,
      before.id,
      limit,
    )
    .map((row) => row.ulid);
}

/**
 * The fetch form of a batch (docs/public-api.md section 2.2) without its `rejections`, which may be long and are read
 * one by one with `readRejections`. Figures of a batch that is still validating are zeros: not yet computed.
 */
export function batchObject(row: BatchRow) {
  const { failure, ...figures } = batchView(row);
  return { ...figures, failure: failure && { ...failure, detail: english(failure.detail) } };
}

/** The same for a reader who is shown in their own language why it failed. */
export function batchView(row: BatchRow) {
  return {
    batch_id: row.ulid,
    client_reference: row.client_reference,
    status: row.status,
    accepted: row.accepted,
    rejected: row.rejected,
    sender: row.sender,
    channel: row.channel,
    message_class: row.message_class,
    is_test: row.is_test === 1,
    is_sandbox: isSandbox(row.account_id),
    text_policy: row.text_policy,
    missing_attributes: row.missing_attributes,
    scheduled_at: row.scheduled_at === null ? null : isoInZone(row.scheduled_at, row.timezone),
    created_at: isoInZone(row.created_at, row.timezone),
    cancel_requested_at: isoOrNull(row.cancel_requested_at),
    counts: {
      total: row.accepted,
      queued: row.queued,
      submitted: row.submitted,
      sent: row.sent,
      delivered: row.delivered,
      failed: row.failed,
      cancelled: row.cancelled,
    },
    total_segments: row.total_segments,
    reserved_amount: row.reserved_amount,
    charged_amount: row.charged_amount,
    released_amount: row.released_amount,
    currency: "XOF",
    failure:
      row.failure_code === null
        ? null
        : { code: row.failure_code, detail: readPhrase(row.failure_detail ?? "") },
  };
}

/** Warnings for the client of a batch about its tags (docs/behaviour.md#warnings). */
export function parseWarnings({ warnings }: BatchRow): unknown {
  return warnings === null ? [] : JSON.parse(warnings);
}

/** The same in the words of the API: a JSON array. */
export function warningsText(row: BatchRow): string {
  return row.warnings === null ? "[]" : JSON.stringify(withTexts(parseWarnings(row), EXACT_ENGLISH));
}

export type RejectionObject = {
  readonly index: number;
  readonly msisdn: string | null;
  readonly reason_code: string;
  readonly client_reference?: string | null;
  readonly batch_client_reference?: string | null;
};

/** A rejected recipient as its client is shown it; with references where it or its batch has one. */
export function rejectionObject(
  { position, msisdn, reason, clientReference }: NewRejection,
  batchReference: string | null,
): RejectionObject {
  const rejection = { index: position, msisdn, reason_code: reason };
  return clientReference === null && batchReference === null
    ? rejection
    : { ...rejection, client_reference: clientReference, batch_client_reference: batchReference };
}

/** Up to `limit` rejected recipients of a batch from position `fromIndex` on, in order of submission. */
export function readRejections(
  read: Reader,
  { id, client_reference: reference }: Pick<BatchRow, "id" | "client_reference">,
  fromIndex: number,
  limit: number,
): RejectionObject[] {
  return read
    .all<NewRejection>(
      `SELECT position, msisdn, reason, client_reference AS clientReference FROM rejections
       WHERE batch_id = ? AND position >= ? ORDER BY position LIMIT ?`,
      id,
      fromIndex,
      limit,
    )
    .map((rejection) => rejectionObject(rejection, reference));
}

/** Rejected recipients as they stand in the list of an answer. */
export function rejectionsText(rejections: readonly RejectionObject[]): string {
  return rejections.map((rejection) => JSON.stringify(rejection)).join(",");
}

/** What a client calls a batch; null where it has no name. */
export function batchReference(read: Reader, id: number): string | null {
  const sql = "SELECT client_reference AS reference FROM batches WHERE id = ?";
  return read.get<{ reference: string | null }>(sql, id)?.reference ?? null;
}

/** Why the recipient at a place of a batch was rejected; null where it was not. */
export function readRejection(read: Reader, batchId: number, position: number): string | null {
  const sql = "SELECT reason FROM rejections WHERE batch_id = ? AND position = ?";
  return read.get<{ reason: string }>(sql, batchId, position)?.reason ?? null;
}

/** What clients call some batches, by id; those that have no name are not there. */
export function readReferences(read: Reader, ulids: readonly string[]): ReadonlyMap<string, string> {
  const rows = read.all<{ ulid: string; reference: string }>(
    `SELECT b.ulid, b.client_reference AS reference FROM json_each(?) j CROSS JOIN batches b ON b.ulid = j.value
     WHERE b.client_reference IS NOT NULL`,
    JSON.stringify(ulids),
  );
  return new Map(rows.map(({ ulid, reference }) => [ulid, reference]));
}

/** Positions counted in one go. */
const COUNT_STEP = 5000;

/** How many recipients of a batch were rejected for each reason; by stretches, because there may be 100,000. */
export async function rejectionsByReason(
  read: Reader,
  clock: Clock,
  batchId: number,
): Promise<Record<string, number>> {
  const pause = createYielder(clock);
  const counts: Record<string, number> = {};
  const last =
    read.get<{ last: number | null }>(
      "SELECT max(position) AS last FROM rejections WHERE batch_id = ?",
      batchId,
    )?.last ?? -1;
  for (let from = 0; from <= last; from += COUNT_STEP) {
    const rows = read.all<{ reason: string; count: number }>(
      `SELECT reason, count(*) AS count FROM rejections
       WHERE batch_id = ? AND position >= ? AND position < ? GROUP BY reason ORDER BY reason`,
      batchId,
      from,
      from + COUNT_STEP,
    );
    for (const { reason, count } of rows) counts[reason] = (counts[reason] ?? 0) + count;
    await pause();
  }
  return counts;
}

// Lists of an account's batches by what a client asks for, the newest first. A step looks at a few hundred rows of an index
// in the order of acceptance, so that others have their turn between two of them; rare statuses have an index of their own, which
// costs a batch that is sent and settled nothing.

/** The states that a client may ask for. */
export const LISTED_STATUSES = [
  ...(["VALIDATING", "SCHEDULED", "QUEUED", "SENDING"] as const),
  ...(["SETTLED", "REJECTED", "FAILED", "CANCELLED"] as const),
] satisfies readonly BatchStatus[];

export type ListedStatus = (typeof LISTED_STATUSES)[number];

/** Which batches are wanted. Times of acceptance are epoch milliseconds. */
export type BatchFilter = {
  /** Null: in any state. */
  readonly statuses: readonly ListedStatus[] | null;
  /** What their client called them; null: whatever it was. */
  readonly clientReference: string | null;
  /** Whether a name that their client gave them fits; absent: any does, and none. */
  readonly isNamed?: (name: string) => boolean;
  /** Whether those that came over SMPP are left out, a batch for each text. */
  readonly withoutSmpp?: boolean;
  /** Accepted at this moment or later. */
  readonly fromMs: number;
  /** Accepted before this moment. */
  readonly toMs: number;
};

type FoundBatch = BatchPlace & {
  readonly ulid: string;
  readonly status: ListedStatus;
  readonly clientReference: string | null;
  readonly isSmpp: 0 | 1;
};

/** Rows looked at in one go. */
const STEP = 500;
/** Rows looked at for one page; then the page is what was found by then. */
const MAX_LOOKED = 20_000;

/** Batches in the order of acceptance, the newest first. */
type BatchesFound = {
  readonly batches: readonly FoundBatch[];
  /** Where to go on: the public id of the last batch that was looked at; null when there is none behind. */
  readonly after: string | null;
};

/**
 * Up to `limit` batches of an account behind a place, or from the newest on. Where few of very many fit, it may be fewer although
 * there are more behind.
 */
export async function findBatches(
  read: Reader,
  accountId: number,
  filter: BatchFilter,
  behind: BatchPlace | null,
  limit: number,
  pause: () => Promise<void> | undefined,
): Promise<BatchesFound> {
  const { statuses } = filter;
  const wanted: readonly string[] | null = statuses;
  const most = wanted === null && !filter.isNamed && !filter.withoutSmpp ? Math.min(STEP, limit + 1) : STEP;
  const batches: FoundBatch[] = [];
  let last: FoundBatch | null = null;
  let place: BatchPlace = behind ?? { createdAtMs: Number.MAX_SAFE_INTEGER, id: 0 };
  for (let looked = 0; looked < MAX_LOOKED; looked += most) {
    const rows = nextRows(read, accountId, filter, place, most);
    for (const row of rows) {
      const fits = wanted?.includes(row.status) !== false && isAmong(row, filter);
      if (fits && batches.length === limit) return { batches, after: last?.ulid ?? null };
      if (fits) batches.push(row);
      last = row;
    }
    if (rows.length < most || !last) return { batches, after: null };
    place = last;
    await pause();
  }
  return { batches, after: last?.ulid ?? null };
}

/** Whether a batch has a name that is looked for, and came in a way that is. */
export function isAmong(
  { clientReference, isSmpp }: Pick<FoundBatch, "clientReference" | "isSmpp">,
  { isNamed, withoutSmpp }: Pick<BatchFilter, "isNamed" | "withoutSmpp">,
): boolean {
  if (withoutSmpp && isSmpp === 1) return false;
  return !isNamed || (clientReference !== null && isNamed(clientReference));
}

/** The statuses of the index that holds the rarer ones. */
const SET_APART: readonly string[] = ["VALIDATING", "SCHEDULED", "REJECTED", "FAILED", "CANCELLED"];
const IS_SET_APART = "status IN ('VALIDATING', 'SCHEDULED', 'REJECTED', 'FAILED', 'CANCELLED')";

function nextRows(
  read: Reader,
  accountId: number,
  { statuses, clientReference, fromMs, toMs }: BatchFilter,
  behind: BatchPlace,
  limit: number,
): FoundBatch[] {
  const isRare = statuses?.every((status) => SET_APART.includes(status)) === true;
  const [index, which] =
    clientReference !== null
      ? ["batches_by_reference", "status <> 'STAGING' AND client_reference = ?"]
      : isRare
        ? ["batches_set_apart", IS_SET_APART]
        : ["batches_of_account", "status <> 'STAGING'"];
  const from = toMs <= behind.createdAtMs ? { createdAtMs: toMs, id: 0 } : behind;
  return read.all<FoundBatch>(
    `SELECT id, ulid, created_at AS createdAtMs, status, client_reference AS clientReference, is_smpp AS isSmpp
     FROM batches INDEXED BY ${index}
     WHERE account_id = ? AND (created_at, id) < (?, ?) AND created_at >= ? AND ${which}
     ORDER BY created_at DESC, id DESC LIMIT ?`,
    accountId,
    from.createdAtMs,
    from.id,
    fromMs,
    ...(clientReference === null ? [] : [clientReference]),
    limit,
  );
}

/** Batches of whatever account below a row id, sandboxes apart, the newest first. */
export function batchesBelow(
  read: Reader,
  belowId: number,
  limit: number,
): (FoundBatch & { readonly accountId: number })[] {
  return read.all(
    `SELECT id, ulid, account_id AS accountId, created_at AS createdAtMs, status, client_reference AS clientReference, is_smpp AS isSmpp
     FROM batches WHERE id < ? AND status <> 'STAGING' AND account_id > 0 ORDER BY id DESC LIMIT ?`,
    belowId,
    limit,
  );
}
