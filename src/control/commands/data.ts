import { DATA_EXPORT_OPERATIONS } from "../../reports/data-export.ts";
import { DATA_ERASE_OPERATIONS } from "../../upkeep/backup/holding.ts";
import { commandsOf } from "../commands-of.ts";

/** What is kept of one person. */
export const DATA_COMMANDS = commandsOf(
  { ...DATA_EXPORT_OPERATIONS, ...DATA_ERASE_OPERATIONS },
  {
    "data export": {
      table: {
        rows: "messages",
        columns: ["message_id", "account_id", "sender", "status", "segments", "amount", "text"],
      },
    },
  },
);
