/** How a test text stands, and what a wrong answer means. Pure. */
import { isoOrNull } from "../base/clock.ts";
import { numberOfOperator } from "../config/whatsapp-codes.ts";
import { STATUS, statusLabel, statusMeaning } from "../smpp/status.ts";
import { split } from "../text/segments.ts";
import type { TrialRow } from "./trial-rows.ts";

/** As the status of a message: FAILED is certain, whatever the reason. */
export type TestStatus = "QUEUED" | "SUBMITTED" | "SENT" | "DELIVERED" | "FAILED";

export type OperatorTestView = {
  readonly operator: string;
  readonly to: string;
  readonly sender: string;
  readonly status: TestStatus;
  /** Ours, by which the list of tests knows it, and the operator's. */
  readonly message_id: string;
  readonly operator_message_id: string | null;
  readonly connection: number | null;
  readonly submitted_at: string | null;
  readonly answered_at: string | null;
  readonly receipt_at: string | null;
  /** What is wrong, or what was waited for; null where it arrived, or an operator without receipts took it. */
  readonly error: string | null;
  readonly detail: string | null;
  readonly action: string | null;
};

/** How many segments a text takes: a test is one. */
export function segmentsOfTest(text: string): number {
  return split(text).parts.length;
}

type Words = Pick<OperatorTestView, "error" | "detail" | "action">;

const NOTHING: Words = { error: null, detail: null, action: null };

/** `receipts`: whether this operator sends any. */
export function operatorTestView(row: TrialRow, receipts: boolean): OperatorTestView {
  return {
    ...{ operator: row.operator, to: row.msisdn, sender: row.sender, status: statusOf(row) },
    ...{ message_id: row.ulid, operator_message_id: row.remoteId, connection: row.connection },
    submitted_at: isoOrNull(row.submittedAtMs),
    answered_at: isoOrNull(row.answeredAtMs),
    receipt_at: isoOrNull(row.receiptAtMs),
    ...wordsOf(row, receipts),
  };
}

/** Whether anything may still come of it that is worth waiting for. */
export function isOver(row: TrialRow, receipts: boolean): boolean {
  const status = statusOf(row);
  return status === "DELIVERED" || status === "FAILED" || (status === "SENT" && !receipts);
}

function statusOf({ outcome, submittedAtMs, receiptAtMs, failure }: TrialRow): TestStatus {
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

function wordsOf(row: TrialRow, receipts: boolean): Words {
  switch (row.outcome) {
    case null:
    case "unanswered":
      return {
        error: "NO_ANSWER",
        detail:
          row.submittedAtMs === null && row.outcome === null
            ? "it waits for room on a connection, or the server ended before it noted more"
            : "the operator was given it and has not answered: it may have it",
        action:
          'it is not sent again; "operator status" tells whether the operator answers others; if it does, call it',
      };
    case "not_sent":
      return {
        error: "NOT_SENT",
        detail: "nothing of it left: no connection had room, or it broke off before",
        action: '"operator status" tells why; then try again',
      };
    case "refused":
      return numberOfOperator(row.operator) === null
        ? refusedWords(row.commandStatus ?? 0)
        : refusedByMeta(row.commandStatus ?? 0);
    case "accepted":
      return acceptedWords(row, receipts);
  }
}

function refusedWords(status: number): Words {
  return {
    error: errorOf(status),
    detail: `the operator refused it: ${statusLabel(status)}, ${statusMeaning(status).words}`,
    action: actionFor(status),
  };
}

function refusedByMeta(code: number): Words {
  return {
    error: "OPERATOR_REJECTED",
    detail: `Meta refused it with the code ${code}`,
    action: "the guide's page on WhatsApp says what each code means",
  };
}

function errorOf(status: number): string {
  if (status === STATUS.RINVSRCADR) return "SENDER_NOT_REGISTERED";
  return status === STATUS.RINVDSTADR ? "INVALID_DESTINATION" : "OPERATOR_REJECTED";
}

const SENDER =
  "say --sender with a name that the operator has registered for you, or have this one registered";
const SENDER_KIND = "check source_alphanumeric, source_short_code and source_number of the connection";
const NUMBER = "try a number of this operator's own; if it is one, check destination of the connection";
const LATER = "it passes by itself as a rule: try again in a while, then call the operator";
const PACE = "set throughput to what the contract allows, and try again";
const CODING = "check default_alphabet, long_messages and service_type of the connection";
const ASK =
  "ask the operator what this code means for your system_id, and say so in [operators.CODE.responses]";

const ACTIONS: ReadonlyMap<number, string> = new Map([
  [STATUS.RINVSRCADR, SENDER],
  ...[STATUS.RINVSRCTON, STATUS.RINVSRCNPI].map((status) => [status, SENDER_KIND] as const),
  ...[STATUS.RINVDSTADR, STATUS.RINVDSTTON, STATUS.RINVDSTNPI].map((status) => [status, NUMBER] as const),
  ...[STATUS.RSYSERR, STATUS.RMSGQFUL, STATUS.RX_T_APPN, STATUS.RSERTYPUNAVAIL].map(
    (status) => [status, LATER] as const,
  ),
  [STATUS.RTHROTTLED, PACE],
  ...[STATUS.RINVDCS, STATUS.RINVMSGLEN, STATUS.RINVSERTYP, STATUS.RINVESMCLASS].map(
    (status) => [status, CODING] as const,
  ),
  [STATUS.RINVEXPIRY, "set send_validity = false for the connection, and try again"],
  [STATUS.RINVPRTFLG, "set priority of the connection to 0 for each class, and try again"],
]);

function actionFor(status: number): string {
  return ACTIONS.get(status) ?? ASK;
}

function acceptedWords(row: TrialRow, receipts: boolean): Words {
  const { operator, failure, receiptAtMs, rawState, operatorCode } = row;
  if (failure !== null) {
    const code = operatorCode === null ? "" : `, code ${operatorCode}`;
    return {
      error: failure,
      detail: `the operator took it and could not deliver it: ${rawState ?? "?"}${code}`,
      action:
        "try a phone of this operator that is on; if that fails too, ask the operator what its code means",
    };
  }
  if (receiptAtMs !== null || !receipts) return NOTHING;
  if (numberOfOperator(operator) !== null) {
    return {
      error: "NO_RECEIPT",
      detail: "Meta took it, and has told no delivery",
      action: '"operator tests" shows it when it comes; if none ever comes, Meta does not reach the webhook',
    };
  }
  return {
    error: "NO_RECEIPT",
    detail: "the operator took it, and no receipt has come",
    action:
      '"operator tests" shows it when it comes, "operator receipts" those that fit nothing; if none ever comes, ask the operator for receipts, or set receipts = false',
  };
}
