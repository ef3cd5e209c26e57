import { isFlag, readFlags } from "../base/flags.ts";
import { nearest } from "../base/nearest.ts";
import type { Args, Flag, Usage } from "../control/command.ts";
import { LANGUAGES, withoutLanguage } from "./language.ts";
import type { Dictionary } from "./words/dictionary.ts";
import { ENGLISH } from "./words/english.ts";

/** A command as the command line knows it. One that `takesAll` reads the words behind its name itself. */
export type Invocable = Usage & { readonly takesAll?: boolean };

/** What every command takes besides its own flags. */
export type Common = {
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
  | { readonly kind: "wrong"; readonly problem: string; readonly topic: readonly Known[] };

export const COMMON_FLAGS: readonly Flag[] = [
  { name: "config", value: "FILE", help: "configuration; else $BENDRE_CONFIG, else ./config.toml" },
  { name: "json", value: null, help: "print exactly one JSON document" },
  {
    name: "language",
    value: "LANGUAGE",
    help: "what people read; else $BENDRE_LANGUAGE, else the locale",
    choices: LANGUAGES,
  },
  { name: "help", value: null, help: "say how this is called" },
];

/** Reads the words typed after `bendre`, and says in the words of `say` what is wrong with them. Pure. */
export function parse<Known extends Invocable>(
  words: readonly string[],
  commands: readonly Known[],
  say: Dictionary = ENGLISH,
): Parsed<Known> {
  const [first, second] = words;
  if (first === undefined) return wrong(say.noCommand, []);
  if (first === "--version" || first === "-V") return { kind: "version" };
  if (first === "--help" || first === "-h" || first === "help") {
    return { kind: "help", topic: second === undefined ? [] : topicOf(words.slice(1), commands) };
  }
  if (isFlag(first)) {
    return wrong(say.flagFirst(JSON.stringify(first)), []);
  }
  const command =
    commands.find((known) => known.name === `${first} ${second}`) ??
    commands.find((known) => known.name === first);
  if (!command) return unknownCommand(words, commands, say);
  const rest = words.slice(command.name.split(" ").length);
  return command.takesAll
    ? { kind: "pass", command, words: withoutLanguage(rest) }
    : parseRest(rest, command, say);
}

function parseRest<Known extends Invocable>(
  rest: readonly string[],
  command: Known,
  say: Dictionary,
): Parsed<Known> {
  const flags = flagsOf(command);
  const read = readFlags(rest, flags);
  if (read.kind === "wrong") {
    const names = flags.map(({ name }) => name);
    if (read.isKnown) return wrong(say.takesNoValue(read.name), [command]);
    const meant = nearest(read.name, names);
    return wrong(say.unknownFlag(read.name) + (meant === null ? "" : say.didYouMean(`--${meant}`)), [
      command,
    ]);
  }
  const { places } = read;
  const args: Record<string, string> = {};
  const given = new Map<string, string>();
  for (const [{ name, value: meaning, choices }, value] of read.given) {
    if (given.has(name)) return wrong(say.givenTwice(name), [command]);
    if (value === null) return wrong(say.needsValue(name, say.place(meaning ?? "")), [command]);
    if (choices?.includes(value) === false) {
      return wrong(say.oneOf(name, choices), [command]);
    }
    given.set(name, value);
  }
  if (given.has("help")) return { kind: "help", topic: [command] };
  for (const { name, excludes = [] } of command.flags) {
    const other = given.has(name) ? excludes.find((excluded) => given.has(excluded)) : undefined;
    if (other !== undefined) return wrong(say.notTogether(name, other), [command]);
  }
  const replaced = command.flags.filter((flag) => given.has(flag.name)).map((flag) => flag.replaces);
  const positionals = command.positionals.filter((place) => !replaced.includes(place.name));
  for (const [index, { name, isOptional }] of positionals.entries()) {
    const word = places[index];
    if (word === undefined && isOptional) continue;
    if (word === undefined || word === "") return wrong(say.missing(say.place(name)), [command]);
    args[name] = word;
  }
  const surplus = places[positionals.length];
  if (surplus !== undefined) return wrong(say.unexpected(JSON.stringify(surplus)), [command]);
  for (const flag of command.flags) {
    const value = given.get(flag.name);
    if (value !== undefined) args[flag.name] = value;
    else if (flag.isRequired)
      return wrong(say.missing(`--${flag.name} ${say.place(flag.value ?? "")}`), [command]);
  }
  return {
    kind: "run",
    command,
    args,
    common: { json: given.has("json"), config: given.get("config") ?? null },
  };
}

/** The flags of a command: its own, and those of every command that it has not itself. */
export function flagsOf({ flags }: Pick<Usage, "flags">): readonly Flag[] {
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
  say: Dictionary,
): Parsed<Known> {
  const [first = "", second] = words;
  const family = commands.filter((known) => known.name.startsWith(`${first} `));
  if (family.length > 0 && (second === "--help" || second === "-h")) return { kind: "help", topic: family };
  if (family.length > 0 && (second === undefined || isFlag(second))) {
    return wrong(say.needsVerb(first), family);
  }
  const typed = second === undefined || isFlag(second) ? first : `${first} ${second}`;
  const problem = say.unknownCommand(JSON.stringify(typed));
  const names = (family.length > 0 ? family : commands).map((known) => known.name);
  const meant = nearest(typed, names) ?? nearest(first, nounsOf(names));
  if (meant === null || family.length > 0) {
    return wrong(meant === null ? problem : problem + say.didYouMean(`"${meant}"`), family);
  }
  const noun = meant.split(" ")[0] ?? meant;
  return wrong(problem + say.didYouMean(`"${meant}"`), topicOf([noun], commands));
}

/** The first words of command names, each once. */
export function nounsOf(names: readonly string[]): string[] {
  return [...new Set(names.map((name) => name.split(" ")[0] ?? name))];
}

function wrong<Known extends Invocable>(problem: string, topic: readonly Known[]): Parsed<Known> {
  return { kind: "wrong", problem, topic };
}
