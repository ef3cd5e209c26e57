import { accepted } from "../base/failures.ts";
import { type JsonOutcome, parseJson } from "../http/json-text.ts";
import type { IntakeOutcome } from "../intake/refusals.ts";
import { type BatchRequest, readBatchRequest } from "../intake/request.ts";
import { jsonDigest } from "./canonical.ts";

/** The body of a submission, read. */
export type ReadSubmission = {
  /** SHA-256 of its JSON value, whatever its shape: what an idempotency key is compared by. */
  readonly digest: Uint8Array;
  readonly request: IntakeOutcome<BatchRequest>;
};

/** Reads the body of a submission; refused when it is not JSON (docs/behaviour.md#bodies). */
export function readSubmission(bytes: Uint8Array): JsonOutcome<ReadSubmission> {
  const json = parseJson(bytes);
  if (!json.ok) return json;
  return accepted({ digest: jsonDigest(json.value), request: readBatchRequest(json.value) });
}
