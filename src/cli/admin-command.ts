import type { Args, Command } from "../admin/command.ts";
import { loadConfig } from "../config/load-config.ts";
import { actorOf } from "./actor.ts";
import { csvOf } from "./csv.ts";
import { readFileArguments } from "./file-arguments.ts";
import type { Io } from "./io.ts";
import { obey } from "./obey.ts";
import { printError, printJson } from "./print.ts";
import { showData } from "./show.ts";

/** Has an administrative command done and prints the answer; resolves with the exit code. */
export async function runAdminCommand(
  io: Io,
  command: Command,
  args: Args,
  configPath: string,
  json: boolean,
): Promise<number> {
  const loaded = await loadConfig(configPath, io.env);
  if (!loaded.ok) {
    printError(io, json, { code: "CONFIG_INVALID", detail: loaded.lines.join("\n") });
    return 1;
  }
  const read = await readFileArguments(command, args);
  if (!read.ok) {
    printError(io, json, read.refusal);
    return 1;
  }
  const request = { command: command.name, args: read.value, actor: actorOf(io.env) };
  const answer = await obey(loaded.config, request);
  if (!answer.ok) {
    printError(io, json, answer.refusal);
    return 1;
  }
  if (json) printJson(io, { data: answer.value });
  else if (command.csv && args.csv !== undefined) io.out(csvOf(answer.value, command.csv));
  else io.out(showData(answer.value, command.table));
  return 0;
}
