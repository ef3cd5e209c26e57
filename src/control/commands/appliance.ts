import { clockAccept } from "../../operations/clock.ts";
import { operatorStatus } from "../../operations/operators.ts";
import { readWhole } from "../../operations/typed-values.ts";
import { auditList } from "../../reports/audit.ts";
import { LEDGER_CHECK_OPERATIONS } from "../../reports/ledger-check.ts";
import { type AdminCommand, optional } from "../command.ts";
import { commandsOf } from "../commands-of.ts";

/** How many audit entries are shown unless asked otherwise. */
const USUAL_ENTRIES = "100";
/** And of a file. */
const MOST_ENTRIES = "10000";

export const APPLIANCE_COMMANDS: readonly AdminCommand[] = [
  {
    name: "operator status",
    positionals: [],
    flags: [],
    needsServer: true,
    table: [
      {
        rows: "connections",
        columns: ["operator", "connection", "host", "port", "bind", "state", "since"],
      },
      {
        title: "pace",
        rows: "connections",
        columns: [
          ...["operator", "connection", "in_flight", "window", "throughput", "rate", "sent_last_second"],
        ],
      },
      {
        title: "what is in the way",
        rows: "connections",
        having: ["paused", "last_error"],
        columns: ["operator", "connection", "paused", "reconnect_in_seconds", "last_error_at", "last_error"],
      },
      {
        title: "traffic since the start",
        rows: "connections",
        columns: [
          ...["operator", "connection", "accepted", "refused", "throttled", "postponed", "unanswered"],
          ...["receipts_matched", "receipts_unmatched", "receipts_refused"],
        ],
      },
      {
        title: "numbers of WhatsApp",
        rows: "numbers",
        columns: [
          ...["operator", "state", "since", "in_flight", "throughput", "rate", "sent_last_second"],
          ...["recipients_of_day", "recipients_per_day", "paused", "last_error"],
        ],
      },
      {
        title: "SMSC accounts: receipts come by any session of one, whichever operator it is of",
        rows: "smsc_accounts",
        columns: ["account", "operators", "unmarked_receipts", "receipts"],
      },
    ],
    run: (context) => operatorStatus(context),
  },
  ...commandsOf(LEDGER_CHECK_OPERATIONS),
  {
    name: "clock accept",
    positionals: [],
    flags: [],
    run: (context) => clockAccept(context),
  },
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
