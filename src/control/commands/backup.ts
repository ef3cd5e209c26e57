import { backupCreate, backupDrill, backupList, backupVerify } from "../../upkeep/backup/backups.ts";
import { type AdminCommand, needed, optional, type Positional } from "../command.ts";

const FILE: Positional = { name: "FILE", help: "the path of a backup", isPath: true };

export const BACKUP_COMMANDS: readonly AdminCommand[] = [
  {
    name: "backup create",
    summary: "make a copy of everything while sending goes on",
    positionals: [
      {
        name: "FILE",
        help: "a new file; without it one named by its time in the directory of backups",
        isPath: true,
        isOptional: true,
      },
    ],
    flags: [],
    run: (context, args) => backupCreate(context, optional(args, FILE.name)),
  },
  {
    name: "backup verify",
    summary: "prove a backup: its pages, its books and its keys; exit 1 on a fault",
    positionals: [FILE],
    flags: [],
    run: (context, args) => backupVerify(context, needed(args, FILE.name)),
  },
  {
    name: "backup list",
    summary: "list the backups that there are, newest first",
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
    summary: "restore the newest backup into a scratch directory and prove it there",
    positionals: [],
    flags: [],
    run: (context) => backupDrill(context),
  },
];
