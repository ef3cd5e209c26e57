import { accepted } from "../../core/failures.ts";
import { jsonDigest } from "../../domain/submission/canonical.ts";
import type { ReadSubmission } from "../../domain/submission/packed-submission.ts";
import { readBatchRequest } from "../../domain/submission/request.ts";
import { type JsonOutcome, parseJson } from "../http/json-text.ts";

/** Reads the body of a submission; refused when it is not JSON (docs/behaviour.md#bodies). */
export function readSubmission(bytes: Uint8Array): JsonOutcome<ReadSubmission> {
  const json = parseJson(bytes);
  if (!json.ok) return json;
  return accepted({ digest: jsonDigest(json.value), request: readBatchRequest(json.value) });
}
