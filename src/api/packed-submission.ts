/** A large submission as a thread reads it and hands it back. */
import { accepted } from "../base/failures.ts";
import type { JsonOutcome } from "../http/json-text.ts";
import { type PackedRecipients, packRecipients } from "../intake/recipient-list.ts";
import type { IntakeOutcome } from "../intake/refusals.ts";
import type { BatchRequest } from "../intake/request.ts";
import { readSubmission } from "./read-submission.ts";

/** A submission as the thread hands it back. */
export type PackedSubmission = {
  readonly digest: Uint8Array;
  readonly request: IntakeOutcome<
    Omit<BatchRequest, "recipients"> & { readonly recipients: PackedRecipients }
  >;
};

/** Reads a body, and packs its recipients so that they can change hands; refused when it is not JSON. */
export function readPacked(bytes: Uint8Array): JsonOutcome<PackedSubmission> {
  const submission = readSubmission(bytes);
  if (!submission.ok) return submission;
  const { digest, request } = submission.value;
  if (!request.ok) return accepted({ digest, request });
  const recipients = packRecipients(request.value.recipients, request.value.body);
  return accepted({ digest, request: accepted({ ...request.value, recipients }) });
}

/** Memory that is handed over with an answer. */
export function handedOver(outcome: JsonOutcome<PackedSubmission>): ArrayBuffer[] {
  return outcome.ok && outcome.value.request.ok ? [outcome.value.request.value.recipients.bytes.buffer] : [];
}
