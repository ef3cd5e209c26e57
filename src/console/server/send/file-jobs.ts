/** Jobs over a file of recipients. Pure; each reads the whole file at once, so a thread does it (file-thread.ts). */

import {
  createDigitCounter,
  createMsisdnReader,
  createSearchReader,
  type NumberRules,
} from "../../../admin/operations/msisdn.ts";
import {
  buildSubmission,
  type PackedSubmission,
  packedBuffers,
} from "../../../admin/operations/submissions.ts";
import { unreachable } from "../../../core/assert.ts";
import type { ImportRow, RowPlace } from "../../../core/import-row.ts";
import { accepted, type Outcome, refuse } from "../../../core/refusals.ts";
import { rowPacker } from "../../../domain/imports/parsed-file.ts";
import { type FilePreview, previewFile } from "../../../domain/imports/preview.ts";
import {
  createRepeatReader,
  type LeftOutRows,
  leftOutRows,
  type Repeat,
} from "../../../domain/imports/rejected-rows.ts";
import type { FileRecipient } from "../../../domain/imports/row-reader.ts";
import {
  MAX_RECIPIENTS,
  NO_RECIPIENTS,
  type ReadOptions,
  readRecipients,
  sheetNames,
  type UnfollowedFormat,
} from "../../../domain/imports/spreadsheet.ts";
import {
  type LeftOutRecipient,
  toCorrectedRows,
  toLeftOutRows,
  toUnreadableRows,
} from "../../../domain/imports/stored-rows.ts";
import { DUPLICATE_ROW } from "../../../domain/messages/import-rows.ts";
import {
  attributeReader,
  compileTemplate,
  findBracedTexts,
  matchTagsToColumns,
} from "../../../text/template.ts";
import {
  compareWithEarlier,
  type EarlierBatches,
  type EarlierRows,
  findFamilyPlace,
} from "./earlier-rows.ts";
import { findMixedDates, type MixedDates } from "./mixed-dates.ts";

/** A submission without its recipients, as `POST /batches` takes it. What is absent is as the account has it. */
type SubmissionHead = {
  readonly sender: string;
  readonly body: string;
  readonly message_class: string;
  readonly scheduled_at?: string;
  readonly text_policy?: string;
  readonly missing_attributes?: string;
  readonly client_reference?: string;
};

/** A stored file: its rows, or the file itself where these would take too much. */
export type FileSource = { readonly bytes: Uint8Array<ArrayBuffer>; readonly isParsed: boolean };

/** What a person said of a file where there is a choice. */
export type FileChoice = {
  /** Index of the column of numbers; null: it is found by its name. */
  readonly column: number | null;
  /** Place of the sheet among those that are shown; null: the first. */
  readonly sheet?: number | null;
  /** Line of the headings; null: they are found. */
  readonly headingRow?: number | null;
};

type About = FileChoice & {
  readonly file: FileSource;
  readonly numbers: NumberRules;
};

export type FileJob = About &
  /** Its bytes are moved to the thread: what is to be stored comes back in the answer. */
  (
    | { readonly kind: "upload" }
    | { readonly kind: "preview" }
    /** `rejected`: the lines of recipients that are sent nothing, and why. */
    | { readonly kind: "left out"; readonly rejected: ReadonlyMap<number, string> }
    /** `earlier`: outcomes of the batches whose rows were corrected; null where it is of none. */
    | {
        readonly kind: "submission";
        readonly head: SubmissionHead;
        readonly earlier: EarlierBatches | null;
        /** Known rejections of recipients, by line. */
        readonly rejected: ReadonlyMap<number, string>;
      }
  );

/** A submission made from a file. */
export type FileSubmission = {
  readonly submission: PackedSubmission;
  /** The line of each recipient; empty where all of them are left out. */
  readonly lines: Uint32Array<ArrayBuffer>;
  /** Outcomes of the corrected batch for these rows; null where it is of none. */
  readonly earlier: EarlierRows | null;
  /** Rows that are no recipients: nothing is sent for them. */
  readonly bad: number;
  /** The first rows that repeat a number. */
  readonly repeats: readonly Repeat[];
  /** Rows as the batch stores them: those that are sent nothing, and those known to come from an earlier file. */
  readonly rows: readonly ImportRow[];
  /** Tags that have no value in some rows, those of the most rows first. */
  readonly gaps: readonly Gap[];
  /** Tags with dates of several formats. */
  readonly dates: readonly MixedDates[];
  /** Tags with numbers that are not sent as the workbook displays them. */
  readonly formats: readonly UnfollowedFormat[];
};

/** A tag without a value for some recipients. */
type Gap = {
  readonly tag: string;
  readonly rows: number;
  /** The lines of the first of them. */
  readonly lines: readonly number[];
};

/** A preview of an uploaded file, and what is stored of it, in memory that is transferred. */
type ParsedUpload = {
  readonly preview: FilePreview;
  readonly file: FileSource;
  readonly sheets: UploadSheets;
};

/** What the sheets of a workbook are called where there are several, and the place of the one that counts unless another is chosen. */
export type UploadSheets = { readonly names: readonly string[]; readonly chosen: number };

export type FileJobResults = {
  readonly upload: ParsedUpload;
  readonly preview: FilePreview;
  readonly "left out": LeftOutRows;
  readonly submission: FileSubmission;
};

type FileJobResult = Outcome<FileJobResults[keyof FileJobResults], "INVALID_FILE">;

/** Largest file. */
export const MAX_FILE_BYTES = 16 * 1024 * 1024;
/** 100,000 rows of ten cells fit; beyond, one upload would take too much of the memory of all. */
const MAX_UNPACKED_BYTES = 64 * 1024 * 1024;
/** Characters of all filled-in values. One text may stand in every row of a workbook. */
const MAX_CHARACTERS = 48 * 1024 * 1024;

export function runFileJob(question: FileJob): FileJobResult {
  const read = createMsisdnReader(question.numbers);
  const options: ReadOptions = {
    column: question.column,
    sheet: question.sheet ?? null,
    headingRow: question.headingRow ?? null,
    isNumber: (text) => read(text) !== null,
    digitsOf: createDigitCounter(question.numbers),
    mostUnpackedBytes: MAX_UNPACKED_BYTES,
    isParsed: question.file.isParsed,
  };
  switch (question.kind) {
    case "upload":
      return parseUpload(question.file, options, read);
    case "preview":
      return withWholeNumbers(previewFile(question.file.bytes, options), read);
    case "left out":
      return leftOutRows(question.file.bytes, options, question.rejected, read);
    case "submission":
      return submission(question, options, read);
    default:
      return unreachable(question, "question about a file");
  }
}

/**
 * Parses a file, once: later jobs use its rows, whichever sheet they are of. Previewed is the first sheet that has recipients. A
 * workbook whose other sheets cannot be read, or take too much, stays stored itself.
 */
function parseUpload(
  file: FileSource,
  options: ReadOptions,
  read: (written: string) => string | null,
): Outcome<ParsedUpload, "INVALID_FILE"> {
  const packer = rowPacker({ rows: MAX_RECIPIENTS + MAX_ROWS_BESIDE, bytes: MAX_FILE_BYTES });
  const names = sheetNames(file.bytes, options);
  const first = previewFile(file.bytes, { ...options, sheet: 0 }, packer.add);
  let [found, chosen, isWhole] = [first, 0, true];
  for (let sheet = 1; sheet < names.length; sheet += 1) {
    packer.nextSheet();
    const isSought = !found.ok && sheet <= MAX_SOUGHT;
    const mostUnpackedBytes = isSought ? MAX_UNPACKED_BYTES : Math.floor(MAX_UNPACKED_BYTES / names.length);
    const one = previewFile(file.bytes, { ...options, sheet, mostUnpackedBytes }, packer.add);
    const isRead = one.ok || one.refusal === NO_RECIPIENTS.refusal;
    isWhole &&= isRead;
    if (!found.ok && found.refusal === NO_RECIPIENTS.refusal && one.ok) [found, chosen] = [one, sheet];
  }
  const preview = withWholeNumbers(found, read);
  if (!preview.ok) return preview;
  const rows = isWhole ? packer.end() : null;
  return accepted({
    preview: preview.value,
    file: rows === null ? file : { bytes: rows, isParsed: true },
    sheets: { names: names.length > 1 ? names : [], chosen },
  });
}

/** Sheets that are looked into with all the room of the first where that has no recipients; all others share it. */
const MAX_SOUGHT = 2;
/** Rows of a file that are no recipients, as headings and the lines above them. */
const MAX_ROWS_BESIDE = 100;

/** A preview whose first recipients have their numbers as the quote and every other page write them. */
function withWholeNumbers(
  look: Outcome<FilePreview, "INVALID_FILE">,
  read: (written: string) => string | null,
): Outcome<FilePreview, "INVALID_FILE"> {
  if (!look.ok) return look;
  const first = look.value.first.map((one) => ({ ...one, msisdn: read(one.msisdn) ?? one.msisdn }));
  return accepted({ ...look.value, first });
}

function submission(
  { file: { bytes }, numbers, head, earlier, rejected }: Extract<FileJob, { readonly kind: "submission" }>,
  options: ReadOptions,
  readNumber: (written: string) => string | null,
): Outcome<FileSubmission, "INVALID_FILE"> {
  const read = readRecipients(bytes, options);
  if (!read.ok) return read;
  const { columns, bad } = read.value;
  if (read.value.recipients.length === 0) return refuse("INVALID_FILE.unreadable");
  const beside = earlier === null ? null : compareWithEarlier(read.value, earlier, readNumber);
  const { recipients, lines } = beside?.kept ?? read.value;
  const names = columns.attributes.filter((name) => name !== null);
  const body = matchTagsToColumns(head.body, names);
  const tags = new Set(compileTemplate(body, names).tags.map((tag) => tag.normalize("NFC")));
  // Suggestions for a text in braces need the names of columns: one recipient brings them all.
  const bringsAll = findBracedTexts(body).length > 0;
  const asked = recipients.map((one, place) =>
    place === 0 && bringsAll ? withNames(needed(one, tags), names) : needed(one, tags),
  );
  if (charactersOf(asked) > MAX_CHARACTERS) {
    return refuse("INVALID_FILE.too_much");
  }
  const { origins } = read.value;
  const keeping = {
    tags,
    soughtBy: createSearchReader(numbers),
    originOf: (line: number): RowPlace | null => {
      const place = earlier && findFamilyPlace(earlier, origins.get(line));
      return place && { batch: place.batch, line: place.line };
    },
  };
  const repeated = repeatedOf(recipients, lines, readNumber);
  const leftRows = [
    ...toUnreadableRows(bad, columns, keeping),
    ...toLeftOutRows(beside?.left ?? [], keeping),
    ...toLeftOutRows(repeated.map(toDuplicate), keeping),
    ...toLeftOutRows(rejectedOf(recipients, lines, rejected), keeping),
  ];
  const leftLines = new Set(leftRows.map(({ line }) => line));
  const corrected = [...origins.keys()].filter((line) => !leftLines.has(line)).slice(0, MAX_CORRECTED);
  const positions = new Map(corrected.length === 0 ? [] : lines.map((line, position) => [line, position]));
  return accepted({
    submission: buildSubmission({ ...head, body }, asked),
    lines: Uint32Array.from(lines),
    bad: bad.length,
    earlier: beside?.told ?? null,
    repeats: repeated.slice(0, FEW_REPEATS).map(({ repeat }) => repeat),
    rows: [
      ...leftRows,
      ...toCorrectedRows(
        corrected.map((line) => {
          const position = positions.get(line) ?? null;
          return { line, position, written: recipients[position ?? -1]?.msisdn ?? "" };
        }),
        keeping,
      ),
    ],
    gaps: gapsOf(recipients, lines, [...tags]),
    dates: findMixedDates(recipients, lines, [...tags]),
    formats: read.value.formats.filter(({ column }) => tags.has(column.normalize("NFC"))),
  });
}

/** Rows identified as of an earlier file that are stored: a file written by hand has no more. */
const MAX_CORRECTED = 10_000;

function rejectedOf(
  recipients: readonly FileRecipient[],
  lines: readonly number[],
  rejected: ReadonlyMap<number, string>,
): readonly LeftOutRecipient[] {
  return recipients.flatMap((recipient, position): readonly LeftOutRecipient[] => {
    const line = lines[position] ?? 0;
    const code = rejected.get(line);
    return code === undefined
      ? []
      : [{ recipient, line, status: "REJECTED", cause: { code, params: {} }, position }];
  });
}

/** Rows repeating a number that are shown. */
const FEW_REPEATS = 20;

type Repeated = { readonly recipient: FileRecipient; readonly position: number; readonly repeat: Repeat };

function repeatedOf(
  recipients: readonly FileRecipient[],
  lines: readonly number[],
  read: (written: string) => string | null,
): readonly Repeated[] {
  const repeatOf = createRepeatReader(read);
  return recipients.flatMap((recipient, position) => {
    const repeat = repeatOf(recipient, lines[position] ?? 0);
    return repeat === null ? [] : [{ recipient, position, repeat }];
  });
}

/** Keeps the names of the columns that differ, and none of their values. */
function toDuplicate({ recipient, position, repeat: { line, first, differs } }: Repeated): LeftOutRecipient {
  const columns = differs.map(({ column }) => column);
  return {
    recipient,
    line,
    status: "DUPLICATE",
    cause: { code: DUPLICATE_ROW, params: { first, columns } },
    position,
  };
}

/** Lines listed of rows without a value. */
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
    const valueFor = attributes === undefined ? () => undefined : attributeReader(attributes);
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

/** A recipient with only the attributes that the text asks for. */
function needed({ attributes, ...rest }: FileRecipient, tags: ReadonlySet<string>): FileRecipient {
  if (attributes === undefined || tags.size === 0) return rest;
  const named = Object.entries(attributes).filter(([name]) => tags.has(name.normalize("NFC")));
  return named.length === 0 ? rest : { ...rest, attributes: Object.fromEntries(named) };
}

/** A recipient whose attributes may have no value. */
type FilledRecipient = Omit<FileRecipient, "attributes"> & {
  readonly attributes?: Readonly<Record<string, string | null>>;
};

/** A recipient with every column there is, empty where it has no value. */
function withNames({ attributes, ...rest }: FileRecipient, names: readonly string[]): FilledRecipient {
  const empty = names.map((name): [string, null] => [name, null]);
  return { ...rest, attributes: Object.assign(Object.fromEntries(empty), attributes) };
}

function charactersOf(recipients: readonly FilledRecipient[]): number {
  return recipients.reduce(
    (sum, { attributes }) =>
      sum + Object.values(attributes ?? {}).reduce((all, value) => all + (value?.length ?? 0), 0),
    0,
  );
}

/** Buffers of a job that move to the thread: those of an upload alone, every other file stays stored. */
export function jobTransfers(job: FileJob): ArrayBuffer[] {
  return job.kind === "upload" ? [job.file.bytes.buffer] : [];
}

/** Buffers of an answer that move back. */
export function answerTransfers(answer: FileJobResult): ArrayBuffer[] {
  if (answer.ok && "preview" in answer.value) return [answer.value.file.bytes.buffer];
  if (!answer.ok || !("submission" in answer.value)) return [];
  return [...packedBuffers(answer.value.submission), answer.value.lines.buffer];
}
