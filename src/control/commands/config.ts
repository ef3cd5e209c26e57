import { CONFIG_OPERATIONS } from "../../operations/config-in-force.ts";
import type { TableShape } from "../command.ts";
import { commandsOf } from "../commands-of.ts";

const CHANGE = ["path", "change", "waiting", "consequence"];
/** What "config diff" exits with where there are differences (docs/administration.md#reload). */
const DIFFERENT = 3;

const changeTable = (rows: string, title: string): TableShape => ({ rows, title, columns: CHANGE });

export const CONFIG_COMMANDS = commandsOf(CONFIG_OPERATIONS, {
  "config diff": {
    table: changeTable("changes", "changes"),
    exitCode: (value) => (hasChanges(value) ? DIFFERENT : 0),
  },
  "config reload": {
    table: [changeTable("changes", "changed"), changeTable("restart", "waits for a restart")],
  },
});

function hasChanges(value: unknown): boolean {
  return (
    typeof value === "object" &&
    value !== null &&
    "changes" in value &&
    Array.isArray(value.changes) &&
    value.changes.length > 0
  );
}
