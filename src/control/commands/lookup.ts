/** Commands that find things by what somebody remembers of them, and show what is shown only for a reason. */
import { EVENT_TYPES, isEventType } from "../../events/catalogue.ts";
import { INBOUND_TEXT_OPERATIONS } from "../../operations/inbound-text.ts";
import { refuse } from "../../operations/refusal.ts";
import { suppressionFind } from "../../operations/suppression-find.ts";
import { readAmount, readWhole } from "../../operations/typed-values.ts";
import { walletPreview } from "../../operations/wallet-preview.ts";
import { webhookCreate, webhookRotate } from "../../operations/webhook-secrets.ts";
import { accountFind } from "../../reports/account-find.ts";
import { booksStanding } from "../../reports/books-standing.ts";
import { ACCOUNT, type AdminCommand, type Flag, needed, optional } from "../command.ts";
import { commandsOf } from "../commands-of.ts";
import { BATCH_LOOKUP_COMMANDS } from "./batch.ts";
import { readList } from "./list.ts";
import { MESSAGE_LOOKUP_COMMANDS } from "./message.ts";

const USUAL = "100";
const LIMIT: Flag = { name: "limit", value: "N", told: { usual: USUAL } };
const OF_ACCOUNT: Flag = { name: "account", value: "ACCOUNT" };

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
  ...BATCH_LOOKUP_COMMANDS,
  ...MESSAGE_LOOKUP_COMMANDS,
  ...commandsOf(INBOUND_TEXT_OPERATIONS),
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
