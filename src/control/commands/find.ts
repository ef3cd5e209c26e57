import { MESSAGE_CLASSES } from "../../accounts/classes.ts";
import { readWhole } from "../../operations/typed-values.ts";
import { DELIVERY_KEYS, deliveryReport } from "../../reports/delivery.ts";
import { messageFind } from "../../reports/message-find.ts";
import { type AdminCommand, type Args, type Flag, optional } from "../command.ts";
import { MODE_FLAG, readMode } from "./mode.ts";

const FROM: Flag = { name: "from", value: "T" };
const TO: Flag = { name: "to", value: "T" };
const CSV: Flag = { name: "csv", value: null };

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
    positionals: [],
    flags: [
      { name: "number", value: "N" },
      {
        name: "account",
        value: "ACCOUNT",
      },
      { name: "batch", value: "BATCH" },
      { name: "status", value: "S" },
      { name: "error", value: "CODE" },
      { name: "operator", value: "CODE" },
      { name: "sender", value: "S" },
      { name: "class", value: "CLASS", told: { classes: MESSAGE_CLASSES.join(", ") } },
      FROM,
      TO,
      { name: "before", value: "MESSAGE" },
      { name: "limit", value: "N", told: { usual: USUAL } },
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
    positionals: [],
    flags: [
      { name: "by", value: "KEY", choices: DELIVERY_KEYS },
      { name: "from", value: "T" },
      { name: "to", value: "T" },
      { name: "account", value: "ACCOUNT" },
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
