import { CLOCK_OPERATIONS } from "../../operations/clock.ts";
import { AUDIT_OPERATIONS } from "../../reports/audit.ts";
import { LEDGER_CHECK_OPERATIONS } from "../../reports/ledger-check.ts";
import type { AdminCommand } from "../command.ts";
import { commandsOf } from "../commands-of.ts";

/** Audit entries of a file. */
const MAX_ENTRIES = 10_000;

export const APPLIANCE_COMMANDS: readonly AdminCommand[] = [
  ...commandsOf(LEDGER_CHECK_OPERATIONS),
  ...commandsOf(CLOCK_OPERATIONS),
  ...commandsOf(AUDIT_OPERATIONS, {
    "audit list": {
      csv: [{ rows: "entries", columns: ["at", "actor", "action", "subject", "detail"] }],
      csvLimit: MAX_ENTRIES,
    },
  }),
];
