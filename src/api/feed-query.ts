import { accepted, type FieldFault, type Outcome } from "../base/failures.ts";
import { refuseFaults } from "../intake/request-faults.ts";
import { isoToStampUs } from "../messages/stamps.ts";

/** docs/public-api.md section 4.4. */
export const FEED_LIMIT = { usual: 100, most: 500 } as const;

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
  const faults: FieldFault[] = [];
  const since = readSince(query, faults);
  const limit = readLimit(query, faults);
  const batchUlid = single(query, "batch_id", faults);
  if (since === null || faults.length > 0) return refuseFaults(faults);
  return accepted({ sinceUs: Math.max(since, earliestUs), limit, batchUlid });
}

function readSince(query: URLSearchParams, faults: FieldFault[]): number | null {
  const path = "/status_changed_since";
  const text = single(query, "status_changed_since", faults);
  if (text === null) {
    if (!query.has("status_changed_since")) faults.push({ path, message: "is required" });
    return null;
  }
  const stampUs = isoToStampUs(text);
  if (stampUs !== null) return Math.max(-LAST_STAMP_US, Math.min(stampUs, LAST_STAMP_US));
  faults.push({ path, message: "must be an ISO 8601 date-time, such as 2026-03-01T09:30:00Z" });
  return null;
}

function readLimit(query: URLSearchParams, faults: FieldFault[]): number {
  const text = single(query, "limit", faults);
  if (text === null) return FEED_LIMIT.usual;
  const limit = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > FEED_LIMIT.most) {
    faults.push({ path: "/limit", message: `must be a whole number from 1 to ${FEED_LIMIT.most}` });
  }
  return limit;
}

function single(query: URLSearchParams, name: string, faults: FieldFault[]): string | null {
  const values = query.getAll(name);
  if (values.length > 1) {
    faults.push({ path: `/${name}`, message: "is given more than once" });
    return null;
  }
  return values[0] ?? null;
}
