/**
 * Parser of the command line: words after `bendre` to a command with its arguments and flags, or to a usage error and the
 * commands it is about.
 */
import type { Args, Flag, Usage } from "../admin/command.ts";
import { nearest } from "../core/edit-distance.ts";
import { isFlag, readFlags } from "../core/flags.ts";
import { type Phrase, phrase } from "../i18n/phrase.ts";
import { renderPlaceholder } from "./labels.ts";
import { LANGUAGES, stripLanguageFlag } from "./language-flag.ts";

/** A command as the command line knows it. One that `takesAll` reads the words behind its name itself. */
export type Invocable = Usage & { readonly takesAll?: boolean };

/** What every command takes besides its own flags. */
type Common = {
  readonly json: boolean;
  /** Null: not given. */
  readonly config: string | null;
};

export type Parsed<Known extends Invocable> =
  | { readonly kind: "run"; readonly command: Known; readonly args: Args; readonly common: Common }
  /** The words behind a command that reads them itself. */
  | { readonly kind: "pass"; readonly command: Known; readonly words: readonly string[] }
  | { readonly kind: "version" }
  /** `topic`: the commands asked about, all when it is empty. */
  | { readonly kind: "help"; readonly topic: readonly Known[] }
  | { readonly kind: "wrong"; readonly problem: Phrase; readonly topic: readonly Known[] };

export const COMMON_FLAGS: readonly Flag[] = [
  { name: "config", value: "FILE" },
  { name: "json", value: null },
  {
    name: "language",
    value: "LANGUAGE",
    choices: LANGUAGES,
  },
  { name: "help", value: null },
];

/** Reads the words typed after `bendre`, and says what is wrong with them. Pure. */
export function parse<Known extends Invocable>(
  words: readonly string[],
  commands: readonly Known[],
): Parsed<Known> {
  const [first, second] = words;
  if (first === undefined) return wrong(phrase("cli.no_command"), []);
  if (first === "--version" || first === "-V") return { kind: "version" };
  if (first === "--help" || first === "-h" || first === "help") {
    return { kind: "help", topic: second === undefined ? [] : topicOf(words.slice(1), commands) };
  }
  if (isFlag(first)) {
    return wrong(phrase("cli.flag_first", { flag: first }), []);
  }
  const command =
    commands.find((known) => known.name === `${first} ${second}`) ??
    commands.find((known) => known.name === first);
  if (!command) return unknownCommand(words, commands);
  const rest = words.slice(command.name.split(" ").length);
  return command.takesAll
    ? { kind: "pass", command, words: stripLanguageFlag(rest) }
    : parseRest(rest, command);
}

function parseRest<Known extends Invocable>(rest: readonly string[], command: Known): Parsed<Known> {
  const flags = listFlags(command);
  const read = readFlags(rest, flags);
  if (read.kind === "wrong") {
    const names = flags.map(({ name }) => name);
    if (read.isKnown) return wrong(phrase("cli.takes_no_value", { name: read.name }), [command]);
    const meant = nearest(read.name, names);
    const { name } = read;
    const problem =
      meant === null
        ? phrase("cli.unknown_flag", { name })
        : phrase("cli.unknown_flag.near", { name, meant });
    return wrong(problem, [command]);
  }
  const { places } = read;
  const args: Record<string, string> = {};
  const given = new Map<string, string>();
  for (const [{ name, value: meaning, choices }, value] of read.given) {
    if (given.has(name)) return wrong(phrase("cli.given_twice", { name }), [command]);
    if (value === null) return wrong(needsValue(name, meaning ?? ""), [command]);
    if (choices?.includes(value) === false) {
      return wrong(phraseNotOneOf(name, choices), [command]);
    }
    given.set(name, value);
  }
  if (given.has("help")) return { kind: "help", topic: [command] };
  for (const { name, excludes = [] } of command.flags) {
    const other = given.has(name) ? excludes.find((excluded) => given.has(excluded)) : undefined;
    if (other !== undefined) return wrong(phrase("cli.not_together", { one: name, other }), [command]);
  }
  const replaced = command.flags.filter((flag) => given.has(flag.name)).map((flag) => flag.replaces);
  const positionals = command.positionals.filter((place) => !replaced.includes(place.name));
  for (const [index, { name, isOptional }] of positionals.entries()) {
    const word = places[index];
    if (word === undefined && isOptional) continue;
    if (word === undefined || word === "")
      return wrong(phrase("cli.missing", { what: renderPlaceholder(name) }), [command]);
    args[name] = word;
  }
  const surplus = places[positionals.length];
  if (surplus !== undefined) return wrong(phrase("cli.unexpected", { word: surplus }), [command]);
  for (const flag of command.flags) {
    const value = given.get(flag.name);
    if (value !== undefined) args[flag.name] = value;
    else if (flag.isRequired) {
      const what = phrase("cli.flag", { name: flag.name, value: renderPlaceholder(flag.value ?? "") });
      return wrong(phrase("cli.missing", { what }), [command]);
    }
  }
  return {
    kind: "run",
    command,
    args,
    common: { json: given.has("json"), config: given.get("config") ?? null },
  };
}

export function needsValue(name: string, meaning: string): Phrase {
  return phrase("cli.needs_value", { name, meaning: renderPlaceholder(meaning) });
}

export function phraseNotOneOf(name: string, choices: readonly string[]): Phrase {
  return phrase("cli.one_of", { name, choices: choices.join(", ") });
}

/** The flags of a command: its own, and those of every command that it has not itself. */
export function listFlags({ flags }: Pick<Usage, "flags">): readonly Flag[] {
  return [...flags, ...COMMON_FLAGS.filter(({ name }) => flags.every((own) => own.name !== name))];
}

/** The commands that the words begin to name: one, or all of a noun. */
function topicOf<Known extends Invocable>(words: readonly string[], commands: readonly Known[]): Known[] {
  const name = words.slice(0, 2).join(" ");
  const exact = commands.filter((known) => known.name === name);
  return exact.length > 0 ? exact : commands.filter((known) => known.name.split(" ")[0] === words[0]);
}

function unknownCommand<Known extends Invocable>(
  words: readonly string[],
  commands: readonly Known[],
): Parsed<Known> {
  const [first = "", second] = words;
  const family = commands.filter((known) => known.name.startsWith(`${first} `));
  if (family.length > 0 && (second === "--help" || second === "-h")) return { kind: "help", topic: family };
  if (family.length > 0 && (second === undefined || isFlag(second))) {
    return wrong(phrase("cli.needs_verb", { noun: first }), family);
  }
  const typed = second === undefined || isFlag(second) ? first : `${first} ${second}`;
  const names = (family.length > 0 ? family : commands).map((known) => known.name);
  const meant = nearest(typed, names) ?? nearest(first, listNouns(names));
  if (meant === null) return wrong(phrase("cli.unknown_command", { typed }), family);
  const noun = meant.split(" ")[0] ?? meant;
  const topic = family.length > 0 ? family : topicOf([noun], commands);
  return wrong(phrase("cli.unknown_command.near", { typed, meant }), topic);
}

/** The first words of command names, each once. */
export function listNouns(names: readonly string[]): string[] {
  return [...new Set(names.map((name) => name.split(" ")[0] ?? name))];
}

function wrong<Known extends Invocable>(problem: Phrase, topic: readonly Known[]): Parsed<Known> {
  return { kind: "wrong", problem, topic };
}
