/** Parsers of query strings and small bodies of the API. Parameters have request shapes, as bodies do. */
import { type TSchema, Type as t } from "@sinclair/typebox";
import { readIsoTime } from "../../core/calendar.ts";
import { referenceFault } from "../../core/client-reference.ts";
import type { Clock } from "../../core/clock.ts";
import { nearest } from "../../core/edit-distance.ts";
import { isUlid } from "../../core/ids.ts";
import {
  accepted,
  type FaultList,
  faultList,
  type Outcome,
  refuse,
  refuseFault,
  refuseFaults,
} from "../../core/refusals.ts";
import {
  type Description,
  defineShape,
  describe,
  type Field,
  hasShape,
  isRecord,
  optional,
  type RequestShape,
  refuseOthers,
  text,
} from "../../core/request-shape.ts";
import { type BatchFilter, LISTED_STATUSES, type ListedStatus } from "../../domain/messages/batches.ts";
import { isoToStampUs } from "../../domain/messages/feed-stamps.ts";
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import { declaredBytes, findBodyHeadFault, readBody } from "../http/body.ts";
import { parseJson } from "../http/json.ts";
import { problem } from "../http/problem.ts";
import type { RequestContext } from "../http/request-context.ts";

const USUAL_LIMIT = 100;
const MAX_LIMIT = 500;

/** A parameter, whose value is the list of texts given for it. Two are refused: which one is meant is unknown. */
function parameter<Schema extends TSchema>(
  schema: Schema,
  faultOf: (text: string) => Phrase | null,
  missing: Phrase | null = null,
): Field<Schema> {
  return {
    schema,
    check: (values, tell) => {
      const [text, second]: readonly unknown[] = Array.isArray(values) ? values : [];
      const fault = typeof text === "string" ? faultOf(text) : missing;
      if (second !== undefined) tell(phrase("fault.parameter.twice"));
      else if (fault !== null) tell(fault);
    },
  };
}

/** What is wrong with a timestamp; null: nothing. Without its offset it could be any of a day's hours. */
function findTimestampFault(text: string): Phrase | null {
  if (isoToStampUs(text) !== null) return null;
  const time = readIsoTime(text);
  return phrase(time === null || time.isDate ? "fault.moment" : "fault.moment.offset");
}

/** A client's own reference for a batch or a recipient. */
const REFERENCE_PARAMETER = parameter(
  t.Optional(
    t.String({
      description: describe("reference.called_so"),
      minLength: 1,
      maxLength: 64,
      examples: ["order-1042"],
    }),
  ),
  referenceFault,
);

/** The most items of a page. */
const LIMIT = parameter(
  t.Optional(
    t.Integer({
      description: describe("reference.limit"),
      minimum: 1,
      maximum: MAX_LIMIT,
      default: USUAL_LIMIT,
    }),
  ),
  (text) => {
    const limit = /^\d{1,9}$/.test(text) ? Number(text) : 0;
    return limit < 1 || limit > MAX_LIMIT ? phrase("fault.whole_in", { least: 1, most: MAX_LIMIT }) : null;
  },
);

/** Reads the limit of a query string that was checked. */
function readLimit(query: URLSearchParams): number {
  return Number(query.get("limit") ?? USUAL_LIMIT);
}

/** Parses the query string of a URL. */
export function parseQueryString(url: string): URLSearchParams {
  const at = url.indexOf("?");
  return new URLSearchParams(at === -1 ? "" : url.slice(at + 1));
}

/** Adds the faults of a shape's parameters; other parameters are ignored. */
function checkQuery(shape: RequestShape, query: URLSearchParams, faults: FaultList): void {
  const names = Object.keys(shape.fields);
  hasShape(shape, Object.fromEntries(names.map((name) => [name, query.getAll(name)])), faults);
}

/** Adds each parameter that the shape does not have: a misspelt filter must not list everything. */
function refuseOtherParameters({ fields }: RequestShape, query: URLSearchParams, faults: FaultList): void {
  for (const name of new Set(query.keys())) {
    if (Object.hasOwn(fields, name)) continue;
    const meant = nearest(name.slice(0, 64), Object.keys(fields));
    faults.at([name], meant === null ? phrase("fault.parameter") : phrase("fault.parameter.near", { meant }));
  }
}

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

/** A requested page of batches. */
export type BatchQuery = {
  readonly filter: BatchFilter;
  readonly limit: number;
  /** The public id of the batch before the page; null for the first page. */
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

/** The refusal of a cursor that was made up, or belongs to other filters or another account. */
export const NO_CURSOR = refuseFault("/cursor", phrase("fault.cursor"));

/** The cursor of the page behind a batch, for this account and these filters alone. */
export function toNextCursor(batchUlid: string, accountId: number, filter: BatchFilter): string {
  return `${batchUlid}${sealOf(batchUlid, accountId, filter)}`;
}

const ULID_LENGTH = 26;

function batchBehind(cursor: string, accountId: number, filter: BatchFilter): string | null {
  const ulid = cursor.slice(0, ULID_LENGTH);
  return isUlid(ulid) && cursor === toNextCursor(ulid, accountId, filter) ? ulid : null;
}

/** Ties a cursor to its list. It is no protection, because the batch is looked up by its account. */
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

/** Reads a moment; one between two milliseconds is rounded up, so that a limit falls on the right side of both. */
function millisecondsOf(text: string | null): number | null {
  const us = text === null ? null : isoToStampUs(text);
  return us === null ? null : Math.ceil(us / 1000);
}

/** The parameters of `GET /messages` (docs/public-api.md section 4.4). */
export const FEED_QUERY = defineShape({
  status_changed_since: parameter(
    t.String({
      format: "date-time",
      description: describe("reference.listMessageChanges.since"),
      examples: ["2026-03-01T09:30:00Z"],
    }),
    findTimestampFault,
    phrase("fault.required"),
  ),
  limit: LIMIT,
  client_reference: REFERENCE_PARAMETER,
  batch_client_reference: REFERENCE_PARAMETER,
  batch_id: parameter(
    t.Optional(
      t.String({ description: describe("reference.listMessageChanges.batch"), minLength: 26, maxLength: 26 }),
    ),
    () => null,
  ),
});

/** No stamp is later (June 2255), nor as long before 1970, so moments beyond are clamped to it. */
const LAST_STAMP_US = Number.MAX_SAFE_INTEGER;

type FeedParameters = {
  /** Clamped to the lookback, epoch microseconds. */
  readonly sinceUs: number;
  readonly limit: number;
  readonly batchUlid: string | null;
  readonly clientReference: string | null;
  readonly batchReference: string | null;
};

/**
 * Reads the query string of `GET /messages`. A start before `earliestUs` is clamped to it, not refused. A parameter
 * given twice is a fault, since nobody can tell which was meant; one that is not known is ignored.
 */
export function readFeedQuery(
  query: URLSearchParams,
  earliestUs: number,
): Outcome<FeedParameters, "VALIDATION_FAILED"> {
  const faults = faultList();
  checkQuery(FEED_QUERY, query, faults);
  const sinceUs = isoToStampUs(query.get("status_changed_since") ?? "");
  if (sinceUs === null || faults.found.length > 0) return refuseFaults(faults.found);
  return accepted({
    sinceUs: Math.max(earliestUs, Math.min(sinceUs, LAST_STAMP_US)),
    limit: readLimit(query),
    batchUlid: query.get("batch_id"),
    clientReference: query.get("client_reference"),
    batchReference: query.get("batch_client_reference"),
  });
}

/** The longest reason that a client gives (docs/behaviour.md#cancelling). */
const MAX_REASON_LENGTH = 255;

/** The body of a cancellation. */
export const CANCEL = defineShape(
  {
    reason: optional(text(MAX_REASON_LENGTH), {
      description: describe("reference.BatchCancellation.reason"),
      examples: ["wrong list"],
    }),
  },
  { additionalProperties: false },
);

/** Reads the body of a cancellation, if there is one: the reason, or null for none. */
export function readCancelReason(json: unknown): Outcome<string | null, "VALIDATION_FAILED"> {
  if (json === undefined) return accepted(null);
  if (!isRecord(json)) return refuse("VALIDATION_FAILED.not_object");
  const faults = faultList();
  refuseOthers(CANCEL, json, faults, () => phrase("fault.unknown.cancellation"));
  if (!hasShape(CANCEL, json, faults) || faults.found.length > 0) return refuseFaults(faults.found);
  const reason = json.reason?.trim() ?? "";
  return accepted(reason === "" ? null : reason);
}

/** The largest body of a request that is no submission. */
const MAX_BODY_BYTES = 65_536;

/** The JSON of a small request, `undefined` where it has no body, or the answer that refuses it. */
type SmallBody =
  | { readonly ok: true; readonly json: unknown }
  | { readonly ok: false; readonly answer: Response };

/** Reads the body of a request that has one. */
export async function readSmallBody(
  exchange: RequestContext,
  request: Request,
  clock: Clock,
): Promise<SmallBody> {
  const headFault = findBodyHeadFault(request.headers, MAX_BODY_BYTES);
  if (headFault !== null) return no(exchange, headFault, { connection: "close" });
  const body = await readBody(request, MAX_BODY_BYTES, clock);
  if (!body.ok) return no(exchange, body.refusal, { connection: "close" });
  const json = parseJson(body.value);
  return json.ok ? { ok: true, json: json.value } : no(exchange, json.refusal);
}

/** The same for a request that may come without a body. */
export async function readBodyIfAny(
  exchange: RequestContext,
  request: Request,
  clock: Clock,
): Promise<SmallBody> {
  const isChunked = request.headers.has("transfer-encoding");
  return isChunked || (declaredBytes(request.headers) ?? 0) > 0
    ? readSmallBody(exchange, request, clock)
    : { ok: true, json: undefined };
}

function no(exchange: RequestContext, ...why: Tail<Parameters<typeof problem>>): SmallBody {
  return { ok: false, answer: problem(exchange, ...why) };
}

type Tail<Items extends readonly unknown[]> = Items extends readonly [unknown, ...infer Rest] ? Rest : never;
