import { backupCreate, backupDrill, backupList, backupVerify } from "../../upkeep/backup/backups.ts";
import { backupHeld, backupResume, WAITING } from "../../upkeep/backup/resume.ts";
import { type AdminCommand, needed, optional, type Positional } from "../command.ts";

const FILE: Positional = { name: "FILE", isPath: true };

export const BACKUP_COMMANDS: readonly AdminCommand[] = [
  {
    name: "backup create",
    positionals: [
      {
        name: "FILE",
        isPath: true,
        isOptional: true,
      },
    ],
    flags: [],
    run: (context, args) => backupCreate(context, optional(args, FILE.name)),
  },
  {
    name: "backup verify",
    does: "notes",
    positionals: [FILE],
    flags: [],
    run: (context, args) => backupVerify(context, needed(args, FILE.name)),
  },
  {
    name: "backup list",
    does: "reads",
    positionals: [],
    flags: [],
    table: {
      rows: "backups",
      columns: ["made_at", "file", "bytes", "schema", "version", "keys", "verified_at"],
    },
    run: (context) => backupList(context),
  },
  {
    name: "backup drill",
    positionals: [],
    flags: [],
    run: (context) => backupDrill(context),
  },
  {
    name: "backup resume",
    does: (args) => (args.list === undefined ? "changes" : "reads"),
    positionals: [],
    flags: [
      {
        name: "waiting",
        value: "WHAT",
        choices: WAITING,
        excludes: ["list"],
      },
      { name: "class", value: "CLASS" },
      { name: "operator", value: "CODE" },
      {
        name: "died-at",
        value: "TIME",
      },
      { name: "list", value: null },
    ],
    table: [
      { rows: "decided", columns: ["message_class", "operator", "kind", "messages"] },
      { rows: "counts", title: "still held", columns: ["message_class", "operator", "kind", "messages"] },
      { rows: "late_receipts", columns: ["message_id", "at", "detail"] },
    ],
    run: (context, args) => {
      const waiting = WAITING.find((known) => known === args.waiting);
      if (waiting === undefined) return backupHeld(context);
      return backupResume(context, {
        waiting,
        messageClass: optional(args, "class"),
        operator: optional(args, "operator"),
        diedAt: optional(args, "died-at"),
      });
    },
  },
];
