/** How a test text stands, and what a wrong answer means. Pure. */

import { toWhatsAppNumber } from "../../config/whatsapp-codes.ts";
import { isoOrNull } from "../../core/clock.ts";
import { type CaseOf, type Phrase, phrase } from "../../i18n/phrase.ts";
import { STATUS, statusLabel, statusMeaning } from "../../smpp/status.ts";
import { split } from "../../text/segments.ts";
import type { TestMessageRow } from "./trial-rows.ts";

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
  readonly detail: Phrase | null;
  readonly action: Phrase | null;
};

/** How many segments a text takes: a test is one. */
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

/** Whether anything may still come of it that is worth waiting for. */
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
      code: statusLabel(status),
      meaning: statusMeaning(status).words,
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
