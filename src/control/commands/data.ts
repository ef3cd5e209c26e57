import { dataErase } from "../../operations/erasure/erase.ts";
import { dataExport } from "../../reports/data-export.ts";
import { heldElsewhere } from "../../upkeep/backup/holding.ts";
import { type AdminCommand, needed, optional, type Positional } from "../command.ts";

const MSISDN: Positional = { name: "MSISDN" };

export const DATA_COMMANDS: readonly AdminCommand[] = [
  {
    name: "data export",
    positionals: [MSISDN],
    flags: [{ name: "reason", value: "TEXT" }],
    table: {
      rows: "messages",
      columns: ["message_id", "account_id", "sender", "status", "segments", "amount", "text"],
    },
    run: (context, args) => dataExport(context, needed(args, MSISDN.name), optional(args, "reason")),
  },
  {
    name: "data erase",
    positionals: [MSISDN],
    flags: [
      { name: "cancel", value: null },
      {
        name: "new-key",
        value: null,
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
