/**
 * The process as commands see it: streams, terminal width, colours, language, prompts, and the service's environment file
 * for root.
 */
import { readFileSync, statSync } from "node:fs";
import { createInterface } from "node:readline/promises";
import type { ReceivedRefusal } from "../admin/control-client.ts";
import { parseVariables } from "../config/environment.ts";
import { escapeLines, printableJson, wrapText } from "../core/terminal-text.ts";
import { type Locale, paramsIn, type Reader } from "../i18n/phrase.ts";
import { english, renderTo } from "../i18n/text.ts";
import { layoutBelow } from "../ops/install/layout.ts";
import type { Language } from "./language-flag.ts";

/** How something is shown: in how many places a line, null where it is no terminal, in which language and colours. */
export type Display = { readonly width: number | null; readonly locale: Locale; readonly paint: Paint };

/** Puts a text in a colour, or leaves it as it is. */
type Paint = { readonly head: (text: string) => string; readonly problem: (text: string) => string };

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

/** The one document that `--json` puts on stdout. */
export function printJson(io: Io, document: { readonly data: unknown } | { readonly error: unknown }): void {
  io.out(`${printableJson(document)}\n`);
}

/** Tells why a command was not done: a document for scripts, a sentence on stderr for people. The exit code, 1. */
export function printError(io: Io, json: boolean, refusal: ReceivedRefusal): number {
  if (json) {
    const { code, detail } = refusal;
    // What is told beside a refusal, where to look, is for people.
    const { params = {} } = paramsIn(detail, "cli.look")?.refusal ?? detail;
    printJson(io, { error: { code, detail: english(detail), params } });
  } else {
    const text = renderTo(toTextReader(io), refusal.detail);
    io.err(`${errorPaint(io).problem(wrapToWidth(text, io))}\n(${refusal.code})\n`);
  }
  return 1;
}

/** Escapes control characters, and wraps lines at blanks to the terminal's width. */
export function wrapToWidth(text: string, { columns }: Io): string {
  const shown = escapeLines(text);
  if (columns === undefined) return shown;
  return shown
    .split("\n")
    .flatMap((line) => (line.startsWith(" ") ? [line] : wrapText(line, columns)))
    .join("\n");
}

type Env = Readonly<Record<string, string | undefined>>;

/** What the service is given by its unit. */
const SERVICES_FILE = layoutBelow("/").environment;

/** For whom it is read, and where it lies; a test names others. */
type Reading = { readonly uid: number; readonly path: string };

/**
 * The environment of a command. Root's has the variables that the service is given too, so that a command finds the passwords that the
 * configuration asks for; what is set already stays. A file that others than root may write says nothing.
 */
export function withServices(
  env: Env,
  { uid, path }: Reading = { uid: process.getuid?.() ?? -1, path: SERVICES_FILE },
): Env {
  if (uid !== 0) return env;
  try {
    const file = statSync(path);
    if (file.uid !== process.getuid?.() || (file.mode & 0o022) !== 0) return env;
    return { ...Object.fromEntries(parseVariables(readFileSync(path, "utf8"))), ...env };
  } catch {
    return env;
  }
}

/** What a command sees of the process it runs in; a test hands in its own. */
export type Io = {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** How many places a line of the terminal has; absent where `out` is none. */
  readonly columns?: number | undefined;
  /** Whether `err` goes to a terminal; absent: it does not. */
  readonly errIsTerminal?: boolean;
  /** Asks whoever sits before it, and resolves with the line that was typed, null at the end of input; absent where nobody sits there. */
  readonly ask?: ((question: string) => Promise<string | null>) | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What its reader reads; English where it is absent. */
  readonly language?: Language;
};

/** A terminal that does not tell how wide it is. */
const USUAL_COLUMNS = 80;

async function askTerminal(question: string): Promise<string | null> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const closed = new Promise<null>((resolve) => terminal.once("close", () => resolve(null)));
  try {
    return await Promise.race([terminal.question(question), closed]);
  } finally {
    terminal.close();
  }
}

/** The process's own streams and environment. */
export const systemIo: Io = {
  out: (text) => {
    process.stdout.write(text);
  },
  err: (text) => {
    process.stderr.write(text);
  },
  columns: process.stdout.isTTY ? process.stdout.columns || USUAL_COLUMNS : undefined,
  errIsTerminal: process.stderr.isTTY === true,
  ask: process.stdin.isTTY && process.stdout.isTTY ? askTerminal : undefined,
  env: withServices(process.env),
};
