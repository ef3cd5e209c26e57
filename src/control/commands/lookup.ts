/** Commands that find things by what somebody remembers of them, and show what is shown only for a reason. */
import { inboundTextShow } from "../../operations/inbound-text.ts";
import { messageText } from "../../operations/message-text.ts";
import { SUPPRESSION_FIND_OPERATIONS } from "../../operations/suppression-find.ts";
import { readAmount, readWhole } from "../../operations/typed-values.ts";
import { walletPreview } from "../../operations/wallet-preview.ts";
import { WEBHOOK_SECRET_OPERATIONS } from "../../operations/webhook-secrets.ts";
import { accountFind } from "../../reports/account-find.ts";
import { batchFind } from "../../reports/batch-find.ts";
import { booksStanding } from "../../reports/books-standing.ts";
import { messagesByReference } from "../../reports/message-reference.ts";
import { batchRejections } from "../../reports/rejections.ts";
import { ACCOUNT, type AdminCommand, type Flag, needed, optional } from "../command.ts";
import { commandsOf } from "../commands-of.ts";

const USUAL = "100";
const LIMIT: Flag = { name: "limit", value: "N", told: { usual: USUAL } };
const OF_ACCOUNT: Flag = { name: "account", value: "ACCOUNT" };
const REASON: Flag = { name: "reason", value: "TEXT", isRequired: true };
const CSV: Flag = { name: "csv", value: null };

export const LOOKUP_COMMANDS: readonly AdminCommand[] = [
  {
    name: "account find",
    does: "reads",
    positionals: [{ name: "TEXT", isOptional: true }],
    flags: [{ name: "status", value: "S" }, { name: "after", value: "ID" }, LIMIT],
    table: {
      rows: "accounts",
      columns: [
        ...["name", "short_name", "status", "billing_mode"],
        ...["wallet.balance", "wallet.spendable", "account_id"],
      ],
    },
    run: (context, args) => {
      const limit = readWhole(optional(args, "limit") ?? USUAL);
      if (!limit.ok) return limit;
      const [search, status, after] = ["TEXT", "status", "after"].map((name) => optional(args, name));
      return accountFind(context, {
        ...{ search: search ?? null, status: status ?? null, after: after ?? null, limit: limit.value },
      });
    },
  },
  {
    name: "batch find",
    does: "reads",
    positionals: [],
    flags: [
      OF_ACCOUNT,
      { name: "status", value: "S" },
      { name: "reference", value: "TEXT" },
      { name: "from", value: "T" },
      { name: "to", value: "T" },
      { name: "before", value: "BATCH" },
      LIMIT,
    ],
    table: {
      rows: "batches",
      columns: [
        ...["created_at", "account", "status", "message_class", "sender", "accepted", "rejected"],
        ...["charged_amount", "batch_id"],
      ],
    },
    run: (context, args) => {
      const limit = readWhole(optional(args, "limit") ?? USUAL);
      if (!limit.ok) return limit;
      return batchFind(context, {
        account: optional(args, "account"),
        status: optional(args, "status"),
        reference: optional(args, "reference"),
        from: optional(args, "from"),
        to: optional(args, "to"),
        before: optional(args, "before"),
        limit: limit.value,
      });
    },
  },
  {
    name: "batch rejections",
    does: "reads",
    positionals: [{ name: "BATCH" }],
    flags: [
      {
        name: "from",
        value: "N",
      },
      LIMIT,
      CSV,
    ],
    csv: [{ rows: "rejections", columns: ["index", "msisdn", "reason_code", "client_reference"] }],
    run: (context, args) => {
      const from = readWhole(optional(args, "from") ?? "0");
      if (!from.ok) return from;
      const limit = readWhole(optional(args, "limit") ?? (args.csv === undefined ? USUAL : "5000"));
      return limit.ok ? batchRejections(context, needed(args, "BATCH"), from.value, limit.value) : limit;
    },
  },
  {
    name: "message named",
    does: "reads",
    positionals: [{ name: "REFERENCE" }],
    flags: [OF_ACCOUNT, LIMIT],
    table: {
      rows: "messages",
      columns: [
        ...["created_at", "msisdn", "status", "error.code", "operator", "sender", "account", "message_id"],
      ],
    },
    run: (context, args) => {
      const limit = readWhole(optional(args, "limit") ?? USUAL);
      if (!limit.ok) return limit;
      return messagesByReference(context, needed(args, "REFERENCE"), optional(args, "account"), limit.value);
    },
  },
  {
    name: "message text",
    positionals: [{ name: "MESSAGE" }],
    flags: [REASON],
    run: (context, args) => messageText(context, needed(args, "MESSAGE"), needed(args, "reason")),
  },
  {
    name: "inbound text",
    positionals: [{ name: "ID" }],
    flags: [REASON],
    run: (context, args) => {
      const id = readWhole(needed(args, "ID"));
      return id.ok ? inboundTextShow(context, id.value, needed(args, "reason")) : id;
    },
  },
  ...commandsOf(SUPPRESSION_FIND_OPERATIONS, {
    "suppression find": {
      table: { rows: "lists", columns: ["account", "message_class", "source", "created_at", "note"] },
    },
  }),
  {
    name: "wallet preview",
    does: "reads",
    positionals: [ACCOUNT, { name: "AMOUNT" }],
    flags: [{ name: "reference", value: "TEXT" }],
    run: (context, args) => {
      const amount = readAmount(needed(args, "AMOUNT"));
      if (!amount.ok) return amount;
      const reference = optional(args, "reference");
      const money =
        reference === null
          ? ({ kind: "adjustment", amount: amount.value } as const)
          : ({ kind: "topup", amount: amount.value, reference } as const);
      return walletPreview(context, needed(args, ACCOUNT.name), money);
    },
  },
  {
    name: "ledger last",
    does: "reads",
    positionals: [],
    flags: [],
    run: (context) => booksStanding(context),
  },
  ...commandsOf(WEBHOOK_SECRET_OPERATIONS),
];
