/** The page "Send": uploads a file of recipients, shows what is in it, quotes a text to them, and sends it. */
import { type Static, Type as t } from "typebox";
import {
  batchSend,
  OUTDATED,
  type SentBatch,
  STILL_VALIDATING,
  sentBefore,
  TOO_MANY_CORRECTIONS,
  toDetailedQuote,
} from "../../../admin/operations/batch-send.ts";
import type { QuotedMargin } from "../../../admin/operations/margin.ts";
import { type AdminOutcome, done, refuse } from "../../../admin/operations/refusal.ts";
import type { DetailedQuote, QuoteData } from "../../../admin/operations/submissions.ts";
import { UNREADABLE } from "../../../admin/reports/rejected-recipients.ts";
import { isoUtc } from "../../../core/clock.ts";
import { createYielder } from "../../../core/concurrency.ts";
import { causePhrase, type ImportRow } from "../../../core/import-row.ts";
import { MISSING_ATTRIBUTES, TEXT_POLICIES } from "../../../core/text-rules.ts";
import { type Account, accountUlid } from "../../../domain/accounts/accounts.ts";
import { MESSAGE_CLASSES } from "../../../domain/accounts/message-class.ts";
import { isRegistered, wasRegistered } from "../../../domain/accounts/senders.ts";
import type { FilePreview } from "../../../domain/imports/preview.ts";
import type { Repeat } from "../../../domain/imports/rejected-rows.ts";
import { readWallet } from "../../../domain/ledger/wallet.ts";
import { mayPass } from "../../../domain/messages/batch-messages.ts";
import {
  type FamilyBatch,
  MAX_FAMILY_BATCHES,
  readAttempts,
  readBatchFamily,
} from "../../../domain/messages/corrections.ts";
import {
  batchOfImport,
  createReasonReader,
  DUPLICATE_OF_REJECTED,
  DUPLICATE_ROW,
  importUlids,
} from "../../../domain/messages/import-rows.ts";
import { errorPhrase } from "../../../domain/messages/message-status.ts";
import { phrase } from "../../../i18n/phrase.ts";
import { listPublicPauses } from "../pauses.ts";
import { type CompletionEstimate, estimateCompletion, findOpening } from "../send/completion-estimate.ts";
import {
  type EarlierBatches,
  type EarlierNumber,
  type EarlierRows,
  FAILED_BEFORE,
  type FamilyPlace,
  recordEarlierResult,
  SERVED_BEFORE,
} from "../send/earlier-rows.ts";
import type { FileSubmission } from "../send/file-jobs.ts";
import type { StoredUpload } from "../send/uploads.ts";
import { hideQuoteMoney, hideRefusalMoney } from "./money-visibility.ts";
import { renderLeftOutFile } from "./rejected-rows.ts";
import {
  ACCOUNT_SUBJECT,
  canSeeBalance,
  FILE_SUBJECT,
  type PageContext,
  requireOwnBatch,
  requireOwnFile,
  toFileChoice,
  toFileSource,
  toNumberRules,
} from "./request-context.ts";
import { type QueryOf, routeOn } from "./route.ts";
import { ID, nullable } from "./schemas.ts";

// Corrected rows of a batch: its outcome for each number, so that nobody is sent the text twice unknowingly.

const CORRECTED = t.Object({
  /** The batch whose rows were corrected. */
  of: ID,
  /** Whether rows are sent whose number it reached, or may still reach, and those whose number it failed for. */
  sends_served: t.Boolean(),
  sends_failed: t.Boolean(),
  /** Whether those too are sent for whom a retry changes nothing. */
  sends_lasting: t.Optional(t.Boolean()),
  /** The moment of its quote, in epoch milliseconds: what is sent is what was quoted. */
  as_of: t.Optional(t.Integer({ minimum: 0 })),
  /** The batches that its quote compared the rows with; all that there are where absent. */
  batches: t.Optional(t.Array(ID, { maxItems: MAX_FAMILY_BATCHES })),
});

type Corrected = Static<typeof CORRECTED>;

/** What rows of a corrected file are compared with. */
type Earlier = {
  readonly compared: EarlierBatches;
  /** The row id of the batch whose rows they are. */
  readonly of: number;
  readonly batches: readonly FamilyBatch[];
  /** Whether one of the family was sent since, and is not among them. */
  readonly isOutdated: boolean;
  readonly forgotten: number;
};

/**
 * Reads the outcomes of the corrected batch and its family for their numbers, in slices beside other work; null where none is.
 * `sender`: of the text that is sent now. `pressed`: what was sent under the same key before, compared with the outcomes of then.
 */
async function readEarlierBatches(
  asked: PageContext,
  accountId: number,
  { corrected, sender }: { readonly corrected: Corrected | undefined; readonly sender: string },
  asOf: number,
  pressed: SentBatch | null = null,
): Promise<AdminOutcome<Earlier | null>> {
  if (corrected === undefined) return done(null);
  const batch = requireOwnBatch(asked, corrected.of);
  if (!batch.ok) return batch;
  const { id, accountId: owner } = batch.value;
  if (owner !== accountId) {
    return refuse("BATCH_NOT_FOUND", { id: corrected.of });
  }
  const { batches, isFull } = readBatchFamily(asked.context.store.read, id);
  const quoted = corrected.batches && new Set(corrected.batches.map((one) => one.toUpperCase()));
  const own = batches.findIndex(({ ulid }) => ulid === pressed?.batch_id);
  const there = own < 0 ? batches : batches.slice(0, own);
  const before = there.filter((one) => one.id === id || !quoted || quoted.has(one.ulid));
  if (isFull && !quoted && !pressed) return TOO_MANY_CORRECTIONS;
  if (before.some(({ status }) => status === "VALIDATING")) return STILL_VALIDATING;
  const { numbers, forgotten } = await numbersOf(
    asked,
    before,
    asOf,
    knownAt(asked, accountId, sender, asOf),
  );
  return done({
    compared: {
      numbers,
      batches: placesOf(asked, before),
      sendsServed: corrected.sends_served,
      sendsFailed: corrected.sends_failed,
      sendsLasting: corrected.sends_lasting ?? false,
    },
    of: id,
    batches: before,
    isOutdated: before.length < there.length,
    forgotten,
  });
}

/** Batches by the ids that their rows may have: their own, and those of the files that they were sent from. */
function placesOf(
  { context }: PageContext,
  batches: readonly FamilyBatch[],
): ReadonlyMap<string, FamilyPlace> {
  const ids = batches.map(({ id }) => id);
  const own = batches.map(({ ulid, id }, place) => [ulid, { id, place }] as const);
  const files = [...importUlids(context.store.read, ids)].map(
    ([ulid, id]) => [ulid, { id, place: ids.indexOf(id) }] as const,
  );
  return new Map([...files, ...own]);
}

/** Whether operators knew a sender at a time, as far as they know it now; each is looked up once. */
function knownAt(
  { context }: PageContext,
  accountId: number,
  sender: string,
  atMs: number,
): (operator: string) => boolean {
  const { read } = context.store;
  const known = new Map<string, boolean>();
  return (operator) => {
    const isKnown = known.get(operator) ?? wasRegistered(read, accountId, sender, operator, atMs);
    known.set(operator, isKnown);
    return isKnown;
  };
}

async function numbersOf(
  { context }: PageContext,
  batches: readonly FamilyBatch[],
  asOf: number,
  isKnownAt: (operator: string) => boolean,
) {
  const pause = createYielder(context.clock);
  const numbers = new Map<string, EarlierNumber>();
  let forgotten = 0;
  for (const [place, batch] of batches.entries()) {
    forgotten += batch.messages;
    for (const tries of readAttempts(context.store.read, batch, asOf)) {
      recordEarlierResult(numbers, tries, place, ({ error, operator }) =>
        mayPass(error, operator, isKnownAt),
      );
      forgotten -= tries.length;
      await pause();
    }
  }
  return { numbers, forgotten };
}

/** Outcomes of earlier batches for the rows of a file, in the reader's words. */
function toEarlierView(
  { translate }: PageContext,
  { batches, forgotten }: Earlier,
  { fresh, unlocked, served, failed, left }: EarlierRows,
  asOf: number,
) {
  const causes = failed.causes.map((cause) => ({
    ...cause,
    detail: translate(errorPhrase(cause.code)),
  }));
  return {
    fresh,
    unlocked,
    served,
    failed: { ...failed, causes },
    as_of: asOf,
    /** The batch, those that it corrects and those that correct it, in the order in which they were sent. */
    batches: batches.map(({ ulid, createdAtMs }) => ({ batch_id: ulid, created_at: isoUtc(createdAtMs) })),
    /** Texts of these that are no longer kept, or whose number was erased: nobody knows whom they reached. */
    forgotten,
    /** Rows left out because of it. */
    left: left.length,
  };
}

/** The quote of a file of which no row is left to send. */
const NOTHING_TO_SEND: DetailedQuote = {
  status: "REJECTED",
  accepted: 0,
  rejected: 0,
  rejections_by_reason: {},
  rejections: [],
  total_segments: 0,
  amount: 0,
  by_operator: [],
  encodings: {},
  characters: [],
  unreached: [],
  rewritten: { total_segments: 0, amount: 0, saved: 0, examples: [] },
  is_payable: true,
  refusal: null,
  spendable_before: null,
  spendable_after: null,
  starts_at: null,
  warnings: [],
  first: [],
  dearer: { messages: 0, characters: [] },
  lengths: [],
  doubles_of_refused: 0,
};

const COLUMN = t.Integer({ minimum: 0, maximum: 1000 });
/** Place among the sheets that are shown. */
const SHEET = t.Integer({ minimum: 0, maximum: 200 });
/** Line of the file, or number in its sheet, of the headings. */
const HEADING_ROW = t.Integer({ minimum: 1, maximum: 1_048_576 });
const LOOK = t.Object({
  column: t.Optional(COLUMN),
  sheet: t.Optional(SHEET),
  heading_row: t.Optional(HEADING_ROW),
});
const CLASS = t.Enum(MESSAGE_CLASSES);

const WANTED = {
  file: ID,
  /** Index of the column of numbers; null: it is found by its name. */
  column: nullable(COLUMN),
  /** The sheet of a workbook; the first that has recipients where absent. */
  sheet: t.Optional(SHEET),
  /** Absent: the headings are found by what stands in the rows. */
  heading_row: t.Optional(HEADING_ROW),
  sender: t.String({ minLength: 1, maxLength: 32 }),
  message_class: CLASS,
  body: t.String({ minLength: 1, maxLength: 8000 }),
  /** The account's own where absent. */
  text_policy: t.Optional(t.Enum(TEXT_POLICIES)),
  missing_attributes: t.Optional(t.Enum(MISSING_ATTRIBUTES)),
  client_reference: t.Optional(t.String({ minLength: 1, maxLength: 64 })),
  /** In the account's zone where it has no offset. */
  scheduled_at: t.Optional(t.String({ minLength: 1, maxLength: 64 })),
  corrected: t.Optional(CORRECTED),
};
const QUOTE = t.Object(WANTED);
/** Key made when the form was opened: repeated, nothing is sent twice. */
const KEY = t.String({ pattern: "^[A-Za-z0-9-]{16,64}$" });
const SEND = t.Object({ ...WANTED, key: KEY });

const TOO_LARGE = phrase("refusal.INVALID_FILE.large");

async function bringFile(
  asked: PageContext,
  { ulid }: Account,
  { bytes }: { readonly bytes: Uint8Array<ArrayBuffer> },
) {
  if (bytes.byteLength === 0) return refuse("INVALID_FILE.empty");
  const { files, user, context } = asked;
  const parsed = await files.read(asked, context.machine.startThread, {
    kind: "upload",
    file: { bytes, isParsed: false },
    column: null,
    numbers: toNumberRules(context.config),
  });
  if (!parsed.ok) return parsed;
  const { preview, file, sheets } = parsed.value;
  const stored = files.store.put(user, context.newId(), file.bytes, file.isParsed, sheets);
  return done(toPreviewView(asked, ulid, stored, preview, sheets.chosen));
}

/** A preview in the reader's words; the batch whose rows it has is stored with the file. */
function toPreviewView(
  asked: PageContext,
  account: string,
  file: StoredUpload,
  { of, bad_rows, ...look }: FilePreview,
  sheet: number,
) {
  file.ofBatch = of === null ? null : batchOfRows(asked, of, account);
  return {
    ...look,
    /** In the reader's words. */
    bad_rows: bad_rows.map(({ line, cause }) => {
      const told = causePhrase(cause);
      return { line, cause: told === null ? cause.code : asked.translate(told) };
    }),
    file_id: file.id,
    /** The names of the sheets where there are several, and the place of the one that is shown. */
    sheets: file.sheets.names,
    sheet,
    /** The batch of the account whose unsent rows it has; null of any other file. */
    of_batch: file.ofBatch,
  };
}

/** The batch of an account whose rows have an id, which is its own or that of the file it was sent from. */
function batchOfRows(asked: PageContext, id: string, account: string): string | null {
  const { read } = asked.context.store;
  const batch = requireOwnBatch(asked, batchOfImport(read, id) ?? id);
  return batch.ok && accountUlid(read, batch.value.accountId) === account ? batch.value.ulid : null;
}

async function previewAgain(
  asked: PageContext,
  file: StoredUpload,
  { account, ...chosen }: QueryOf<typeof LOOK> & { readonly account: string },
) {
  const { files, context } = asked;
  const preview = await files.read(asked, context.machine.startThread, {
    kind: "preview",
    file: toFileSource(file),
    ...toFileChoice(file, chosen),
    numbers: toNumberRules(context.config),
  });
  return preview.ok
    ? done(toPreviewView(asked, account, file, preview.value, chosen.sheet ?? file.sheets.chosen))
    : preview;
}

function forgetFile(asked: PageContext, { id }: StoredUpload) {
  asked.files.store.drop(asked.user, id);
  return done({});
}

type Wanted = Static<typeof QUOTE>;

/** Rows that repeat a number, or were handled before, are stored as that. */
const NOT_KEPT_AS_REJECTED: ReadonlySet<string> = new Set([
  DUPLICATE_ROW,
  DUPLICATE_OF_REJECTED,
  SERVED_BEFORE,
  FAILED_BEFORE,
]);

/** A file of unsent rows corrects the batch that they are of; any other file the batch of the request, or none. */
function correctionOf(file: StoredUpload, { corrected }: Wanted): Corrected | undefined {
  const of = file.ofBatch ?? corrected?.of;
  return of === undefined ? undefined : { sends_served: false, sends_failed: true, ...corrected, of };
}

async function submissionOf(
  asked: PageContext,
  file: StoredUpload,
  {
    account: _,
    file: __,
    corrected: ___,
    column,
    sheet,
    heading_row,
    ...head
  }: Wanted & { readonly account?: string },
  compared: Earlier | null,
): Promise<AdminOutcome<FileSubmission>> {
  const { files, context } = asked;
  const { config, machine } = context;
  const refused = file.rejected.filter(({ reason }) => !NOT_KEPT_AS_REJECTED.has(reason));
  return files.read(asked, machine.startThread, {
    kind: "submission",
    file: toFileSource(file),
    ...toFileChoice(file, { column, sheet, heading_row }),
    numbers: toNumberRules(config),
    earlier: compared?.compared ?? null,
    rejected: new Map(refused.map(({ line, reason }) => [line, reason])),
    head,
  });
}

/** What a batch would cost, and when all of it has left. */
async function quote(asked: PageContext, account: Account, body: Wanted) {
  const file = requireOwnFile(asked, account.ulid, body.file);
  if (!file.ok) return file;
  const asOf = asked.context.clock.nowMs();
  const corrected = correctionOf(file.value, body);
  const compared = await readEarlierBatches(asked, account.id, { corrected, sender: body.sender }, asOf);
  if (!compared.ok) return compared;
  const made = await submissionOf(asked, file.value, body, compared.value);
  if (!made.ok) return made;
  const quoted: AdminOutcome<DetailedQuote & Partial<QuotedMargin>> =
    made.value.lines.length === 0
      ? done(NOTHING_TO_SEND)
      : await toDetailedQuote(asked.context, account.ulid, made.value.submission, asked.may("books.read"));
  if (!quoted.ok) return quoted;
  const { rejections, starts_at, by_operator, doubles_of_refused } = quoted.value;
  const { lines, bad, gaps, dates, formats, repeats, rows, earlier } = made.value;
  const toldOf = createReasonReader();
  const rejected = rejections.map((rejection) => ({
    line: lines[rejection.index] ?? 0,
    reason: toldOf(rejection),
  }));
  file.value.rejected = [...rejected, ...(earlier?.left ?? [])];
  file.value.unreached = quoted.value.unreached.map(({ index, operator }) => ({
    line: lines[index] ?? 0,
    operator,
  }));
  const { context } = asked;
  const leaving =
    starts_at === null
      ? NOTHING_LEAVES
      : await estimateCompletion(context, account, body.message_class, Date.parse(starts_at), by_operator);
  const forThem = hideQuoteMoney(
    canSeeBalance(asked),
    quoted.value,
    readWallet(context.store.read, account.id),
  );
  const { refusal, warnings, rejections_by_reason: reasons } = forThem;
  const { translate } = asked;
  const isQuiet = (reasons.QUIET_HOURS ?? 0) > 0;
  const told = withDoubles(reasons, doubles_of_refused);
  return done({
    ...forThem,
    ...leaving,
    /** Rows of the file that are no recipients. */
    bad,
    /** Tags that have no value in some rows. */
    gaps,
    dates,
    /** Numbers of a workbook that are not sent as it displays them, by tag. */
    formats,
    /** Who was reached before, and who failed; null where it corrects no batch. Rows left out because of it count as rejected. */
    earlier: earlier && compared.value && toEarlierView(asked, compared.value, earlier, asOf),
    rejected: quoted.value.rejected + (earlier?.left.length ?? 0),
    /** Cost of each operator's segments; operators as pages name them. */
    by_operator: withOperatorNames(context, by_operator).map((row) => ({
      ...row,
      /** Whether it accepts the sender; else its texts fail, and cost nothing. */
      is_registered: isRegistered(context.store.read, account.id, body.sender, row.operator),
    })),
    down: withOperatorNames(context, leaving.down),
    /** The first rows that repeat a number, and whether the earlier row is sent. */
    repeats: withFirst(repeats, file.value.rejected),
    /** By reason, the first lines that are sent nothing; where the sender is unknown, by operator those whose texts fail there. */
    left_lines: leftLines(file.value, rows),
    rejections_by_reason: earlier ? withLeft(told, earlier) : told,
    /** When it may be sent, as wall time of the account, where marketing may not be sent at the hour; else null. */
    opens_at: isQuiet ? findOpening(context, account, body.scheduled_at) : null,
    refusal: refusal && { ...refusal, detail: translate(refusal.detail) },
    warnings: renderWarnings(asked, warnings),
  });
}

type Reasons = DetailedQuote["rejections_by_reason"];

/** Repeats among the known rejections; the first row with a number stands before all that repeat it. */
function withFirst(
  repeats: readonly Repeat[],
  rejected: StoredUpload["rejected"],
): readonly (Repeat & { readonly is_first_sent: boolean })[] {
  const reasons = new Map(rejected.map(({ line, reason }) => [line, reason]));
  return repeats
    .filter(({ line }) => reasons.has(line))
    .map((repeat) => ({ ...repeat, is_first_sent: reasons.get(repeat.line) === DUPLICATE_ROW }));
}

/** Reasons with their counts, duplicates of refused numbers apart. */
function withDoubles(reasons: Reasons, ofRefused: number): Reasons {
  if (ofRefused === 0) return reasons;
  const { [DUPLICATE_ROW]: doubles = 0, ...others } = reasons;
  const ofSent = doubles - ofRefused;
  return {
    ...others,
    ...(ofSent > 0 ? { [DUPLICATE_ROW]: ofSent } : {}),
    [DUPLICATE_OF_REJECTED]: ofRefused,
  };
}

/** Reasons with their counts, rows that are left out included. */
function withLeft(reasons: Reasons, { left }: EarlierRows): Reasons {
  const counts = new Map<string, number>();
  for (const { reason } of left) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return { ...reasons, ...Object.fromEntries(counts) };
}

/** As many as people look up by hand. */
const MAX_LINES = 12;

/** The lines of those who are sent nothing, as far as known. `rows`: as the batch stores them. */
function leftLines(
  { rejected, unreached }: Pick<StoredUpload, "rejected" | "unreached">,
  rows: readonly Pick<ImportRow, "line" | "status">[],
) {
  const illegible = rows
    .filter(({ status }) => status === "UNREADABLE")
    .map(({ line }): [string, number] => [UNREADABLE, line]);
  const refused = rejected.map(({ line, reason }): [string, number] => [reason, line]);
  return {
    by_reason: firstLines([...illegible, ...refused]),
    by_operator: firstLines(unreached.map(({ line, operator }) => [operator, line])),
  };
}

function firstLines(rows: readonly (readonly [string, number])[]): Readonly<Record<string, number[]>> {
  const kinds = Map.groupBy(
    rows.toSorted(([, a], [, b]) => a - b),
    ([kind]) => kind,
  );
  const first = [...kinds].map(([kind, all]) => [kind, all.slice(0, MAX_LINES).map(([, line]) => line)]);
  return Object.fromEntries(first);
}

function withOperatorNames<Of extends { readonly operator: string }>(
  { config }: PageContext["context"],
  rows: readonly Of[],
) {
  return rows.map((row) => ({ ...row, name: config.operators[row.operator]?.name ?? row.operator }));
}

const NOTHING_LEAVES: CompletionEstimate = { ends_at: null, down: [] };

async function send(asked: PageContext, account: Account, { key, ...body }: Static<typeof SEND>) {
  const file = requireOwnFile(asked, account.ulid, body.file);
  if (!file.ok) return file;
  const asOf = body.corrected?.as_of ?? asked.context.clock.nowMs();
  const name = `console ${key}`;
  // What is pressed for again may have been sent meanwhile.
  const pressed = sentBefore(asked.context.store.read, account.id, name);
  const corrected = correctionOf(file.value, body);
  const about = { corrected, sender: body.sender };
  const compared = await readEarlierBatches(asked, account.id, about, asOf, pressed);
  if (!compared.ok) return compared;
  if (compared.value?.isOutdated) return OUTDATED;
  const made = await submissionOf(asked, file.value, body, compared.value);
  if (!made.ok) return made;
  const { submission, lines, bad, earlier, rows } = made.value;
  const sent = await batchSend(asked.context, account.ulid, submission, name, {
    file: { ulid: file.value.id, lines, leftOut: bad + (earlier?.left.length ?? 0), rows },
    corrects: compared.value && {
      of: compared.value.of,
      compared: compared.value.batches.length,
    },
    sentBy: asked.user,
  });
  if (!sent.ok) return hideRefusalMoney(canSeeBalance(asked), sent.refusal);
  return done({ batch_id: sent.value.batch_id, is_replayed: sent.value.is_replayed });
}

/** Pauses that texts sent now would wait for: shown before anything is written. */
function pausesPage({ context }: PageContext, { id }: Account) {
  return done({ pauses: listPublicPauses(context, id) });
}

export const SEND_ROUTES = {
  "GET /send/:account/pauses": routeOn(ACCOUNT_SUBJECT, "batches.quote", pausesPage),
  "POST /send/:account/files": routeOn(ACCOUNT_SUBJECT, "batches.quote", bringFile, {
    body: t.Unsafe<Uint8Array<ArrayBuffer>>({}),
    takesFile: { tooLarge: TOO_LARGE },
  }),
  "GET /send/:account/files/:file": routeOn(FILE_SUBJECT, "batches.quote", previewAgain, { query: LOOK }),
  "GET /send/:account/files/:file/left-out.csv": routeOn(FILE_SUBJECT, "batches.quote", renderLeftOutFile, {
    query: LOOK,
  }),
  "DELETE /send/:account/files/:file": routeOn(FILE_SUBJECT, "batches.quote", forgetFile),
  "POST /send/:account/quote": routeOn(ACCOUNT_SUBJECT, "batches.quote", quote, { body: QUOTE }),
  "POST /send/:account": routeOn(ACCOUNT_SUBJECT, "batches.send", send, { body: SEND }),
};

// Warnings of a quote, as pages show them.

type Warning = QuoteData["warnings"][number];

/** In the reader's words. */
export function renderWarnings({ translate }: PageContext, warnings: readonly Warning[]) {
  return warnings.map((one) => ({ ...one, detail: translate(one.detail) }));
}
