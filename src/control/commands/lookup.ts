/** Commands that find things by what somebody remembers of them, and show what is shown only for a reason. */
import { INBOUND_TEXT_OPERATIONS } from "../../operations/inbound-text.ts";
import { SUPPRESSION_FIND_OPERATIONS } from "../../operations/suppression-find.ts";
import { WALLET_PREVIEW_OPERATIONS } from "../../operations/wallet-preview.ts";
import { WEBHOOK_SECRET_OPERATIONS } from "../../operations/webhook-secrets.ts";
import { ACCOUNT_FIND_OPERATIONS } from "../../reports/account-find.ts";
import { BOOKS_STANDING_OPERATIONS } from "../../reports/books-standing.ts";
import type { AdminCommand } from "../command.ts";
import { commandsOf } from "../commands-of.ts";
import { ACCOUNTS_TABLE } from "./account.ts";
import { BATCH_LOOKUP_COMMANDS } from "./batch.ts";
import { MESSAGE_LOOKUP_COMMANDS } from "./message.ts";

export const LOOKUP_COMMANDS: readonly AdminCommand[] = [
  ...commandsOf(ACCOUNT_FIND_OPERATIONS, { "account find": { table: ACCOUNTS_TABLE } }),
  ...BATCH_LOOKUP_COMMANDS,
  ...MESSAGE_LOOKUP_COMMANDS,
  ...commandsOf(INBOUND_TEXT_OPERATIONS),
  ...commandsOf(SUPPRESSION_FIND_OPERATIONS, {
    "suppression find": {
      table: { rows: "lists", columns: ["account", "message_class", "source", "created_at", "note"] },
    },
  }),
  ...commandsOf(WALLET_PREVIEW_OPERATIONS),
  ...commandsOf(BOOKS_STANDING_OPERATIONS),
  ...commandsOf(WEBHOOK_SECRET_OPERATIONS),
];
