import { Type as t } from "@sinclair/typebox";
import { type Description, describe } from "../../core/description.ts";
import { accepted, type Outcome } from "../../core/failures.ts";
import { faultList, refuseFault, refuseFaults } from "../../core/field-faults.ts";
import { isUlid } from "../../core/ids.ts";
import { defineShape } from "../../core/shape.ts";
import { type BatchFilter, LISTED_STATUSES, type ListedStatus } from "../../domain/messages/batch-list.ts";
import { isoToStampUs } from "../../domain/messages/stamps.ts";
import { phrase } from "../../i18n/phrase.ts";
import {
  checkQuery,
  LIMIT,
  readLimit,
  findTimestampFault,
  parameter,
  REFERENCE_PARAMETER,
  refuseOtherParameters,
} from "./query.ts";

const moment = (description: Description) =>
  parameter(
    t.Optional(
      t.String({
        format: "date-time",
        description: describe(description),
        examples: ["2026-03-01T00:00:00Z"],
      }),
    ),
    findTimestampFault,
  );

/** The parameters of `GET /batches` (docs/behaviour.md#list-of-batches). */
export const BATCH_QUERY = defineShape({
  status: parameter(
    t.Optional(
      t.String({
        description: describe("reference.listBatches.status", { statuses: LISTED_STATUSES.join(", ") }),
        examples: ["SENDING,SETTLED"],
      }),
    ),
    (text) =>
      statusesOf(text) === null ? phrase("fault.some_of", { words: LISTED_STATUSES.join(", ") }) : null,
  ),
  client_reference: REFERENCE_PARAMETER,
  created_from: moment("reference.listBatches.created_from"),
  created_to: moment("reference.listBatches.created_to"),
  limit: LIMIT,
  cursor: parameter(
    t.Optional(
      t.String({
        description: describe("reference.listBatches.cursor"),
      }),
    ),
    () => null,
  ),
});

/** A page that is asked for. */
export type BatchQuery = {
  readonly filter: BatchFilter;
  readonly limit: number;
  /** The public id of the batch that it goes on behind; null for the first page. */
  readonly after: string | null;
};

/** Reads the query string of `GET /batches`. */
export function readBatchQuery(
  query: URLSearchParams,
  accountId: number,
): Outcome<BatchQuery, "VALIDATION_FAILED"> {
  const faults = faultList();
  refuseOtherParameters(BATCH_QUERY, query, faults);
  checkQuery(BATCH_QUERY, query, faults);
  if (faults.found.length > 0) return refuseFaults(faults.found);
  const filter: BatchFilter = {
    statuses: statusesOf(query.get("status")),
    clientReference: query.get("client_reference"),
    fromMs: millisecondsOf(query.get("created_from")) ?? 0,
    toMs: millisecondsOf(query.get("created_to")) ?? Number.MAX_SAFE_INTEGER,
  };
  const cursor = query.get("cursor");
  const after = cursor === null ? null : batchBehind(cursor, accountId, filter);
  if (cursor !== null && after === null) return NO_CURSOR;
  return accepted({ filter, limit: readLimit(query), after });
}

/** Said of a cursor that was made up, or belongs to other filters or another account. */
export const NO_CURSOR = refuseFault("/cursor", phrase("fault.cursor"));

/** The cursor that goes on behind a batch, for this account and these filters alone. */
export function toNextCursor(batchUlid: string, accountId: number, filter: BatchFilter): string {
  return `${batchUlid}${sealOf(batchUlid, accountId, filter)}`;
}

const ULID_LENGTH = 26;

function batchBehind(cursor: string, accountId: number, filter: BatchFilter): string | null {
  const ulid = cursor.slice(0, ULID_LENGTH);
  return isUlid(ulid) && cursor === toNextCursor(ulid, accountId, filter) ? ulid : null;
}

/** It keeps nobody out, for the batch is looked up by its account: it tells a list from another. */
function sealOf(ulid: string, accountId: number, { statuses, ...others }: BatchFilter): string {
  const { clientReference, fromMs, toMs } = others;
  const states = statuses === null ? null : [...statuses].sort();
  const asked = JSON.stringify([ulid, accountId, states, clientReference, fromMs, toMs]);
  return new Bun.CryptoHasher("sha256").update(asked).digest("base64url").slice(0, 14);
}

/** The states that a text names, each once; null where it names none, or another. */
function statusesOf(text: string | null): readonly ListedStatus[] | null {
  if (text === null) return null;
  const words = new Set(text.split(",").map((word) => word.trim()));
  const known = LISTED_STATUSES.filter((status) => words.has(status));
  return known.length === words.size ? known : null;
}

/** A moment between two milliseconds is the later one: what was accepted before it is left out, or not. */
function millisecondsOf(text: string | null): number | null {
  const us = text === null ? null : isoToStampUs(text);
  return us === null ? null : Math.ceil(us / 1000);
}
