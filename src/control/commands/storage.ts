import { storagePurge } from "../../operations/storage-purge.ts";
import type { AdminCommand } from "../command.ts";

export const STORAGE_COMMANDS: readonly AdminCommand[] = [
  {
    name: "storage purge",
    summary: "forget now what is over by [retention]; a running server does it every hour",
    positionals: [],
    flags: [{ name: "dry-run", value: null, help: "change nothing, and say how many messages it would be" }],
    run: (context, args) => storagePurge(context, args["dry-run"] !== undefined),
  },
];
