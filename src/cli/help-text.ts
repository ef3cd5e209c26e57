/** Texts of `--help`: examples of each command, and the catalogue's words for commands, arguments and flags. */
import type { Flag, HelpValues, Positional, Usage } from "../admin/command.ts";
import type { Code, Locale, Phrase } from "../i18n/phrase.ts";
import { hasText, renderIn } from "../i18n/text.ts";
import examples from "./examples.json" with { type: "json" };

/** How commands are typed, by their names; the same in every language. */
export const EXAMPLES: Readonly<Record<string, readonly string[]>> = examples;

// What help says of a command, its words and its flags, by the catalogue area `help`: a command by its name, a word or a flag by
// `sender register --operator` where it means something of its own there, else by `--operator`.

/** What a command does, in a line. */
export function renderSummary({ name }: Pick<Usage, "name">, locale: Locale): string {
  return renderIn(locale, helpPhrase(name));
}

/** What a word or a flag of a command means. */
export function renderHelp(command: Pick<Usage, "name">, item: Positional | Flag, locale: Locale): string {
  const name = "value" in item ? `--${item.name}` : item.name;
  const own = `${command.name} ${name}`;
  return renderIn(locale, helpPhrase(hasText(`help.${own}`) ? own : name, item.helpValues));
}

/** A test holds that there is one for each. */
function helpPhrase(key: string, params: HelpValues = {}): Phrase {
  return { code: `help.${key}` as Code, params } as Phrase;
}
