import { storagePurge } from "../../operations/storage-purge.ts";
import { storageCompact, storageShow } from "../../reports/storage.ts";
import type { AdminCommand } from "../command.ts";

export const STORAGE_COMMANDS: readonly AdminCommand[] = [
  {
    name: "storage show",
    does: "reads",
    positionals: [],
    flags: [],
    table: { rows: "tables", columns: ["name", "bytes", "rows"] },
    run: (context) => storageShow(context),
  },
  {
    name: "storage compact",
    positionals: [],
    flags: [],
    run: (context) => storageCompact(context),
  },
  {
    name: "storage purge",
    does: (args) => (args["dry-run"] === undefined ? "changes" : "reads"),
    positionals: [],
    flags: [{ name: "dry-run", value: null }],
    run: (context, args) => storagePurge(context, args["dry-run"] !== undefined),
  },
];
