import { SUPPRESSION_IMPORT_OPERATIONS } from "../../operations/suppression-import.ts";
import { SUPPRESSION_OPERATIONS } from "../../operations/suppressions.ts";
import { commandsOf } from "../commands-of.ts";

const { "suppression list": LIST, ...CHANGES } = SUPPRESSION_OPERATIONS;

const LISTED = commandsOf(
  { "suppression list": LIST },
  {
    "suppression list": {
      csv: [{ rows: "suppressions", columns: ["msisdn", "message_class", "source", "created_at", "note"] }],
    },
  },
);

/** Numbers that are sent nothing. */
export const SUPPRESSION_COMMANDS = [
  ...commandsOf({ ...CHANGES, ...SUPPRESSION_IMPORT_OPERATIONS }),
  // Its help tells of the mode last.
  ...LISTED.map((command) => ({
    ...command,
    flags: command.flags.toSorted(
      (one, other) => Number(one.name === "mode") - Number(other.name === "mode"),
    ),
  })),
];
