import { STATEMENT_OPERATIONS } from "../../reports/batch-statements.ts";
import { INVOICE_OPERATIONS } from "../../reports/invoice.ts";
import { commandsOf } from "../commands-of.ts";

const FIGURES = ["messages", "segments", "reserved", "charged", "released", "still_reserved"];
const OF_LINES = [...FIGURES, "billed_segments", "free_segments"];

export const STATEMENT_COMMANDS = commandsOf(
  { ...STATEMENT_OPERATIONS, ...INVOICE_OPERATIONS },
  {
    "wallet statement": {
      csv: [
        {
          rows: "entries",
          columns: ["at", "kind", "amount", "change", "balance", "batch_id", "cause", "note"],
          first: { texts: { kind: "OPENING" }, members: { at: "from", balance: "opening_balance" } },
          last: { texts: { kind: "CLOSING" }, members: { at: "to", balance: "closing_balance" } },
        },
        { rows: "lines", columns: ["operator", "price", ...OF_LINES] },
        {
          rows: "batches",
          columns: ["batch_id", "created_at", "sender", "message_class", "status", ...FIGURES],
        },
      ],
      isPaged: true,
      table: { rows: "entries", columns: ["at", "kind", "change", "amount", "balance", "batch_id", "note"] },
    },
    "wallet invoice": {
      csv: [
        {
          rows: "lines",
          columns: ["operator", "message_class", "price", ...OF_LINES],
          last: {
            texts: { operator: "TOTAL" },
            members: Object.fromEntries(OF_LINES.map((figure) => [figure, `total.${figure}`])),
          },
        },
      ],
    },
  },
);
