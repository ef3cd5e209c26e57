import { auditList } from "../audit.ts";
import { type Command, optional } from "../command.ts";
import { ledgerCheck } from "../ledger-check.ts";
import { operatorStatus } from "../operators.ts";
import { readWhole } from "../whole.ts";

/** How many audit entries are shown unless asked otherwise. */
const USUAL_ENTRIES = "100";

export const APPLIANCE_COMMANDS: readonly Command[] = [
  {
    name: "operator status",
    summary: "show every connection: state, window, rate, last error",
    positionals: [],
    flags: [],
    run: (context) => operatorStatus(context),
  },
  {
    name: "ledger check",
    summary: "recompute every balance from its entries; exit 1 on any difference",
    positionals: [],
    flags: [],
    run: (context) => ledgerCheck(context),
  },
  {
    name: "audit list",
    summary: "list who changed what and when, newest first",
    positionals: [],
    flags: [{ name: "limit", value: "N", help: `how many; ${USUAL_ENTRIES} without this` }],
    run: (context, args) => {
      const limit = readWhole(optional(args, "limit") ?? USUAL_ENTRIES);
      return limit.ok ? auditList(context, limit.value) : limit;
    },
  },
];
