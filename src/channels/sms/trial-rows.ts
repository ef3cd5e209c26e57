/**
 * Texts of the house: those that an administrator sends to see an operator work, and alarms. Of no account, without a price, in no feed. A row is claimed before its
 * first byte leaves, and is sent by the process that claimed it or by none.
 */

import type { Reader } from "../../db/read.ts";
import type { Tx } from "../../db/write.ts";
import type { ReceiptVerdict } from "../../domain/messages/facts.ts";
import { canonicalId } from "./id-readings.ts";

/** Times are epoch milliseconds. */
export type TestMessageRow = {
  readonly id: number;
  readonly ulid: string;
  readonly operator: string;
  readonly msisdn: string;
  readonly sender: string;
  readonly actor: string;
  readonly claimedAtMs: number;
  readonly connection: number | null;
  readonly submittedAtMs: number | null;
  readonly outcome: TestOutcome | null;
  readonly answeredAtMs: number | null;
  readonly commandStatus: number | null;
  /** The operator's id of it. */
  readonly remoteId: string | null;
  readonly rawState: string | null;
  readonly operatorCode: string | null;
  /** Our word for a failed delivery. */
  readonly failure: string | null;
  readonly receiptAtMs: number | null;
};

/** "unanswered": the operator may have it. "not_sent": it cannot. */
export type TestOutcome = "not_sent" | "unanswered" | "accepted" | "refused";

const SELECT = `SELECT id, ulid, operator, msisdn, sender, actor, claimed_at AS claimedAtMs, connection,
    submitted_at AS submittedAtMs, outcome, answered_at AS answeredAtMs, command_status AS commandStatus, smsc_id AS remoteId,
    raw_state AS rawState, operator_code AS operatorCode, failure, receipt_at AS receiptAtMs
  FROM operator_tests`;

/** How long they are kept. */
const KEPT_MS = 31 * 24 * 3_600_000;

export type NewTestMessage = Pick<TestMessageRow, "ulid" | "operator" | "msisdn" | "sender" | "actor" | "claimedAtMs"> & {
  readonly parkedBefore: number;
  readonly isAlarm: boolean;
};

/** Claims a text; its row's number. Those of long ago are forgotten. */
export function claimTestMessage(tx: Tx, trial: NewTestMessage): number {
  tx.run("DELETE FROM operator_tests WHERE claimed_at < ?", trial.claimedAtMs - KEPT_MS);
  return tx.insert(
    `INSERT INTO operator_tests (ulid, operator, msisdn, sender, actor, claimed_at, parked_before, is_alarm)
     VALUES ($ulid, $operator, $msisdn, $sender, $actor, $claimedAtMs, $parkedBefore, $isAlarm)`,
    { ...trial, isAlarm: trial.isAlarm ? 1 : 0 },
  );
}

export function readTestMessage(read: Reader, id: number): TestMessageRow | null {
  return read.get<TestMessageRow>(`${SELECT} WHERE id = ?`, id);
}

/** When the tests over an operator since a time were claimed, oldest first. */
export function listTestTimes(read: Reader, operator: string, sinceMs: number): number[] {
  return read
    .all<{ atMs: number }>(
      `SELECT claimed_at AS atMs FROM operator_tests WHERE operator = ? AND claimed_at > ? AND is_alarm = 0
       ORDER BY claimed_at`,
      operator,
      sinceMs,
    )
    .map(({ atMs }) => atMs);
}

/** When the alarms to a number since a time were claimed, oldest first. */
export function listAlertTextTimes(read: Reader, msisdn: string, sinceMs: number): number[] {
  return read
    .all<{ atMs: number }>(
      "SELECT claimed_at AS atMs FROM operator_tests WHERE msisdn = ? AND claimed_at > ? AND is_alarm = 1 ORDER BY claimed_at",
      msisdn,
      sinceMs,
    )
    .map(({ atMs }) => atMs);
}

/** The newest, of one operator or of all. */
export function listLatestTests(read: Reader, operator: string | null, limit: number): TestMessageRow[] {
  return operator === null
    ? read.all<TestMessageRow>(`${SELECT} ORDER BY id DESC LIMIT ?`, limit)
    : read.all<TestMessageRow>(`${SELECT} WHERE operator = ? ORDER BY claimed_at DESC LIMIT ?`, operator, limit);
}

/** Those to a number, E.164 with "+", oldest first. */
export function listTestsTo(read: Reader, msisdn: string): TestMessageRow[] {
  return read.all<TestMessageRow>(`${SELECT} WHERE msisdn = ? ORDER BY id`, msisdn);
}

/** `connection`: null where there are none. */
export function recordTestSubmit(tx: Tx, id: number, connection: number | null, atMs: number): void {
  tx.run("UPDATE operator_tests SET submitted_at = ?, connection = ? WHERE id = ?", atMs, connection, id);
}

/** Nothing of it left, or nobody answered. What is known better stays. */
export function recordTestUnaccepted(tx: Tx, id: number, outcome: "not_sent" | "unanswered"): void {
  tx.run("UPDATE operator_tests SET outcome = ? WHERE id = ? AND outcome IS NULL", outcome, id);
}

export type TestResponse = {
  readonly outcome: "accepted" | "refused";
  readonly atMs: number;
  readonly commandStatus: number;
  readonly remoteId: string | null;
};

export function recordTestResponse(
  tx: Tx,
  id: number,
  { outcome, atMs, commandStatus, remoteId }: TestResponse,
): void {
  tx.run(
    `UPDATE operator_tests SET outcome = $outcome, answered_at = $atMs, command_status = $commandStatus,
       smsc_id = $remoteId, smsc_key = $remoteKey WHERE id = $id`,
    {
      id,
      outcome,
      atMs,
      commandStatus,
      remoteId,
      remoteKey: remoteId === null ? null : canonicalId(remoteId),
    },
  );
}

export type TestReceipt = {
  readonly verdict: ReceiptVerdict;
  readonly rawState: string | null;
  readonly operatorCode: string | null;
  readonly atMs: number;
};

/** Notes a receipt; the first that ends it counts. */
export function recordTestReceipt(
  tx: Tx,
  id: number,
  { verdict, rawState, operatorCode, atMs }: TestReceipt,
): void {
  tx.run(
    `UPDATE operator_tests SET raw_state = $rawState, operator_code = $operatorCode, failure = $failure, receipt_at = $endedAtMs
     WHERE id = $id AND receipt_at IS NULL`,
    {
      id,
      rawState,
      operatorCode,
      failure: verdict.kind === "failed" ? verdict.error.code : null,
      endedAtMs: verdict.kind === "pending" ? null : atMs,
    },
  );
}

/** What is told of a test by our own id of it, be it before its answer; false where there is no such test. */
export function applyTestStatus(
  tx: Tx,
  { ulid, remoteId, ...receipt }: TestReceipt & { readonly ulid: string; readonly remoteId: string },
): boolean {
  const found = tx.get<Pick<TestMessageRow, "id" | "outcome">>(
    "SELECT id, outcome FROM operator_tests WHERE ulid = ?",
    ulid,
  );
  if (found === null) return false;
  if (found.outcome !== "accepted") {
    const { atMs } = receipt;
    recordTestResponse(tx, found.id, { outcome: "accepted", atMs, commandStatus: 0, remoteId });
  }
  recordTestReceipt(tx, found.id, receipt);
  return true;
}

export type NamedTestMessage = {
  readonly id: number;
  readonly msisdn: string;
  readonly remoteId: string;
  readonly parkedBefore: number;
};

/** More under one id are not looked at. */
const MAX_UNDER_AN_ID = 20;

/** Those that a family accepted under one of these canonical ids, newest first. */
export function findTestMessagesByKey(
  read: Reader,
  operators: readonly string[],
  remoteKeys: readonly string[],
): NamedTestMessage[] {
  return read.all<NamedTestMessage>(
    `SELECT id, msisdn, smsc_id AS remoteId, parked_before AS parkedBefore FROM operator_tests
     WHERE smsc_key IN (SELECT value FROM json_each(?)) AND operator IN (SELECT value FROM json_each(?))
     ORDER BY id DESC LIMIT ?`,
    JSON.stringify(remoteKeys),
    JSON.stringify(operators),
    MAX_UNDER_AN_ID,
  );
}

/** A text that was handed to an operator and has no id yet, so that a receipt with any id may be about it. */
export type AwaitingTestMessage = { readonly msisdn: string; readonly parkedBefore: number };

/** Those of a family since a time. */
export function listAwaitingTests(read: Reader, operators: readonly string[], sinceMs: number): AwaitingTestMessage[] {
  return operators.flatMap((operator) =>
    read.all<AwaitingTestMessage>(
      `SELECT msisdn, parked_before AS parkedBefore FROM operator_tests
       WHERE operator = ? AND claimed_at > ? AND (outcome IS NULL OR outcome = 'unanswered')`,
      operator,
      sinceMs,
    ),
  );
}
