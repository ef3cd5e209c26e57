import type { Locale, Reader } from "../i18n/phrase.ts";
import type { Io } from "./io.ts";

/** How something is shown: in how many places a line, null where it is no terminal, in which language and colours. */
export type Display = { readonly width: number | null; readonly locale: Locale; readonly paint: Paint };

/** Puts a text in a colour, or leaves it as it is. */
export type Paint = { readonly head: (text: string) => string; readonly problem: (text: string) => string };

const UNPAINTED: Paint = { head: (text) => text, problem: (text) => text };
/** Bold, and bold in red, as terminals have them (ECMA-48, SGR). */
const PAINTED: Paint = {
  head: (text) => `\u001b[1m${text}\u001b[0m`,
  problem: (text) => `\u001b[1;31m${text}\u001b[0m`,
};

/** For a reader that is no terminal, in English. */
export const PLAIN: Display = { width: null, locale: "en", paint: UNPAINTED };

/** The language that a process was asked in. */
export function deriveLocale({ language = "en" }: Io): Locale {
  return language;
}

/** For whom texts of a process are made. */
export function toTextReader(io: Io): Reader {
  return { locale: deriveLocale(io), timeZone: null, isTerminal: io.columns !== undefined };
}

/** How answers are shown. */
export function toDisplay(io: Io): Display {
  const width = io.columns ?? null;
  return { width, locale: deriveLocale(io), paint: paintFor(width !== null, io.env) };
}

/** The colours of what goes to stderr. */
export function errorPaint(io: Io): Paint {
  return paintFor(io.errIsTerminal === true, io.env);
}

/** Colours are for terminals that know them, and for nobody who said `NO_COLOR`. */
function paintFor(isTerminal: boolean, env: Io["env"]): Paint {
  return isTerminal && !env.NO_COLOR && env.TERM !== "dumb" ? PAINTED : UNPAINTED;
}
