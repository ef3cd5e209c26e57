/** Rows of files that nothing was sent for, or would be: why, in the reader's words, what stood in them, and as a file to take away. */
import { type Static, Type as t } from "typebox";
import { createMsisdnReader, describeUnrouted } from "../../../admin/operations/msisdn.ts";
import { type AdminOutcome, done } from "../../../admin/operations/refusal.ts";
import { UNREADABLE } from "../../../admin/reports/rejected-recipients.ts";
import { type CorrectedRow, createCorrectionLookup, seekerFor } from "../../../admin/reports/unsent-rows.ts";
import { createYielder } from "../../../core/concurrency.ts";
import { renderSheetHead, renderSheetLines } from "../../../core/csv.ts";
import { causePhrase, type ImportRow, rowIdText } from "../../../core/import-row.ts";
import { getOwn } from "../../../core/own-value.ts";
import type { LeftOutRow, LeftOutRows, Repeat } from "../../../domain/imports/rejected-rows.ts";
import { CODE_COLUMN, REFERENCE_COLUMN, ROW_ID_COLUMN } from "../../../domain/imports/row-reader.ts";
import {
  type BatchRecord,
  batchWritten,
  type RejectionObject,
  rejectionsOf,
} from "../../../domain/messages/batches.ts";
import {
  alreadyReachedCount,
  createLineReader,
  createReasonReader,
  DUPLICATE_OF_REJECTED,
  DUPLICATE_ROW,
  type KeptRow,
  leftOutCount,
  rowsByPlace,
  rowsOf,
} from "../../../domain/messages/import-rows.ts";
import { phrase } from "../../../i18n/phrase.ts";
import { compileTemplate } from "../../../text/template.ts";
import { sheetHeadings } from "../downloads.ts";
import { toReasonPhrase, type WordedReason } from "../rejection-reasons.ts";
import {
  canReadTexts,
  type PageContext,
  requireOwnBatch,
  requireOwnFile,
  toFileSource,
  toNumberRules,
} from "./request-context.ts";
import { type Download, download } from "./route.ts";
import { WORD } from "./schemas.ts";

type WhyReader = Pick<PageContext, "language" | "translate" | "context">;

const UNSERVED = "UNROUTABLE_PREFIX";

/** A code as files for people have it. */
export function localizeCode(language: WhyReader["language"], code: string): string {
  const words: Readonly<Record<string, string>> = CODES_IN_FRENCH;
  return language === "fr" ? (words[code] ?? code) : code;
}

/** Why nothing is sent to a number, as far as the number says more than the code. */
export function renderNumberRefusal(
  { translate, context }: WhyReader,
  reason: string,
  msisdn: string | null,
): string {
  const own = reason === UNSERVED && msisdn !== null ? describeUnrouted(context.config, msisdn) : null;
  return translate(own ?? toReasonPhrase(reason));
}

/** Why nothing is sent for a row, as far as its cause says more than the code by which it is told. */
export function renderCause({ translate }: WhyReader, code: string, cause: ImportRow["cause"]): string {
  const why = causePhrase(cause);
  const reason = toReasonPhrase(code);
  if (why === null) return translate(reason);
  // Where the row that it repeats gets nothing either, so much is said first.
  return translate(
    code === DUPLICATE_OF_REJECTED
      ? phrase("row.cause.DUPLICATE_IN_BATCH.of_refused", { reason, cause: why })
      : why,
  );
}

/** Such a row, in the reader's words. */
type NotSentRow = {
  /** Its place in the batch, from 0; null of a row that was no recipient. */
  readonly index: number | null;
  /** Where it stood in its file; null where nobody knows. */
  readonly line: number | null;
  readonly code: string;
  readonly why: string;
  /** Its number: as it stood there of a row that nobody could read. Null where it was erased. */
  readonly written: string | null;
  /** What the tags of the text would have been filled in with; null: nothing, or not for this reader. */
  readonly values: Readonly<Record<string, string>> | null;
  readonly client_reference: string | null;
};

/** Rows of a page. */
const STEP = 1000;

/** Every row that nothing was sent for of a batch, a page at a time: who was rejected, and rows that were no recipients. */
function* notSentRows(asked: PageContext, { id }: Pick<BatchRecord, "id">): Generator<readonly NotSentRow[]> {
  const { read } = asked.context.store;
  const lineAt = createLineReader(read, id);
  const toldOf = createReasonReader();
  for (let from = 0; ; ) {
    const page = rejectionsOf(read, { id, client_reference: null }, from, STEP);
    const last = page.at(-1);
    if (!last) break;
    const kept = rowsByPlace(read, id, from, last.index);
    yield page.map((rejection) => {
      const row = kept.get(rejection.index) ?? null;
      const line = row?.line ?? lineAt(rejection.index);
      return rejectedRow(asked, { ...rejection, told: toldOf(rejection), line }, row);
    });
    if (page.length < STEP) break;
    from = last.index + 1;
  }
  for (let from = 0; ; ) {
    const rows = rowsOf(read, id, ["UNREADABLE", "ALREADY_REACHED"], from, STEP);
    yield rows.map((row) => leftOutRow(asked, row));
    const last = rows.at(-1);
    if (!last || rows.length < STEP) return;
    from = last.line + 1;
  }
}

type Rejected = RejectionObject & { readonly told: string; readonly line: number | null };

function rejectedRow(
  asked: PageContext,
  { index, msisdn, told: code, line, client_reference = null }: Rejected,
  row: KeptRow | null,
): NotSentRow {
  const isDouble = code === DUPLICATE_ROW || code === DUPLICATE_OF_REJECTED;
  return {
    index,
    line,
    code,
    why: isDouble && row ? renderCause(asked, code, row.cause) : renderNumberRefusal(asked, code, msisdn),
    written: isDouble && row ? row.written : msisdn,
    values: valuesFor(asked, row),
    client_reference,
  };
}

function leftOutRow(asked: PageContext, row: KeptRow): NotSentRow {
  const { line, status, cause, written, client_reference } = row;
  const code = status === "UNREADABLE" ? UNREADABLE : (cause?.code ?? "");
  const why = renderCause(asked, code, cause);
  return { index: null, line, code, why, written, values: valuesFor(asked, row), client_reference };
}

/** What a text would have been filled in with is for those who read texts. */
function valuesFor(asked: PageContext, row: KeptRow | null): NotSentRow["values"] {
  return row !== null && canReadTexts(asked) ? row.cells : null;
}

/** Rows that a page names. */
const FEW = 20;

type NamedRow = { readonly line: number; readonly cause: string };

/** Rows of a batch's file that were no recipients, and those that repeat a number, in the reader's words. */
type UnreadableView = {
  readonly unreadable: number;
  /** The first of them. */
  readonly unreadable_rows: readonly NamedRow[];
  /** Rows whose number had its turn in an earlier batch. */
  readonly sent_already: number;
  /** The first of those and of all that repeat a number; none where they are not known. */
  readonly repeated_rows: readonly NamedRow[];
};

export function readUnreadableRows(asked: PageContext, batchId: number): UnreadableView {
  const { read } = asked.context.store;
  const all = leftOutCount(read, batchId);
  const sent_already = all === 0 ? 0 : alreadyReachedCount(read, batchId);
  const named = (rows: readonly KeptRow[]) =>
    rows.map(({ line, status, cause }) => {
      const code = status === "UNREADABLE" ? UNREADABLE : (cause?.code ?? "");
      return { line, cause: renderCause(asked, code, cause) };
    });
  return {
    unreadable: all - sent_already,
    sent_already,
    unreadable_rows: all === 0 ? [] : named(rowsOf(read, batchId, ["UNREADABLE"], 0, FEW)),
    repeated_rows: named(rowsOf(read, batchId, ["DUPLICATE", "ALREADY_REACHED"], 0, FEW)),
  };
}

/** What is put before the columns of such files. By the id a row is known when it is brought again; with its code emptied it is sent all the same. */
function addedHeadings(reader: WhyReader): readonly (string | undefined)[] {
  const [line, why] = sheetHeadings(reader, ["line", "not_sent_why"]);
  return [line, CODE_COLUMN, why, ROW_ID_COLUMN];
}

/** What the column of numbers is called where a file names no columns: it is found by that when it is brought again. */
const NUMBER = phrase("sheet.number");

/**
 * Everybody whom a batch left out as a file that a spreadsheet in the reader's language opens, a step at a time. Every column that the
 * text asks for is there, so that nothing but its values is to be added.
 */
export async function renderRejectedRowsFile(
  asked: PageContext,
  id: string,
): Promise<AdminOutcome<Download>> {
  const own = requireOwnBatch(asked, id);
  if (!own.ok) return own;
  const { body, otherTags } = batchWritten(asked.context.store.read, own.value.id);
  const { tags } = compileTemplate(body, otherTags);
  // Which numbers were refused before is known of a batch as a whole: it takes as much as all of them.
  const written = await asked.files.spool.write(asked, async () => done(missedOf(asked, own.value, tags)));
  return written.ok ? notSentFile(asked, own.value.ulid, written.value) : written;
}

function notSentFile({ translate }: PageContext, of: string | null, pieces: Iterable<string>) {
  const name = [translate(phrase("sheet.file.not_sent")), of ?? []].flat().join("-");
  return done(download(`${name}.csv`, "text/csv; charset=utf-8", pieces));
}

function* missedOf(asked: PageContext, batch: BatchRecord, tags: readonly string[]): Generator<string> {
  const { language, translate } = asked;
  const added = [...sheetHeadings(asked, ["place"]), ...addedHeadings(asked)];
  yield renderSheetHead(language, [[...added, translate(NUMBER), ...tags, REFERENCE_COLUMN]]);
  for (const rows of notSentRows(asked, batch)) {
    const lines = rows.map(({ index, line, code, why, written, values, client_reference: reference }) => [
      index ?? "",
      line ?? "",
      localizeCode(language, code),
      why,
      line === null ? "" : rowIdText({ of: batch.ulid, line }),
      written,
      ...tags.map((tag) => getOwn(values ?? {}, tag) ?? ""),
      reference,
    ]);
    yield renderSheetLines(language, lines);
  }
}

/** Where an operator does not know the sender: the code by which messages fail there. */
const UNREGISTERED = "SENDER_NOT_REGISTERED";

/**
 * The file of who would be sent nothing, before anything is sent: every such row as it stands in the file, with why. Those that cannot be read,
 * and the first thousand that the last quote rejected, or whose text would fail at an operator that does not know the sender. Corrected, it is
 * brought again as it is.
 */
export async function renderLeftOutFile(
  asked: PageContext,
  wanted: string,
  id: string,
  column: number | null,
): Promise<AdminOutcome<Download>> {
  const file = requireOwnFile(asked, wanted, id);
  if (!file.ok) return file;
  const { files, context } = asked;
  const rejected = new Map([
    ...file.value.unreached.map(({ line }) => [line, UNREGISTERED] as const),
    ...file.value.rejected.map(({ line, reason }) => [line, reason] as const),
  ]);
  const written = await files.spool.write(asked, async () => {
    const read = await files.read(asked, context.machine.startThread, {
      kind: "left out",
      file: toFileSource(file.value),
      column,
      numbers: toNumberRules(context.config),
      rejected,
    });
    return read.ok ? done(leftOutOf(asked, file.value.id, read.value)) : read;
  });
  return written.ok ? notSentFile(asked, null, written.value) : written;
}

/** Such rows with all of their columns, but for what an earlier file of this kind put before them. */
function* leftOutOf(
  reader: WhyReader,
  file: string,
  { headings, msisdn, rowId, rows }: LeftOutRows,
): Generator<string> {
  const { language, translate } = reader;
  const width = rows.reduce((most, { cells }) => Math.max(most, cells.length), 0);
  const isAdded = (place: number): boolean =>
    rowId !== null && (place === rowId || (place < rowId && rowId < msisdn));
  const kept = (cells: readonly string[]) => cells.filter((_, place) => !isAdded(place));
  const names =
    headings ??
    Array.from({ length: width }, (_, place) =>
      translate(place === msisdn ? NUMBER : phrase("sheet.column", { place: place + 1 })),
    );
  const read = createMsisdnReader(reader.context.config);
  yield renderSheetHead(language, [[...addedHeadings(reader), ...kept(names)]]);
  for (let at = 0; at < rows.length; at += STEP) {
    const lines = rows.slice(at, at + STEP).map(({ cells, ...row }) => {
      const [code, why] = whyOf(reader, row, read(cells[msisdn] ?? ""));
      const id = rowIdText(row.id ?? { of: file, line: row.line });
      return [row.line, code, why, id, ...kept(cells)];
    });
    yield renderSheetLines(language, lines);
  }
}

/** A code, and the same as a sentence. */
function whyOf(
  reader: WhyReader,
  { cause, reason, repeat }: Pick<LeftOutRow, "cause" | "reason" | "repeat">,
  msisdn: string | null,
): readonly [code: string, why: string] {
  const { language } = reader;
  if (cause !== null) return [localizeCode(language, UNREADABLE), renderCause(reader, UNREADABLE, cause)];
  if (reason === null) return ["", ""];
  const isDouble = (reason === DUPLICATE_ROW || reason === DUPLICATE_OF_REJECTED) && repeat !== null;
  return [
    localizeCode(language, reason),
    isDouble ? renderCause(reader, reason, repeatCause(repeat)) : renderNumberRefusal(reader, reason, msisdn),
  ];
}

/** With what the first row has in the columns that differ: the file has what this one has. */
function repeatCause({ first, differs }: Repeat): ImportRow["cause"] {
  const columns = differs.map(({ column, first: value }) => `${column} (${value})`);
  return { code: DUPLICATE_ROW, params: { first, columns } };
}

export const ROWS_QUERY = t.Object({ row: t.Optional(WORD) });

type BatchRowsView = {
  readonly rows: readonly (NotSentRow & { readonly corrected: CorrectedRow | null })[];
  /** More may fit than are shown. */
  readonly is_more: boolean;
  /** Whether what stood in their other columns is shown and looked at. */
  readonly reads_values: boolean;
};

const SHOWN = 50;
/** Rows that one search goes through: about 100 ms. */
const MAX_LOOKED = 20_000;

/** Its number; what goes to that of a row that repeats one says nothing of that row. */
function numberOf({ index, code, written }: NotSentRow): string | null {
  return index === null || code === DUPLICATE_ROW || code === DUPLICATE_OF_REJECTED ? null : written;
}

/** Those without a line last. */
function byLine(a: NotSentRow, b: NotSentRow): number {
  return (a.line ?? Number.MAX_SAFE_INTEGER) - (b.line ?? Number.MAX_SAFE_INTEGER);
}

/** The first that hold what was typed, or the first of all; in slices beside other work. */
export async function batchRows(
  asked: PageContext,
  id: string,
  { row: typed }: Static<typeof ROWS_QUERY>,
): Promise<AdminOutcome<BatchRowsView>> {
  const own = requireOwnBatch(asked, id);
  if (!own.ok) return own;
  const { config, clock, store } = asked.context;
  const seek = typed === undefined ? () => "word" : seekerFor(config, typed);
  const fits = ({ written, values, client_reference }: NotSentRow): boolean =>
    seek({ written: written ?? "", cells: values, client_reference }) !== null;
  const reads_values = canReadTexts(asked);
  const correctedBy = asked.may("messages.read")
    ? createCorrectionLookup(store.read, own.value.id)
    : () => null;
  const shown = (found: readonly NotSentRow[]) =>
    [...found]
      .sort(byLine)
      .slice(0, SHOWN)
      .map((row) => ({ ...row, corrected: correctedBy({ line: row.line, number: numberOf(row) }) }));
  const pause = createYielder(clock);
  const rows: NotSentRow[] = [];
  let looked = 0;
  for (const page of notSentRows(asked, own.value)) {
    rows.push(...page.filter(fits));
    looked += page.length;
    if (rows.length > SHOWN || looked >= MAX_LOOKED) {
      return done({ rows: shown(rows), is_more: true, reads_values });
    }
    await pause();
  }
  return done({ rows: shown(rows), is_more: false, reads_values });
}

/** Codes of why somebody gets no message, as files for people have them in French. */
export const CODES_IN_FRENCH: Readonly<Record<WordedReason, string>> = {
  UNREADABLE_ROW: "LIGNE_ILLISIBLE",
  INVALID_MSISDN: "NUMERO_INVALIDE",
  DUPLICATE_IN_BATCH: "DOUBLON",
  DUPLICATE_OF_REFUSED: "DOUBLON_D_UN_REFUS",
  TURN_BEFORE: "TOUR_DEJA_PASSE",
  SERVED_BEFORE: "DEJA_SERVI",
  FAILED_BEFORE: "DEJA_ECHOUE",
  SENDER_NOT_REGISTERED: "EXPEDITEUR_NON_ENREGISTRE",
  UNROUTABLE_PREFIX: "NUMERO_NON_DESSERVI",
  MISSING_ATTRIBUTE: "BALISE_SANS_VALEUR",
  RENDERED_VALUE_EMPTY: "BALISE_VIDE",
  RENDERED_BODY_TOO_LONG: "TEXTE_TROP_LONG_POUR_WHATSAPP",
  RENDERED_BODY_EMPTY: "TEXTE_VIDE",
  NOT_GSM7: "LETTRE_RARE",
  TOO_MANY_SEGMENTS: "TEXTE_TROP_LONG",
  SUPPRESSED: "DESINSCRIT",
  QUIET_HOURS: "HORS_HORAIRES",
  FREQUENCY_CAP_DAILY: "MAXIMUM_DU_JOUR",
  FREQUENCY_CAP_WEEKLY: "MAXIMUM_DE_LA_SEMAINE",
  DUPLICATE_RECENT_BODY: "MEME_TEXTE_RECENT",
  RATE_LIMIT_PER_DAY: "PLAFOND_DU_JOUR",
  RATE_LIMIT_PER_MINUTE: "PLAFOND_PAR_MINUTE",
};
