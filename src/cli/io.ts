import { createInterface } from "node:readline/promises";
import type { Language } from "./language.ts";
import { withServices } from "./roots-environment.ts";

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
