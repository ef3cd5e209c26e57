import type { Config } from "../config/config.ts";
import { loadConfig } from "../config/load-config.ts";
import type { AdminCommand, Args, CsvShape } from "../control/command.ts";
import type { ControlAnswer } from "../control/control-client.ts";
import { actorOf } from "./actor.ts";
import { csvOf } from "./csv.ts";
import { keepFile, readFileArguments } from "./file-arguments.ts";
import type { Io } from "./io.ts";
import { obey } from "./obey.ts";
import { printError, printJson } from "./print.ts";
import { isRow, showData } from "./show.ts";

/** Has an administrative command done and prints the answer; resolves with the exit code. */
export async function runAdminCommand(
  io: Io,
  command: AdminCommand,
  args: Args,
  configPath: string,
  json: boolean,
): Promise<number> {
  const loaded = await loadConfig(configPath, io.env, "a fault but for secrets");
  if (!loaded.ok) return printError(io, json, { code: "CONFIG_INVALID", detail: loaded.lines.join("\n") });
  const read = await readFileArguments(command, args);
  if (!read.ok) return printError(io, json, read.refusal);
  const asked = { io, command, config: loaded.config, args: read.value };
  if (command.csv && args.csv !== undefined && !json) return printCsv(asked, command.csv);
  const answer = await ask(asked);
  if (!answer.ok) return printError(io, json, answer.refusal);
  const kept = await keepFile(command, args, answer.value);
  if (!kept.ok) return printError(io, json, kept.refusal);
  if (json) printJson(io, { data: kept.value });
  else io.out(showData(kept.value, command.table, io.columns ?? null));
  return 0;
}

type Asked = {
  readonly io: Io;
  readonly command: AdminCommand;
  readonly config: Config;
  readonly args: Args;
};

function ask({ io, command, config, args }: Asked): Promise<ControlAnswer> {
  return obey(config, { command: command.name, args, actor: actorOf(io.env) });
}

/** Prints an answer as comma-separated values; of a command with pages, all of them. */
async function printCsv(asked: Asked, shapes: readonly CsvShape[]): Promise<number> {
  const args = asked.command.isPaged ? { ...asked.args, page: "" } : asked.args;
  for (let from: string | null = null, isFirst = true; isFirst || from !== null; isFirst = false) {
    const answer = await ask({ ...asked, args: from === null ? args : { ...args, from } });
    if (!answer.ok) return printError(asked.io, false, answer.refusal);
    const next = isRow(answer.value) ? answer.value.next : null;
    from = typeof next === "string" ? next : null;
    asked.io.out(csvOf(answer.value, shapes, { isFirst, isLast: from === null }));
  }
  return 0;
}
