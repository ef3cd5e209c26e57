import { ALERT_OPERATIONS } from "../../upkeep/alarms/alarm-commands.ts";
import { commandsOf } from "../commands-of.ts";

export const ALERT_COMMANDS = commandsOf(ALERT_OPERATIONS, {
  "alert list": {
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
  },
});
