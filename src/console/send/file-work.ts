/** What is made of a file of recipients. Pure; it goes through all of the file at once, so a thread does it (file-thread.ts). */
import { unreachable } from "../../base/assert.ts";
import { accepted, type Outcome, refused } from "../../base/failures.ts";
import { digitCounter, msisdnReader, type NumberRules, soughtReader } from "../../operations/msisdn.ts";
import type { FileRecipient } from "../../recipients/file-row.ts";
import { type LeftOutRows, leftOutRows } from "../../recipients/left-out-rows.ts";
import { type FileLook, lookAtFile } from "../../recipients/look.ts";
import { type Origin, sentAlreadyIn } from "../../recipients/read-row.ts";
import { type ReadOptions, readRecipients, type UnfollowedFormat } from "../../recipients/recipients.ts";
import { keptRepeats, type Repeat, repeatReader } from "../../recipients/repeats.ts";
import {
  allOrNone,
  keptRejected,
  type UnreadableRow,
  unreadableRows,
} from "../../recipients/unreadable-rows.ts";
import { compileTemplate, namedAsColumns, textsInBraces, valuesOf } from "../../text/template.ts";
import { besideEarlier, type EarlierBatches, type EarlierRows, keptLeft } from "./earlier-rows.ts";
import { type MixedDates, mixedDates } from "./mixed-dates.ts";

/** A submission but for its recipients, as `POST /batches` takes it. What is absent is as the account has it. */
export type SubmissionHead = {
  readonly sender: string;
  readonly body: string;
  readonly message_class: string;
  readonly scheduled_at?: string;
  readonly text_policy?: string;
  readonly missing_attributes?: string;
  readonly client_reference?: string;
};

type About = {
  readonly bytes: Uint8Array;
  /** The place of the column of numbers; null: it is found by its name. */
  readonly column: number | null;
  readonly numbers: NumberRules;
};

export type FileQuestion = About &
  (
    | { readonly kind: "look" }
    /** `rejected`: the lines of recipients that are sent nothing, and why. */
    | { readonly kind: "left out"; readonly rejected: ReadonlyMap<number, string> }
    /** `earlier`: what the batches came to whose rows were corrected; null where it is of none. */
    | {
        readonly kind: "submission";
        readonly head: SubmissionHead;
        readonly earlier: EarlierBatches | null;
        /** Lines of recipients that are to be rejected, as far as that is known. */
        readonly rejected: ReadonlySet<number>;
      }
  );

/** A row that is no recipient, and the number that people would look for it by; null where nobody can tell. */
export type SoughtRow = UnreadableRow & { readonly msisdn: string | null };

/** The JSON of a submission out of a file. */
export type MadeSubmission = {
  readonly json: Uint8Array<ArrayBuffer>;
  /** The line of each recipient; none where all of them are left out. */
  readonly lines: Uint32Array<ArrayBuffer>;
  /** What the batch whose rows were corrected came to for these; null where it is of none. */
  readonly earlier: EarlierRows | null;
  /** Rows that are no recipients: nothing is sent for them. */
  readonly bad: number;
  /** Those of them that an earlier file tells as repeats of a number that has the text. */
  readonly sentAlready: number;
  /** The first of those, as a batch keeps them. */
  readonly unreadable: readonly SoughtRow[];
  /** The first rows whose number stands in an earlier one. */
  readonly repeats: readonly Repeat[];
  /** All of those, and of those that were left out for what the first batch came to, as a batch keeps them; none where they are too many. */
  readonly repeated: readonly SoughtRow[];
  /** Those that are to be rejected, as a batch keeps them. */
  readonly rejected: readonly SoughtRow[];
  /** Which rows of the corrected batch's file its rows say they are; none where it is of none. */
  readonly origins: readonly RowOrigin[];
  /** Tags that have no value in some rows, those of the most rows first. */
  readonly gaps: readonly Gap[];
  /** Tags whose dates are not written alike. */
  readonly dates: readonly MixedDates[];
  /** Tags with numbers that are not sent as the workbook shows them. */
  readonly formats: readonly UnfollowedFormat[];
};

/** A row, its place among the recipients where it is one, and which row of an earlier file it was. */
export type RowOrigin = { readonly line: number; readonly place: number | null; readonly origin: Origin };

/** A tag that nothing fills in for some recipients. */
export type Gap = {
  readonly tag: string;
  readonly rows: number;
  /** The lines of the first of them. */
  readonly lines: readonly number[];
};

export type FileAnswers = {
  readonly look: FileLook;
  readonly "left out": LeftOutRows;
  readonly submission: MadeSubmission;
};

type FileAnswer = Outcome<FileAnswers[keyof FileAnswers], "INVALID_FILE">;

/** 100,000 rows of ten cells fit; beyond, what one person brings would take too much of the memory of all. */
const MOST_UNPACKED_BYTES = 64 * 1024 * 1024;
/** Characters of the JSON of all recipients. One text may stand in every row of a workbook. */
const MOST_CHARACTERS = 48 * 1024 * 1024;
const PIECE = 1000;

export function workOnFile(question: FileQuestion): FileAnswer {
  const read = msisdnReader(question.numbers);
  const options: ReadOptions = {
    column: question.column,
    isNumber: (text) => read(text) !== null,
    digitsOf: digitCounter(question.numbers),
    mostUnpackedBytes: MOST_UNPACKED_BYTES,
  };
  switch (question.kind) {
    case "look":
      return withWholeNumbers(lookAtFile(question.bytes, options), read);
    case "left out":
      return leftOutRows(question.bytes, options, question.rejected, read);
    case "submission":
      return submission(question, options, read);
    default:
      return unreachable(question, "question about a file");
  }
}

/** A look whose first recipients have their numbers as the quote and every other page write them. */
function withWholeNumbers(
  look: Outcome<FileLook, "INVALID_FILE">,
  read: (written: string) => string | null,
): Outcome<FileLook, "INVALID_FILE"> {
  if (!look.ok) return look;
  const first = look.value.first.map((one) => ({ ...one, msisdn: read(one.msisdn) ?? one.msisdn }));
  return accepted({ ...look.value, first });
}

function submission(
  { bytes, numbers, head, earlier, rejected }: Extract<FileQuestion, { readonly kind: "submission" }>,
  options: ReadOptions,
  readNumber: (written: string) => string | null,
): Outcome<MadeSubmission, "INVALID_FILE"> {
  const read = readRecipients(bytes, options);
  if (!read.ok) return read;
  const { columns, bad } = read.value;
  if (read.value.recipients.length === 0) return refused("INVALID_FILE", "no row of the file can be read");
  const beside = earlier === null ? null : besideEarlier(read.value, earlier, readNumber);
  const { recipients, lines } = beside?.kept ?? read.value;
  const names = columns.attributes.filter((name) => name !== null);
  const body = namedAsColumns(head.body, names);
  const tags = new Set(compileTemplate(body, names).tags.map((tag) => tag.normalize("NFC")));
  // What may be meant by a text in braces is told by the names of columns: one recipient brings them all.
  const bringsAll = textsInBraces(body).length > 0;
  const encoder = new TextEncoder();
  const pieces = [encoder.encode(`${JSON.stringify({ ...head, body }).slice(0, -1)},"recipients":[`)];
  let characters = 0;
  for (let at = 0; at < recipients.length; at += PIECE) {
    const objects = recipients
      .slice(at, at + PIECE)
      .map((one, place) =>
        JSON.stringify(at + place === 0 && bringsAll ? withNames(asked(one, tags), names) : asked(one, tags)),
      );
    characters += objects.reduce((sum, { length }) => sum + length, 0);
    if (characters > MOST_CHARACTERS) {
      return refused("INVALID_FILE", "what the columns fill in is too much for one batch: split the file");
    }
    pieces.push(encoder.encode((at === 0 ? "" : ",") + objects.join(",")));
  }
  pieces.push(encoder.encode("]}"));
  const soughtBy = soughtReader(numbers);
  const sought = (rows: readonly UnreadableRow[]): readonly SoughtRow[] =>
    rows.map((row) => ({ ...row, msisdn: soughtBy(row.written) }));
  const leftByEarlier = allOrNone((beside?.left ?? []).map((row) => keptLeft(row, tags)));
  const repeated = repeatedOf(recipients, lines, readNumber);
  return accepted({
    ...{ json: joined(pieces), lines: Uint32Array.from(lines), bad: bad.length },
    ...{ sentAlready: sentAlreadyIn(bad), earlier: beside?.told ?? null },
    unreadable: sought(unreadableRows(bad, columns, tags)),
    repeats: repeated.slice(0, FEW_REPEATS).map(({ repeat }) => repeat),
    repeated: sought([...keptRepeats(repeated, tags), ...leftByEarlier]),
    rejected: sought(allOrNone(rejectedOf(recipients, lines, rejected, tags))),
    origins: earlier === null ? [] : originsOf(read.value.origins, lines),
    gaps: gapsOf(recipients, lines, [...tags]),
    dates: mixedDates(recipients, lines, [...tags]),
    formats: read.value.formats.filter(({ column }) => tags.has(column.normalize("NFC"))),
  });
}

/** Rows that say which one of an earlier file they are, and are kept: somebody who writes such a file by hand brings no more. */
const MOST_ORIGINS = 10_000;

function originsOf(origins: ReadonlyMap<number, Origin>, lines: readonly number[]): readonly RowOrigin[] {
  if (origins.size === 0) return [];
  const places = new Map(lines.map((line, place) => [line, place]));
  return [...origins]
    .slice(0, MOST_ORIGINS)
    .map(([line, origin]) => ({ line, place: places.get(line) ?? null, origin }));
}

function rejectedOf(
  recipients: readonly FileRecipient[],
  lines: readonly number[],
  rejected: ReadonlySet<number>,
  tags: ReadonlySet<string>,
): readonly UnreadableRow[] {
  return recipients.flatMap((recipient, place) => {
    const line = lines[place] ?? 0;
    return rejected.has(line) ? [keptRejected(recipient, { line, place }, tags)] : [];
  });
}

/** Rows that repeat a number, and are shown. */
const FEW_REPEATS = 20;

function repeatedOf(
  recipients: readonly FileRecipient[],
  lines: readonly number[],
  read: (written: string) => string | null,
) {
  const repeatOf = repeatReader(read);
  return recipients.flatMap((recipient, place) => {
    const repeat = repeatOf(recipient, lines[place] ?? 0);
    return repeat === null ? [] : [{ recipient, repeat }];
  });
}

/** Lines of rows without a value that are named. */
const FEW_LINES = 5;

function gapsOf(
  recipients: readonly FileRecipient[],
  lines: readonly number[],
  tags: readonly string[],
): readonly Gap[] {
  if (tags.length === 0) return [];
  const found = new Map<string, { rows: number; lines: number[] }>(
    tags.map((tag) => [tag, { rows: 0, lines: [] }]),
  );
  for (const [place, { attributes }] of recipients.entries()) {
    const valueFor = attributes === undefined ? () => undefined : valuesOf(attributes);
    for (const [tag, gap] of found) {
      if ((valueFor(tag) ?? null) !== null) continue;
      gap.rows += 1;
      if (gap.lines.length < FEW_LINES) gap.lines.push(lines[place] ?? 0);
    }
  }
  return [...found]
    .filter(([, { rows }]) => rows > 0)
    .map(([tag, gap]) => ({ tag, ...gap }))
    .sort((a, b) => b.rows - a.rows);
}

/** A recipient with what the text asks for, and nothing else of them. */
function asked({ attributes, ...rest }: FileRecipient, tags: ReadonlySet<string>): FileRecipient {
  if (attributes === undefined || tags.size === 0) return rest;
  const named = Object.entries(attributes).filter(([name]) => tags.has(name.normalize("NFC")));
  return named.length === 0 ? rest : { ...rest, attributes: Object.fromEntries(named) };
}

/** A recipient with every column there is, those without a value for it empty. */
function withNames({ attributes, ...rest }: FileRecipient, names: readonly string[]) {
  const empty = names.map((name): [string, null] => [name, null]);
  return { ...rest, attributes: Object.assign(Object.fromEntries(empty), attributes) };
}

function joined(pieces: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(pieces.reduce((sum, { byteLength }) => sum + byteLength, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.byteLength;
  }
  return whole;
}

/** What of an answer changes hands without being copied. */
export function handedBack(answer: FileAnswer): ArrayBuffer[] {
  if (!answer.ok || !("json" in answer.value)) return [];
  return [answer.value.json.buffer, answer.value.lines.buffer];
}
