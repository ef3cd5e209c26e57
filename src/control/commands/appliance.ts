import { clockAccept } from "../../operations/clock.ts";
import { operatorStatus } from "../../operations/operators.ts";
import { AUDIT_OPERATIONS } from "../../reports/audit.ts";
import { ledgerCheck } from "../../reports/ledger-check.ts";
import type { AdminCommand } from "../command.ts";
import { commandsOf } from "../commands-of.ts";

/** Audit entries of a file. */
const MAX_ENTRIES = 10_000;

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
  {
    name: "ledger check",
    does: "notes",
    positionals: [],
    flags: [],
    run: (context) => ledgerCheck(context),
  },
  {
    name: "clock accept",
    positionals: [],
    flags: [],
    run: (context) => clockAccept(context),
  },
  ...commandsOf(AUDIT_OPERATIONS, {
    "audit list": {
      csv: [{ rows: "entries", columns: ["at", "actor", "action", "subject", "detail"] }],
      csvLimit: MAX_ENTRIES,
    },
  }),
];
