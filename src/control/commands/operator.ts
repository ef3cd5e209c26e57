import { OPERATOR_CODE_OPERATIONS } from "../../operations/operator-codes.ts";
import { PAUSE_OPERATIONS } from "../../operations/operator-pauses.ts";
import { TEST_OPERATIONS } from "../../operations/operator-test.ts";
import { OPERATOR_OPERATIONS } from "../../operations/operators.ts";
import { RECEIPT_OPERATIONS } from "../../reports/parked-receipts.ts";
import { UNANSWERED_OPERATIONS } from "../../reports/unanswered.ts";
import { commandsOf } from "../commands-of.ts";

export const OPERATOR_COMMANDS = commandsOf(
  {
    ...UNANSWERED_OPERATIONS,
    ...RECEIPT_OPERATIONS,
    ...PAUSE_OPERATIONS,
    ...TEST_OPERATIONS,
    ...OPERATOR_CODE_OPERATIONS,
  },
  {
    "operator test": { exitCode: (value) => (isWell(value) ? 0 : 1) },
    "operator tests": {
      table: {
        rows: "tests",
        columns: [
          "at",
          "operator",
          "to",
          "status",
          "submitted_at",
          "answered_at",
          "receipt_at",
          "error",
          "detail",
        ],
      },
    },
  },
);

export const OPERATOR_STATUS = commandsOf(OPERATOR_OPERATIONS, {
  "operator status": {
    table: [
      {
        rows: "connections",
        columns: ["operator", "connection", "host", "port", "bind", "state", "since"],
      },
      {
        title: "pace",
        rows: "connections",
        columns: ["operator", "connection", "in_flight", "window", "throughput", "rate", "sent_last_second"],
      },
      {
        title: "what is in the way",
        rows: "connections",
        having: ["paused", "last_error"],
        columns: ["operator", "connection", "paused", "reconnect_in_seconds", "last_error_at", "last_error"],
      },
      {
        title: "traffic since the start",
        rows: "connections",
        columns: [
          "operator",
          "connection",
          "accepted",
          "refused",
          "throttled",
          "postponed",
          "unanswered",
          "receipts_matched",
          "receipts_unmatched",
          "receipts_refused",
        ],
      },
      {
        title: "numbers of WhatsApp",
        rows: "numbers",
        columns: [
          "operator",
          "state",
          "since",
          "in_flight",
          "throughput",
          "rate",
          "sent_last_second",
          "recipients_of_day",
          "recipients_per_day",
          "paused",
          "last_error",
        ],
      },
      {
        title: "SMSC accounts: receipts come by any session of one, whichever operator it is of",
        rows: "smsc_accounts",
        columns: ["account", "operators", "unmarked_receipts", "receipts"],
      },
    ],
  },
});

/** It arrived, or an operator without receipts took it. */
function isWell(value: unknown): boolean {
  return typeof value === "object" && value !== null && "error" in value && value.error === null;
}
