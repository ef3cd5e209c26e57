/** A submission as a thread reads it and hands it over: of a large one no more recipients than a step exist as objects. */
import { accepted } from "../../core/failures.ts";
import { isItemList } from "../../core/item-list.ts";
import { isRecord } from "../../core/shape.ts";
import { jsonDigest } from "./canonical.ts";
import { type PackedRecipients, recipientPacker, unpackRecipients } from "./recipient-list.ts";
import type { IntakeOutcome } from "./refusals.ts";
import { type BatchRequest, type RequestOf, requestReading } from "./request.ts";

type Read<Request> = {
  /** SHA-256 of its JSON value, whatever its shape: what an idempotency key is compared by. */
  readonly digest: Uint8Array;
  readonly request: IntakeOutcome<Request>;
};

export type ReadSubmission = Read<BatchRequest>;
export type PackedSubmission = Read<RequestOf<PackedRecipients>>;

/** Reads a submission, and packs its recipients so that they can change hands. Goes once through all of it. */
export function packSubmission(json: unknown): PackedSubmission {
  const reading = requestReading(json, recipientPacker);
  const isList = isRecord(json) && isItemList(json.recipients);
  const digest = jsonDigest(json, (name, item) => {
    if (isList && name === "recipients") reading.take(item);
  });
  return { digest, request: reading.end() };
}

/** Memory that is handed over with it. */
export function packedBuffers({ request }: PackedSubmission): ArrayBuffer[] {
  return request.ok ? [request.value.recipients.bytes.buffer] : [];
}

export function unpackSubmission({ digest, request }: PackedSubmission): ReadSubmission {
  if (!request.ok) return { digest, request };
  const recipients = unpackRecipients(request.value.recipients);
  return { digest, request: accepted({ ...request.value, recipients }) };
}
