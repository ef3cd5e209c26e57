import { Type as t } from "@sinclair/typebox";
import { describe } from "../../core/description.ts";
import { accepted, type Outcome } from "../../core/failures.ts";
import { faultList, refuseFaults } from "../../core/field-faults.ts";
import { defineShape } from "../../core/shape.ts";
import { isoToStampUs } from "../../domain/messages/stamps.ts";
import { phrase } from "../../i18n/phrase.ts";
import { checkQuery, LIMIT, readLimit, findTimestampFault, parameter, REFERENCE_PARAMETER } from "./query.ts";

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

/** Nothing is stamped later (June 2255), nor as long before 1970: a moment beyond, exact or not, comes to the same. */
const LAST_STAMP_US = Number.MAX_SAFE_INTEGER;

export type FeedParameters = {
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
