import { type TSchema, Type as t } from "@sinclair/typebox";
import { accepted, type Outcome } from "../base/failures.ts";
import { faultList, refuseFaults } from "../base/field-faults.ts";
import { type Field, hasShape, shapeOf } from "../base/shape.ts";
import { isoToStampUs } from "../messages/stamps.ts";

const USUAL_LIMIT = 100;
const MOST_LIMIT = 500;

/** The parameters of `GET /messages` (docs/public-api.md section 4.4). */
export const FEED_QUERY = shapeOf({
  status_changed_since: parameter(
    t.String({
      format: "date-time",
      description: "ISO 8601. One before the maximum lookback is clamped to it.",
      examples: ["2026-03-01T09:30:00Z"],
    }),
    (text) =>
      isoToStampUs(text) === null ? "must be an ISO 8601 date-time, such as 2026-03-01T09:30:00Z" : null,
    "is required",
  ),
  limit: parameter(
    t.Optional(t.Integer({ minimum: 1, maximum: MOST_LIMIT, default: USUAL_LIMIT })),
    (text) => {
      const limit = /^\d{1,9}$/.test(text) ? Number(text) : 0;
      return limit < 1 || limit > MOST_LIMIT ? `must be a whole number from 1 to ${MOST_LIMIT}` : null;
    },
  ),
  batch_id: parameter(
    t.Optional(t.String({ description: "Restricts the page to one batch.", minLength: 26, maxLength: 26 })),
    () => null,
  ),
});

/** A parameter of a query string, whose values are the texts that were given for it. */
function parameter<Schema extends TSchema>(
  schema: Schema,
  faultOf: (text: string) => string | null,
  missing: string | null = null,
): Field<Schema> {
  return {
    schema,
    check: (values, tell) => {
      const [text, second]: readonly unknown[] = Array.isArray(values) ? values : [];
      const fault = typeof text === "string" ? faultOf(text) : missing;
      if (second !== undefined) tell("is given more than once");
      else if (fault !== null) tell(fault);
    },
  };
}

/** Nothing is stamped later (June 2255), nor as long before 1970: a moment beyond, exact or not, comes to the same. */
const LAST_STAMP_US = Number.MAX_SAFE_INTEGER;

export type FeedParameters = {
  /** Clamped to the lookback, epoch microseconds. */
  readonly sinceUs: number;
  readonly limit: number;
  readonly batchUlid: string | null;
};

/** The query string of a URL, taken apart. */
export function queryOf(url: string): URLSearchParams {
  const at = url.indexOf("?");
  return new URLSearchParams(at === -1 ? "" : url.slice(at + 1));
}

/**
 * Reads the query string of `GET /messages`. A start before `earliestUs` is clamped to it, not refused. A parameter
 * given twice is a fault, since nobody can tell which was meant; one that is not known is ignored.
 */
export function readFeedQuery(
  query: URLSearchParams,
  earliestUs: number,
): Outcome<FeedParameters, "VALIDATION_FAILED"> {
  const faults = faultList();
  const names = Object.keys(FEED_QUERY.fields);
  hasShape(FEED_QUERY, Object.fromEntries(names.map((name) => [name, query.getAll(name)])), faults);
  const sinceUs = isoToStampUs(query.get("status_changed_since") ?? "");
  if (sinceUs === null || faults.found.length > 0) return refuseFaults(faults.found);
  return accepted({
    sinceUs: Math.max(earliestUs, Math.min(sinceUs, LAST_STAMP_US)),
    limit: Number(query.get("limit") ?? USUAL_LIMIT),
    batchUlid: query.get("batch_id"),
  });
}
