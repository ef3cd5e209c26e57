/** Which language people are spoken to in (docs/administration.md#what-people-read). */

export const LANGUAGES = ["fr", "en"] as const;
export type Language = (typeof LANGUAGES)[number];

const FLAG = "--language";

/** What stands before the command: the language, if it is named there, and the words behind it. */
type LanguagePrefix =
  | { readonly ok: true; readonly language: Language | null; readonly rest: readonly string[] }
  /** `value` is no language; null where none was typed. */
  | { readonly ok: false; readonly value: string | null };

/** Takes `--language` off the front of what was typed after `bendre`. */
export function takeLanguageFlag(words: readonly string[]): LanguagePrefix {
  const [first] = words;
  if (first !== FLAG && !first?.startsWith(`${FLAG}=`)) return { ok: true, language: null, rest: words };
  const value = first === FLAG ? words[1] : first.slice(FLAG.length + 1);
  const language = languageNamed(value);
  if (language === null) return { ok: false, value: value ?? null };
  return { ok: true, language, rest: words.slice(first === FLAG ? 2 : 1) };
}

/** The language that a flag anywhere in the words names; null where none does, or what it names is none. */
export function findLanguageFlag(words: readonly string[]): Language | null {
  const at = places(words)[0];
  return at === undefined ? null : languageNamed(words[at]?.slice(FLAG.length + 1) || words[at + 1]);
}

/** The words without the flag, for a command that reads them itself. */
export function stripLanguageFlag(words: readonly string[]): string[] {
  const found = places(words);
  return words.filter((_, at) => !found.includes(at) && !(found.includes(at - 1) && words[at - 1] === FLAG));
}

/** Where the flag stands; behind `--` nothing is a flag. */
function places(words: readonly string[]): number[] {
  const end = words.indexOf("--");
  return (end < 0 ? words : words.slice(0, end)).flatMap((word, at) =>
    word === FLAG || word.startsWith(`${FLAG}=`) ? [at] : [],
  );
}

/**
 * The language of the environment: `$BENDRE_LANGUAGE`, else what POSIX says messages are in (`LC_ALL`, `LC_MESSAGES`,
 * `LANG`, the first that is set). English where that is neither.
 */
export function deriveLanguage(env: Readonly<Record<string, string | undefined>>): Language {
  const locale = env.LC_ALL || env.LC_MESSAGES || env.LANG;
  return languageNamed(env.BENDRE_LANGUAGE) ?? languageNamed(locale) ?? "en";
}

/** `fr`, and also `fr_BF.UTF-8` or `FR-fr`. */
function languageNamed(text: string | undefined): Language | null {
  const [begin] = (text ?? "").toLowerCase().split(/[_.@-]/);
  return LANGUAGES.find((known) => known === begin) ?? null;
}
