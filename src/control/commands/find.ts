import { MESSAGE_CLASSES } from "../../accounts/classes.ts";
import { readWhole } from "../../operations/typed-values.ts";
import { DELIVERY_KEYS, deliveryReport } from "../../reports/delivery.ts";
import { messageFind } from "../../reports/message-find.ts";
import { type AdminCommand, type Args, type Flag, optional } from "../command.ts";
import { MODE_FLAG, readMode } from "./mode.ts";

const INSTANT = "a date or time in the configuration's timezone, ISO 8601, or how long ago: 30m, 2h, 3d";
const FROM: Flag = { name: "from", value: "T", help: `accepted then or later: ${INSTANT}; 31d without this` };
const TO: Flag = { name: "to", value: "T", help: "accepted before this; now without this" };
const CSV: Flag = { name: "csv", value: null, help: "as comma-separated values" };

const USUAL = "100";
/** Of the pages that make one file. */
const PAGE = "1000";

const OUTCOMES = ["accepted", "sent", "delivered", "failed", "without_receipt", "delivered_share"];
const PERCENTILES = ["receipt_seconds.p50", "receipt_seconds.p90", "receipt_seconds.p99"];
const AMOUNTS = ["segments", "charged"];

/** What happened to messages, over all accounts. */
export const FIND_COMMANDS: readonly AdminCommand[] = [
  {
    name: "message find",
    does: "reads",
    summary: "find messages by number, account, batch, status, error, operator, sender or time, newest first",
    positionals: [],
    flags: [
      { name: "number", value: "N", help: "to this number, as people write it" },
      {
        name: "account",
        value: "ACCOUNT",
        help: "of this account: its id, short name, name, or the end of its id",
      },
      { name: "batch", value: "BATCH", help: "of this batch, whenever it was" },
      { name: "status", value: "S", help: "QUEUED, SUBMITTED, SENT, DELIVERED, FAILED or CANCELLED" },
      { name: "error", value: "CODE", help: "with this error, such as ABSENT_SUBSCRIBER" },
      { name: "operator", value: "CODE", help: "of this operator, also under codes that it had before" },
      { name: "sender", value: "S", help: "from this sender, exactly as recipients see it" },
      { name: "class", value: "CLASS", help: MESSAGE_CLASSES.join(", ") },
      FROM,
      TO,
      { name: "before", value: "MESSAGE", help: "go on behind this one: next of the page before" },
      { name: "limit", value: "N", help: `how many; ${USUAL} without this, 1000 at most` },
      MODE_FLAG,
      CSV,
    ],
    csv: [
      {
        rows: "messages",
        columns: [
          ...[
            "created_at",
            "message_id",
            "account_id",
            "account",
            "batch_id",
            "msisdn",
            "operator",
            "sender",
          ],
          ...[
            "message_class",
            "status",
            "error",
            "segments",
            "amount",
            "submitted_at",
            "sent_at",
            "delivered_at",
            "read_at",
          ],
          "finalized_at",
        ],
      },
    ],
    isPaged: true,
    pagedBy: "before",
    table: {
      rows: "messages",
      columns: [
        "created_at",
        "msisdn",
        "status",
        "error.code",
        "operator",
        "sender",
        "account",
        "message_id",
      ],
    },
    run: (context, args) => {
      const usual = optional(args, "page") === null ? USUAL : PAGE;
      const limit = readWhole(optional(args, "limit") ?? usual);
      if (!limit.ok) return limit;
      const mode = readMode(args);
      return mode.ok
        ? messageFind(context, { ...filtersOf(args), mode: mode.value, limit: limit.value })
        : mode;
    },
  },
  {
    name: "report delivery",
    does: "reads",
    summary: "add up what became of messages, by operator, class, account, sender, error or day",
    positionals: [],
    flags: [
      { name: "by", value: "KEY", help: "what a row is of; day without this", choices: DELIVERY_KEYS },
      { name: "from", value: "T", help: `from this day on: ${INSTANT}; 31d without this` },
      { name: "to", value: "T", help: "to before this; a day that it is in counts whole; now without this" },
      { name: "account", value: "ACCOUNT", help: "of this account, by the days of its timezone" },
      CSV,
    ],
    csv: [{ rows: "rows", columns: ["key", "account", ...OUTCOMES, ...PERCENTILES, ...AMOUNTS] }],
    table: {
      rows: "rows",
      columns: ["key", "account", ...OUTCOMES, ...PERCENTILES, ...AMOUNTS],
    },
    run: (context, args) =>
      deliveryReport(context, {
        by: optional(args, "by"),
        account: optional(args, "account"),
        from: optional(args, "from"),
        to: optional(args, "to"),
      }),
  },
];

function filtersOf(args: Args) {
  return {
    number: optional(args, "number"),
    account: optional(args, "account"),
    batch: optional(args, "batch"),
    status: optional(args, "status"),
    error: optional(args, "error"),
    operator: optional(args, "operator"),
    sender: optional(args, "sender"),
    messageClass: optional(args, "class"),
    from: optional(args, "from"),
    to: optional(args, "to"),
    before: optional(args, "before"),
  };
}
