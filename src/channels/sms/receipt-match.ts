import type { Reader } from "../../db/read.ts";
import type { Tx } from "../../db/write.ts";
import {
  awaitingAnswer,
  messagesFrom,
  type NamedPart,
  partsByRemoteKey,
} from "../../domain/messages/part-lookup.ts";
import { type UnknownOutcome, findUnknownOutcomes, sampleUnknownOutcomes } from "./doubts.ts";
import { readFormatEvidence, deriveIdFormat } from "./id-forms.ts";
import { canonicalId, type IdFormat, type IdCandidate, toIdCandidates } from "./id-readings.ts";
import { numberKey, numbersAgree } from "./number-key.ts";
import { readShapeAccount, hasSubmitted } from "./submit-shape.ts";

/** What a receipt says of whom it is about. */
export type ReceiptKeys = {
  /** Whose session brought it. */
  readonly operator: string;
  /** The SMSC account of that session; null where it came before that was noted. */
  readonly account: string | null;
  /** Every operator it may belong to, that one among them. */
  readonly family: readonly string[];
  readonly id: string;
  /** The numbers it came with, as the operator writes them: the handset's, and the other address. */
  readonly numbers: readonly string[];
  /** Its number among the parked ones; null when it came this moment. */
  readonly unmatchedId: number | null;
  /** False of a text that only looks like a receipt: it must name its number as well, since a handset can't change that. */
  readonly isMarked: boolean;
};

export type ReceiptMatch =
  /** `countAs`: the form to count for the operator; null where nothing is learnt from it. */
  | { readonly kind: "named"; readonly parts: readonly NamedPart[]; readonly countAs: IdFormat | null }
  /** No segment has this id, however it is read, and a number that may be the receipt's. */
  | { readonly kind: "unknown" }
  /** It may be one of several messages, or one whose response has not come. */
  | { readonly kind: "undecided" };

/** The segments that left under ids of a canonical form. */
type PartsUnder = (key: string) => readonly NamedPart[];

/**
 * The segments a receipt is about (docs/behaviour.md#whose-receipts). Each SMSC account gives its ids for itself: in whatever
 * form, a segment that left for the receipt's own comes before those of other accounts.
 */
export function matchReceipt(tx: Tx, keys: ReceiptKeys): ReceiptMatch {
  const all = remembering((key) => known(tx, keys, key));
  const isAnothers = (part: NamedPart): boolean => isOfAnother(tx, keys.account, part);
  const own = remembering((key) => all(key).filter((part) => !isAnothers(part)));
  const match = matchAmong(tx, keys, own);
  if (match.kind !== "unknown" || keys.account === null) return match;
  const others = matchAmong(tx, keys, all);
  return others.kind === "named" && mayBeOwnYet(tx, keys, others.parts) ? { kind: "undecided" } : others;
}

function remembering(ask: PartsUnder): PartsUnder {
  const asked = new Map<string, readonly NamedPart[]>();
  return (key) => {
    const parts = asked.get(key) ?? ask(key);
    asked.set(key, parts);
    return parts;
  };
}

/** Whether something is known to have left for another account; what was not noted may be the receipt's. */
function isOfAnother(
  tx: Tx,
  account: string | null,
  { shapeId }: { readonly shapeId: number | null },
): boolean {
  const leftFor = account === null ? null : readShapeAccount(tx, shapeId);
  return leftFor !== null && leftFor !== account;
}

/** Of a family with more submits in doubt than this, a receipt without a number may be about one that left for its own account. */
const MAX_DOUBTS_SEEN = 256;

/**
 * Whether a receipt whose id another account gave may be about a submit that left for its own, and whose id has not come: one
 * to the number is under way, or in doubt. A receipt that gives no number may be about any in doubt.
 */
function mayBeOwnYet(tx: Tx, keys: ReceiptKeys, named: readonly NamedPart[]): boolean {
  const { account, family, unmatchedId } = keys;
  if (account === null || !hasSubmitted(tx, account)) return false;
  const isRival = (other: Pick<UnknownOutcome, "messageId" | "parkedBefore">): boolean =>
    wasSubmitted(other, unmatchedId) && !named.some(({ messageId }) => messageId === other.messageId);
  const isOwnRival = (doubt: Pick<UnknownOutcome, "messageId" | "parkedBefore" | "shapeId">): boolean =>
    isRival(doubt) && !isOfAnother(tx, account, doubt);
  const givesNumber = named.some((part) => agreement(part, keys) === "agrees");
  if (!givesNumber) {
    const doubts = sampleUnknownOutcomes(tx, family, MAX_DOUBTS_SEEN);
    if (doubts.length === MAX_DOUBTS_SEEN || doubts.some(isOwnRival)) return true;
  }
  for (const msisdn of new Set(named.map((part) => part.msisdn))) {
    const awaiting = awaitingAnswer(tx, family, msisdn);
    if (awaiting.some((other) => other.isUnderWay === 1 && isRival(other))) return true;
    if (givesNumber && findUnknownOutcomes(tx, family, numberKey(msisdn) ?? msisdn).some(isOwnRival)) return true;
  }
  return false;
}

/**
 * The segments a receipt is about, of those it may be about (docs/behaviour.md#ids-of-operators). The exact id first; then
 * its canonical forms, where they name one message and the number agrees. The form that an operator's receipts have shown comes before
 * the exact one, which may be another message's by accident. A segment is never named whose number disagrees, nor one
 * that left after the receipt came: what has an id when the receipt comes left before it, and of parked receipts their
 * numbers tell, whatever the clocks said. Operators use ids again: what waits for its receipt comes before what has had
 * it, and what has had it is not named while another submit to the number waits for its id.
 */
function matchAmong(read: Reader, keys: ReceiptKeys, partsUnder: PartsUnder): ReceiptMatch {
  const { family, id } = keys;
  const sameKey = partsUnder(canonicalId(id));
  const exact = sameKey.filter((part) => part.remoteId === id && mayBeTo(part, keys));
  const evidence = readFormatEvidence(read, family);
  if (exact.length > 0 && evidence.size === 0) return pick(read, keys, exact, null);

  const agreeing = (parts: readonly NamedPart[]) =>
    parts.filter((part) => agreement(part, keys) === "agrees");
  const forms = new Map<IdFormat, readonly NamedPart[]>([
    ["exact", exact],
    ["padded", agreeing(sameKey.filter((part) => part.remoteId !== id))],
    ...otherBases(id).map(({ form, key }): [IdFormat, NamedPart[]] => [form, agreeing(partsUnder(key))]),
  ]);
  const readable = [...forms.keys()].filter((form) => forms.get(form)?.length);
  const countAs = readable.length === 1 ? (readable[0] ?? null) : null;
  const learnt = deriveIdFormat(evidence);
  const byLearnt = learnt === null ? [] : (forms.get(learnt) ?? []);
  if (learnt !== "exact" && messagesOf(byLearnt) === 1) return pick(read, keys, byLearnt, countAs);
  if (exact.length > 0) return pick(read, keys, exact, countAs);
  const canonical = [...forms.values()].flat();
  if (canonical.length === 0) return { kind: "unknown" };
  return messagesOf(canonical) === 1 ? pick(read, keys, canonical, countAs) : { kind: "undecided" };
}

/** Whether the numbers that a receipt came with leave it open that it is about a recipient; of one without a mark they must name it. */
export function mayBeTo(part: Pick<NamedPart, "msisdn">, keys: ReceiptKeys): boolean {
  const agrees = agreement(part, keys);
  return agrees === "agrees" || (keys.isMarked && agrees === "unknown");
}

function otherBases(id: string): IdCandidate[] {
  return toIdCandidates(id).filter(({ form }) => form !== "padded");
}

/** Segments under a key that had left when the receipt came. */
function known(read: Reader, { family, unmatchedId }: ReceiptKeys, key: string): NamedPart[] {
  return partsByRemoteKey(read, family, key).filter((part) => wasSubmitted(part, unmatchedId));
}

/** Whether a submit had left, or may have, when a receipt came that was parked under this number, or that came this moment. */
export function wasSubmitted(
  { parkedBefore }: { readonly parkedBefore: number | null },
  unmatchedId: number | null,
): boolean {
  return unmatchedId === null || (parkedBefore ?? 0) < unmatchedId;
}

function messagesOf(parts: readonly NamedPart[]): number {
  return new Set(parts.map(({ messageId }) => messageId)).size;
}

/**
 * The youngest message of those that wait for a receipt, else of the others; those whose number agrees before those that
 * give none, those of the session's own operator before its family's, and of several to one number that wait, those whose
 * sender the receipt names: an operator with two SMSC accounts has each of them count its ids for itself.
 */
function pick(
  read: Reader,
  keys: ReceiptKeys,
  parts: readonly NamedPart[],
  countAs: IdFormat | null,
): ReceiptMatch {
  // As good as always: one segment, and it waits.
  if (parts.length === 1 && parts[0]?.isOpen) return { kind: "named", parts, countAs };
  const sure = parts.filter((part) => agreement(part, keys) === "agrees");
  const possible = sure.length > 0 ? sure : parts;
  const own = possible.filter(({ operator }) => operator === keys.operator);
  const eligible = own.some(({ isOpen }) => isOpen) || own.length === possible.length ? own : possible;
  const waiting = eligible.filter((part) => part.isOpen);
  const open = youngest(sure.length > 0 ? bySender(read, keys, waiting) : waiting);
  if (open.length > 0) return { kind: "named", parts: open, countAs };
  const ended = youngest(eligible);
  return isAwaited(read, keys, ended) ? { kind: "undecided" } : { kind: "named", parts: ended, countAs };
}

/** Those whose sender the receipt names; all where that tells nothing, since operators may put another in its place. */
function bySender(read: Reader, { numbers }: ReceiptKeys, parts: readonly NamedPart[]): readonly NamedPart[] {
  if (messagesOf(parts) < 2) return parts;
  const ids = parts.map(({ messageId }) => messageId);
  const named = messagesFrom(read, ids, numbers);
  return named.size === 0 ? parts : parts.filter(({ messageId }) => named.has(messageId));
}

function youngest(parts: readonly NamedPart[]): NamedPart[] {
  const newest = Math.max(...parts.map((part) => part.messageId));
  return parts.filter((part) => part.messageId === newest);
}

/** Whether another message to the number had been claimed and waits for an id, so that the receipt may be about that one. */
function isAwaited(read: Reader, { family, unmatchedId }: ReceiptKeys, ended: readonly NamedPart[]): boolean {
  return ended.some(({ messageId, msisdn }) =>
    awaitingAnswer(read, family, msisdn).some(
      (awaiting) => awaiting.messageId !== messageId && wasSubmitted(awaiting, unmatchedId),
    ),
  );
}

/** "unknown" where the receipt gives no number: an address may be a name, a short code, or masked. */
function agreement(
  { msisdn }: Pick<NamedPart, "msisdn">,
  { numbers }: ReceiptKeys,
): "agrees" | "disagrees" | "unknown" {
  let saysNumber = false;
  for (const number of numbers) {
    if (numbersAgree(msisdn, number)) return "agrees";
    saysNumber ||= numberKey(number) !== null;
  }
  return saysNumber ? "disagrees" : "unknown";
}
