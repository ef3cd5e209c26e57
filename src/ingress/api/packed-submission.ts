/** The body of a large submission as a thread reads it and hands it back. */
import { accepted } from "../../core/failures.ts";
import {
  type PackedSubmission,
  packedBuffers,
  packSubmission,
} from "../../domain/submission/packed-submission.ts";
import { type JsonOutcome, readJson } from "../http/json-text.ts";
import { parseJsonWithLongList } from "../http/long-list.ts";

/** Reads a body; refused when it is not JSON. What is no JSON is found as all of it is gone through. */
export function parsePackedSubmission(bytes: Uint8Array): JsonOutcome<PackedSubmission> {
  return readJson(bytes, (text) => accepted(packSubmission(parseJsonWithLongList(text, "recipients"))));
}

/** Memory that is handed over with an answer. */
export function handedOver(outcome: JsonOutcome<PackedSubmission>): ArrayBuffer[] {
  return outcome.ok ? packedBuffers(outcome.value) : [];
}
