import { REPORT_OPERATIONS } from "../../reports/delivery.ts";
import { commandsOf } from "../commands-of.ts";

const ROWS = {
  rows: "rows",
  columns: [
    ...["key", "account"],
    ...["accepted", "sent", "delivered", "failed", "without_receipt", "delivered_share"],
    ...["receipt_seconds.p50", "receipt_seconds.p90", "receipt_seconds.p99"],
    ...["segments", "charged"],
  ],
};

export const REPORT_COMMANDS = commandsOf(REPORT_OPERATIONS, {
  "report delivery": { csv: [ROWS], table: ROWS },
});
