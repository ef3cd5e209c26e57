import { accepted } from "../../core/refusals.ts";
import {
  jsonDigest,
  type PackedSubmission,
  packedBuffers,
  packSubmission,
  type ReadSubmission,
} from "../../domain/submission/packed-submission.ts";
import { readBatchRequest } from "../../domain/submission/request.ts";
import { type JsonOutcome, parseJson, readJson } from "../http/json.ts";
import { parseJsonWithLongList } from "../http/json-long-list.ts";

/** Reads the body of a submission; refused when it is not JSON (docs/behaviour.md#bodies). */
export function readSubmission(bytes: Uint8Array): JsonOutcome<ReadSubmission> {
  const json = parseJson(bytes);
  if (!json.ok) return json;
  return accepted({ digest: jsonDigest(json.value), request: readBatchRequest(json.value) });
}

// The body of a large submission, as a thread reads and returns it.

/** Reads a body; refused when it is not JSON, which is found because the whole body is gone through. */
export function parsePackedSubmission(bytes: Uint8Array): JsonOutcome<PackedSubmission> {
  return readJson(bytes, (text) => accepted(packSubmission(parseJsonWithLongList(text, "recipients"))));
}

/** Memory that is transferred with an answer, not copied. */
export function handedOver(outcome: JsonOutcome<PackedSubmission>): ArrayBuffer[] {
  return outcome.ok ? packedBuffers(outcome.value) : [];
}
