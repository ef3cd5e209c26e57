import type { FactSession } from "../messages/apply-facts.ts";
import type { ReceiptVerdict } from "../messages/facts.ts";
import type { MessageErrorCode } from "../messages/message-error.ts";
import { type NamedPart, partsBySmscKey, recipientOf } from "../messages/part-lookup.ts";
import { candidateIds, canonicalId } from "../smpp/message-id.ts";
import type { Receipt } from "../smpp/receipt.ts";
import type { Reader } from "../store/read.ts";
import type { Tx } from "../store/write.ts";

/** A receipt as it came in from an operator. */
export type IncomingReceipt = {
  readonly operator: string;
  readonly receipt: Receipt;
  /** The handset's number as the operator writes it. */
  readonly msisdn: string;
};

export type ReceiptOutcome = "matched" | "parked" | "unusable";

/**
 * Finds the message a receipt is about and applies it, or parks it until a response brings its id (decisions.md
 * section 6). "unusable" names no message at all.
 */
export function applyReceipt(
  tx: Tx,
  session: FactSession,
  incoming: IncomingReceipt,
  nowMs: number,
): ReceiptOutcome {
  const { operator, receipt, msisdn } = incoming;
  if (receipt.id === null) return "unusable";
  const matches = matchingParts(tx, operator, receipt.id, msisdn);
  if (matches.length === 0) {
    park(tx, incoming, receipt.id, nowMs);
    return "parked";
  }
  const verdict = verdictOf(receipt);
  for (const { messageId, part, smscKey } of matches) {
    session.apply({ kind: "receipt", messageId, part, smscKey, verdict });
  }
  return "matched";
}

/**
 * The segments an id names: exactly as received first; then by a canonical form, but only where that names one
 * message and the receipt's number agrees with it. Operators use ids again: of several, the youngest.
 */
function matchingParts(read: Reader, operator: string, id: string, msisdn: string): NamedPart[] {
  const [ownForm = "", ...otherForms] = candidateIds(id);
  const sameForm = partsBySmscKey(read, operator, ownForm);
  const exact = sameForm.filter((part) => part.smscId === id);
  const agrees = (part: NamedPart) => numbersAgree(recipientOf(read, part.messageId), msisdn);
  if (exact.length === 1) return exact;
  if (exact.length > 1) {
    const agreeing = exact.filter(agrees);
    return youngest(agreeing.length > 0 ? agreeing : exact);
  }
  const named = [...sameForm, ...otherForms.flatMap((form) => partsBySmscKey(read, operator, form))];
  const agreeing = named.filter(agrees);
  return new Set(agreeing.map((part) => part.messageId)).size === 1 ? agreeing : [];
}

function youngest(rows: NamedPart[]): NamedPart[] {
  const newest = Math.max(...rows.map((row) => row.messageId));
  return rows.filter((row) => row.messageId === newest);
}

/** Whether two spellings may be one number: operators write the national form, `00` or no `+` as they like. */
export function numbersAgree(ours: string, theirs: string): boolean {
  const SIGNIFICANT = 8;
  const a = ours.replace(/\D/g, "");
  const b = theirs.replace(/\D/g, "");
  if (b.length < SIGNIFICANT) return false;
  return a.endsWith(b.slice(-SIGNIFICANT)) || b.endsWith(a);
}

function park(tx: Tx, { operator, receipt, msisdn }: IncomingReceipt, id: string, nowMs: number): void {
  tx.run(
    `INSERT INTO parked_receipts (operator, smsc_id, smsc_key, msisdn, state, raw_state, operator_code, received_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    operator,
    id,
    canonicalId(id),
    msisdn,
    receipt.state,
    receipt.rawStat ?? "?",
    receipt.errorCode,
    nowMs,
  );
}

type ParkedRow = {
  id: number;
  smscId: string;
  msisdn: string;
  state: Receipt["state"];
  rawStat: string;
  operatorCode: string | null;
};

/** Applies receipts that came before the response that names their message, in the order they came. */
export function applyParkedReceipts(tx: Tx, session: FactSession, operator: string, smscId: string): number {
  let applied = 0;
  for (const key of candidateIds(smscId)) {
    const parked = tx.all<ParkedRow>(
      `SELECT id, smsc_id AS smscId, msisdn, state, raw_state AS rawStat, operator_code AS operatorCode
       FROM parked_receipts WHERE operator = ? AND smsc_key = ? ORDER BY id`,
      operator,
      key,
    );
    for (const row of parked) {
      const verdict = verdictOf({ ...row, errorCode: row.operatorCode });
      const matches = matchingParts(tx, operator, row.smscId, row.msisdn);
      if (matches.length === 0) continue;
      for (const { messageId, part, smscKey } of matches) {
        session.apply({ kind: "receipt", messageId, part, smscKey, verdict });
      }
      tx.run("DELETE FROM parked_receipts WHERE id = ?", row.id);
      applied += 1;
    }
  }
  return applied;
}

/** Whether any receipt of an operator is parked: asked once a transaction, so that responses needn't look. */
export function hasParkedReceipts(read: Reader, operator: string): boolean {
  return read.get("SELECT 1 FROM parked_receipts WHERE operator = ? LIMIT 1", operator) !== null;
}

const PARKED_FOR_MS = 72 * 3_600_000;

/** Drops receipts that matched nothing in 72 hours; how many. */
export function dropOldParkedReceipts(tx: Tx, nowMs: number): number {
  return tx.run("DELETE FROM parked_receipts WHERE received_at < ?", nowMs - PARKED_FOR_MS);
}

/** Raw error codes of the mobile application part that most SMSCs pass on, with what they say of the phone. */
const NETWORK_ERRORS: ReadonlyMap<string, MessageErrorCode> = new Map([
  ["1", "UNKNOWN_SUBSCRIBER"],
  ["5", "UNKNOWN_SUBSCRIBER"],
  ["6", "ABSENT_SUBSCRIBER"],
  ["27", "ABSENT_SUBSCRIBER"],
  ["31", "ABSENT_SUBSCRIBER"],
  ["32", "HANDSET_ERROR"],
  ["34", "NETWORK_ERROR"],
]);

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
