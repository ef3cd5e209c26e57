import { INBOUND_OPERATIONS } from "../../reports/inbound.ts";
import { commandsOf } from "../commands-of.ts";

export const INBOUND_COMMANDS = commandsOf(INBOUND_OPERATIONS, {
  "inbound list": {
    table: {
      rows: "texts",
      columns: ["received_at", "operator", "from", "to", "text", "missing_parts", "times", "opt_out"],
    },
  },
});
