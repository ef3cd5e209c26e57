import { configDiff, configReload, configShow } from "../../operations/config-in-force.ts";
import { done } from "../../operations/refusal.ts";
import type { AdminCommand, TableShape } from "../command.ts";

const CHANGE = ["path", "change", "waiting", "consequence"];
/** What "config diff" exits with where there are differences (docs/administration.md#reload). */
const DIFFERENT = 3;

const changeTable = (rows: string, title: string): TableShape => ({ rows, title, columns: CHANGE });

/** What is in force, and what the file would change. */
export const CONFIG_COMMANDS: readonly AdminCommand[] = [
  {
    name: "config show",
    does: "reads",
    positionals: [],
    flags: [],
    run: (context) => done(configShow(context)),
  },
  {
    name: "config diff",
    does: "reads",
    positionals: [],
    flags: [],
    table: changeTable("changes", "changes"),
    exitCode: (value) => (hasChanges(value) ? DIFFERENT : 0),
    run: (context) => configDiff(context),
  },
  {
    name: "config reload",
    positionals: [],
    flags: [],
    needsServer: true,
    table: [changeTable("changes", "changed"), changeTable("restart", "waits for a restart")],
    run: (context) => configReload(context),
  },
];

function hasChanges(value: unknown): boolean {
  return (
    typeof value === "object" &&
    value !== null &&
    "changes" in value &&
    Array.isArray(value.changes) &&
    value.changes.length > 0
  );
}
