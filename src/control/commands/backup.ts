import { BACKUP_OPERATIONS } from "../../upkeep/backup/backups.ts";
import { RESUME_OPERATIONS } from "../../upkeep/backup/resume.ts";
import { commandsOf } from "../commands-of.ts";

export const BACKUP_COMMANDS = commandsOf(
  { ...BACKUP_OPERATIONS, ...RESUME_OPERATIONS },
  {
    "backup list": {
      table: {
        rows: "backups",
        columns: ["made_at", "file", "bytes", "schema", "version", "keys", "verified_at"],
      },
    },
    "backup resume": {
      table: [
        { rows: "decided", columns: ["message_class", "operator", "kind", "messages"] },
        {
          title: "still held",
          rows: "counts",
          columns: ["message_class", "operator", "kind", "messages"],
        },
        { rows: "late_receipts", columns: ["message_id", "at", "detail"] },
      ],
    },
  },
);
