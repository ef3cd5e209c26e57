/**
 * The command line: parses the words, finds the configuration, runs the command, prints the answer.
 *
 * `parse.ts` is the grammar and `help-text.ts` the help. `admin-command.ts` decides whether a server or this process runs an
 * administrative command; `render.ts` and `terminal.ts` write for people or as JSON. What a command does stands in `admin/`.
 */

import type { Flag } from "../admin/command.ts";
import { escapeLines, renderDefinitions, wrapText } from "../core/terminal-text.ts";
import { versionLine } from "../core/version.ts";
import { type Locale, type Phrase, phrase } from "../i18n/phrase.ts";
import { renderIn } from "../i18n/text.ts";
import { type CliCommand, COMMANDS } from "./commands.ts";
import { EXAMPLES, renderHelp, renderSummary } from "./help-text.ts";
import { renderPlaceholder } from "./labels.ts";
import { deriveLanguage, findLanguageFlag, LANGUAGES, takeLanguageFlag } from "./language-flag.ts";
import type { LocalInvocation } from "./local-command.ts";
import { type Invocable, listFlags, listNouns, needsValue, parse, phraseNotOneOf } from "./parse.ts";
import { deriveLocale, errorPaint, type Io } from "./terminal.ts";

/** The exit code of a wrong invocation (docs/administration.md#how-commands-answer). */
const WRONG_INVOCATION = 2;

/** Runs the words typed after `bendre`; resolves with the exit code. */
export async function runCli(words: readonly string[], io: Io): Promise<number> {
  const begun = takeLanguageFlag(words);
  if (!begun.ok) {
    const spoken = { ...io, language: deriveLanguage(io.env) };
    const problem =
      begun.value === null
        ? needsValue("language", LANGUAGES.join("|"))
        : phraseNotOneOf("language", LANGUAGES);
    return wrongInvocation(spoken, [], problem);
  }
  const { rest } = begun;
  const usual = begun.language ?? deriveLanguage(io.env);
  const language = begun.language ?? findLanguageFlag(rest) ?? usual;
  return runParsed({ ...io, language }, { ...io, language: usual }, rest);
}

/** Runs the parsed words; `usual` is the Io of a command that has its own flag `--language`. */
function runParsed(io: Io, usual: Io, words: readonly string[]): number | Promise<number> {
  const parsed = parse(words, COMMANDS);
  switch (parsed.kind) {
    case "version":
      io.out(`${versionLine()}\n`);
      return 0;
    case "help":
      io.out(usageText(parsed.topic, COMMANDS, io.columns ?? null, deriveLocale(io)));
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
  const locale = deriveLocale(io);
  const usage = briefUsage(topic, COMMANDS, io.columns ?? null, locale);
  io.err(
    `${usage}\n\n${errorPaint(io).problem(escapeLines(renderIn(locale, phrase("cli.problem", { problem }))))}\n`,
  );
  return WRONG_INVOCATION;
}

async function run(command: CliCommand, invocation: LocalInvocation): Promise<number> {
  if (command.kind === "own") return command.run(invocation);
  const { runAdminCommand } = await import("./admin-command.ts");
  const { io, args, configPath, json } = invocation;
  return runAdminCommand(io, command, args, configPath, json);
}

/** `--config`, else `$BENDRE_CONFIG`, else `./config.toml` (docs/administration.md#which-configuration). */
function configOf(given: string | null, { env }: Io): Pick<LocalInvocation, "configPath" | "isConfigNamed"> {
  const named = given ?? (env.BENDRE_CONFIG || null);
  return { configPath: named ?? "./config.toml", isConfigNamed: named !== null };
}

/** The help text: one command in full, several as a list, all when none is named. */
function usageText(
  topic: readonly Invocable[],
  all: readonly Invocable[],
  width: number | null = null,
  locale: Locale = "en",
): string {
  const [only] = topic;
  if (only && topic.length === 1) return usageOfOne(only, width, locale);
  const listed = topic.length > 0 ? topic : all;
  const lines = summaries(listed, width, locale);
  return [anyCall(locale), "", ...lines, "", renderIn(locale, phrase("cli.for_any")), ""].join("\n");
}

/** The width of usage lines. */
const LINE = 80;

/** The usage shown after a wrong invocation: of the command, or the verbs or nouns there are. */
function briefUsage(
  topic: readonly Invocable[],
  all: readonly Invocable[],
  width: number | null = null,
  locale: Locale = "en",
): string {
  const [only] = topic;
  if (only && topic.length === 1) {
    const more = renderIn(locale, phrase("cli.for_one", { command: only.name }));
    return `${renderUsage(only, locale)}\n\n${more}`;
  }
  if (topic.length > 0) {
    const lines = summaries(topic, width, locale);
    return [anyCall(locale), "", ...lines].join("\n");
  }
  const nouns = listNouns(all.map(({ name }) => name));
  const listed = folded(renderIn(locale, phrase("cli.commands")), nouns, "  ");
  return [anyCall(locale), "", listed, "", renderIn(locale, phrase("cli.for_all"))].join("\n");
}

function anyCall(locale: Locale): string {
  return `${renderIn(locale, phrase("cli.usage"))} ${renderIn(locale, phrase("cli.any_call"))}`;
}

/** The usage line of a command, wrapped between its words. */
function renderUsage({ name, positionals, flags }: Invocable, locale: Locale): string {
  const words = [
    ...positionals.map((place) =>
      place.isOptional ? `[${placeIn(locale, place.name)}]` : placeText(place.name, flags, locale),
    ),
    ...flags
      .filter((flag) => flag.replaces === undefined)
      .map((flag) => (flag.isRequired ? flagText(flag, locale) : `[${flagText(flag, locale)}]`)),
  ];
  return folded(`${renderIn(locale, phrase("cli.usage"))} bendre ${name}`, words, "         ");
}

/** Wraps words behind `head` at `LINE` characters; later lines begin with `indent`. */
function folded(head: string, words: readonly string[], indent: string): string {
  const lines = [head];
  for (const word of words) {
    const last = lines.at(-1) ?? "";
    if (last.length + 1 + word.length > LINE) lines.push(`${indent}${word}`);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines.join("\n");
}

function summaries(commands: readonly Invocable[], width: number | null, locale: Locale): string[] {
  return renderDefinitions(
    commands.map((command) => [`  ${command.name}`, renderSummary(command, locale)]),
    width,
  );
}

function usageOfOne(command: Invocable, width: number | null, locale: Locale): string {
  const { name, positionals } = command;
  const summary = renderSummary(command, locale);
  const lines = [
    renderUsage(command, locale),
    "",
    ...(width === null ? [summary] : wrapText(summary, width)),
  ];
  const described = [
    ...positionals.map(
      (place) => [`  ${placeIn(locale, place.name)}`, renderHelp(command, place, locale)] as const,
    ),
    ...listFlags(command).map(
      (flag) => [`  ${flagText(flag, locale)}`, flagHelp(command, flag, locale)] as const,
    ),
  ];
  const examples = (EXAMPLES[name] ?? []).map((words) => `  bendre ${words}`);
  const shown = examples.length === 0 ? [] : ["", renderIn(locale, phrase("cli.examples")), ...examples];
  return [...lines, "", ...renderDefinitions(described, width), ...shown, ""].join("\n");
}

/** `ACCOUNT`, or `ACCOUNT|--everywhere` where a flag may stand in its place. */
function placeText(name: string, flags: readonly Flag[], locale: Locale): string {
  const others = flags.filter((flag) => flag.replaces === name);
  return [placeIn(locale, name), ...others.map((flag) => flagText(flag, locale))].join("|");
}

function flagText(flag: Flag, locale: Locale): string {
  return flag.value === null
    ? `--${flag.name}`
    : `--${flag.name} ${flag.choices?.join("|") ?? placeIn(locale, flag.value)}`;
}

function flagHelp(command: Invocable, flag: Flag, locale: Locale): string {
  const help = renderHelp(command, flag, locale);
  return flag.isRequired ? renderIn(locale, phrase("cli.required", { help })) : help;
}

function placeIn(locale: Locale, name: string): string {
  return renderIn(locale, renderPlaceholder(name));
}
