import { foldedAt, meanings } from "../base/columns.ts";
import type { Flag } from "../control/command.ts";
import { flagsOf, type Invocable, nounsOf } from "./parse.ts";
import type { Dictionary } from "./words/dictionary.ts";
import { ENGLISH } from "./words/english.ts";
import { EXAMPLES } from "./words/examples.ts";

/** How commands are called: one in full, several as a list, all when none is named. */
export function usageText(
  topic: readonly Invocable[],
  all: readonly Invocable[],
  width: number | null = null,
  say: Dictionary = ENGLISH,
): string {
  const [only] = topic;
  if (only && topic.length === 1) return usageOfOne(only, width, say);
  const listed = topic.length > 0 ? topic : all;
  const lines = summaries(listed, width, say);
  return [`${say.usage} ${say.anyCall}`, "", ...lines, "", say.forAny, ""].join("\n");
}

/** How far a line of usage goes. */
const LINE = 80;

/** What a wrong invocation is shown: how the command is called, or which verbs or nouns there are. */
export function briefUsage(
  topic: readonly Invocable[],
  all: readonly Invocable[],
  width: number | null = null,
  say: Dictionary = ENGLISH,
): string {
  const [only] = topic;
  if (only && topic.length === 1) {
    return `${callOf(only, say)}\n\n${say.forOne(only.name)}`;
  }
  if (topic.length > 0) {
    const lines = summaries(topic, width, say);
    return [`${say.usage} ${say.anyCall}`, "", ...lines].join("\n");
  }
  const nouns = nounsOf(all.map(({ name }) => name));
  return [`${say.usage} ${say.anyCall}`, "", folded(say.commands, nouns, "  "), "", say.forAll].join("\n");
}

/** How a command is called, folded between its words. */
function callOf({ name, positionals, flags }: Invocable, say: Dictionary): string {
  const words = [
    ...positionals.map((place) =>
      place.isOptional ? `[${say.place(place.name)}]` : placeText(place.name, flags, say),
    ),
    ...flags
      .filter((flag) => flag.replaces === undefined)
      .map((flag) => (flag.isRequired ? flagText(flag, say) : `[${flagText(flag, say)}]`)),
  ];
  return folded(`${say.usage} bendre ${name}`, words, "         ");
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

function summaries(commands: readonly Invocable[], width: number | null, say: Dictionary): string[] {
  return meanings(
    commands.map(({ name, summary }) => [`  ${name}`, say.text(summary)]),
    width,
  );
}

function usageOfOne(command: Invocable, width: number | null, say: Dictionary): string {
  const { name, summary, positionals } = command;
  const lines = [
    callOf(command, say),
    "",
    ...(width === null ? [say.text(summary)] : foldedAt(say.text(summary), width)),
  ];
  const described = [
    ...positionals.map((place) => [`  ${say.place(place.name)}`, say.text(place.help)] as const),
    ...flagsOf(command).map((flag) => [`  ${flagText(flag, say)}`, flagHelp(flag, say)] as const),
  ];
  const examples = (EXAMPLES[name] ?? []).map((words) => `  bendre ${words}`);
  const shown = examples.length === 0 ? [] : ["", say.examples, ...examples];
  return [...lines, "", ...meanings(described, width), ...shown, ""].join("\n");
}

/** `ACCOUNT`, or `ACCOUNT|--everywhere` where a flag may stand in its place. */
function placeText(name: string, flags: readonly Flag[], say: Dictionary): string {
  const others = flags.filter((flag) => flag.replaces === name);
  return [say.place(name), ...others.map((flag) => flagText(flag, say))].join("|");
}

function flagText(flag: Flag, say: Dictionary): string {
  return flag.value === null
    ? `--${flag.name}`
    : `--${flag.name} ${flag.choices?.join("|") ?? say.place(flag.value)}`;
}

function flagHelp(flag: Flag, say: Dictionary): string {
  return flag.isRequired ? `${say.text(flag.help)} (${say.required})` : say.text(flag.help);
}
