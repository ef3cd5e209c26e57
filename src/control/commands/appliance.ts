import { CLOCK_OPERATIONS } from "../../operations/clock.ts";
import { readWhole } from "../../operations/typed-values.ts";
import { auditList } from "../../reports/audit.ts";
import { ledgerCheck } from "../../reports/ledger-check.ts";
import { type AdminCommand, optional } from "../command.ts";
import { commandsOf } from "../commands-of.ts";

/** How many audit entries are shown unless asked otherwise. */
const USUAL_ENTRIES = "100";
/** And of a file. */
const MOST_ENTRIES = "10000";

export const APPLIANCE_COMMANDS: readonly AdminCommand[] = [
  {
    name: "ledger check",
    does: "notes",
    positionals: [],
    flags: [],
    run: (context) => ledgerCheck(context),
  },
  ...commandsOf(CLOCK_OPERATIONS),
  {
    name: "audit list",
    does: "reads",
    positionals: [],
    flags: [
      { name: "actor", value: "NAME" },
      {
        name: "action",
        value: "COMMAND",
      },
      { name: "account", value: "ACCOUNT" },
      { name: "from", value: "T" },
      { name: "to", value: "T" },
      { name: "limit", value: "N", told: { usual: USUAL_ENTRIES } },
      { name: "csv", value: null },
    ],
    csv: [{ rows: "entries", columns: ["at", "actor", "action", "subject", "detail"] }],
    run: (context, args) => {
      const usual = args.csv === undefined ? USUAL_ENTRIES : MOST_ENTRIES;
      const limit = readWhole(optional(args, "limit") ?? usual);
      if (!limit.ok) return limit;
      return auditList(context, {
        actor: optional(args, "actor"),
        action: optional(args, "action"),
        account: optional(args, "account"),
        from: optional(args, "from"),
        to: optional(args, "to"),
        limit: limit.value,
      });
    },
  },
];
