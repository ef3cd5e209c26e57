/**
 * The help of the simulators: flags, typed commands, and numbers that choose an outcome. Texts are in the catalogue area
 * `simulator_help`: under `smsc --quiet` when they hold for one simulator, under `--json` when they mean the same in both.
 */
import { readFlags } from "../core/flags.ts";
import { type Code, type Phrase, phrase } from "../i18n/phrase.ts";
import { english, hasText } from "../i18n/text.ts";

/** A flag of a simulator. */
export type SettingFlag<Settings> = {
  readonly name: string;
  /** Null: the flag stands alone. */
  readonly value: string | null;
  /** The default, as the help shows it behind the meaning. */
  readonly usual?: string;
  /** The settings with this flag's value applied; null when the value is invalid. */
  readonly read: (settings: Settings, word: string) => Settings | null;
};

/** A flag that turns a setting of its name on. */
export function switchFlag<Settings>(name: keyof Settings & string): SettingFlag<Settings> {
  return { name, value: null, read: (settings) => ({ ...settings, [name]: true }) };
}

/** What the words behind a simulator's command ask for. */
export type SimulatorInvocation<Settings> =
  | { readonly kind: "run"; readonly settings: Settings }
  | { readonly kind: "help" }
  | { readonly kind: "wrong"; readonly problem: Phrase };

/** Reads the words behind a simulator's command: `--flag value`, `--flag=value`, `--switch`, `--help`. */
export function readSettings<Settings>(
  words: readonly string[],
  flags: readonly SettingFlag<Settings>[],
  defaults: Settings,
): SimulatorInvocation<Settings> {
  const help: SettingFlag<Settings> = { name: "help", value: null, read: (settings) => settings };
  const read = readFlags(words, [...flags, help]);
  if (read.kind === "wrong") {
    const { name, isKnown } = read;
    const problem = isKnown
      ? phrase("simulator.flag.no_value", { flag: name })
      : phrase("simulator.flag.unknown", { flag: `--${name}` });
    return { kind: "wrong", problem };
  }
  const [place] = read.places;
  if (place !== undefined)
    return { kind: "wrong", problem: phrase("simulator.flag.unknown", { flag: place }) };
  let settings = defaults;
  for (const [flag, word] of read.given) {
    if (flag === help) return { kind: "help" };
    const changed = flag.read(settings, word ?? "");
    if (changed === null) {
      const problem = phrase("simulator.flag.needs", { flag: flag.name, value: flag.value ?? "" });
      return { kind: "wrong", problem };
    }
    settings = changed;
  }
  return { kind: "run", settings };
}

/** Renders a phrase in the reader's language. */
export type Say = (phrase: Phrase) => string;

/** The meaning of a simulator's flag or command; a test checks that each has a text. */
export function renderHelp(simulator: "smsc" | "whatsapp-sim", word: string): Phrase {
  const own = `simulator_help.${simulator} ${word}`;
  return { code: (hasText(own) ? own : `simulator_help.${word}`) as Code };
}

/** A flag as it is typed, and its meaning with the default. */
export function flagRow(
  simulator: "smsc" | "whatsapp-sim",
  flag: { readonly name: string; readonly value: string | null; readonly usual?: string },
  say: Say = english,
): readonly [string, string] {
  const { name, value, usual } = flag;
  const meaning = say(renderHelp(simulator, `--${name}`));
  return [
    value === null ? `--${name}` : `--${name} ${value}`,
    usual === undefined ? meaning : `${meaning} [${usual}]`,
  ];
}
