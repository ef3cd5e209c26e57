/**
 * Operations on suppression lists, of numbers that are sent nothing: add, remove, list, find, import from CSV. A list is an
 * account's, its sandbox's, or appliance-wide.
 */
import { Type as t } from "typebox";
import { isoUtc } from "../../core/clock.ts";
import { createYielder } from "../../core/concurrency.ts";
import { csvRows, UnclosedQuote } from "../../core/csv.ts";
import { REPLACEMENT_CHARACTER } from "../../core/decode-text.ts";
import { writtenPhrase } from "../../core/import-row.ts";
import { refused } from "../../core/refusals.ts";
import type { Reader } from "../../db/reader.ts";
import type { Tx } from "../../db/writer.ts";
import { accountById, listAccountNames } from "../../domain/accounts/accounts.ts";
import type { KeyMode } from "../../domain/accounts/api-keys.ts";
import type { AuditDetail } from "../../domain/accounts/audit.ts";
import { isMessageClass, MESSAGE_CLASSES, type MessageClass } from "../../domain/accounts/message-class.ts";
import {
  addSuppression,
  countAllErased,
  countErased,
  EVERYWHERE,
  readAllSuppressions,
  readSuppressions,
  removeSuppression,
  SUPPRESSION_SOURCES,
  type Suppression,
  type SuppressionSource,
  suppressedClasses,
  suppressionsAbout,
} from "../../domain/accounts/suppressions.ts";
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import { findAccountOrNull } from "./account-names.ts";
import { change } from "./change.ts";
import type { AdminContext } from "./context.ts";
import { createMsisdnReader, describeInvalidNumber, readMsisdn } from "./msisdn.ts";
import { operation, type Parameter } from "./operation.ts";
import {
  ACCOUNT,
  checkWords,
  limit,
  MODE,
  MSISDN,
  OF_ACCOUNT,
  optional,
  otherwiseTyped,
  text,
  typedAlone,
  typedAs,
  YES,
} from "./parameters.ts";
import { type AdminOutcome, done, refuse } from "./refusal.ts";
import { findAccountByMode } from "./sandboxes.ts";

/** The most numbers in one answer, and how many are read at once. */
const MAX_NUMBERS = 10_000;
const NUMBERS_A_STEP = 500;

/** Which list: an account's or its sandbox's; where the account is null, the appliance-wide one, which has no sandbox. */
type ListOwner = string | { readonly account: string | null; readonly mode: KeyMode } | null;

/** A list of numbers: an account's, its sandbox's, or the appliance-wide one. */
type SuppressionList = {
  /** EVERYWHERE for the appliance-wide one. */
  readonly id: number;
  readonly mode: KeyMode;
  /** Null for the appliance-wide one. */
  readonly ulid: string | null;
  /** Its subject in the audit log. */
  readonly subject: string;
};

/** The list that is meant. */
function findSuppressionList(read: Reader, whose: ListOwner): AdminOutcome<SuppressionList> {
  const { account: name, mode } =
    whose !== null && typeof whose === "object" ? whose : { account: whose, mode: "live" as const };
  if (name === null) {
    return mode === "live"
      ? done({ id: EVERYWHERE, mode, ulid: null, subject: "everywhere" })
      : refuse("INVALID_MODE.everywhere");
  }
  const account = findAccountByMode(read, name, mode);
  if (!account.ok) return account;
  const { id, ulid } = account.value;
  return done({ id, mode, ulid, subject: ulid });
}

type SuppressionInput = {
  readonly msisdn: string;
  /** Null: every class. */
  readonly messageClass: MessageClass | null;
  readonly note: string | null;
};

/** `source`: lifts only entries of that source; null: all of them. */
type LiftInput = Omit<SuppressionInput, "note"> & { readonly source: SuppressionSource | null };

/** Puts a number on a list. One that stands there already stays as it is. */
export async function suppressionAdd(context: AdminContext, whose: ListOwner, wanted: SuppressionInput) {
  const msisdn = readMsisdn(context.config, wanted.msisdn);
  if (!msisdn.ok) return msisdn;
  const note = checkNote(wanted.note);
  if (!note.ok) return note;
  const entry = { ...wanted, msisdn: msisdn.value, note: note.value, source: "ADMIN" } as const;
  return changeList(context, whose, "suppression add", entry, (tx, list, nowMs) =>
    addSuppression(tx, { accountId: list.id, ...entry }, nowMs),
  );
}

/** Takes a number off a list; one that is not on it is no error. Other lists are not touched. */
export async function suppressionRemove(context: AdminContext, whose: ListOwner, wanted: LiftInput) {
  const msisdn = checkListed(context, wanted.msisdn);
  if (!msisdn.ok) return msisdn;
  const entry = { ...wanted, msisdn: msisdn.value };
  return changeList(context, whose, "suppression remove", entry, (tx, list) =>
    removeSuppression(tx, list.id, entry.msisdn, entry.messageClass, entry.source),
  );
}

/** Up to `limit` numbers of one list after the number `after`, with all their classes, in order. */
export async function suppressionList(
  context: AdminContext,
  whose: ListOwner,
  after: string | null,
  limit: number,
) {
  const start = after === null ? done("") : checkListed(context, after);
  if (!start.ok) return start;
  const { read } = context.store;
  const list = findSuppressionList(read, whose);
  if (!list.ok) return list;
  const pause = createYielder(context.clock);
  const suppressions: SuppressionView[] = [];
  let last = start.value;
  for (let left = limit; left > 0; left -= NUMBERS_A_STEP) {
    const page = readSuppressions(read, list.value.id, last, Math.min(left, NUMBERS_A_STEP));
    suppressions.push(...page.map(view));
    last = page.at(-1)?.msisdn ?? last;
    await pause();
  }
  const isLastPage = readSuppressions(read, list.value.id, last, 1).length === 0;
  const erased = countErased(read, list.value.id);
  return done({
    /** Null: the appliance-wide list. */
    account_id: list.value.ulid,
    suppressions,
    /** How many more entries (number and class) are of erased numbers. */
    erased,
    /** Where the next page begins; null when this is the last. */
    next_after: isLastPage ? null : last,
  });
}

/** Where a page over all lists begins: behind a number of a list. */
const CURSOR = /^(\d{1,15})(\+\d{1,15})$/;

/**
 * Up to `limit` numbers of the appliance-wide list and then of each account's, each with the list that it is of. `after`: `next_after` of
 * the page before.
 */
export async function suppressionListAll(context: AdminContext, after: string | null, limit: number) {
  const { read } = context.store;
  const [, list = "", number = ""] = CURSOR.exec(after ?? "") ?? [];
  if (after !== null && number === "")
    return refused("INVALID_MSISDN", describeInvalidNumber(context.config, after));
  let last = { accountId: Number(list), msisdn: number };
  const pause = createYielder(context.clock);
  const suppressions = [];
  const nameOf = accountNames(read);
  for (let left = limit; left > 0; left -= NUMBERS_A_STEP) {
    const page = readAllSuppressions(read, last, Math.min(left, NUMBERS_A_STEP));
    suppressions.push(...page.map((row) => ({ ...nameOf(row.accountId), ...view(row) })));
    last = page.at(-1) ?? last;
    await pause();
  }
  const isLastPage = readAllSuppressions(read, last, 1).length === 0;
  return done({
    account_id: null,
    suppressions,
    /** How many more entries of any list are of erased numbers. */
    erased: countAllErased(read),
    next_after: isLastPage ? null : `${last.accountId}${last.msisdn}`,
  });
}

/** Whose list it is, by the row id; null of the appliance-wide one. */
function accountNames(read: Reader) {
  const known = new Map<number, { readonly account_id: string | null; readonly account: string | null }>();
  return (id: number) => {
    const found = known.get(id);
    if (found) return found;
    const account = id === EVERYWHERE ? null : accountById(read, id);
    const names = { account_id: account?.ulid ?? null, account: account?.name ?? null };
    known.set(id, names);
    return names;
  };
}

function checkNote(note: string | null): AdminOutcome<string | null> {
  return note === null ? done(null) : checkWords(note, "INVALID_NOTE", "note", 200);
}

/**
 * A number that may stand on a list. E.164 text is taken as it is: an inbound opt-out or an earlier configuration
 * may have listed what today's configuration does not take for a number.
 */
function checkListed({ config }: AdminContext, text: string): AdminOutcome<string> {
  return /^\+\d{1,15}$/.test(text) ? done(text) : readMsisdn(config, text);
}

/** Changes one number on a list; `work` returns for how many classes anything is new. */
function changeList(
  context: AdminContext,
  whose: ListOwner,
  action: string,
  wanted: Pick<SuppressionInput, "msisdn" | "messageClass"> & { readonly source: SuppressionSource | null },
  work: (tx: Tx, list: SuppressionList, nowMs: number) => number,
) {
  const { msisdn, messageClass, source } = wanted;
  return change(context, (tx, nowMs) => {
    const list = findSuppressionList(tx, whose);
    if (!list.ok) return list;
    const { id, mode, ulid, subject } = list.value;
    const changed = work(tx, list.value, nowMs);
    const of = {
      ...(source === null || source === "ADMIN" ? {} : { source }),
      ...(mode === "test" ? { mode } : {}),
    };
    const detail = { msisdn, message_class: messageClass ?? "all", ...of };
    return done({
      value: {
        /** Null: the appliance-wide list. */
        account_id: ulid,
        msisdn,
        /** The suppressed classes; empty: the number is not on this list. */
        message_classes: suppressedClasses(tx, id, msisdn),
      },
      audit: changed > 0 ? { action, subject, detail } : null,
    });
  });
}

function view({ msisdn, messageClass, source, createdAtMs, note }: Suppression) {
  return { msisdn, message_class: messageClass, source, created_at: isoUtc(createdAtMs), note };
}

type SuppressionView = Readonly<ReturnType<typeof view>>;

/** The default number of rows in one answer. */
const USUAL_NUMBERS = 1000;

/** Whose list: of an account or of its sandbox, or the appliance-wide one where no account is named. */
const LIST = {
  account: optional(ACCOUNT),
  everywhere: typedAlone(typedAs({ replaces: "ACCOUNT" }, YES)),
  mode: typedAlone(MODE),
};

/** The word for every class. */
const ALL = "all";

type ClassOrAll = MessageClass | typeof ALL;

/** A class in capital or small letters, or all of them. */
const CLASS_OR_ALL: Parameter<ClassOrAll, false> = {
  schema: t.Enum([...MESSAGE_CLASSES, ALL]),
  typed: {
    flag: "class",
    value: "CLASS",
    helpValues: { classes: MESSAGE_CLASSES.join(", ") },
    read: (typed) => {
      const name = typed.trim().toUpperCase();
      if (name === ALL.toUpperCase()) return done(ALL);
      if (isMessageClass(name)) return done(name);
      return refuse("INVALID_CLASS.or_all", { text: typed, known: MESSAGE_CLASSES.join(", "), all: ALL });
    },
  },
};

/** The class that is meant; null: every class. */
function classOf(named: ClassOrAll): MessageClass | null {
  return named === ALL ? null : named;
}

/** Why a number is on a list. The console sends "" for none. */
const NOTE = optional<string>({
  schema: t.String({ maxLength: 200 }),
  typed: { value: "TEXT", read: (typed) => checkWords(typed, "INVALID_NOTE", "note", 200) },
});

/** How numbers came onto a list, in capital or small letters. */
const SOURCE = optional<SuppressionSource>({
  schema: t.Enum([...SUPPRESSION_SOURCES]),
  typed: {
    value: "SOURCE",
    helpValues: { sources: SUPPRESSION_SOURCES.join(", ") },
    read: (typed) => {
      const found = SUPPRESSION_SOURCES.find((source) => source === typed.trim().toUpperCase());
      return found
        ? done(found)
        : refuse("INVALID_SOURCE", { text: typed, known: SUPPRESSION_SOURCES.join(", ") });
    },
  },
});

export const SUPPRESSION_OPERATIONS = {
  "suppression add": operation({
    may: "suppressions.change",
    params: {
      account: LIST.account,
      msisdn: MSISDN,
      everywhere: LIST.everywhere,
      message_class: CLASS_OR_ALL,
      note: NOTE,
      mode: LIST.mode,
    },
    run: (context, { msisdn, message_class, note, ...of }) =>
      suppressionAdd(context, of, {
        msisdn,
        messageClass: classOf(message_class),
        note: note?.trim() === "" ? null : note,
      }),
  }),
  "suppression remove": operation({
    may: "suppressions.change",
    params: {
      account: LIST.account,
      msisdn: MSISDN,
      everywhere: LIST.everywhere,
      message_class: CLASS_OR_ALL,
      source: SOURCE,
      mode: LIST.mode,
    },
    run: (context, { msisdn, message_class, source, ...of }) =>
      suppressionRemove(context, of, { msisdn, messageClass: classOf(message_class), source }),
  }),
  "suppression list": operation({
    does: "reads",
    params: {
      account: LIST.account,
      everywhere: LIST.everywhere,
      after: optional(text("MSISDN", 100)),
      limit: limit(USUAL_NUMBERS, MAX_NUMBERS),
      mode: LIST.mode,
    },
    run: (context, { after, limit: most, ...of }) => suppressionList(context, of, after, most),
  }),
};

// Finding one number on every list: the appliance-wide one, and those of accounts.

/** The lists that a number stands on; with an account, its own and the appliance-wide one. In slices: there may be many accounts. */
export async function suppressionFind(context: AdminContext, number: string, account: string | null) {
  const msisdn = checkListed(context, number);
  if (!msisdn.ok) return msisdn;
  const { read } = context.store;
  const named = findAccountOrNull(read, account);
  if (!named.ok) return named;
  const ids = named.value ? [named.value.id] : listAccountNames(read).map(({ id }) => id);
  const pause = createYielder(context.clock);
  const lists = [];
  for (const id of [EVERYWHERE, ...ids]) {
    const entries = suppressionsAbout(read, msisdn.value, id === EVERYWHERE ? [] : [id]);
    for (const messageClass of suppressedClasses(read, id, msisdn.value)) {
      const found = entries.filter((one) => one.accountId === id && one.messageClass === messageClass);
      const whose = id === EVERYWHERE ? null : accountById(read, id);
      // Of an entry of an erased number nothing more is known.
      for (const entry of found.length > 0 ? found : [null]) {
        lists.push({
          /** Null: the appliance-wide list. */
          account_id: whose?.ulid ?? null,
          account: whose?.name ?? null,
          message_class: messageClass,
          /** Null for an erased number: only that it is on the list is known. */
          source: entry?.source ?? null,
          created_at: entry ? isoUtc(entry.createdAtMs) : null,
          note: entry?.note ?? null,
        });
      }
    }
    await pause();
  }
  return done({ msisdn: msisdn.value, lists });
}

export const SUPPRESSION_FIND_OPERATIONS = {
  "suppression find": operation({
    may: "suppressions.read",
    does: "reads",
    params: { number: MSISDN, account: OF_ACCOUNT },
    run: (context, { number, account }) => suppressionFind(context, number, account),
  }),
};

/** Numbers written in one transaction. */
const STEP = 250;
/** The most faulty lines named in a refusal or an answer. */
const MAX_IN_REFUSAL = 20;

type SuppressionImport = {
  /** What stands in the file. */
  readonly text: string;
  /** For a row that names no class; null: every class. */
  readonly messageClass: MessageClass | null;
  /** Imports the readable lines where some cannot be read, instead of nothing. */
  readonly skipInvalid: boolean;
};

/**
 * Puts the numbers of a file on a list. The whole file is read before anything is written: with a line that cannot
 * be read nothing is imported, unless `skipInvalid`. Then it is written in steps, so that nobody waits for it; the
 * audit list says when an import begins and when it is done, so that one that was cut off can be seen, and importing
 * the file again completes it.
 */
export async function suppressionImport(context: AdminContext, whose: ListOwner, file: SuppressionImport) {
  const { store, config, clock } = context;
  const list = findSuppressionList(store.read, whose);
  if (!list.ok) return list;
  const pause = createYielder(clock);
  const rules = { otherwise: file.messageClass, readMsisdn: createMsisdnReader(config) };
  const read = await readSuppressionFile(file.text, rules, pause);
  if (read instanceof UnclosedQuote) return refuse("INVALID_FILE.quote_open", { line: read.line });
  const { numbers, faulty: skipped, faults } = read;
  if (skipped > 0 && !file.skipInvalid) return refuseLines(skipped, faults);
  if (numbers === 0) return refuse("INVALID_FILE.no_number");

  await record(context, list.value, { step: "begun", numbers, skipped });
  let added = 0;
  const write = (entries: readonly FileEntry[]): Promise<number> =>
    store.write((tx) => {
      const nowMs = clock.nowMs();
      const entry = { accountId: list.value.id, source: "IMPORT" } as const;
      return entries.filter((each) => addSuppression(tx, { ...entry, ...each }, nowMs) > 0).length;
    });
  // Read again instead of kept: as objects, the numbers of a file take ten times its memory.
  let step: FileEntry[] = [];
  for (const row of suppressionRows(file.text, rules)) {
    await pause();
    if (row === null || !("msisdn" in row)) continue;
    step.push(row);
    if (step.length < STEP) continue;
    added += await write(step);
    step = [];
  }
  if (step.length > 0) added += await write(step);
  await record(context, list.value, { step: "done", numbers, added });
  return done({
    /** Null: the appliance-wide list. */
    account_id: list.value.ulid,

    /** Readable rows; of these, how many added anything, and how many were on the list already. */
    numbers,
    added,
    already_listed: numbers - added,

    /** Lines that could not be read. Of these the first are named. */
    skipped,
    skipped_lines: faults,
  });
}

function record(context: AdminContext, { subject }: SuppressionList, detail: AuditDetail) {
  return change(context, () =>
    done({ value: null, audit: { action: "suppression import", subject, detail } }),
  );
}

function refuseLines(count: number, faults: readonly FileFault[]) {
  const named = faults
    .slice(0, MAX_IN_REFUSAL)
    .map(({ line, problem }) => phrase("line", { line, why: problem }));
  const rest = count > MAX_IN_REFUSAL ? [phrase("more", { more: count - MAX_IN_REFUSAL })] : [];
  return refuse("INVALID_FILE.suppressions", { faulty: count, lines: [...named, ...rest] });
}

/** The default class: such people want no more advertising, but still need one-time passwords. */
const USUAL_CLASS = "MARKETING";

/** A file of 4 MiB holds some 200,000 numbers. */
const MAX_CHARACTERS = 4_194_304;

/** What stands in the file. */
const FILE: Parameter<string, false> = {
  schema: t.String({ minLength: 1, maxLength: MAX_CHARACTERS }),
  typed: { word: "FILE", value: "FILE", isFile: true, read: done },
};

export const SUPPRESSION_IMPORT_OPERATIONS = {
  "suppression import": operation({
    may: "suppressions.change",
    params: {
      account: LIST.account,
      text: FILE,
      everywhere: LIST.everywhere,
      message_class: otherwiseTyped(
        USUAL_CLASS,
        typedAs({ helpValues: { usual: USUAL_CLASS } }, CLASS_OR_ALL),
      ),
      skip_invalid: otherwiseTyped(false, { schema: t.Boolean(), typed: YES.typed }),
      mode: LIST.mode,
    },
    run: (context, { text, message_class, skip_invalid: skipInvalid, ...of }) =>
      suppressionImport(context, of, {
        text,
        messageClass: classOf(message_class),
        skipInvalid,
      }),
  }),
};

/** A number of a file, with the class it is to be suppressed for; null: every class. */
type FileEntry = {
  readonly msisdn: string;
  readonly messageClass: MessageClass | null;
  readonly note: string | null;
};

/** A line that cannot be imported, and why. */
type FileFault = { readonly line: number; readonly problem: Phrase };

type FileReading = {
  /** Rows that can be imported. */
  readonly numbers: number;
  /** How many are faulty, and the first of them: a file may have millions. */
  readonly faulty: number;
  readonly faults: readonly FileFault[];
};

/** How rows are read. A row without a class gets `otherwise`; null: every class. */
type FileRules = {
  readonly otherwise: MessageClass | null;
  /** The number in E.164; null for none. */
  readonly readMsisdn: (text: string) => string | null;
};

/** The index of each column; null: the file lacks it. */
type Columns = {
  readonly msisdn: number;
  readonly messageClass: number | null;
  readonly note: number | null;
};

/** The columns of a file without a header: number, optional class, optional note. */
const PLAIN: Columns = { msisdn: 0, messageClass: 1, note: 2 };
const MAX_NOTE_LENGTH = 200;

/** Faulty lines that are named. */
const MAX_FAULTS_NAMED = 1000;

/**
 * Counts what a file of opt-outs says, a row for each number, and names what is wrong with it. `pause` gives others their turn between
 * rows. Where a quote is not closed, nobody can tell which rows there are: then that is all there is to say.
 */
export async function readSuppressionFile(
  text: string,
  rules: FileRules,
  pause: () => Promise<void> | undefined,
): Promise<FileReading | UnclosedQuote> {
  const faults: FileFault[] = [];
  let [numbers, faulty] = [0, 0];
  try {
    for (const row of suppressionRows(text, rules)) {
      await pause();
      if (row === null) continue;
      if ("msisdn" in row) numbers += 1;
      else {
        faulty += 1;
        if (faults.length < MAX_FAULTS_NAMED) faults.push(row);
      }
    }
  } catch (error) {
    if (error instanceof UnclosedQuote) return error;
    throw error;
  }
  return { numbers, faulty, faults };
}

/**
 * Goes through the rows of such a file; null among many blank lines. A first row with a cell "msisdn" names the columns, of which
 * "message_class" (or "class") and "note" count and others are passed over, so that what `suppression list --csv` writes can be read back.
 * @throws UnclosedQuote
 */
export function* suppressionRows(text: string, rules: FileRules): Generator<FileEntry | FileFault | null> {
  let columns: Columns | null = null;
  for (const { line, cells } of csvRows(text)) {
    if (cells.length === 0) {
      yield null;
      continue;
    }
    if (columns === null) {
      const named = findColumns(cells);
      columns = named ?? PLAIN;
      if (named) continue;
    }
    const entry = readEntry(cells, columns, rules);
    yield "code" in entry ? { line, problem: entry } : entry;
  }
}

function findColumns(cells: readonly string[]): Columns | null {
  const names = cells.map((cell) => cell.toLowerCase());
  const placeOf = (...known: string[]): number | null => {
    const place = names.findIndex((name) => known.includes(name));
    return place < 0 ? null : place;
  };
  const msisdn = placeOf("msisdn");
  return msisdn === null
    ? null
    : { msisdn, messageClass: placeOf("message_class", "class"), note: placeOf("note") };
}

/** What a row says, or what is wrong with it. */
function readEntry(
  cells: readonly string[],
  columns: Columns,
  { otherwise, readMsisdn }: FileRules,
): FileEntry | Phrase {
  const cellAt = (place: number | null): string => (place === null ? "" : (cells[place] ?? ""));
  // Strips the apostrophe that keeps a spreadsheet from taking "+226…" for a formula.
  const number = cellAt(columns.msisdn).replace(/^'/, "");
  const msisdn = readMsisdn(number);
  if (msisdn === null) return phrase("row.cause.NOT_A_NUMBER", { written: writtenPhrase(number) });
  const named = cellAt(columns.messageClass).toUpperCase();
  if (named !== "" && named !== "ALL" && !isMessageClass(named)) {
    return phrase("fault.suppression.class", {
      written: writtenPhrase(named),
      known: MESSAGE_CLASSES.join(", "),
    });
  }
  const note = cellAt(columns.note);
  if (note.includes(REPLACEMENT_CHARACTER)) return phrase("fault.suppression.note_lost");
  if (note.length > MAX_NOTE_LENGTH || /\p{Cc}/u.test(note)) {
    return phrase("fault.suppression.note", { most: MAX_NOTE_LENGTH });
  }
  const messageClass = named === "" ? otherwise : named === "ALL" ? null : named;
  return { msisdn, messageClass, note: note === "" ? null : note };
}
