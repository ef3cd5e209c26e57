/** A submission as a thread reads it and hands it over: of a large one only one step of recipients exists as objects at a time. */

import { isItemList } from "../../core/lazy-list.ts";
import { accepted } from "../../core/refusals.ts";
import { isRecord } from "../../core/request-shape.ts";
import { type PackedRecipients, recipientPacker, unpackRecipients } from "./recipients.ts";
import { type BatchRequest, type IntakeOutcome, type RequestOf, requestReading } from "./request.ts";

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

/** Buffers that are transferred with it. */
export function packedBuffers({ request }: PackedSubmission): ArrayBuffer[] {
  return request.ok ? [request.value.recipients.bytes.buffer] : [];
}

export function unpackSubmission({ digest, request }: PackedSubmission): ReadSubmission {
  if (!request.ok) return { digest, request };
  const recipients = unpackRecipients(request.value.recipients);
  return { digest, request: accepted({ ...request.value, recipients }) };
}

/**
 * SHA-256 of a JSON value in a canonical form: equal values have equal digests, whatever the order of their keys,
 * their white space or the writing of their numbers (docs/behaviour.md#idempotency).
 */
export function jsonDigest(value: unknown, told: OnItem = () => {}): Uint8Array {
  const hasher = new Bun.CryptoHasher("sha256");
  for (const piece of canonicalPieces(value, told)) hasher.update(piece);
  return hasher.digest();
}

/** Called with each item of a list that stands directly in the value, and the name of the list. */
type OnItem = (name: string, item: unknown) => void;

/** How much text is collected before it is hashed. */
const PIECE_LENGTH = 32_768;

/** The canonical text of a value, cut between the items of a long array that stands directly in it. */
function* canonicalPieces(value: unknown, told: OnItem): Generator<string> {
  if (!isObject(value)) {
    yield canonical(value);
    return;
  }
  let text = "{";
  for (const name of Object.keys(value).sort()) {
    text += `${JSON.stringify(name)}:`;
    const member = value[name];
    if (isItemList(member)) {
      text += "[";
      for (const item of member) {
        told(name, item);
        text += `${canonical(item)},`;
        if (text.length < PIECE_LENGTH) continue;
        yield text;
        text = "";
      }
      text += "],";
    } else {
      text += `${canonical(member)},`;
    }
  }
  yield `${text}}`;
}

/** A text that two values share only if they are equal. It need not be JSON: every item is followed by a comma. */
function canonical(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (Array.isArray(value)) {
    let items = "[";
    for (const item of value) items += `${canonical(item)},`;
    return `${items}]`;
  }
  // String() tells an overflowed 1e999 from null; -0 and 0 are equal.
  if (!isObject(value)) return String(value);
  let members = "{";
  for (const name of Object.keys(value).sort())
    members += `${JSON.stringify(name)}:${canonical(value[name])},`;
  return `${members}}`;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
