/**
 * The command line: parses what was typed, finds the configuration, has the command done, prints the answer.
 *
 * `parse` and `usage` are the grammar and the help, `obey` decides whether a server or this process does the command, `show`, `table` and
 * `print` write for people or as JSON. What a command does stands in `control` and below.
 */

import { escapeLines } from "../core/escape-controls.ts";
import { versionLine } from "../core/version.ts";
import { type Phrase, phrase } from "../i18n/phrase.ts";
import { spokenIn } from "../i18n/text.ts";
import { type CliCommand, COMMANDS } from "./commands.ts";
import type { Io } from "./io.ts";
import { LANGUAGES, languageAmong, languageBefore, languageOf } from "./language.ts";
import { errorPaint, localeOf } from "./look.ts";
import type { OwnInvocation } from "./own-command.ts";
import { needsValue, notOneOf, parse } from "./parse.ts";
import { briefUsage, usageText } from "./usage.ts";

/** The exit code of a wrong invocation (docs/administration.md#how-commands-answer). */
const WRONG_INVOCATION = 2;

/** Does what was typed after `bendre`; resolves with the exit code. */
export async function runCli(words: readonly string[], io: Io): Promise<number> {
  const begun = languageBefore(words);
  if (!begun.ok) {
    const spoken = { ...io, language: languageOf(io.env) };
    const problem =
      begun.value === null ? needsValue("language", LANGUAGES.join("|")) : notOneOf("language", LANGUAGES);
    return wrongInvocation(spoken, [], problem);
  }
  const { rest } = begun;
  const usual = begun.language ?? languageOf(io.env);
  const language = begun.language ?? languageAmong(rest) ?? usual;
  return runParsed({ ...io, language }, { ...io, language: usual }, rest);
}

/** `usual` is for a command that has a flag `--language` of its own. */
function runParsed(io: Io, usual: Io, words: readonly string[]): number | Promise<number> {
  const parsed = parse(words, COMMANDS);
  switch (parsed.kind) {
    case "version":
      io.out(`${versionLine()}\n`);
      return 0;
    case "help":
      io.out(usageText(parsed.topic, COMMANDS, io.columns ?? null, localeOf(io)));
      return 0;
    case "wrong":
      return wrongInvocation(io, parsed.topic, parsed.problem);
    case "pass":
      return run(parsed.command, {
        io,
        ...configOf(null, io),
        json: false,
        args: {},
        words: parsed.words,
      });
    case "run": {
      const { json, config } = parsed.common;
      const hasOwn = parsed.command.flags.some(({ name }) => name === "language");
      const spoken = hasOwn ? usual : io;
      return run(parsed.command, { io: spoken, ...configOf(config, io), json, args: parsed.args, words: [] });
    }
  }
}

/** The error comes last: that is where a person looks. */
function wrongInvocation(io: Io, topic: readonly CliCommand[], problem: Phrase): number {
  const locale = localeOf(io);
  const usage = briefUsage(topic, COMMANDS, io.columns ?? null, locale);
  io.err(
    `${usage}\n\n${errorPaint(io).problem(escapeLines(spokenIn(locale, phrase("cli.problem", { problem }))))}\n`,
  );
  return WRONG_INVOCATION;
}

async function run(command: CliCommand, invocation: OwnInvocation): Promise<number> {
  if (command.kind === "own") return command.run(invocation);
  const { runAdminCommand } = await import("./admin-command.ts");
  const { io, args, configPath, json } = invocation;
  return runAdminCommand(io, command, args, configPath, json);
}

/** `--config`, else `$BENDRE_CONFIG`, else `./config.toml` (docs/administration.md#which-configuration). */
function configOf(given: string | null, { env }: Io): Pick<OwnInvocation, "configPath" | "isConfigNamed"> {
  const named = given ?? (env.BENDRE_CONFIG || null);
  return { configPath: named ?? "./config.toml", isConfigNamed: named !== null };
}
