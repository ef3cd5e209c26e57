import { dataErase } from "../../operations/erasure/erase.ts";
import { dataExport } from "../../reports/data-export.ts";
import { heldElsewhere } from "../../upkeep/backup/holding.ts";
import { type AdminCommand, needed, optional, type Positional } from "../command.ts";

const MSISDN: Positional = { name: "MSISDN", help: "the number, in local or international form" };

export const DATA_COMMANDS: readonly AdminCommand[] = [
  {
    name: "data export",
    summary: "show all that is kept about one number, for the person whose it is; the audit list tells of it",
    positionals: [MSISDN],
    flags: [{ name: "reason", value: "TEXT", help: "why, for the audit list" }],
    table: {
      rows: "messages",
      columns: ["message_id", "account_id", "sender", "status", "segments", "amount", "text"],
    },
    run: (context, args) => dataExport(context, needed(args, MSISDN.name), optional(args, "reason")),
  },
  {
    name: "data erase",
    summary: "take one number and its texts out of everything that is kept, but what they cost",
    positionals: [MSISDN],
    flags: [
      { name: "cancel", value: null, help: "cancel first what is QUEUED or SCHEDULED" },
      {
        name: "new-key",
        value: null,
        help: "erased-numbers.key is lost: make another; suppressions of numbers erased before count no more",
      },
    ],
    run: (context, args) =>
      dataErase(context, {
        msisdn: needed(args, MSISDN.name),
        isCancelling: args.cancel !== undefined,
        isWithNewKey: args["new-key"] !== undefined,
        heldElsewhere: () => heldElsewhere(context),
      }),
  },
];
