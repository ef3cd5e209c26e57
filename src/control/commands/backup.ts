import { backupCreate, backupDrill, backupList, backupVerify } from "../../upkeep/backup/backups.ts";
import { backupHeld, backupResume, WAITING } from "../../upkeep/backup/resume.ts";
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
    does: "notes",
    summary: "prove a backup: its pages, its books and its keys; exit 1 on a fault",
    positionals: [FILE],
    flags: [],
    run: (context, args) => backupVerify(context, needed(args, FILE.name)),
  },
  {
    name: "backup list",
    does: "reads",
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
  {
    name: "backup resume",
    does: (args) => (args.list === undefined ? "changes" : "reads"),
    summary: "after a restore, say what becomes of what may have left, or list it",
    positionals: [],
    flags: [
      {
        name: "waiting",
        value: "WHAT",
        help: "hold: it waits on; policy: as unanswered, by its class; send: once more, doubles accepted; give-up: FAILED and released",
        choices: WAITING,
        excludes: ["list"],
      },
      { name: "class", value: "CLASS", help: "of this class only" },
      { name: "operator", value: "CODE", help: "of this operator only" },
      {
        name: "died-at",
        value: "TIME",
        help: "when the old machine last ran, in [defaults] timezone unless it says, or how long ago: 2h; now without this. What was not due before simply waits on",
      },
      { name: "list", value: null, help: "show what is held and change nothing" },
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
