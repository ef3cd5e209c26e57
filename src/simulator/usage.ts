/**
 * The help of the simulators: flags, typed commands, and numbers that choose an outcome. Texts are in the catalogue area
 * `simulator_help`: under `smsc --quiet` when they hold for one simulator, under `--json` when they mean the same in both.
 */
import type { Code, Phrase } from "../i18n/phrase.ts";
import { english, hasText } from "../i18n/text.ts";

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
