/** Rows of files that were or would be sent nothing: why, in the reader's words, their values, and the same as a download. */
import { Type as t } from "typebox";
import { createMsisdnReader, describeUnrouted } from "../../../admin/operations/msisdn.ts";
import { type AdminOutcome, done } from "../../../admin/operations/refusal.ts";
import { UNREADABLE } from "../../../admin/reports/rejected-recipients.ts";
import { createCorrectionLookup, createTypedMatcher } from "../../../admin/reports/unsent-rows.ts";
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
  readRejections,
} from "../../../domain/messages/batches.ts";
import {
  alreadyReachedCount,
  createLineReader,
  createReasonReader,
  DUPLICATE_OF_REJECTED,
  DUPLICATE_ROW,
  leftOutCount,
  readRows,
  rowsByPlace,
  type StoredRow,
} from "../../../domain/messages/import-rows.ts";
import { phrase } from "../../../i18n/phrase.ts";
import { compileTemplate } from "../../../text/template.ts";
import { sheetHeadings } from "../downloads.ts";
import { toReasonPhrase, type WordedReason } from "../rejection-reasons.ts";
import type { StoredUpload } from "../send/uploads.ts";
import {
  canReadBatchTexts,
  type PageContext,
  toFileChoice,
  toFileSource,
  toNumberRules,
} from "./request-context.ts";
import { csvFile, type Download, type QueryOf } from "./route.ts";
import { WORD } from "./schemas.ts";

type WhyReader = Pick<PageContext, "language" | "translate" | "context">;

const UNSERVED = "UNROUTABLE_PREFIX";

/** Localizes a code for downloads. */
export function localizeCode(language: WhyReader["language"], code: string): string {
  const words: Readonly<Record<string, string>> = CODES_IN_FRENCH;
  return language === "fr" ? (words[code] ?? code) : code;
}

/** Why nothing is sent to a number, where there is more to say than the code. */
export function renderNumberRefusal(
  { translate, context }: WhyReader,
  reason: string,
  msisdn: string | null,
): string {
  const own = reason === UNSERVED && msisdn !== null ? describeUnrouted(context.config, msisdn) : null;
  return translate(own ?? toReasonPhrase(reason));
}

/** Why nothing is sent for a row, where its cause says more than its code. */
export function renderCause({ translate }: WhyReader, code: string, cause: ImportRow["cause"]): string {
  const why = causePhrase(cause);
  const reason = toReasonPhrase(code);
  if (why === null) return translate(reason);
  // Where the row that it repeats gets nothing either, that is said first.
  return translate(
    code === DUPLICATE_OF_REJECTED
      ? phrase("row.cause.DUPLICATE_IN_BATCH.of_refused", { reason, cause: why })
      : why,
  );
}

/** A row that is sent nothing, in the reader's words. */
type NotSentRow = {
  /** Its index in the batch, from 0; null of a row that was no recipient. */
  readonly index: number | null;
  /** Its line in the file; null where unknown. */
  readonly line: number | null;
  readonly code: string;
  readonly why: string;
  /** Its number, as written where it was unreadable. Null where it was erased. */
  readonly written: string | null;
  /** Values for the text's tags, for those who may read the batch's texts; null: none, or not for this reader. */
  readonly values: Readonly<Record<string, string>> | null;
  readonly client_reference: string | null;
};

/** Rows in one step. */
const STEP = 1000;

/** Yields every row of a batch that was sent nothing, page by page: rejected recipients, and rows that were no recipients. */
function* notSentRows(asked: PageContext, { id }: Pick<BatchRecord, "id">): Generator<readonly NotSentRow[]> {
  const { read } = asked.context.store;
  const readsValues = canReadBatchTexts(asked, id);
  const lineAt = createLineReader(read, id);
  const toldOf = createReasonReader();
  for (let from = 0; ; ) {
    const page = readRejections(read, { id, client_reference: null }, from, STEP);
    const last = page.at(-1);
    if (!last) break;
    const kept = rowsByPlace(read, id, from, last.index);
    yield page.map((rejection) => {
      const row = kept.get(rejection.index) ?? null;
      const line = row?.line ?? lineAt(rejection.index);
      return rejectedRow(asked, { ...rejection, told: toldOf(rejection), line }, row, readsValues);
    });
    if (page.length < STEP) break;
    from = last.index + 1;
  }
  for (let from = 0; ; ) {
    const rows = readRows(read, id, ["UNREADABLE", "ALREADY_REACHED"], from, STEP);
    yield rows.map((row) => leftOutRow(asked, row, readsValues));
    const last = rows.at(-1);
    if (!last || rows.length < STEP) return;
    from = last.line + 1;
  }
}

type Rejected = RejectionObject & { readonly told: string; readonly line: number | null };

function rejectedRow(
  asked: PageContext,
  { index, msisdn, told: code, line, client_reference = null }: Rejected,
  row: StoredRow | null,
  readsValues: boolean,
): NotSentRow {
  const isDouble = code === DUPLICATE_ROW || code === DUPLICATE_OF_REJECTED;
  return {
    index,
    line,
    code,
    why: isDouble && row ? renderCause(asked, code, row.cause) : renderNumberRefusal(asked, code, msisdn),
    written: isDouble && row ? row.written : msisdn,
    values: readsValues && row !== null ? row.cells : null,
    client_reference,
  };
}

function leftOutRow(asked: PageContext, row: StoredRow, readsValues: boolean): NotSentRow {
  const { line, status, cause, written, client_reference } = row;
  const code = status === "UNREADABLE" ? UNREADABLE : (cause?.code ?? "");
  const why = renderCause(asked, code, cause);
  return { index: null, line, code, why, written, values: readsValues ? row.cells : null, client_reference };
}

/** Rows listed on a page. */
const FEW = 20;

export function readUnreadableRows(asked: PageContext, batchId: number) {
  const { read } = asked.context.store;
  const all = leftOutCount(read, batchId);
  const sent_already = all === 0 ? 0 : alreadyReachedCount(read, batchId);
  const named = (rows: readonly StoredRow[]) =>
    rows.map(({ line, status, cause }) => {
      const code = status === "UNREADABLE" ? UNREADABLE : (cause?.code ?? "");
      return { line, cause: renderCause(asked, code, cause) };
    });
  return {
    unreadable: all - sent_already,

    /** Rows whose number was handled in an earlier batch. */
    sent_already,

    /** The first of them. */
    unreadable_rows: all === 0 ? [] : named(readRows(read, batchId, ["UNREADABLE"], 0, FEW)),

    /** The first of those and of all that repeat a number; empty where unknown. */
    repeated_rows: named(readRows(read, batchId, ["DUPLICATE", "ALREADY_REACHED"], 0, FEW)),
  };
}

/** Columns added in front. The id identifies a row that is uploaded again; with its code cleared it is sent all the same. */
function addedHeadings(reader: WhyReader): readonly (string | undefined)[] {
  const [line, why] = sheetHeadings(reader, ["line", "not_sent_why"]);
  return [line, CODE_COLUMN, why, ROW_ID_COLUMN];
}

/** Heading of the column of numbers where a file names no columns: by it the column is found again. */
const NUMBER = phrase("sheet.number");

/**
 * Writes everybody whom a batch left out as a spreadsheet file in the reader's language, in steps. It has every column that the
 * text asks for, so that only their values are to be added.
 */
export async function renderRejectedRowsFile(
  asked: PageContext,
  batch: BatchRecord,
): Promise<AdminOutcome<Download>> {
  const { body, otherTags } = batchWritten(asked.context.store.read, batch.id);
  const { tags } = compileTemplate(body, otherTags);
  // Numbers refused before are read for the whole batch, which takes as much as all of its rows.
  const written = await asked.files.spool.write(asked, async () => done(missedOf(asked, batch, tags)));
  return written.ok ? notSentFile(asked, batch.ulid, written.value) : written;
}

function notSentFile({ translate }: PageContext, of: string | null, pieces: Iterable<string>) {
  const name = [translate(phrase("sheet.file.not_sent")), of ?? []].flat().join("-");
  return done(csvFile(`${name}.csv`, pieces));
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

/** Code by which messages fail at an operator that does not know the sender. */
const UNREGISTERED = "SENDER_NOT_REGISTERED";

/**
 * Writes the file of who would be sent nothing, before sending: every such row as it stands in the file, with why. Those are unreadable
 * rows, and the first thousand that the last quote rejected, or whose text would fail at an operator that does not know the sender.
 * Corrected, it is uploaded again as it is.
 */
export async function renderLeftOutFile(
  asked: PageContext,
  stored: StoredUpload,
  chosen: Parameters<typeof toFileChoice>[1],
): Promise<AdminOutcome<Download>> {
  const { files, context } = asked;
  const rejected = new Map([
    ...stored.unreached.map(({ line }) => [line, UNREGISTERED] as const),
    ...stored.rejected.map(({ line, reason }) => [line, reason] as const),
  ]);
  const written = await files.spool.write(asked, async () => {
    const read = await files.read(asked, context.machine.startThread, {
      kind: "left out",
      file: toFileSource(stored),
      ...toFileChoice(stored, chosen),
      numbers: toNumberRules(context.config),
      rejected,
    });
    return read.ok ? done(leftOutOf(asked, stored.id, read.value)) : read;
  });
  return written.ok ? notSentFile(asked, null, written.value) : written;
}

/** Yields such rows with all of their columns, but for those that an earlier file of this kind added. */
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

/** A code, and its sentence. */
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

/** The cause of a repeat, with the first row's values in the columns that differ: the file has its own. */
function repeatCause({ first, differs }: Repeat): ImportRow["cause"] {
  const columns = differs.map(({ column, first: value }) => `${column} (${value})`);
  return { code: DUPLICATE_ROW, params: { first, columns } };
}

export const ROWS_QUERY = t.Object({ row: t.Optional(WORD) });

const SHOWN = 50;
/** Rows that one search scans: about 100 ms. */
const MAX_LOOKED = 20_000;

/** Its number, but not of a row that repeats one: what goes to that number says nothing of the row. */
function numberOf({ index, code, written }: NotSentRow): string | null {
  return index === null || code === DUPLICATE_ROW || code === DUPLICATE_OF_REJECTED ? null : written;
}

/** Sorts by line, rows without one last. */
function byLine(a: NotSentRow, b: NotSentRow): number {
  return (a.line ?? Number.MAX_SAFE_INTEGER) - (b.line ?? Number.MAX_SAFE_INTEGER);
}

/**
 * The first rows that contain what was typed, or the first of all; in slices beside other work. `is_more`: whether more may match than are
 * shown; `reads_values`: whether their other columns are shown and searched.
 */
export async function batchRows(
  asked: PageContext,
  batch: BatchRecord,
  { row: typed }: QueryOf<typeof ROWS_QUERY>,
) {
  const { config, clock, store } = asked.context;
  const seek = typed === null ? () => "word" : createTypedMatcher(config, typed);
  const fits = ({ written, values, client_reference }: NotSentRow): boolean =>
    seek({ written: written ?? "", cells: values, client_reference }) !== null;
  const reads_values = canReadBatchTexts(asked, batch.id);
  const correctedBy = asked.may("messages.read") ? createCorrectionLookup(store.read, batch.id) : () => null;
  const shown = (found: readonly NotSentRow[]) =>
    [...found]
      .sort(byLine)
      .slice(0, SHOWN)
      .map((row) => ({ ...row, corrected: correctedBy({ line: row.line, number: numberOf(row) }) }));
  const pause = createYielder(clock);
  const rows: NotSentRow[] = [];
  let looked = 0;
  for (const page of notSentRows(asked, batch)) {
    rows.push(...page.filter(fits));
    looked += page.length;
    if (rows.length > SHOWN || looked >= MAX_LOOKED) {
      return done({ rows: shown(rows), is_more: true, reads_values });
    }
    await pause();
  }
  return done({ rows: shown(rows), is_more: false, reads_values });
}

/** Codes of rejection reasons in French, for downloads. */
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
