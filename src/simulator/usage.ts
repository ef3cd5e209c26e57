/**
 * What the help of a simulator says of its flags, of what may be typed to it and of numbers that choose an outcome, by the catalogue area
 * `simulator_help`: by `smsc --quiet` where it is said of one simulator, by `--json` where it means the same in both.
 */
import type { Code, Phrase } from "../i18n/phrase.ts";
import { english, hasText } from "../i18n/text.ts";

/** Puts what is said into the language of a reader. */
export type Say = (phrase: Phrase) => string;

/** What a word of a simulator means; a test holds that there is a text for each. */
export function renderHelp(simulator: "smsc" | "whatsapp-sim", word: string): Phrase {
  const own = `simulator_help.${simulator} ${word}`;
  return { code: (hasText(own) ? own : `simulator_help.${word}`) as Code };
}

/** A flag as it is typed, and what it means, with what it is unless it is given. */
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
