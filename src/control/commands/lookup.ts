/** Commands that find things by what somebody remembers of them, and show what is shown only for a reason. */
import { INBOUND_TEXT_OPERATIONS } from "../../operations/inbound-text.ts";
import { SUPPRESSION_FIND_OPERATIONS } from "../../operations/suppression-find.ts";
import { readAmount, readWhole } from "../../operations/typed-values.ts";
import { walletPreview } from "../../operations/wallet-preview.ts";
import { WEBHOOK_SECRET_OPERATIONS } from "../../operations/webhook-secrets.ts";
import { accountFind } from "../../reports/account-find.ts";
import { booksStanding } from "../../reports/books-standing.ts";
import { ACCOUNT, type AdminCommand, type Flag, needed, optional } from "../command.ts";
import { commandsOf } from "../commands-of.ts";
import { BATCH_LOOKUP_COMMANDS } from "./batch.ts";
import { MESSAGE_LOOKUP_COMMANDS } from "./message.ts";

const USUAL = "100";
const LIMIT: Flag = { name: "limit", value: "N", told: { usual: USUAL } };

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
