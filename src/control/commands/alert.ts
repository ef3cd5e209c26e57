import { alertList, alertSilence, alertTest } from "../../upkeep/alarms/alarm-commands.ts";
import { type AdminCommand, needed } from "../command.ts";

export const ALERT_COMMANDS: readonly AdminCommand[] = [
  {
    name: "alert list",
    does: "reads",
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
    positionals: [],
    flags: [],
    needsServer: true,
    run: (context) => alertTest(context),
  },
  {
    name: "alert silence",
    positionals: [{ name: "RULE" }],
    flags: [
      {
        name: "until",
        value: "TIME",
        isRequired: true,
      },
    ],
    run: (context, args) => alertSilence(context, needed(args, "RULE"), needed(args, "until")),
  },
];
