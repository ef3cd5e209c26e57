import { alertList, alertSilence, alertTest } from "../../upkeep/alarms/alarm-commands.ts";
import { type AdminCommand, needed } from "../command.ts";

export const ALERT_COMMANDS: readonly AdminCommand[] = [
  {
    name: "alert list",
    does: "reads",
    summary: "list what is wrong, since when and what to do, by the rules of [alerts], and who was told",
    positionals: [],
    flags: [],
    table: [
      {
        rows: "alerts",
        title: "what lasts",
        having: ["since"],
        columns: ["rule", "subject", "state", "since", "detail", "action"],
      },
      { rows: "alerts", title: "rules", columns: ["rule", "subject", "state"] },
      {
        rows: "deliveries",
        columns: [
          "at",
          "rule",
          "subject",
          "state",
          "channel",
          "recipient",
          "outcome",
          "attempts",
          "error",
          "by",
        ],
      },
    ],
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
      {
        name: "until",
        value: "TIME",
        help: "a date or a date-time, in [defaults] timezone unless it says; or how long from now: 2h, 3d",
        isRequired: true,
      },
    ],
    run: (context, args) => alertSilence(context, needed(args, "RULE"), needed(args, "until")),
  },
];
