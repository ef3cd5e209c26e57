import { ACCOUNT_OPERATIONS } from "../../operations/accounts.ts";
import type { TableShape } from "../command.ts";
import { commandsOf } from "../commands-of.ts";

export const ACCOUNTS_TABLE: TableShape = {
  rows: "accounts",
  columns: [
    ...["name", "short_name", "status", "billing_mode"],
    ...["wallet.balance", "wallet.spendable", "account_id"],
  ],
};

export const ACCOUNT_COMMANDS = commandsOf(ACCOUNT_OPERATIONS, { "account list": { table: ACCOUNTS_TABLE } });
