/**
 * Matches SMPP delivery receipts to submitted segments and applies them; those that match nothing yet are kept as
 * unmatched receipts, and tried again when something new is known. Operators reuse and reformat ids, so an id alone
 * rarely suffices.
 */
import type { Clock } from "../../core/clock.ts";
import type { Reader } from "../../db/reader.ts";
import type { Store } from "../../db/store.ts";
import type { Tx } from "../../db/writer.ts";
import { type InboundRules, receiveInbound } from "../../domain/inbound/inbound.ts";
import { type FactSession, openFacts } from "../../domain/messages/apply-facts.ts";
import type { RawReceipt, ReceiptVerdict } from "../../domain/messages/facts.ts";
import type { MessageErrorCode } from "../../domain/messages/message-status.ts";
import { hasUnswept, noteSwept, operatorFamily } from "../../domain/messages/operator-codes.ts";
import {
  awaitingAnswer,
  type IdentifiedPart,
  messagesFrom,
  partsByRemoteKey,
  readWhereabouts,
  type Whereabouts,
} from "../../domain/messages/segments.ts";
import { split } from "../../text/segments.ts";
import { settleUnknownOutcome } from "./attempt-result.ts";
import { type Receipt, receivedText } from "./read-deliver-sm.ts";
import { accountToSweep, countUnmarked, noteAccountSwept, readCountedReceipts } from "./receipt-detection.ts";
import {
  candidateIds,
  canonicalId,
  countIdFormat,
  deriveIdFormat,
  type IdCandidate,
  type IdFormat,
  keyOfAccount,
  numberKey,
  numbersAgree,
  readFormatEvidence,
  toIdCandidates,
} from "./receipt-keys.ts";
import { bookReceipt } from "./route-costs.ts";
import { countOutcome } from "./route-outcomes.ts";
import {
  findUnknownOutcomes,
  hasSubmitted,
  readSentWay,
  resolveByReceipt,
  sampleUnknownOutcomes,
  type UnknownOutcome,
} from "./sent-segments.ts";
import {
  findTestMessagesByKey,
  listAwaitingTests,
  type NamedTestMessage,
  recordTestReceipt,
  type TestReceipt,
} from "./test-messages.ts";
import {
  deleteUnmatchedReceipt,
  findUnmatchedReceipts,
  hasUnmatchedReceipts,
  type IncomingReceipt,
  insertUnmatchedReceipt,
  listUnmarkedAfter,
  listUnmatchedAfter,
  oldestWithText,
  readUnmatchedText,
  UNMATCHED_KEPT_MS,
  type UnmatchedReceipt,
} from "./unmatched-receipts.ts";

export type ReceiptOutcome = "matched" | "unmatched" | "unusable" | "refused";

/**
 * Finds the message a receipt is about and applies it, or stores it as unmatched until a response brings its id
 * (docs/behaviour.md#receipts). "unusable": it names no message at all, and is stored with the others, to be seen.
 * "refused": it is not stored, because the account's cap of unmatched receipts is reached.
 */
export function applyReceipt(
  tx: Tx,
  facts: FactSession,
  incoming: IncomingReceipt,
  nowMs: number,
): ReceiptOutcome {
  const { receipt, ...from } = incoming;
  if (receipt.id !== null) {
    const found = {
      ...receipt,
      id: receipt.id,
      operator: from.operator,
      account: from.account ?? null,
      msisdn: from.msisdn,
      otherNumber: from.otherNumber ?? "",
      rawStat: receipt.rawStat,
      receivedAtMs: nowMs,
      connection: from.connection ?? null,
      sequence: from.sequence ?? null,
      routeCost: from.routeCost ?? null,
    };
    const isApplied = from.isSure ? applyFound(tx, facts, found, null) : tryFound(tx, facts, found, null);
    if (isApplied) return "matched";
  }
  if (incoming.canKeepUnmatched?.(tx) === false) return "refused";
  const rowId = insertUnmatchedReceipt(tx, incoming, nowMs);
  tx.afterCommit(() => incoming.onUnmatchedKept?.(rowId));
  return receipt.id === null ? "unusable" : "unmatched";
}

/** A receipt with an id, whether it came this moment or was unmatched until now. */
type Found = Omit<UnmatchedReceipt, "rowId" | "rawStat"> & {
  readonly rawStat: string | null;
  /** Absent where it was unmatched until now. */
  readonly routeCost?: IncomingReceipt["routeCost"] | null;
};

/** Settled in the transaction that shows how the account marks its receipts; the sweep settles the rest. */
const SETTLED_AT_ONCE = 100;

/**
 * Applies a receipt if it counts and its message is known; returns whether it did. An unmarked one counts when its account
 * is known to send them so: until then it is evidence for that, if it names a message by id and number.
 */
function tryFound(tx: Tx, facts: FactSession, receipt: Found, unmatchedId: number | null): boolean {
  const { account, isMarked, receivedAtMs } = receipt;
  const counted = isMarked ? "all" : readCountedReceipts(tx, account);
  if (counted === "marked_only") return false;
  if (counted === "unknown") {
    const keys = keysOf(tx, receipt, unmatchedId);
    const match = matchReceipt(tx, keys);
    if (endTestMessage(tx, keys, match, toTestReceipt(receipt))) return true;
    const named = match.kind === "named" ? match.parts[0] : undefined;
    if (!named || account === null) return false;
    if (!countUnmarked(tx, account, named.messageId, receivedAtMs)) return false;
    for (const unmatched of listUnmarkedAfter(tx, account, 0, SETTLED_AT_ONCE))
      retryUnmatchedReceipt(tx, facts, unmatched);
  }
  return applyFound(tx, facts, receipt, unmatchedId);
}

function toTestReceipt(receipt: Found): TestReceipt {
  const { rawStat, errorCode, receivedAtMs } = receipt;
  return { verdict: verdictOf(receipt), rawState: rawStat, operatorCode: errorCode, atMs: receivedAtMs };
}

function keysOf(tx: Tx, receipt: Found, unmatchedId: number | null): ReceiptKeys {
  const { operator, account, id, msisdn, otherNumber } = receipt;
  const keys = { numbers: [msisdn, otherNumber], unmatchedId, isMarked: receipt.isMarked };
  return { operator, account, family: operatorFamily(tx, operator), id, ...keys };
}

/**
 * Applies a receipt to the segments it is about; `unmatchedId` is its number among the unmatched ones, null when it came this
 * moment. Returns false when it cannot be told which segments they are.
 */
function applyFound(tx: Tx, facts: FactSession, receipt: Found, unmatchedId: number | null): boolean {
  const { operator, id } = receipt;
  const verdict = verdictOf(receipt);
  const raw: RawReceipt = {
    state: receipt.rawStat,
    code: receipt.errorCode,
    connection: receipt.connection,
    sequence: receipt.sequence,
  };
  const keys = keysOf(tx, receipt, unmatchedId);
  const match = matchReceipt(tx, keys);
  if (endTestMessage(tx, keys, match, toTestReceipt(receipt))) return true;
  switch (match.kind) {
    case "undecided":
      return false;
    case "named":
      for (const { messageId, part, remoteKey, operator: sentAs, pduParametersId } of match.parts) {
        const applied = facts.apply({ kind: "receipt", messageId, part, remoteKey, verdict, raw });
        // Where no account was noted there were no routes yet.
        const route = receipt.account === null ? "" : readSentWay(tx, pduParametersId).route;
        countOutcome(tx, facts, applied, { operator: sentAs, route, atMs: receipt.receivedAtMs });
      }
      // An operator that always writes the exact form never has a row.
      if (match.countAs !== null) countIdFormat(tx, operator, match.countAs);
      return true;
    case "unknown": {
      const ownerless = { ...receipt, family: keys.family, unmatchedId };
      const owner = findUnansweredSubmit(tx, ownerless);
      if (!owner || mayBeOfTest(tx, ownerless, receipt.receivedAtMs)) return false;
      const { messageId, operator: sentAs, pduParametersId, attempt } = owner;
      const trace = {
        ...(attempt !== null && { attempt }),
        ...(pduParametersId !== null && { pduParametersId }),
      };
      const remoteKey = canonicalId(id);
      let batchId: number | null = null;
      for (let part = owner.firstPart; part <= owner.lastPart; part++) {
        ({ batchId } = facts.apply({
          kind: "part_accepted",
          messageId,
          part,
          operator: sentAs,
          remoteId: id,
          remoteKey,
          final: false,
          byReceipt: true,
          trace,
        }));
        const applied = facts.apply({ kind: "receipt", messageId, part, remoteKey, verdict, raw });
        const route = owner.route ?? "";
        countOutcome(tx, facts, applied, { operator: sentAs, route, atMs: receipt.receivedAtMs });
      }
      resolveByReceipt(tx, owner.id);
      if (owner.route !== null && batchId !== null) {
        const via = sentAs === operator ? (receipt.routeCost?.() ?? null) : null;
        bookReceipt(tx, facts, owner, { batchId, remoteKey, via });
      }
      const dueMs =
        settleUnknownOutcome(tx, facts, messageId, null, null, receipt.receivedAtMs)?.dueMs ?? null;
      if (dueMs !== null && batchId !== null) facts.queuedAgain.add(batchId);
      // With one unknown outcome less, another receipt may be about a single one.
      if (unmatchedId === null) applyUnmatchedReceipts(tx, facts, operator, { id: "", msisdn: owner.msisdn });
      return true;
    }
  }
}

/** Applies receipts that came before their owner was known: now a response brought the id, or another unknown outcome ended. */
export function applyUnmatchedReceipts(
  tx: Tx,
  facts: FactSession,
  operator: string,
  about: { readonly id: string; readonly msisdn: string },
): number {
  const family = operatorFamily(tx, operator);
  if (!hasUnmatchedReceipts(tx, family)) return 0;
  let applied = 0;
  // Each that is applied may leave only one submit that another can be about.
  for (let before = -1; before < applied; ) {
    before = applied;
    for (const unmatched of findUnmatchedReceipts(tx, family, about)) {
      if (retryUnmatchedReceipt(tx, facts, unmatched)) applied += 1;
    }
  }
  return applied;
}

/** Applies an unmatched receipt if its message is known by now; returns whether it did. */
function retryUnmatchedReceipt(tx: Tx, facts: FactSession, unmatched: UnmatchedReceipt): boolean {
  if (unmatched.id === "" || !tryFound(tx, facts, unmatched, unmatched.rowId)) return false;
  deleteUnmatchedReceipt(tx, unmatched);
  return true;
}

/**
 * Raw error codes of the mobile application part that most SMSCs pass on (3GPP TS 29.002 section 17.6.6), with what
 * they say of the phone. Other codes stay raw.
 */
const NETWORK_ERRORS: ReadonlyMap<string, MessageErrorCode> = new Map([
  ["1", "UNKNOWN_SUBSCRIBER"],
  ["5", "UNKNOWN_SUBSCRIBER"],
  ["6", "ABSENT_SUBSCRIBER"],
  ["9", "UNKNOWN_SUBSCRIBER"],
  ["11", "HANDSET_ERROR"],
  ["12", "HANDSET_ERROR"],
  ["27", "ABSENT_SUBSCRIBER"],
  ["31", "ABSENT_SUBSCRIBER"],
  ["32", "HANDSET_ERROR"],
  ["33", "ABSENT_SUBSCRIBER"],
  ["34", "NETWORK_ERROR"],
  ["35", "NETWORK_ERROR"],
  ["36", "NETWORK_ERROR"],
]);

/** What a receipt says of its segment: a final state with our error code, or one after which waiting goes on. Pure. */
function verdictOf(receipt: Pick<Receipt, "state" | "rawStat" | "errorCode">): ReceiptVerdict {
  const operatorCode = receipt.errorCode;
  const failed = (code: MessageErrorCode): ReceiptVerdict => ({
    kind: "failed",
    error: { code, operatorCode },
  });
  switch (receipt.state) {
    case "DELIVERED":
      return { kind: "delivered" };
    case "EXPIRED":
      return failed("EXPIRED_AT_OPERATOR");
    case "DELETED":
      return failed("DELETED_AT_OPERATOR");
    case "REJECTED":
      return failed("REJECTED_AT_OPERATOR");
    case "UNDELIVERABLE":
    case "FAILED":
    case "SKIPPED":
      return failed(NETWORK_ERRORS.get((operatorCode ?? "").replace(/^0+(?=\d)/, "")) ?? "UNDELIVERABLE");
    case "PENDING":
      return { kind: "pending", rawState: receipt.rawStat ?? "?" };
  }
}

/**
 * Applies a receipt to the test message that it names, if there is one and no message that waits for it. It moves no money, so it
 * needs no proof of how the account sends its receipts: id and number are enough.
 */
function endTestMessage(tx: Tx, keys: ReceiptKeys, match: ReceiptMatch, receipt: TestReceipt): boolean {
  if (match.kind === "named" && match.parts.some(({ isOpen }) => isOpen)) return false;
  const test = findNamedTest(tx, keys);
  if (test === null) return false;
  recordTestReceipt(tx, test.id, receipt);
  return true;
}

/** The exact id before its other readings; the newest where an id was used again. */
function findNamedTest(read: Reader, keys: ReceiptKeys): NamedTestMessage | null {
  const tests = findTestMessagesByKey(read, keys.family, candidateIds(keys.id)).filter(
    (test) => mayBeTo(test, keys) && wasSubmitted(test, keys.unmatchedId),
  );
  return tests.find(({ remoteId }) => remoteId === keys.id) ?? tests[0] ?? null;
}

/** After this no receipt for a test message is waited for. */
const WAITED_FOR_MS = 72 * 3_600_000;

/** Whether a receipt with an unknown id may be about a test message to this number whose response has not come. */
function mayBeOfTest(
  read: Reader,
  {
    family,
    msisdn,
    unmatchedId,
  }: { readonly family: readonly string[]; readonly msisdn: string; readonly unmatchedId: number | null },
  nowMs: number,
): boolean {
  return listAwaitingTests(read, family, nowMs - WAITED_FOR_MS).some(
    (test) => numbersAgree(test.msisdn, msisdn) && wasSubmitted(test, unmatchedId),
  );
}

/** What a receipt says of the message it is about. */
type ReceiptKeys = {
  /** The operator whose session brought it. */
  readonly operator: string;
  /** The SMSC account of that session; null where it came before accounts were noted. */
  readonly account: string | null;
  /** Every operator it may belong to, `operator` among them. */
  readonly family: readonly string[];
  readonly id: string;
  /** The addresses it came with, as the operator writes them: the handset's, and the other one. */
  readonly numbers: readonly string[];
  /** Its number among the unmatched ones; null when it came this moment. */
  readonly unmatchedId: number | null;
  /** False of a text that only looks like a receipt: it must name its number as well, since a handset can't change that. */
  readonly isMarked: boolean;
};

type ReceiptMatch =
  /** `countAs`: the form to count for the operator; null where nothing is learnt from it. */
  | { readonly kind: "named"; readonly parts: readonly IdentifiedPart[]; readonly countAs: IdFormat | null }
  /** No segment that may have the receipt's number has this id, however it is read. */
  | { readonly kind: "unknown" }
  /** It may be about one of several messages, or about one whose response has not come. */
  | { readonly kind: "undecided" };

/** Finds the segments that were accepted under ids of a canonical form. */
type PartsUnder = (key: string) => readonly IdentifiedPart[];

/**
 * The segments a receipt is about (docs/behaviour.md#whose-receipts). Each SMSC account has ids of its own: in whatever
 * form, a segment sent over the receipt's own account comes before those of other accounts.
 */
function matchReceipt(tx: Tx, keys: ReceiptKeys): ReceiptMatch {
  const all = remembering((key) => known(tx, keys, key));
  const isAnothers = (part: IdentifiedPart): boolean => isOfAnother(tx, keys.account, part);
  const own = remembering((key) => {
    const parts = all(key);
    const ofOwn = parts.filter((part) => !isAnothers(part));
    if (keys.account === null || ofOwn.length === parts.length) return ofOwn;
    return [...ofOwn, ...known(tx, keys, keyOfAccount(key, keys.account))];
  });
  const match = matchAmong(tx, keys, own);
  if (match.kind !== "unknown" || keys.account === null) return match;
  const others = matchAmong(tx, keys, all);
  return others.kind === "named" && mayBeOwnYet(tx, keys, others.parts) ? { kind: "undecided" } : others;
}

function remembering(ask: PartsUnder): PartsUnder {
  const asked = new Map<string, readonly IdentifiedPart[]>();
  return (key) => {
    const parts = asked.get(key) ?? ask(key);
    asked.set(key, parts);
    return parts;
  };
}

/** Whether something is known to have been sent over another account; where that was not noted, it may be the receipt's own. */
function isOfAnother(
  tx: Tx,
  account: string | null,
  { pduParametersId }: { readonly pduParametersId: number | null },
): boolean {
  const leftFor = account === null ? null : readSentWay(tx, pduParametersId).account;
  return leftFor !== null && leftFor !== account;
}

/** Of a family with more unknown outcomes than this, a receipt without a number may be about one sent over its own account. */
const MAX_OUTCOMES_SEEN = 256;

/**
 * Whether a receipt whose id was given by another account may be about a submit over its own account whose id has not come: one
 * to the number is in flight, or its outcome is unknown. A receipt without a number may be about any unknown outcome.
 */
function mayBeOwnYet(tx: Tx, keys: ReceiptKeys, named: readonly IdentifiedPart[]): boolean {
  const { account, family, unmatchedId } = keys;
  if (account === null || !hasSubmitted(tx, account)) return false;
  const isRival = (other: Pick<UnknownOutcome, "messageId" | "unmatchedBefore">): boolean =>
    wasSubmitted(other, unmatchedId) && !named.some(({ messageId }) => messageId === other.messageId);
  const isOwnRival = (
    outcome: Pick<UnknownOutcome, "messageId" | "unmatchedBefore" | "pduParametersId">,
  ): boolean => isRival(outcome) && !isOfAnother(tx, account, outcome);
  const givesNumber = named.some((part) => agreement(part, keys) === "agrees");
  if (!givesNumber) {
    const outcomes = sampleUnknownOutcomes(tx, family, MAX_OUTCOMES_SEEN);
    if (outcomes.length === MAX_OUTCOMES_SEEN || outcomes.some(isOwnRival)) return true;
  }
  for (const msisdn of new Set(named.map((part) => part.msisdn))) {
    const awaiting = awaitingAnswer(tx, family, msisdn);
    if (awaiting.some((other) => other.isUnderWay === 1 && isRival(other))) return true;
    if (givesNumber && findUnknownOutcomes(tx, family, numberKey(msisdn) ?? msisdn).some(isOwnRival))
      return true;
  }
  return false;
}

/**
 * The segments a receipt is about, of the candidates (docs/behaviour.md#ids-of-operators). The exact id first; then
 * its canonical forms, where they name one message and the number agrees. The form that an operator's receipts have shown comes before
 * the exact one, which may be another message's by accident. A segment whose number disagrees is never named, nor one
 * that left after the receipt came: a segment whose id is known by then left before it, and of unmatched receipts their
 * numbers tell, whatever the clocks said. Operators reuse ids: what waits for its receipt comes before what has had
 * it, and what has had it is not named while another submit to the number waits for its id.
 */
function matchAmong(read: Reader, keys: ReceiptKeys, partsUnder: PartsUnder): ReceiptMatch {
  const { family, id } = keys;
  const sameKey = partsUnder(canonicalId(id));
  const exact = sameKey.filter((part) => part.remoteId === id && mayBeTo(part, keys));
  const evidence = readFormatEvidence(read, family);
  if (exact.length > 0 && evidence.size === 0) return pick(read, keys, exact, null);

  const agreeing = (parts: readonly IdentifiedPart[]) =>
    parts.filter((part) => agreement(part, keys) === "agrees");
  const forms = new Map<IdFormat, readonly IdentifiedPart[]>([
    ["exact", exact],
    ["padded", agreeing(sameKey.filter((part) => part.remoteId !== id))],
    ...otherBases(id).map(({ form, key }): [IdFormat, IdentifiedPart[]] => [form, agreeing(partsUnder(key))]),
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

/** Whether the addresses of a receipt allow that it is about a recipient; those of an unmarked one must name the recipient. */
function mayBeTo(part: Pick<IdentifiedPart, "msisdn">, keys: ReceiptKeys): boolean {
  const agrees = agreement(part, keys);
  return agrees === "agrees" || (keys.isMarked && agrees === "unknown");
}

function otherBases(id: string): IdCandidate[] {
  return toIdCandidates(id).filter(({ form }) => form !== "padded");
}

/** Segments under a key that had left when the receipt came. */
function known(read: Reader, { family, unmatchedId }: ReceiptKeys, key: string): IdentifiedPart[] {
  return partsByRemoteKey(read, family, key).filter((part) => wasSubmitted(part, unmatchedId));
}

/** Whether a submit had left, or may have, when a receipt came that was stored under this number, or that came this moment. */
function wasSubmitted(
  { unmatchedBefore }: { readonly unmatchedBefore: number | null },
  unmatchedId: number | null,
): boolean {
  return unmatchedId === null || (unmatchedBefore ?? 0) < unmatchedId;
}

function messagesOf(parts: readonly IdentifiedPart[]): number {
  return new Set(parts.map(({ messageId }) => messageId)).size;
}

/**
 * The youngest message of those that wait for a receipt, else of the others; those whose number agrees before those with
 * none, those of the session's own operator before its family's, and of several to one number that wait, those whose
 * sender the receipt names: each SMSC account of an operator counts its ids for itself.
 */
function pick(
  read: Reader,
  keys: ReceiptKeys,
  parts: readonly IdentifiedPart[],
  countAs: IdFormat | null,
): ReceiptMatch {
  // The usual case: one segment, and it waits.
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

/** Those whose sender the receipt names; all where it names none of them, since operators may put another sender in its place. */
function bySender(
  read: Reader,
  { numbers }: ReceiptKeys,
  parts: readonly IdentifiedPart[],
): readonly IdentifiedPart[] {
  if (messagesOf(parts) < 2) return parts;
  const ids = parts.map(({ messageId }) => messageId);
  const named = messagesFrom(read, ids, numbers);
  return named.size === 0 ? parts : parts.filter(({ messageId }) => named.has(messageId));
}

function youngest(parts: readonly IdentifiedPart[]): IdentifiedPart[] {
  const newest = Math.max(...parts.map((part) => part.messageId));
  return parts.filter((part) => part.messageId === newest);
}

/** Whether another message to the number had been claimed and waits for an id, so that the receipt may be about that one. */
function isAwaited(
  read: Reader,
  { family, unmatchedId }: ReceiptKeys,
  ended: readonly IdentifiedPart[],
): boolean {
  return ended.some(({ messageId, msisdn }) =>
    awaitingAnswer(read, family, msisdn).some(
      (awaiting) => awaiting.messageId !== messageId && wasSubmitted(awaiting, unmatchedId),
    ),
  );
}

/** "unknown" where the receipt gives no number: an address may be a name, a short code, or masked. */
function agreement(
  { msisdn }: Pick<IdentifiedPart, "msisdn">,
  { numbers }: ReceiptKeys,
): "agrees" | "disagrees" | "unknown" {
  let saysNumber = false;
  for (const number of numbers) {
    if (numbersAgree(msisdn, number)) return "agrees";
    saysNumber ||= numberKey(number) !== null;
  }
  return saysNumber ? "disagrees" : "unknown";
}

// Receipts with an id that no response brought, because the response was lost. Such a receipt may settle
// the submit that was not answered, but money follows, so it must be the only one it can be about
// (docs/behaviour.md#unanswered-submits).

/** A receipt whose id is known of no segment. */
type ReceiptWithoutId = {
  /** The SMSC account of the session that brought it; null where it came before accounts were noted. */
  readonly account: string | null;
  /** Every operator it may belong to. */
  readonly family: readonly string[];
  /** The handset's, as the operator writes it. */
  readonly msisdn: string;
  /** Its number among the unmatched ones; null when it came this moment. */
  readonly unmatchedId: number | null;
  /** It is marked as a receipt by more than its text, which a subscriber could have typed. */
  readonly isMarked: boolean;
  readonly text: string | null;
};

/**
 * The submit it must be about, with its message's number; null when there is none, or more than one. Its `submit date:` is
 * no evidence: it is another machine's clock in a zone of its own, and ours may have been set since.
 */
function findUnansweredSubmit(
  read: Tx,
  receipt: ReceiptWithoutId,
): (UnknownOutcome & { readonly msisdn: string }) | null {
  const key = numberKey(receipt.msisdn);
  if (key === null || !receipt.isMarked) return null;
  const outcomes = findUnknownOutcomes(read, receipt.family, key);
  if (outcomes.length === 0) return null;
  const messages = new Map<number, Whereabouts>();
  for (const { messageId } of outcomes) {
    const found = messages.get(messageId) ?? readWhereabouts(read, messageId);
    if (found && numbersAgree(found.msisdn, receipt.msisdn)) messages.set(messageId, found);
  }
  const numbers = new Set([...messages.values()].map(({ msisdn }) => msisdn));
  const awaiting = [...numbers].flatMap((msisdn) => awaitingAnswer(read, receipt.family, msisdn));
  const isRival = awaiting.some(
    (other) => !messages.has(other.messageId) && wasSubmitted(other, receipt.unmatchedId),
  );
  if (isRival) return null;
  const fitting = outcomes.filter((outcome) => {
    const message = messages.get(outcome.messageId);
    return message !== undefined && fits(outcome, message, receipt);
  });
  const [first] = fitting;
  const message = first && messages.get(first.messageId);
  if (!message || fitting.some(({ messageId }) => messageId !== first.messageId)) return null;
  // Each SMSC account tells of its own submits; another account's are left where none of the copies is its own.
  const own = fitting.filter((outcome) => !isOfAnother(read, receipt.account, outcome));
  const copies = own.length > 0 ? own : fitting;
  const chosen = oneOf(copies, message);
  // Of a text of several segments it may be about one whose response is still to come: that will bring its id.
  const isCopied = awaiting.some(
    ({ messageId, isUnderWay }) => messageId === first.messageId && isUnderWay === 1,
  );
  if (!chosen || (isCopied && message.segments > 1) || mayBeOfFewer(chosen, copies)) return null;
  return { ...chosen, msisdn: message.msisdn };
}

function carriesSeveral({ firstPart, lastPart }: UnknownOutcome): boolean {
  return lastPart > firstPart;
}

/** Whether another copy of unknown outcome carried other segments than one that carried several: no receipt covers all of these. */
function mayBeOfFewer(chosen: UnknownOutcome, fitting: readonly UnknownOutcome[]): boolean {
  const isSame = (one: UnknownOutcome) =>
    one.firstPart === chosen.firstPart && one.lastPart === chosen.lastPart;
  return carriesSeveral(chosen) && !fitting.every(isSame);
}

/**
 * The only one, or any of a text of one segment. Segments of one text may stand for each other, and the first is taken, where each was
 * submitted once and none is submitted again: two copies of one segment would have two ids, and pass for two segments.
 */
function oneOf(fitting: readonly UnknownOutcome[], message: Whereabouts): UnknownOutcome | null {
  const [first] = fitting;
  if (!first || fitting.length === 1 || message.segments === 1) return first ?? null;
  const places = new Set(fitting.map(({ firstPart }) => firstPart));
  const isEachOnce =
    places.size === fitting.length && !fitting.some(({ firstPart }) => message.identified.has(firstPart));
  return isEachOnce && message.status === "SUBMITTED" ? first : null;
}

function fits(outcome: UnknownOutcome, message: Whereabouts, receipt: ReceiptWithoutId): boolean {
  if (!wasSubmitted(outcome, receipt.unmatchedId)) return false;
  if (receipt.text === null) return true;
  return textAgrees(receipt.text, split(message.text).parts[outcome.firstPart - 1] ?? "");
}

/** Fewer letters and digits than this prove nothing. */
const MIN_LETTERS = 4;

/**
 * Whether what stands behind `Text:` may be the beginning of our segment. Only plain letters and digits are compared,
 * since operators change the others; a text of hardly any agrees with everything.
 */
export function textAgrees(quoted: string, ours: string): boolean {
  const plain = (text: string) => text.replace(/[^0-9A-Za-z]/g, "");
  const said = plain(quoted);
  if (said.length < MIN_LETTERS) return true;
  const text = plain(ours);
  return text.startsWith(said) || (text.length >= MIN_LETTERS && said.startsWith(text));
}

// Settles unmatched receipts a step at a time where no response does: operators share an account since, an account is
// known by now to mark its receipts, or not to, and time passes. Unmarked texts that look like receipts
// (docs/behaviour.md#marked-receipts) are receipts once their account is known to send them so, and subscribers' texts
// when a marked one comes, or when nothing was known for too long.

/** Receipts settled in one transaction. */
const STEP = 100;

/**
 * One step at each call; true when there may be more. A round that a stop cuts short begins again at the next start.
 */
export function unmatchedSweep(store: Store, clock: Clock, rules: InboundRules): () => Promise<boolean> {
  let round: { readonly of: string | null; readonly after: number } | null = null;

  /** The account whose texts are to be settled, or null for all receipts of changed families; undefined for neither. */
  const due = (): string | null | undefined =>
    accountToSweep(store.read) ?? (hasUnswept(store.read) ? null : undefined);

  const stepOf = (of: string | null): Promise<number | null> => {
    const after = round?.of === of ? round.after : 0;
    return store.write((tx) => {
      const facts = openFacts(tx, clock.nowMs());
      let last: number | null;
      if (of === null) {
        const page = listUnmatchedAfter(tx, after, STEP);
        for (const unmatched of page) retryUnmatchedReceipt(tx, facts, unmatched);
        last = page.length < STEP ? null : (page.at(-1)?.rowId ?? null);
        if (last === null) noteSwept(tx);
      } else {
        last = settleTexts(tx, facts, rules, { account: of, after, limit: STEP });
        if (last === null) noteAccountSwept(tx, of);
      }
      facts.close();
      return last;
    });
  };

  return async () => {
    const of = due();
    if (of === undefined) return false;
    const last = await stepOf(of);
    round = last === null ? null : { of, after: last };
    return true;
  };
}

/** One step: makes unmatched texts inbound texts when their account stayed unknown for too long. True when there may be more. */
export async function expireUnmatchedTexts(
  store: Store,
  clock: Clock,
  rules: InboundRules,
): Promise<boolean> {
  if (!hasOldTexts(store.read, clock.nowMs())) return false;
  return (await store.write((tx) => giveUpTexts(tx, rules, clock.nowMs(), STEP))) === STEP;
}

/**
 * Settles a page of an account's unmatched texts after one, by what is known of the account now: returns the last of them, or null
 * when there are no more.
 */
export function settleTexts(
  tx: Tx,
  facts: FactSession,
  rules: InboundRules,
  { account, after, limit }: { readonly account: string; readonly after: number; readonly limit: number },
): number | null {
  const page = listUnmarkedAfter(tx, account, after, limit);
  const isNone = readCountedReceipts(tx, account) === "marked_only";
  for (const unmatched of page) {
    if (isNone) becomeText(tx, rules, unmatched);
    else retryUnmatchedReceipt(tx, facts, unmatched);
  }
  return page.length < limit ? null : (page.at(-1)?.rowId ?? null);
}

/** Whether the oldest unmatched text has waited long enough. */
function hasOldTexts(read: Reader, nowMs: number): boolean {
  return oldestWithText(read, 1).some(({ receivedAtMs }) => receivedAtMs < nowMs - UNMATCHED_KEPT_MS);
}

/** Makes inbound texts of the oldest unmatched texts whose time is over; how many. */
export function giveUpTexts(tx: Tx, rules: InboundRules, nowMs: number, limit: number): number {
  const old = oldestWithText(tx, limit).filter(
    ({ receivedAtMs }) => receivedAtMs < nowMs - UNMATCHED_KEPT_MS,
  );
  for (const unmatched of old) becomeText(tx, rules, unmatched);
  return old.length;
}

/** A receipt stored before texts were is left to its age. */
function becomeText(tx: Tx, rules: InboundRules, unmatched: UnmatchedReceipt): void {
  const message = readUnmatchedText(tx, unmatched.rowId);
  if (!message) return;
  const { operator, connection, receivedAtMs } = unmatched;
  receiveInbound(tx, rules, { operator, connection: connection ?? 1 }, receivedText(message), receivedAtMs);
  deleteUnmatchedReceipt(tx, unmatched);
}
