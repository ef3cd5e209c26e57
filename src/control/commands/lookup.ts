/** Commands that find things by what somebody remembers of them, and show what is shown only for a reason. */
import { EVENT_TYPES, isEventType } from "../../events/catalogue.ts";
import { inboundTextShow } from "../../operations/inbound-text.ts";
import { messageText } from "../../operations/message-text.ts";
import { refuse } from "../../operations/refusal.ts";
import { suppressionFind } from "../../operations/suppression-find.ts";
import { readWhole } from "../../operations/typed-values.ts";
import { WALLET_PREVIEW_OPERATIONS } from "../../operations/wallet-preview.ts";
import { webhookCreate, webhookRotate } from "../../operations/webhook-secrets.ts";
import { ACCOUNT_FIND_OPERATIONS } from "../../reports/account-find.ts";
import { batchFind } from "../../reports/batch-find.ts";
import { BOOKS_STANDING_OPERATIONS } from "../../reports/books-standing.ts";
import { messagesByReference } from "../../reports/message-reference.ts";
import { batchRejections } from "../../reports/rejections.ts";
import { ACCOUNT, type AdminCommand, type Flag, needed, optional } from "../command.ts";
import { commandsOf } from "../commands-of.ts";
import { ACCOUNTS_TABLE } from "./account.ts";
import { readList } from "./list.ts";

const USUAL = "100";
const LIMIT: Flag = { name: "limit", value: "N", told: { usual: USUAL } };
const OF_ACCOUNT: Flag = { name: "account", value: "ACCOUNT" };
const REASON: Flag = { name: "reason", value: "TEXT", isRequired: true };
const CSV: Flag = { name: "csv", value: null };

export const LOOKUP_COMMANDS: readonly AdminCommand[] = [
  ...commandsOf(ACCOUNT_FIND_OPERATIONS, { "account find": { table: ACCOUNTS_TABLE } }),
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
  {
    name: "suppression find",
    does: "reads",
    positionals: [{ name: "MSISDN" }],
    flags: [{ ...OF_ACCOUNT }],
    table: {
      rows: "lists",
      columns: ["account", "message_class", "source", "created_at", "note"],
    },
    run: (context, args) => suppressionFind(context, needed(args, "MSISDN"), optional(args, "account")),
  },
  ...commandsOf({ ...WALLET_PREVIEW_OPERATIONS, ...BOOKS_STANDING_OPERATIONS }),
  {
    name: "webhook create",
    positionals: [ACCOUNT],
    flags: [
      { name: "url", value: "URL", isRequired: true },
      { name: "events", value: "A,B", told: { events: EVENT_TYPES.join(", ") } },
      { name: "description", value: "TEXT" },
    ],
    run: (context, args) => {
      const events = optional(args, "events");
      const list = events === null ? null : readList(events, EVENT_TYPES, isEventType);
      if (list && (list.unknown !== null || list.known.length === 0)) {
        const text = list.unknown ?? events ?? "";
        return refuse("INVALID_EVENT", { text, known: EVENT_TYPES.join(", ") });
      }
      return webhookCreate(context, needed(args, ACCOUNT.name), {
        url: needed(args, "url"),
        description: optional(args, "description") ?? "",
        events: list?.known ?? null,
      });
    },
  },
  {
    name: "webhook rotate",
    positionals: [{ name: "WEBHOOK" }],
    flags: [],
    run: (context, args) => webhookRotate(context, needed(args, "WEBHOOK")),
  },
];
