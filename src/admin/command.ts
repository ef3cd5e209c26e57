import type { AdminContext } from "./context.ts";
import type { AdminOutcome } from "./refusal.ts";

/** A word that stands by its place, such as ACCOUNT. All are required. */
export type Positional = { readonly name: string; readonly help: string };

/** `--name VALUE`, or `--name` alone when `value` is null. */
export type Flag = {
  readonly name: string;
  /** What the value is, in capitals; null for a flag without one. */
  readonly value: string | null;
  readonly help: string;
  readonly isRequired?: boolean;
  /** The only values there are. */
  readonly choices?: readonly string[];
};

/** How a command is called. */
export type Usage = {
  /** One word, or a noun and a verb. */
  readonly name: string;
  readonly summary: string;
  readonly positionals: readonly Positional[];
  readonly flags: readonly Flag[];
};

/** What was given: positionals by their capital names, flags by their small ones; a flag without a value is "". */
export type Args = Readonly<Record<string, string>>;

/** The list in an answer that becomes comma-separated values, and its members that become columns. */
export type CsvShape = { readonly rows: string; readonly columns: readonly string[] };

/** One administrative operation as typed: texts in, the operation's answer out. */
export type Command = Usage & {
  /** What its flag `--csv` prints. */
  readonly csv?: CsvShape;
  readonly run: (context: AdminContext, args: Args) => AdminOutcome<unknown> | Promise<AdminOutcome<unknown>>;
};

/** A positional or a required flag. Empty cannot happen through the parser, and every operation refuses it. */
export function needed(args: Args, name: string): string {
  return args[name] ?? "";
}

/** A flag that may be left out. */
export function optional(args: Args, name: string): string | null {
  return args[name] ?? null;
}

export const ACCOUNT: Positional = { name: "ACCOUNT", help: "the account's id" };
