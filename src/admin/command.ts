/**
 * Types of an administrative command as the command line sees it: words and flags, tables and CSV of its answer, attached
 * files.
 */
import type { AdminContext } from "./operations/context.ts";
import type { AdminOutcome } from "./operations/refusal.ts";

/** Values of a help text: `src/i18n/en/help.json` says what a command does and what each of its words and flags means. */
export type HelpValues = Readonly<Record<string, string>>;

/** A word that stands by its place, such as ACCOUNT. */
export type Positional = {
  readonly name: string;
  /** What its help is filled in with. */
  readonly helpValues?: HelpValues;
  /** The word is the path of a file that the command line reads: the command itself is given what stands in it. */
  readonly isFile?: boolean;
  /** The word is a path that the command itself goes to: it is made absolute, because a running server is in another directory. */
  readonly isPath?: boolean;
  /** It may be left out. Only the last may. */
  readonly isOptional?: boolean;
};

/** `--name VALUE`, or `--name` alone when `value` is null. */
export type Flag = {
  readonly name: string;
  /** What the value is, in capitals; null for a flag without one. */
  readonly value: string | null;
  /** What its help is filled in with. */
  readonly helpValues?: HelpValues;
  readonly isRequired?: boolean;
  /** The only values there are. */
  readonly choices?: readonly string[];
  /** Flags that it makes no sense together with. */
  readonly excludes?: readonly string[];
  /** The positional that this flag stands in place of: where it is given, the other is not. */
  readonly replaces?: string;
};

/** How a command is called. */
export type Usage = {
  /** One word, or a noun and a verb. */
  readonly name: string;
  readonly positionals: readonly Positional[];
  readonly flags: readonly Flag[];
};

/** What was given: positionals by their capital names, flags by their small ones; a flag without a value is "". */
export type Args = Readonly<Record<string, string>>;

/** A list in an answer, and those of its members that become the columns of a table. */
export type TableShape = {
  readonly rows: string;
  readonly columns: readonly string[];
  /** What stands over the table; the list's own name unless given. */
  readonly title?: string;
  /** Of the rows, those that have one of these; without any there is no table. */
  readonly having?: readonly string[];
};

/** A line of comma-separated values that is no row of the list. */
export type CsvLine = {
  /** What stands in a column as it is. */
  readonly texts: Readonly<Record<string, string>>;
  /** Which member of the answer stands in a column; a dot leads to one of an object inside. */
  readonly members: Readonly<Record<string, string>>;
};

export type CsvShape = TableShape & { readonly first?: CsvLine; readonly last?: CsvLine };

/** What a command does to the database. */
export type DatabaseEffect = "reads" | "notes" | "changes";

/** One administrative operation as typed: texts in, the operation's answer out. */
export type AdminCommand = Usage & {
  /** What its flag `--csv` prints: the first list of these that the answer holds. */
  readonly csv?: readonly CsvShape[];
  /**
   * With `--csv` it is asked with `page`, and where the answer has a text as `next`, again with that as `from`, or as the flag that
   * `pagedBy` names: the pages make one file.
   */
  readonly isPaged?: boolean;
  readonly pagedBy?: string;
  /**
   * What people read of a list whose rows are too long for a line; scripts are given all of it. A dot leads to a member
   * of an object inside. Two tables of one list stand one after the other.
   */
  readonly table?: TableShape | readonly TableShape[];
  /** The flag names a new file, and the member of the answer is what the command line writes into it, in Base64. */
  readonly file?: { readonly flag: string; readonly member: string };
  /** With its flag `--watch` it is asked and shown again every so often, until it is interrupted. */
  readonly isWatchable?: boolean;
  /** What the command line exits with when it was done; 0 unless given. */
  readonly exitCode?: (value: unknown) => number;
  /**
   * What it does to the database: "changes" it unless given; "reads", and then it leaves no trace in the data directory; or "notes", which
   * reads and notes that where it can, and is opened to be read alone where nothing can be written.
   */
  readonly does?: DatabaseEffect | ((args: Args) => DatabaseEffect);
  /** It asks what only a running server knows: without one it is refused with SERVER_NOT_RUNNING. */
  readonly needsServer?: boolean;
  /** What the command line makes of the files that the words name, before it asks: the bytes are brought along. */
  readonly attach?: (args: Args, files: FileAccess) => Promise<AdminOutcome<AttachmentResult>>;
  /** On a terminal it is asked with this flag first, and goes on when a person agrees; the other flag agrees beforehand. */
  readonly preview?: { readonly flag: string; readonly agreed: string };
  readonly run: (
    context: AdminContext,
    args: Args,
    attachment: Attachment | null,
  ) => AdminOutcome<unknown> | Promise<AdminOutcome<unknown>>;
};

/** What was made of a file: bytes, because it may be long and is never part of a JSON text on the way. */
export type Attachment = Uint8Array<ArrayBuffer>;

export type AttachmentResult = {
  readonly args: Args;
  readonly attachment: Attachment;
  /** What it said of the files, beside the members of the answer. */
  readonly told?: Readonly<Record<string, unknown>>;
};

/** What a command that brings a file along is made with, where it is typed. */
export type FileAccess = {
  /** `maxBytes`: 16 MiB unless given. */
  readonly read: (path: string, maxBytes?: number) => Promise<AdminOutcome<Uint8Array<ArrayBuffer>>>;
  /** Whether a text is a phone number, by the configuration. */
  readonly isNumber: (text: string) => boolean;
  /** A text with what names a column in its braces called as that, and its tags in their normal form (NFC). */
  readonly written: (
    text: string,
    columns: readonly string[],
  ) => { readonly body: string; readonly tags: ReadonlySet<string> };
};

/** A positional or a required flag. Empty cannot happen through the parser, and every operation refuses it. */
export function requireArgument(args: Args, name: string): string {
  return args[name] ?? "";
}

/** A flag that may be left out. */
export function optional(args: Args, name: string): string | null {
  return args[name] ?? null;
}

export const ACCOUNT: Positional = { name: "ACCOUNT" };
