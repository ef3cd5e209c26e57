/**
 * Stores test messages: what an administrator sends to see an operator work, and alerts by SMS. They have no account and no price,
 * and are in no feed. A row is claimed before its first byte leaves, and is sent by the process that claimed it or by none.
 */

import { toWhatsAppNumber } from "../../config/config.ts";
import { isoOrNull } from "../../core/clock.ts";
import type { Reader } from "../../db/reader.ts";
import type { Tx } from "../../db/writer.ts";
import type { ReceiptVerdict } from "../../domain/messages/facts.ts";
import { type CaseOf, type Phrase, phrase } from "../../i18n/phrase.ts";
import { STATUS } from "../../smpp/status.ts";
import { split } from "../../text/segments.ts";
import { answerLabel, answerMeaning, errorOfReason, reasonName } from "./partner-reasons.ts";
import { canonicalId } from "./receipt-keys.ts";

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
  /** Our error code of a failed delivery. */
  readonly failure: string | null;
  readonly receiptAtMs: number | null;
};

/** "unanswered": the operator may have it. "not_sent": it cannot. */
type TestOutcome = "not_sent" | "unanswered" | "accepted" | "refused";

const SELECT = `SELECT id, ulid, operator, msisdn, sender, actor, claimed_at AS claimedAtMs, connection,
    submitted_at AS submittedAtMs, outcome, answered_at AS answeredAtMs, command_status AS commandStatus, smsc_id AS remoteId,
    raw_state AS rawState, operator_code AS operatorCode, failure, receipt_at AS receiptAtMs
  FROM operator_tests`;

/** How long they are kept. */
const KEPT_MS = 31 * 24 * 3_600_000;

type NewTestMessage = Pick<
  TestMessageRow,
  "ulid" | "operator" | "msisdn" | "sender" | "actor" | "claimedAtMs"
> & {
  readonly unmatchedBefore: number;
  readonly isAlert: boolean;
};

/** Claims a test message and returns its row's number. Old ones are deleted. */
export function claimTestMessage(tx: Tx, test: NewTestMessage): number {
  tx.run("DELETE FROM operator_tests WHERE claimed_at < ?", test.claimedAtMs - KEPT_MS);
  return tx.insert(
    `INSERT INTO operator_tests (ulid, operator, msisdn, sender, actor, claimed_at, unmatched_before, is_alert)
     VALUES ($ulid, $operator, $msisdn, $sender, $actor, $claimedAtMs, $unmatchedBefore, $isAlert)`,
    { ...test, isAlert: test.isAlert ? 1 : 0 },
  );
}

export function readTestMessage(read: Reader, id: number): TestMessageRow | null {
  return read.get<TestMessageRow>(`${SELECT} WHERE id = ?`, id);
}

/** When the tests over an operator since a time were claimed, oldest first. */
export function listTestTimes(read: Reader, operator: string, sinceMs: number): number[] {
  return read
    .all<{ atMs: number }>(
      `SELECT claimed_at AS atMs FROM operator_tests WHERE operator = ? AND claimed_at > ? AND is_alert = 0
       ORDER BY claimed_at`,
      operator,
      sinceMs,
    )
    .map(({ atMs }) => atMs);
}

/** When the alert texts to a number since a time were claimed, oldest first. */
export function listAlertTextTimes(read: Reader, msisdn: string, sinceMs: number): number[] {
  return read
    .all<{ atMs: number }>(
      "SELECT claimed_at AS atMs FROM operator_tests WHERE msisdn = ? AND claimed_at > ? AND is_alert = 1 ORDER BY claimed_at",
      msisdn,
      sinceMs,
    )
    .map(({ atMs }) => atMs);
}

/** The newest test messages, of one operator or of all. */
export function listLatestTests(read: Reader, operator: string | null, limit: number): TestMessageRow[] {
  return operator === null
    ? read.all<TestMessageRow>(`${SELECT} ORDER BY id DESC LIMIT ?`, limit)
    : read.all<TestMessageRow>(
        `${SELECT} WHERE operator = ? ORDER BY claimed_at DESC LIMIT ?`,
        operator,
        limit,
      );
}

/** The test messages to a number, E.164 with "+", oldest first. */
export function listTestsTo(read: Reader, msisdn: string): TestMessageRow[] {
  return read.all<TestMessageRow>(`${SELECT} WHERE msisdn = ? ORDER BY id`, msisdn);
}

/** Notes that a test message left. `connection`: null where there are none. */
export function recordTestSubmit(tx: Tx, id: number, connection: number | null, atMs: number): void {
  tx.run("UPDATE operator_tests SET submitted_at = ?, connection = ? WHERE id = ?", atMs, connection, id);
}

/** Notes that nothing of it left, or that nobody answered. A better known outcome stays. */
export function recordTestUnaccepted(tx: Tx, id: number, outcome: "not_sent" | "unanswered"): void {
  tx.run("UPDATE operator_tests SET outcome = ? WHERE id = ? AND outcome IS NULL", outcome, id);
}

type TestResponse = {
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

/** Notes a receipt; the first final one counts. */
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

/** Applies a status to a test by our own id of it, even before its response; false where there is no such test. */
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

/** Whether a test, by its id, is known to be accepted; null where there is no such test. */
export function isTestAccepted(read: Reader, ulid: string): boolean | null {
  const found = read.get<Pick<TestMessageRow, "outcome">>(
    "SELECT outcome FROM operator_tests WHERE ulid = ?",
    ulid,
  );
  return found && found.outcome === "accepted";
}

export type NamedTestMessage = {
  readonly id: number;
  readonly msisdn: string;
  readonly remoteId: string;
  readonly unmatchedBefore: number;
};

/** No more than this many under one id are read. */
const MAX_UNDER_AN_ID = 20;

/** The test messages that a family accepted under one of these canonical ids, newest first. */
export function findTestMessagesByKey(
  read: Reader,
  operators: readonly string[],
  remoteKeys: readonly string[],
): NamedTestMessage[] {
  return read.all<NamedTestMessage>(
    `SELECT id, msisdn, smsc_id AS remoteId, unmatched_before AS unmatchedBefore FROM operator_tests
     WHERE smsc_key IN (SELECT value FROM json_each(?)) AND operator IN (SELECT value FROM json_each(?))
     ORDER BY id DESC LIMIT ?`,
    JSON.stringify(remoteKeys),
    JSON.stringify(operators),
    MAX_UNDER_AN_ID,
  );
}

/** A test message that an operator was given and that has no id yet, so that a receipt with any id may be about it. */
type AwaitingTestMessage = { readonly msisdn: string; readonly unmatchedBefore: number };

/** Those of a family since a time. */
export function listAwaitingTests(
  read: Reader,
  operators: readonly string[],
  sinceMs: number,
): AwaitingTestMessage[] {
  return operators.flatMap((operator) =>
    read.all<AwaitingTestMessage>(
      `SELECT msisdn, unmatched_before AS unmatchedBefore FROM operator_tests
       WHERE operator = ? AND claimed_at > ? AND (outcome IS NULL OR outcome = 'unanswered')`,
      operator,
      sinceMs,
    ),
  );
}

// The status of a test message, and what its error means. Pure.

/** As the status of a message: FAILED is certain, whatever the reason. */
type TestStatus = "QUEUED" | "SUBMITTED" | "SENT" | "DELIVERED" | "FAILED";

export type OperatorTestView = {
  readonly operator: string;
  readonly to: string;
  readonly sender: string;
  readonly status: TestStatus;
  /** Our id, as in the list of tests, and the operator's. */
  readonly message_id: string;
  readonly operator_message_id: string | null;
  readonly connection: number | null;
  readonly submitted_at: string | null;
  readonly answered_at: string | null;
  readonly receipt_at: string | null;
  /** What is wrong, or is waited for; null where it arrived, or an operator without receipts took it. */
  readonly error: string | null;
  readonly detail: Phrase | null;
  readonly action: Phrase | null;
};

/** How many segments a text takes: a test message may have one. */
export function segmentsOfTest(text: string): number {
  return split(text).parts.length;
}

type Words = Pick<OperatorTestView, "error" | "detail" | "action">;

const NOTHING: Words = { error: null, detail: null, action: null };

/** `receipts`: whether this operator sends any. */
export function operatorTestView(row: TestMessageRow, receipts: boolean): OperatorTestView {
  return {
    operator: row.operator,
    to: row.msisdn,
    sender: row.sender,
    status: statusOf(row),
    message_id: row.ulid,
    operator_message_id: row.remoteId,
    connection: row.connection,
    submitted_at: isoOrNull(row.submittedAtMs),
    answered_at: isoOrNull(row.answeredAtMs),
    receipt_at: isoOrNull(row.receiptAtMs),
    ...wordsOf(row, receipts),
  };
}

/** Whether nothing more is waited for. */
export function isOver(row: TestMessageRow, receipts: boolean): boolean {
  const status = statusOf(row);
  return status === "DELIVERED" || status === "FAILED" || (status === "SENT" && !receipts);
}

function statusOf({ outcome, submittedAtMs, receiptAtMs, failure }: TestMessageRow): TestStatus {
  switch (outcome) {
    case null:
      return submittedAtMs === null ? "QUEUED" : "SUBMITTED";
    case "unanswered":
      return "SUBMITTED";
    case "not_sent":
    case "refused":
      return "FAILED";
    case "accepted":
      if (receiptAtMs === null) return "SENT";
      return failure === null ? "DELIVERED" : "FAILED";
  }
}

function wordsOf(row: TestMessageRow, receipts: boolean): Words {
  switch (row.outcome) {
    case null:
    case "unanswered":
      return {
        error: "NO_ANSWER",
        detail:
          row.submittedAtMs === null && row.outcome === null
            ? phrase("message.trial.waits")
            : phrase("message.trial.unanswered"),
        action: phrase("message.trial.unanswered.action"),
      };
    case "not_sent":
      return {
        error: "NOT_SENT",
        detail: phrase("message.trial.not_sent"),
        action: phrase("message.trial.not_sent.action"),
      };
    case "refused":
      return toWhatsAppNumber(row.operator) === null
        ? refusedWords(row.commandStatus ?? 0)
        : refusedByMeta(row.commandStatus ?? 0);
    case "accepted":
      return acceptedWords(row, receipts);
  }
}

function refusedWords(status: number): Words {
  return {
    error: errorOf(status),
    detail: phrase("message.trial.refused", {
      code: answerLabel(status),
      meaning: answerMeaning(status),
    }),
    action: actionFor(status),
  };
}

function refusedByMeta(code: number): Words {
  return {
    error: "OPERATOR_REJECTED",
    detail: phrase("message.trial.refused_by_meta", { code }),
    action: phrase("message.trial.refused_by_meta.action"),
  };
}

function errorOf(status: number): string {
  const reason = reasonName(status);
  if (reason !== null) return errorOfReason(reason);
  if (status === STATUS.RINVSRCADR) return "SENDER_NOT_REGISTERED";
  return status === STATUS.RINVDSTADR ? "INVALID_DESTINATION" : "OPERATOR_REJECTED";
}

const ACTIONS: ReadonlyMap<number, CaseOf<"message.trial.action">> = new Map([
  [STATUS.RINVSRCADR, "sender"],
  ...[STATUS.RINVSRCTON, STATUS.RINVSRCNPI].map((status) => [status, "sender_kind"] as const),
  ...[STATUS.RINVDSTADR, STATUS.RINVDSTTON, STATUS.RINVDSTNPI].map((status) => [status, "number"] as const),
  ...[STATUS.RSYSERR, STATUS.RMSGQFUL, STATUS.RX_T_APPN, STATUS.RSERTYPUNAVAIL].map(
    (status) => [status, "later"] as const,
  ),
  [STATUS.RTHROTTLED, "pace"],
  ...[STATUS.RINVDCS, STATUS.RINVMSGLEN, STATUS.RINVSERTYP, STATUS.RINVESMCLASS].map(
    (status) => [status, "coding"] as const,
  ),
  [STATUS.RINVEXPIRY, "validity"],
  [STATUS.RINVPRTFLG, "priority"],
]);

function actionFor(status: number): Phrase {
  return phrase(`message.trial.action.${ACTIONS.get(status) ?? "ask"}`);
}

function acceptedWords(row: TestMessageRow, receipts: boolean): Words {
  const { operator, failure, receiptAtMs, rawState, operatorCode } = row;
  if (failure !== null) {
    const state = rawState ?? "?";
    return {
      error: failure,
      detail:
        operatorCode === null
          ? phrase("message.trial.undelivered", { state })
          : phrase("message.trial.undelivered.coded", { state, code: operatorCode }),
      action: phrase("message.trial.undelivered.action"),
    };
  }
  if (receiptAtMs !== null || !receipts) return NOTHING;
  if (toWhatsAppNumber(operator) !== null) {
    return {
      error: "NO_RECEIPT",
      detail: phrase("message.trial.no_delivery"),
      action: phrase("message.trial.no_delivery.action"),
    };
  }
  return {
    error: "NO_RECEIPT",
    detail: phrase("message.trial.no_receipt"),
    action: phrase("message.trial.no_receipt.action"),
  };
}
