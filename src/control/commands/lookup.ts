/** Commands that find things by what somebody remembers of them, and show what is shown only for a reason. */
import { EVENT_TYPES, isEventType } from "../../events/catalogue.ts";
import { inboundTextShow } from "../../operations/inbound-text.ts";
import { messageText } from "../../operations/message-text.ts";
import { refuse } from "../../operations/refusal.ts";
import { suppressionFind } from "../../operations/suppression-find.ts";
import { readAmount, readWhole } from "../../operations/typed-values.ts";
import { walletPreview } from "../../operations/wallet-preview.ts";
import { webhookCreate, webhookRotate } from "../../operations/webhook-secrets.ts";
import { accountFind } from "../../reports/account-find.ts";
import { batchFind } from "../../reports/batch-find.ts";
import { booksStanding } from "../../reports/books-standing.ts";
import { messagesByReference } from "../../reports/message-reference.ts";
import { batchRejections } from "../../reports/rejections.ts";
import { ACCOUNT, type AdminCommand, type Flag, needed, optional } from "../command.ts";
import { readList } from "./list.ts";

const USUAL = "100";
const LIMIT: Flag = { name: "limit", value: "N", help: `how many; ${USUAL} without this` };
const OF_ACCOUNT: Flag = { name: "account", value: "ACCOUNT", help: "of this account only" };
const REASON: Flag = { name: "reason", value: "TEXT", help: "why, for the audit list", isRequired: true };
const INSTANT = "a date or time in the configuration's timezone, ISO 8601, or how long ago: 30m, 2h, 3d";
const CSV: Flag = { name: "csv", value: null, help: "as comma-separated values" };

export const LOOKUP_COMMANDS: readonly AdminCommand[] = [
  {
    name: "account find",
    does: "reads",
    summary: "find accounts by a part of their name, their short name or the end of their id",
    positionals: [{ name: "TEXT", help: "what is remembered; all accounts without it", isOptional: true }],
    flags: [
      { name: "status", value: "S", help: "ACTIVE, SUSPENDED or CLOSED" },
      { name: "after", value: "ID", help: "accounts after this one: next of the page before" },
      LIMIT,
    ],
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
    summary: "find batches by account, status, their client's own name or time, newest first",
    positionals: [],
    flags: [
      OF_ACCOUNT,
      { name: "status", value: "S", help: "one status, or several by comma" },
      { name: "reference", value: "TEXT", help: "called so by their client" },
      { name: "from", value: "T", help: `accepted then or later: ${INSTANT}` },
      { name: "to", value: "T", help: "accepted before this; now without this" },
      { name: "before", value: "BATCH", help: "go on behind this one: next of the page before" },
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
    summary: "list the recipients of a batch that were rejected, in the order of submission",
    positionals: [{ name: "BATCH", help: "the batch's id" }],
    flags: [
      {
        name: "from",
        value: "N",
        help: "from this place in the submission on: next_from of the page before",
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
    summary: "find messages by the name that their client gave them or their batch, newest first",
    positionals: [{ name: "REFERENCE", help: "the client's own name for it" }],
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
    summary: "show the text of a message; who read it and why is in the audit list",
    positionals: [{ name: "MESSAGE", help: "the message's id" }],
    flags: [REASON],
    run: (context, args) => messageText(context, needed(args, "MESSAGE"), needed(args, "reason")),
  },
  {
    name: "inbound text",
    summary: "show a text that a subscriber sent in; who read it and why is in the audit list",
    positionals: [{ name: "ID", help: "its inbound_id" }],
    flags: [REASON],
    run: (context, args) => {
      const id = readWhole(needed(args, "ID"));
      return id.ok ? inboundTextShow(context, id.value, needed(args, "reason")) : id;
    },
  },
  {
    name: "suppression find",
    does: "reads",
    summary: "show every list that a number stands on",
    positionals: [{ name: "MSISDN", help: "the number, in local or international form" }],
    flags: [{ ...OF_ACCOUNT, help: "the list of this account, and the appliance-wide one" }],
    table: {
      rows: "lists",
      columns: ["account", "message_class", "source", "created_at", "note"],
    },
    run: (context, args) => suppressionFind(context, needed(args, "MSISDN"), optional(args, "account")),
  },
  {
    name: "wallet preview",
    does: "reads",
    summary: "show what a wallet would hold after a movement, and change nothing",
    positionals: [ACCOUNT, { name: "AMOUNT", help: "whole XOF, with a sign: -500" }],
    flags: [{ name: "reference", value: "TEXT", help: "of a top-up; a correction by hand without this" }],
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
    summary: "show what the last check of the books said",
    positionals: [],
    flags: [],
    run: (context) => booksStanding(context),
  },
  {
    name: "webhook create",
    summary: "add a webhook endpoint of an account; its secret is shown this once",
    positionals: [ACCOUNT],
    flags: [
      { name: "url", value: "URL", help: "an https: URL without credentials", isRequired: true },
      { name: "events", value: "A,B", help: `${EVENT_TYPES.join(", ")}, or all` },
      { name: "description", value: "TEXT", help: "a label" },
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
    summary: "give an endpoint a new secret, shown this once; the one before counts for 24 hours more",
    positionals: [{ name: "WEBHOOK", help: "the webhook's id" }],
    flags: [],
    run: (context, args) => webhookRotate(context, needed(args, "WEBHOOK")),
  },
];
