/** What a command sees of the process it runs in; a test hands in its own. */
export type Io = {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** How many places a line of the terminal has; absent where `out` is none. */
  readonly columns?: number | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
};

/** A terminal that does not tell how wide it is. */
const USUAL_COLUMNS = 80;

/** The process's own streams and environment. */
export const systemIo: Io = {
  out: (text) => {
    process.stdout.write(text);
  },
  err: (text) => {
    process.stderr.write(text);
  },
  columns: process.stdout.isTTY ? process.stdout.columns || USUAL_COLUMNS : undefined,
  env: process.env,
};
