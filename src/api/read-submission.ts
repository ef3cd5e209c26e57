import { accepted } from "../base/failures.ts";
import { type JsonOutcome, parseJson } from "../http/json-text.ts";
import { jsonDigest } from "../intake/canonical.ts";
import type { ReadSubmission } from "../intake/packed-submission.ts";
import { readBatchRequest } from "../intake/request.ts";

/** Reads the body of a submission; refused when it is not JSON (docs/behaviour.md#bodies). */
export function readSubmission(bytes: Uint8Array): JsonOutcome<ReadSubmission> {
  const json = parseJson(bytes);
  if (!json.ok) return json;
  return accepted({ digest: jsonDigest(json.value), request: readBatchRequest(json.value) });
}
