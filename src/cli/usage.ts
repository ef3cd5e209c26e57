import type { Flag } from "../admin/command.ts";
import { foldedAt, meanings } from "../core/columns.ts";
import { type Locale, phrase } from "../i18n/phrase.ts";
import { spokenIn } from "../i18n/text.ts";
import { EXAMPLES } from "./examples.ts";
import { helpOf, summaryOf } from "./help.ts";
import { flagsOf, type Invocable, nounsOf } from "./parse.ts";
import { placeNamed } from "./words.ts";

/** How commands are called: one in full, several as a list, all when none is named. */
export function usageText(
  topic: readonly Invocable[],
  all: readonly Invocable[],
  width: number | null = null,
  locale: Locale = "en",
): string {
  const [only] = topic;
  if (only && topic.length === 1) return usageOfOne(only, width, locale);
  const listed = topic.length > 0 ? topic : all;
  const lines = summaries(listed, width, locale);
  return [anyCall(locale), "", ...lines, "", spokenIn(locale, phrase("cli.for_any")), ""].join("\n");
}

/** How far a line of usage goes. */
const LINE = 80;

/** What a wrong invocation is shown: how the command is called, or which verbs or nouns there are. */
export function briefUsage(
  topic: readonly Invocable[],
  all: readonly Invocable[],
  width: number | null = null,
  locale: Locale = "en",
): string {
  const [only] = topic;
  if (only && topic.length === 1) {
    const more = spokenIn(locale, phrase("cli.for_one", { command: only.name }));
    return `${callOf(only, locale)}\n\n${more}`;
  }
  if (topic.length > 0) {
    const lines = summaries(topic, width, locale);
    return [anyCall(locale), "", ...lines].join("\n");
  }
  const nouns = nounsOf(all.map(({ name }) => name));
  const listed = folded(spokenIn(locale, phrase("cli.commands")), nouns, "  ");
  return [anyCall(locale), "", listed, "", spokenIn(locale, phrase("cli.for_all"))].join("\n");
}

function anyCall(locale: Locale): string {
  return `${spokenIn(locale, phrase("cli.usage"))} ${spokenIn(locale, phrase("cli.any_call"))}`;
}

/** How a command is called, folded between its words. */
function callOf({ name, positionals, flags }: Invocable, locale: Locale): string {
  const words = [
    ...positionals.map((place) =>
      place.isOptional ? `[${placeIn(locale, place.name)}]` : placeText(place.name, flags, locale),
    ),
    ...flags
      .filter((flag) => flag.replaces === undefined)
      .map((flag) => (flag.isRequired ? flagText(flag, locale) : `[${flagText(flag, locale)}]`)),
  ];
  return folded(`${spokenIn(locale, phrase("cli.usage"))} bendre ${name}`, words, "         ");
}

/** Words behind `head`, in lines of at most `LINE` characters; those after the first begin with `indent`. */
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
  return meanings(
    commands.map((command) => [`  ${command.name}`, summaryOf(command, locale)]),
    width,
  );
}

function usageOfOne(command: Invocable, width: number | null, locale: Locale): string {
  const { name, positionals } = command;
  const summary = summaryOf(command, locale);
  const lines = [callOf(command, locale), "", ...(width === null ? [summary] : foldedAt(summary, width))];
  const described = [
    ...positionals.map(
      (place) => [`  ${placeIn(locale, place.name)}`, helpOf(command, place, locale)] as const,
    ),
    ...flagsOf(command).map(
      (flag) => [`  ${flagText(flag, locale)}`, flagHelp(command, flag, locale)] as const,
    ),
  ];
  const examples = (EXAMPLES[name] ?? []).map((words) => `  bendre ${words}`);
  const shown = examples.length === 0 ? [] : ["", spokenIn(locale, phrase("cli.examples")), ...examples];
  return [...lines, "", ...meanings(described, width), ...shown, ""].join("\n");
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
  const help = helpOf(command, flag, locale);
  return flag.isRequired ? spokenIn(locale, phrase("cli.required", { help })) : help;
}

function placeIn(locale: Locale, name: string): string {
  return spokenIn(locale, placeNamed(name));
}
