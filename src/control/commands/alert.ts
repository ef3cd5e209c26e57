import { alertList, alertSilence, alertTest } from "../../upkeep/alarms/alarm-commands.ts";
import { type AdminCommand, needed } from "../command.ts";

export const ALERT_COMMANDS: readonly AdminCommand[] = [
  {
    name: "alert list",
    summary: "list what is wrong, since when and what to do, by the rules of [alerts]",
    positionals: [],
    flags: [],
    table: { rows: "alerts", columns: ["rule", "subject", "state", "since", "detail", "action"] },
    run: (context) => alertList(context),
  },
  {
    name: "alert test",
    summary: "tell every channel of [alerts] a test now; exit 1 where one does not take it",
    positionals: [],
    flags: [],
    needsServer: true,
    run: (context) => alertTest(context),
  },
  {
    name: "alert silence",
    summary: "tell nothing of a rule until a time; a time that is past ends it",
    positionals: [{ name: "RULE", help: "the rule, as alert list names it" }],
    flags: [
      { name: "until", value: "ISO", help: "a date or a date-time; a date alone is UTC", isRequired: true },
    ],
    run: (context, args) => alertSilence(context, needed(args, "RULE"), needed(args, "until")),
  },
];
