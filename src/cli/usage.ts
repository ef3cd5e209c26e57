import { meanings } from "../base/columns.ts";
import type { Flag } from "../control/command.ts";
import { COMMON_FLAGS, type Invocable, nounsOf } from "./parse.ts";

/** How commands are called: one in full, several as a list, all when none is named. */
export function usageText(
  topic: readonly Invocable[],
  all: readonly Invocable[],
  width: number | null = null,
): string {
  const [only] = topic;
  if (only && topic.length === 1) return usageOfOne(only, width);
  const listed = topic.length > 0 ? topic : all;
  const lines = summaries(listed, width);
  return [
    "usage: bendre COMMAND [ARGUMENTS] [FLAGS]",
    "",
    ...lines,
    "",
    'Say "bendre COMMAND --help" for one command, "bendre --version" for the version.',
    "",
  ].join("\n");
}

/** How far a line of usage goes. */
const LINE = 80;

/** What a wrong invocation is shown: how the command is called, or which verbs or nouns there are. */
export function briefUsage(
  topic: readonly Invocable[],
  all: readonly Invocable[],
  width: number | null = null,
): string {
  const [only] = topic;
  if (only && topic.length === 1) {
    return `${callOf(only)}\n\nSay "bendre ${only.name} --help" for what each means.`;
  }
  if (topic.length > 0) {
    const lines = summaries(topic, width);
    return ["usage: bendre COMMAND [ARGUMENTS] [FLAGS]", "", ...lines].join("\n");
  }
  const nouns = nounsOf(all.map(({ name }) => name));
  return [
    "usage: bendre COMMAND [ARGUMENTS] [FLAGS]",
    "",
    folded("commands:", nouns, "  "),
    "",
    'Say "bendre --help" for all of them, "bendre COMMAND --help" for one.',
  ].join("\n");
}

/** How a command is called, folded between its words. */
function callOf({ name, positionals, flags }: Invocable): string {
  const words = [
    ...positionals.map((place) => (place.isOptional ? `[${place.name}]` : placeText(place.name, flags))),
    ...flags
      .filter((flag) => flag.replaces === undefined)
      .map((flag) => (flag.isRequired ? flagText(flag) : `[${flagText(flag)}]`)),
  ];
  return folded(`usage: bendre ${name}`, words, "         ");
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

function summaries(commands: readonly Invocable[], width: number | null): string[] {
  return meanings(
    commands.map(({ name, summary }) => [`  ${name}`, summary]),
    width,
  );
}

function usageOfOne(command: Invocable, width: number | null): string {
  const { summary, positionals, flags } = command;
  const lines = [callOf(command), "", summary];
  const described = [
    ...positionals.map((place) => [`  ${place.name}`, place.help] as const),
    ...[...flags, ...COMMON_FLAGS].map((flag) => [`  ${flagText(flag)}`, flagHelp(flag)] as const),
  ];
  return [...lines, "", ...meanings(described, width), ""].join("\n");
}

/** `ACCOUNT`, or `ACCOUNT|--everywhere` where a flag may stand in its place. */
function placeText(name: string, flags: readonly Flag[]): string {
  return [name, ...flags.filter((flag) => flag.replaces === name).map(flagText)].join("|");
}

function flagText(flag: Flag): string {
  return flag.value === null ? `--${flag.name}` : `--${flag.name} ${flag.choices?.join("|") ?? flag.value}`;
}

function flagHelp(flag: Flag): string {
  return flag.isRequired ? `${flag.help} (required)` : flag.help;
}
