import { awaitingAnswer, numberKey } from "../messages/departures.ts";
import { type NamedPart, partsBySmscKey } from "../messages/part-lookup.ts";
import { canonicalId, type IdForm, type IdReading, readingsOf } from "../smpp/message-id.ts";
import type { Reader } from "../store/read.ts";
import { formEvidence, learntForm } from "./id-forms.ts";

/** What a receipt says of whom it is about. */
export type ReceiptKeys = {
  readonly operator: string;
  readonly id: string;
  /** The numbers it came with, as the operator writes them: the handset's, and the other address. */
  readonly numbers: readonly string[];
  readonly receivedAtMs: number;
};

export type ReceiptMatch =
  /** `countAs`: the form to count for the operator; null where nothing is learnt from it. */
  | { readonly kind: "named"; readonly parts: readonly NamedPart[]; readonly countAs: IdForm | null }
  /** No segment has this id, however it is read, and a number that may be the receipt's. */
  | { readonly kind: "unknown" }
  /** It may be one of several messages, or one whose response has not come. */
  | { readonly kind: "undecided" };

/**
 * The segments a receipt is about (decisions.md section 6, Receipts). The exact id first; then its canonical
 * forms, where they name one message and the number agrees. The form that an operator's receipts have shown comes before
 * the exact one, which may be another message's by accident. A segment is never named whose number disagrees, nor one
 * that left after the receipt came. Operators use ids again: what waits for its receipt comes before what has had it, and
 * what has had it is not named while another submit to the number waits for its id.
 */
export function matchReceipt(read: Reader, keys: ReceiptKeys): ReceiptMatch {
  const { operator, id } = keys;
  const sameKey = known(read, keys, canonicalId(id));
  const exact = sameKey.filter((part) => part.smscId === id && agreement(part, keys) !== "disagrees");
  const evidence = formEvidence(read, operator);
  if (exact.length > 0 && evidence.size === 0) return pick(read, keys, exact, null);

  const agreeing = (parts: readonly NamedPart[]) =>
    parts.filter((part) => agreement(part, keys) === "agrees");
  const forms = new Map<IdForm, readonly NamedPart[]>([
    ["exact", exact],
    ["padded", agreeing(sameKey.filter((part) => part.smscId !== id))],
    ...otherBases(id).map(({ form, key }): [IdForm, NamedPart[]] => [form, agreeing(known(read, keys, key))]),
  ]);
  const readable = [...forms.keys()].filter((form) => forms.get(form)?.length);
  const countAs = readable.length === 1 ? (readable[0] ?? null) : null;
  const learnt = learntForm(evidence);
  const byLearnt = learnt === null ? [] : (forms.get(learnt) ?? []);
  if (learnt !== "exact" && messagesOf(byLearnt) === 1) return pick(read, keys, byLearnt, countAs);
  if (exact.length > 0) return pick(read, keys, exact, countAs);
  const canonical = [...forms.values()].flat();
  if (canonical.length === 0) return { kind: "unknown" };
  return messagesOf(canonical) === 1 ? pick(read, keys, canonical, countAs) : { kind: "undecided" };
}

function otherBases(id: string): IdReading[] {
  return readingsOf(id).filter(({ form }) => form !== "padded");
}

/** How far the machine's clock may be set back between a submit and its receipt without losing it. */
const CLOCK_STEP_MS = 5000;

/** Segments under a key that had left when the receipt came. */
function known(read: Reader, { operator, receivedAtMs }: ReceiptKeys, key: string): NamedPart[] {
  const latestMs = receivedAtMs + CLOCK_STEP_MS;
  return partsBySmscKey(read, operator, key).filter(({ writtenAt }) => (writtenAt ?? 0) <= latestMs);
}

function messagesOf(parts: readonly NamedPart[]): number {
  return new Set(parts.map(({ messageId }) => messageId)).size;
}

/** The youngest message of those that wait for a receipt, else of the others; those whose number agrees before those that give none. */
function pick(
  read: Reader,
  keys: ReceiptKeys,
  parts: readonly NamedPart[],
  countAs: IdForm | null,
): ReceiptMatch {
  // As good as always: one segment, and it waits.
  if (parts.length === 1 && parts[0]?.isOpen) return { kind: "named", parts, countAs };
  const sure = parts.filter((part) => agreement(part, keys) === "agrees");
  const eligible = sure.length > 0 ? sure : parts;
  const open = youngest(eligible.filter((part) => part.isOpen));
  if (open.length > 0) return { kind: "named", parts: open, countAs };
  const ended = youngest(eligible);
  return isAwaited(read, keys, ended) ? { kind: "undecided" } : { kind: "named", parts: ended, countAs };
}

function youngest(parts: readonly NamedPart[]): NamedPart[] {
  const newest = Math.max(...parts.map((part) => part.messageId));
  return parts.filter((part) => part.messageId === newest);
}

/** Whether another message to the number had left and waits for an id, so that the receipt may be about that one. */
function isAwaited(
  read: Reader,
  { operator, receivedAtMs }: ReceiptKeys,
  ended: readonly NamedPart[],
): boolean {
  return ended.some(({ messageId, msisdn }) =>
    awaitingAnswer(read, operator, msisdn).some(
      (awaiting) => awaiting.messageId !== messageId && awaiting.claimedAt <= receivedAtMs,
    ),
  );
}

/** "unknown" where the receipt gives no number: an address may be a name, a short code, or masked. */
function agreement({ msisdn }: NamedPart, { numbers }: ReceiptKeys): "agrees" | "disagrees" | "unknown" {
  let saysNumber = false;
  for (const number of numbers) {
    if (numbersAgree(msisdn, number)) return "agrees";
    saysNumber ||= numberKey(number) !== null;
  }
  return saysNumber ? "disagrees" : "unknown";
}

/**
 * Whether a spelling may be this number, which is E.164 with "+": operators write the national form, `00` or no `+` as
 * they like.
 */
export function numbersAgree(msisdn: string, spelling: string): boolean {
  const key = numberKey(spelling);
  return key !== null && msisdn.endsWith(key);
}
