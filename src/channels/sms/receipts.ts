import type { Reader } from "../../db/read.ts";
import type { Tx } from "../../db/write.ts";
import type { FactSession } from "../../domain/messages/apply-facts.ts";
import type { RawReceipt, ReceiptVerdict } from "../../domain/messages/facts.ts";
import type { MessageErrorCode } from "../../domain/messages/message-error.ts";
import { familyOf } from "../../domain/messages/operator-family.ts";
import { settleUnknownOutcome } from "./attempt-end.ts";
import { resolveByReceipt } from "./doubts.ts";
import { countIdFormat } from "./id-forms.ts";
import { candidateIds, canonicalId } from "./id-readings.ts";
import { findUnansweredSubmit } from "./in-doubt.ts";
import { numbersAgree } from "./number-key.ts";
import { hasUnmatchedReceipts, type UnmatchedReceipt, findUnmatchedReceipts, listUnmarkedAfter } from "./parked-lookup.ts";
import { type IncomingReceipt, insertUnmatchedReceipt, deleteUnmatchedReceipt } from "./parked-receipts.ts";
import type { Receipt } from "./read-receipt.ts";
import { countUnmarked, readReceiptMarking } from "./receipt-habit.ts";
import { wasSubmitted, matchReceipt, mayBeTo, type ReceiptKeys, type ReceiptMatch } from "./receipt-match.ts";
import {
  type NamedTestMessage,
  type TestReceipt,
  recordTestReceipt,
  listAwaitingTests,
  findTestMessagesByKey,
} from "./trial-rows.ts";

export type ReceiptOutcome = "matched" | "parked" | "unusable" | "refused";

/**
 * Finds the message a receipt is about and applies it, or parks it until a response brings its id
 * (docs/behaviour.md#receipts). "unusable" names no message at all: it is kept with the others, to be seen. "refused" is not
 * kept, because as many are parked as may be.
 */
export function applyReceipt(
  tx: Tx,
  session: FactSession,
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
    };
    const isApplied = from.isSure ? applyFound(tx, session, found, null) : tryFound(tx, session, found, null);
    if (isApplied) return "matched";
  }
  if (incoming.mayPark?.(tx) === false) return "refused";
  const rowId = insertUnmatchedReceipt(tx, incoming, nowMs);
  tx.afterCommit(() => incoming.onParked?.(rowId));
  return receipt.id === null ? "unusable" : "parked";
}

/** A receipt with an id, whether it came this moment or was parked. */
type Found = Omit<UnmatchedReceipt, "rowId" | "rawStat"> & { readonly rawStat: string | null };

/** Settled in the transaction that makes an account sure; the sweep settles the rest. */
const SETTLED_AT_ONCE = 100;

/**
 * Applies a receipt if it counts and it is known whose it is; whether it was. One without a mark counts when its account
 * is sure to send them so: until then it speaks for that, if it names a message by id and number.
 */
function tryFound(tx: Tx, session: FactSession, receipt: Found, unmatchedId: number | null): boolean {
  const { account, isMarked, receivedAtMs } = receipt;
  const habit = isMarked ? "unmarked" : readReceiptMarking(tx, account);
  if (habit === "marked") return false;
  if (habit === "unknown") {
    const keys = keysOf(tx, receipt, unmatchedId);
    const match = matchReceipt(tx, keys);
    if (endTestMessage(tx, keys, match, toTestReceipt(receipt))) return true;
    const named = match.kind === "named" ? match.parts[0] : undefined;
    if (!named || account === null) return false;
    if (!countUnmarked(tx, account, named.messageId, receivedAtMs)) return false;
    for (const parked of listUnmarkedAfter(tx, account, 0, SETTLED_AT_ONCE)) retryUnmatchedReceipt(tx, session, parked);
  }
  return applyFound(tx, session, receipt, unmatchedId);
}

function toTestReceipt(receipt: Found): TestReceipt {
  const { rawStat, errorCode, receivedAtMs } = receipt;
  return { verdict: verdictOf(receipt), rawState: rawStat, operatorCode: errorCode, atMs: receivedAtMs };
}

function keysOf(tx: Tx, receipt: Found, unmatchedId: number | null): ReceiptKeys {
  const { operator, account, id, msisdn, otherNumber } = receipt;
  const keys = { numbers: [msisdn, otherNumber], unmatchedId, isMarked: receipt.isMarked };
  return { operator, account, family: familyOf(tx, operator), id, ...keys };
}

/**
 * Applies a receipt to the segments it is about; `unmatchedId` is its number among the parked ones, null when it came this
 * moment. False when nobody can tell which they are.
 */
function applyFound(tx: Tx, session: FactSession, receipt: Found, unmatchedId: number | null): boolean {
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
      for (const { messageId, part, remoteKey } of match.parts) {
        session.apply({ kind: "receipt", messageId, part, remoteKey, verdict, raw });
      }
      // An operator that keeps to the exact form never has a row.
      if (match.countAs !== null) countIdFormat(tx, operator, match.countAs);
      return true;
    case "unknown": {
      const ownerless = { ...receipt, family: keys.family, unmatchedId };
      const owner = findUnansweredSubmit(tx, ownerless);
      if (!owner || mayBeOfTest(tx, ownerless, receipt.receivedAtMs)) return false;
      const { messageId, operator: sentAs, shapeId } = owner;
      const remoteKey = canonicalId(id);
      let batchId: number | null = null;
      for (let part = owner.firstPart; part <= owner.lastPart; part++) {
        ({ batchId } = session.apply({
          kind: "part_accepted",
          messageId,
          part,
          operator: sentAs,
          remoteId: id,
          remoteKey,
          final: false,
          byReceipt: true,
          ...(shapeId !== null && { trace: { shapeId } }),
        }));
        session.apply({ kind: "receipt", messageId, part, remoteKey, verdict, raw });
      }
      resolveByReceipt(tx, owner.id);
      const dueMs = settleUnknownOutcome(tx, session, messageId, null, receipt.receivedAtMs);
      if (dueMs !== null && batchId !== null) session.queuedAgain.add(batchId);
      // With one doubt less, another receipt may be about a single one.
      if (unmatchedId === null) applyUnmatchedReceipts(tx, session, operator, { id: "", msisdn: owner.msisdn });
      return true;
    }
  }
}

/** Applies receipts that came before what tells whose they are: a response with its id, or the end of another doubt. */
export function applyUnmatchedReceipts(
  tx: Tx,
  session: FactSession,
  operator: string,
  about: { readonly id: string; readonly msisdn: string },
): number {
  const family = familyOf(tx, operator);
  if (!hasUnmatchedReceipts(tx, family)) return 0;
  let applied = 0;
  // Each that is applied may leave another only one submit to be about.
  for (let before = -1; before < applied; ) {
    before = applied;
    for (const parked of findUnmatchedReceipts(tx, family, about)) {
      if (retryUnmatchedReceipt(tx, session, parked)) applied += 1;
    }
  }
  return applied;
}

/** Applies a parked receipt if it is known by now whose it is; whether it was. */
export function retryUnmatchedReceipt(tx: Tx, session: FactSession, parked: UnmatchedReceipt): boolean {
  if (parked.id === "" || !tryFound(tx, session, parked, parked.rowId)) return false;
  deleteUnmatchedReceipt(tx, parked);
  return true;
}

/**
 * Raw error codes of the mobile application part that most SMSCs pass on (3GPP TS 29.002 section 17.6.6), with what
 * they say of the phone. Others stay raw.
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

/** What a receipt says of its segment: a state that ends it with our word for why, or one that is waited on. Pure. */
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
 * Gives a receipt to the test text that it names, if there is one and no message that waits for it. It moves no money, so that it
 * needs no proof of how the account sends its receipts: id and number are enough.
 */
function endTestMessage(tx: Tx, keys: ReceiptKeys, match: ReceiptMatch, receipt: TestReceipt): boolean {
  if (match.kind === "named" && match.parts.some(({ isOpen }) => isOpen)) return false;
  const trial = findNamedTest(tx, keys);
  if (trial === null) return false;
  recordTestReceipt(tx, trial.id, receipt);
  return true;
}

/** The exact id before its other readings; the newest where an id was used again. */
function findNamedTest(read: Reader, keys: ReceiptKeys): NamedTestMessage | null {
  const trials = findTestMessagesByKey(read, keys.family, candidateIds(keys.id)).filter(
    (trial) => mayBeTo(trial, keys) && wasSubmitted(trial, keys.unmatchedId),
  );
  return trials.find(({ remoteId }) => remoteId === keys.id) ?? trials[0] ?? null;
}

/** After this a test text is waited for no more. */
const WAITED_FOR_MS = 72 * 3_600_000;

/** Whether a receipt whose id nobody gave may be about a test text to this number whose answer has not come. */
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
    (trial) => numbersAgree(trial.msisdn, msisdn) && wasSubmitted(trial, unmatchedId),
  );
}
