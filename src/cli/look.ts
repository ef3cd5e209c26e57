import type { Io } from "./io.ts";
import type { Dictionary } from "./words/dictionary.ts";
import { ENGLISH } from "./words/english.ts";
import { dictionaryOf } from "./words/speak.ts";

/** How something is shown: in how many places a line, null where it is no terminal, in which words and colours. */
export type Display = { readonly width: number | null; readonly say: Dictionary; readonly paint: Paint };

/** Puts a text in a colour, or leaves it as it is. */
export type Paint = { readonly head: (text: string) => string; readonly problem: (text: string) => string };

const UNPAINTED: Paint = { head: (text) => text, problem: (text) => text };
/** Bold, and bold in red, as terminals have them (ECMA-48, SGR). */
const PAINTED: Paint = {
  head: (text) => `\u001b[1m${text}\u001b[0m`,
  problem: (text) => `\u001b[1;31m${text}\u001b[0m`,
};

/** For a reader that is no terminal, in English. */
export const PLAIN: Display = { width: null, say: ENGLISH, paint: UNPAINTED };

/** The words of a process: those of the language it was asked in. */
export function wordsFor({ language = "en" }: Io): Dictionary {
  return dictionaryOf(language);
}

/** How answers are shown. */
export function lookFor(io: Io): Display {
  const width = io.columns ?? null;
  return { width, say: wordsFor(io), paint: paintFor(width !== null, io.env) };
}

/** The colours of what goes to stderr. */
export function errorPaint(io: Io): Paint {
  return paintFor(io.errIsTerminal === true, io.env);
}

/** Colours are for terminals that know them, and for nobody who said `NO_COLOR`. */
function paintFor(isTerminal: boolean, env: Io["env"]): Paint {
  return isTerminal && !env.NO_COLOR && env.TERM !== "dumb" ? PAINTED : UNPAINTED;
}
