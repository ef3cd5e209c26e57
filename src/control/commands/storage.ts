import { storagePurge } from "../../operations/storage-purge.ts";
import { storageCompact, storageShow } from "../../reports/storage.ts";
import type { AdminCommand } from "../command.ts";

export const STORAGE_COMMANDS: readonly AdminCommand[] = [
  {
    name: "storage show",
    does: "reads",
    summary:
      "show how large each table is, how much the database grows a day, and when the disk is full at that rate",
    positionals: [],
    flags: [],
    table: { rows: "tables", columns: ["name", "bytes", "rows"] },
    run: (context) => storageShow(context),
  },
  {
    name: "storage compact",
    summary: "give what is free in the database back to the disk; whatever is written waits meanwhile",
    positionals: [],
    flags: [],
    run: (context) => storageCompact(context),
  },
  {
    name: "storage purge",
    does: (args) => (args["dry-run"] === undefined ? "changes" : "reads"),
    summary: "forget now what is over by [retention]; a running server does it every hour",
    positionals: [],
    flags: [{ name: "dry-run", value: null, help: "change nothing, and say how many messages it would be" }],
    run: (context, args) => storagePurge(context, args["dry-run"] !== undefined),
  },
];
