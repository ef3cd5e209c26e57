import { CLOCK_OPERATIONS } from "../../operations/clock.ts";
import { AUDIT_OPERATIONS } from "../../reports/audit.ts";
import { ledgerCheck } from "../../reports/ledger-check.ts";
import type { AdminCommand } from "../command.ts";
import { commandsOf } from "../commands-of.ts";

/** Audit entries of a file. */
const MAX_ENTRIES = 10_000;

export const APPLIANCE_COMMANDS: readonly AdminCommand[] = [
  {
    name: "ledger check",
    does: "notes",
    positionals: [],
    flags: [],
    run: (context) => ledgerCheck(context),
  },
  ...commandsOf(CLOCK_OPERATIONS),
  ...commandsOf(AUDIT_OPERATIONS, {
    "audit list": {
      csv: [{ rows: "entries", columns: ["at", "actor", "action", "subject", "detail"] }],
      csvLimit: MAX_ENTRIES,
    },
  }),
];
