import type { Reader } from "../../db/read.ts";
import type { Tx } from "../../db/write.ts";
import type { FactSession } from "../../domain/messages/apply-facts.ts";
import type { RawReceipt, ReceiptVerdict } from "../../domain/messages/facts.ts";
import type { MessageErrorCode } from "../../domain/messages/message-error.ts";
import { familyOf } from "../../domain/messages/operator-family.ts";
import { settleDoubt } from "./attempt-end.ts";
import { ownerFound } from "./doubts.ts";
import { countForm } from "./id-forms.ts";
import { candidateIds, canonicalId } from "./id-readings.ts";
import { ownerOf } from "./in-doubt.ts";
import { numbersAgree } from "./number-key.ts";
import { hasParkedReceipts, type ParkedReceipt, parkedAbout, unmarkedAfter } from "./parked-lookup.ts";
import { type IncomingReceipt, park, unpark } from "./parked-receipts.ts";
import type { Receipt } from "./read-receipt.ts";
import { countUnmarked, habitOf } from "./receipt-habit.ts";
import { hadLeft, matchReceipt, mayBeTo, type ReceiptKeys, type ReceiptMatch } from "./receipt-match.ts";
import {
  type NamedTrial,
  type TrialReceipt,
  trialReceipt,
  trialsAwaiting,
  trialsByKey,
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
  const rowId = park(tx, incoming, nowMs);
  tx.afterCommit(() => incoming.onParked?.(rowId));
  return receipt.id === null ? "unusable" : "parked";
}

/** A receipt with an id, whether it came this moment or was parked. */
type Found = Omit<ParkedReceipt, "rowId" | "rawStat"> & { readonly rawStat: string | null };

/** Settled in the transaction that makes an account sure; the sweep settles the rest. */
const SETTLED_AT_ONCE = 100;

/**
 * Applies a receipt if it counts and it is known whose it is; whether it was. One without a mark counts when its account
 * is sure to send them so: until then it speaks for that, if it names a message by id and number.
 */
function tryFound(tx: Tx, session: FactSession, receipt: Found, parkedAs: number | null): boolean {
  const { account, isMarked, receivedAtMs } = receipt;
  const habit = isMarked ? "unmarked" : habitOf(tx, account);
  if (habit === "marked") return false;
  if (habit === "unknown") {
    const keys = keysOf(tx, receipt, parkedAs);
    const match = matchReceipt(tx, keys);
    if (endTrial(tx, keys, match, trialReceiptOf(receipt))) return true;
    const named = match.kind === "named" ? match.parts[0] : undefined;
    if (!named || account === null) return false;
    if (!countUnmarked(tx, account, named.messageId, receivedAtMs)) return false;
    for (const parked of unmarkedAfter(tx, account, 0, SETTLED_AT_ONCE)) retryParked(tx, session, parked);
  }
  return applyFound(tx, session, receipt, parkedAs);
}

function trialReceiptOf(receipt: Found): TrialReceipt {
  const { rawStat, errorCode, receivedAtMs } = receipt;
  return { verdict: verdictOf(receipt), rawState: rawStat, operatorCode: errorCode, atMs: receivedAtMs };
}

function keysOf(tx: Tx, receipt: Found, parkedAs: number | null): ReceiptKeys {
  const { operator, account, id, msisdn, otherNumber } = receipt;
  const keys = { numbers: [msisdn, otherNumber], parkedAs, isMarked: receipt.isMarked };
  return { operator, account, family: familyOf(tx, operator), id, ...keys };
}

/**
 * Applies a receipt to the segments it is about; `parkedAs` is its number among the parked ones, null when it came this
 * moment. False when nobody can tell which they are.
 */
function applyFound(tx: Tx, session: FactSession, receipt: Found, parkedAs: number | null): boolean {
  const { operator, id } = receipt;
  const verdict = verdictOf(receipt);
  const raw: RawReceipt = {
    state: receipt.rawStat,
    code: receipt.errorCode,
    connection: receipt.connection,
    sequence: receipt.sequence,
  };
  const keys = keysOf(tx, receipt, parkedAs);
  const match = matchReceipt(tx, keys);
  if (endTrial(tx, keys, match, trialReceiptOf(receipt))) return true;
  switch (match.kind) {
    case "undecided":
      return false;
    case "named":
      for (const { messageId, part, remoteKey } of match.parts) {
        session.apply({ kind: "receipt", messageId, part, remoteKey, verdict, raw });
      }
      // An operator that keeps to the exact form never has a row.
      if (match.countAs !== null) countForm(tx, operator, match.countAs);
      return true;
    case "unknown": {
      const ownerless = { ...receipt, family: keys.family, parkedAs };
      const owner = ownerOf(tx, ownerless);
      if (!owner || mayBeOfTrial(tx, ownerless, receipt.receivedAtMs)) return false;
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
      ownerFound(tx, owner.id);
      const dueMs = settleDoubt(tx, session, messageId, null, receipt.receivedAtMs);
      if (dueMs !== null && batchId !== null) session.queuedAgain.add(batchId);
      // With one doubt less, another receipt may be about a single one.
      if (parkedAs === null) applyParkedReceipts(tx, session, operator, { id: "", msisdn: owner.msisdn });
      return true;
    }
  }
}

/** Applies receipts that came before what tells whose they are: a response with its id, or the end of another doubt. */
export function applyParkedReceipts(
  tx: Tx,
  session: FactSession,
  operator: string,
  about: { readonly id: string; readonly msisdn: string },
): number {
  const family = familyOf(tx, operator);
  if (!hasParkedReceipts(tx, family)) return 0;
  let applied = 0;
  // Each that is applied may leave another only one submit to be about.
  for (let before = -1; before < applied; ) {
    before = applied;
    for (const parked of parkedAbout(tx, family, about)) {
      if (retryParked(tx, session, parked)) applied += 1;
    }
  }
  return applied;
}

/** Applies a parked receipt if it is known by now whose it is; whether it was. */
export function retryParked(tx: Tx, session: FactSession, parked: ParkedReceipt): boolean {
  if (parked.id === "" || !tryFound(tx, session, parked, parked.rowId)) return false;
  unpark(tx, parked);
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
function endTrial(tx: Tx, keys: ReceiptKeys, match: ReceiptMatch, receipt: TrialReceipt): boolean {
  if (match.kind === "named" && match.parts.some(({ isOpen }) => isOpen)) return false;
  const trial = trialNamed(tx, keys);
  if (trial === null) return false;
  trialReceipt(tx, trial.id, receipt);
  return true;
}

/** The exact id before its other readings; the newest where an id was used again. */
function trialNamed(read: Reader, keys: ReceiptKeys): NamedTrial | null {
  const trials = trialsByKey(read, keys.family, candidateIds(keys.id)).filter(
    (trial) => mayBeTo(trial, keys) && hadLeft(trial, keys.parkedAs),
  );
  return trials.find(({ remoteId }) => remoteId === keys.id) ?? trials[0] ?? null;
}

/** After this a test text is waited for no more. */
const WAITED_FOR_MS = 72 * 3_600_000;

/** Whether a receipt whose id nobody gave may be about a test text to this number whose answer has not come. */
function mayBeOfTrial(
  read: Reader,
  {
    family,
    msisdn,
    parkedAs,
  }: { readonly family: readonly string[]; readonly msisdn: string; readonly parkedAs: number | null },
  nowMs: number,
): boolean {
  return trialsAwaiting(read, family, nowMs - WAITED_FOR_MS).some(
    (trial) => numbersAgree(trial.msisdn, msisdn) && hadLeft(trial, parkedAs),
  );
}
