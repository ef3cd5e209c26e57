/** A large submission as a thread reads it and hands it back. */
import { accepted } from "../base/failures.ts";
import { type JsonOutcome, readJson } from "../http/json-text.ts";
import { parseWithLongList } from "../http/long-list.ts";
import { type PackedRecipients, recipientPacker } from "../intake/recipient-list.ts";
import type { IntakeOutcome } from "../intake/refusals.ts";
import { type RequestOf, requestReading } from "../intake/request.ts";
import { jsonDigest } from "./canonical.ts";

/** A submission as the thread hands it back. */
export type PackedSubmission = {
  readonly digest: Uint8Array;
  readonly request: IntakeOutcome<RequestOf<PackedRecipients>>;
};

/**
 * Reads a body, and packs its recipients so that they can change hands; refused when it is not JSON. No more of them than a piece
 * of the text and a step exist as objects.
 */
export function readPacked(bytes: Uint8Array): JsonOutcome<PackedSubmission> {
  return readJson(bytes, (text) => {
    const json = parseWithLongList(text, "recipients");
    const reading = requestReading(json, recipientPacker);
    // Goes through all of it, so that what is no JSON is found here.
    const digest = jsonDigest(json, (name, item) => {
      if (name === "recipients") reading.take(item);
    });
    return accepted({ digest, request: reading.end() });
  });
}

/** Memory that is handed over with an answer. */
export function handedOver(outcome: JsonOutcome<PackedSubmission>): ArrayBuffer[] {
  return outcome.ok && outcome.value.request.ok ? [outcome.value.request.value.recipients.bytes.buffer] : [];
}
