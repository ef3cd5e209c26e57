/** The page "Send": a file of recipients is brought and looked at, what a text to them would cost, and sending it. */
import { type Static, Type as t } from "typebox";
import { batchSend, OUTDATED, toDetailedQuote, sentBefore } from "../../../admin/operations/batch-send.ts";
import { findAccount } from "../../../admin/operations/find-account.ts";
import { type AdminOutcome, done, refuse } from "../../../admin/operations/refusal.ts";
import type { DetailedQuote } from "../../../admin/operations/submissions.ts";
import { UNREADABLE } from "../../../admin/reports/left-out.ts";
import { causePhrase, type ImportRow } from "../../../core/import-row.ts";
import { MISSING_ATTRIBUTES, TEXT_POLICIES } from "../../../core/text-rules.ts";
import { accountUlid } from "../../../domain/accounts/accounts.ts";
import { MESSAGE_CLASSES } from "../../../domain/accounts/classes.ts";
import { isRegistered } from "../../../domain/accounts/senders.ts";
import type { FilePreview } from "../../../domain/imports/look.ts";
import type { UnfollowedFormat } from "../../../domain/imports/recipients.ts";
import type { Repeat } from "../../../domain/imports/repeats.ts";
import { readWallet } from "../../../domain/ledger/wallet.ts";
import { DUPLICATE_ROW, DUPLICATE_OF_REJECTED, createReasonReader } from "../../../domain/messages/doubles.ts";
import { batchOfImport } from "../../../domain/messages/import-rows.ts";
import { phrase } from "../../../i18n/phrase.ts";
import { type PublicPause, listPublicPauses } from "../pauses.ts";
import { type EarlierRows, FAILED_BEFORE, SERVED_BEFORE } from "../send/earlier-rows.ts";
import type { StoredUpload } from "../send/file-shelf.ts";
import type { Gap, FileSubmission, SubmissionHead } from "../send/file-work.ts";
import { type CompletionEstimate, estimateCompletion, findOpening } from "../send/leaving.ts";
import type { MixedDates } from "../send/mixed-dates.ts";
import { type PageContext, resolveAccount, requireOwnBatch, canSeeBalance } from "./asked.ts";
import { type Affordable, hideQuoteMoney, hideRefusalMoney, type ShownRefusal } from "./money.ts";
import { renderLeftOutFile } from "./not-sent.ts";
import { toFileSource, toNumberRules, requireOwnFile } from "./own-file.ts";
import { route } from "./route.ts";
import {
  CORRECTED,
  type Corrected,
  type Earlier,
  type EarlierView,
  readEarlierBatches,
  toEarlierView,
  NOTHING_TO_SEND,
} from "./send-corrected.ts";
import { ACCOUNT, ACCOUNT_PATH, ID, nullable } from "./shapes.ts";
import { type ShownWarning, renderWarnings } from "./warnings.ts";

const FILE_PATH = t.Object({ account: ACCOUNT, file: ID });
const COLUMN = t.Integer({ minimum: 0, maximum: 1000 });
const LOOK = t.Object({ column: t.Optional(COLUMN) });
const CLASS = t.Enum(MESSAGE_CLASSES);

const WANTED = {
  file: ID,
  /** The place of the column of numbers; null: it is found by its name. */
  column: nullable(COLUMN),
  sender: t.String({ minLength: 1, maxLength: 32 }),
  message_class: CLASS,
  body: t.String({ minLength: 1, maxLength: 8000 }),
  /** As the account has it where they are absent. */
  text_policy: t.Optional(t.Enum(TEXT_POLICIES)),
  missing_attributes: t.Optional(t.Enum(MISSING_ATTRIBUTES)),
  client_reference: t.Optional(t.String({ minLength: 1, maxLength: 64 })),
  /** Local to the account where it has no offset. */
  scheduled_at: t.Optional(t.String({ minLength: 1, maxLength: 64 })),
  corrected: t.Optional(CORRECTED),
};
const QUOTE = t.Object(WANTED);
/** Made up when the form was opened: said again, nothing is sent twice. */
const KEY = t.String({ pattern: "^[A-Za-z0-9-]{16,64}$" });
const SEND = t.Object({ ...WANTED, key: KEY });

/** A file that is kept for a while, and what stands in it. */
type FileView = Omit<FilePreview, "bad_rows" | "of"> & {
  readonly file_id: string;
  /** The batch of the account whose rows that got nothing it has; null of any other file. */
  readonly of_batch: string | null;
  /** In the reader's words. */
  readonly bad_rows: readonly { readonly line: number; readonly cause: string }[];
};

/** What a batch would come to, and when it is out. */
type QuoteView = Omit<DetailedQuote, "by_operator" | "refusal" | "warnings"> &
  Affordable &
  ShownRefusal &
  Omit<CompletionEstimate, "down"> & {
    /** What each operator's price makes of its segments; operators as pages name them. */
    readonly by_operator: readonly (DetailedQuote["by_operator"][number] & {
      readonly name: string;
      /** Whether it lets the sender through; else its texts fail, and cost nothing. */
      readonly is_registered: boolean;
    })[];
    readonly down: readonly (CompletionEstimate["down"][number] & { readonly name: string })[];
    /** Rows of the file that are no recipients. */
    readonly bad: number;
    /** When it may be sent, as wall time of the account, where the hour is none for marketing; else null. */
    readonly opens_at: string | null;
    /** The first rows whose number stands in an earlier one, and whether that one is sent. */
    readonly repeats: readonly (Repeat & { readonly is_first_sent: boolean })[];
    /** By reason, the first lines that are sent nothing; of the last, by operator, those whose texts fail there. */
    readonly left_lines: LeftLines;
    /** Tags that have no value in some rows. */
    readonly gaps: readonly Gap[];
    readonly dates: readonly MixedDates[];
    /** Numbers of a workbook that are not sent as it shows them, by tag. */
    readonly formats: readonly UnfollowedFormat[];
    readonly warnings: readonly ShownWarning[];
    /** Who was served before, and who failed; null where it corrects no batch. What is left out because of it counts as rejected. */
    readonly earlier: EarlierView | null;
  };

const TOO_LARGE = phrase("refusal.INVALID_FILE.large");

async function bringFile(
  asked: PageContext,
  wanted: string,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<AdminOutcome<FileView>> {
  const account = resolveAccount(asked, wanted);
  if (!account.ok) return account;
  if (bytes.byteLength === 0) return refuse("INVALID_FILE.empty");
  const { files, user, context } = asked;
  const brought = await files.read(asked, context.machine.startThread, {
    kind: "bring",
    file: { bytes, isParsed: false },
    column: null,
    numbers: toNumberRules(context.config),
  });
  if (!brought.ok) return brought;
  const { look, rows } = brought.value;
  const file = files.keep(user, context.newId(), rows ?? bytes, rows !== null);
  return done(lookView(asked, account.value, file, look));
}

/** A look in the reader's words; whose rows the file has is kept with it. */
function lookView(
  asked: PageContext,
  account: string,
  file: StoredUpload,
  { of, bad_rows, ...look }: FilePreview,
): FileView {
  file.ofBatch = of === null ? null : batchOfRows(asked, of, account);
  return {
    ...look,
    bad_rows: bad_rows.map(({ line, cause }) => {
      const told = causePhrase(cause);
      return { line, cause: told === null ? cause.code : asked.translate(told) };
    }),
    file_id: file.id,
    of_batch: file.ofBatch,
  };
}

/** The batch of an account whose rows have an id, which is its own or that of the file it was sent out of. */
function batchOfRows(asked: PageContext, id: string, account: string): string | null {
  const { read } = asked.context.store;
  const batch = requireOwnBatch(asked, batchOfImport(read, id) ?? id);
  return batch.ok && accountUlid(read, batch.value.accountId) === account ? batch.value.ulid : null;
}

async function lookAgain(
  asked: PageContext,
  account: string,
  id: string,
  column: number | null,
): Promise<AdminOutcome<FileView>> {
  const file = requireOwnFile(asked, account, id);
  if (!file.ok) return file;
  const { files, context } = asked;
  const look = await files.read(asked, context.machine.startThread, {
    kind: "look",
    file: toFileSource(file.value),
    column,
    numbers: toNumberRules(context.config),
  });
  return look.ok ? done(lookView(asked, account, file.value, look.value)) : look;
}

function forgetFile(asked: PageContext, account: string, id: string) {
  const file = requireOwnFile(asked, account, id);
  if (!file.ok) return file;
  asked.files.drop(asked.user, id);
  return done({});
}

type Wanted = Static<typeof QUOTE>;

/** Rows that repeat a number, or had their turn, are kept as that. */
const NOT_KEPT_AS_REJECTED: ReadonlySet<string> = new Set([
  DUPLICATE_ROW,
  DUPLICATE_OF_REJECTED,
  SERVED_BEFORE,
  FAILED_BEFORE,
]);

/** A file of rows that got nothing is compared with the batch whose rows they are, whatever is said of it, or nothing. */
function correctionOf(file: StoredUpload, { corrected }: Wanted): Corrected | undefined {
  const of = file.ofBatch ?? corrected?.of;
  return of === undefined ? undefined : { sends_served: false, sends_failed: true, ...corrected, of };
}

async function submissionOf(
  asked: PageContext,
  file: StoredUpload,
  { column, corrected: _, ...wanted }: Wanted,
  compared: Earlier | null,
): Promise<AdminOutcome<FileSubmission>> {
  const { file: __, ...fields } = wanted;
  const head: SubmissionHead = fields;
  const { files, context } = asked;
  const { config, machine } = context;
  const refused = file.rejected.filter(({ reason }) => !NOT_KEPT_AS_REJECTED.has(reason));
  return files.read(asked, machine.startThread, {
    kind: "submission",
    file: toFileSource(file),
    column,
    numbers: toNumberRules(config),
    earlier: compared?.compared ?? null,
    rejected: new Map(refused.map(({ line, reason }) => [line, reason])),
    head,
  });
}

async function quote(asked: PageContext, wanted: string, body: Wanted): Promise<AdminOutcome<QuoteView>> {
  const file = requireOwnFile(asked, wanted, body.file);
  if (!file.ok) return file;
  const account = findAccount(asked.context.store.read, wanted);
  if (!account.ok) return account;
  const asOf = asked.context.clock.nowMs();
  const corrected = correctionOf(file.value, body);
  const compared = await readEarlierBatches(asked, account.value.id, { corrected, sender: body.sender }, asOf);
  if (!compared.ok) return compared;
  const made = await submissionOf(asked, file.value, body, compared.value);
  if (!made.ok) return made;
  const quoted =
    made.value.lines.length === 0
      ? done(NOTHING_TO_SEND)
      : await toDetailedQuote(asked.context, account.value.ulid, made.value.submission);
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
      : await estimateCompletion(context, account.value, body.message_class, Date.parse(starts_at), by_operator);
  const forThem = hideQuoteMoney(canSeeBalance(asked), quoted.value, readWallet(context.store.read, account.value.id));
  const { refusal, warnings, rejections_by_reason: reasons } = forThem;
  const { translate } = asked;
  const isQuiet = (reasons.QUIET_HOURS ?? 0) > 0;
  const told = withDoubles(reasons, doubles_of_refused);
  return done({
    ...forThem,
    ...leaving,
    bad,
    gaps,
    dates,
    formats,
    earlier: earlier && compared.value && toEarlierView(asked, compared.value, earlier, asOf),
    rejected: quoted.value.rejected + (earlier?.left.length ?? 0),
    by_operator: named(context, by_operator).map((row) => ({
      ...row,
      is_registered: isRegistered(context.store.read, account.value.id, body.sender, row.operator),
    })),
    down: named(context, leaving.down),
    repeats: withFirst(repeats, file.value.rejected),
    left_lines: leftLines(file.value, rows),
    rejections_by_reason: earlier ? withLeft(told, earlier) : told,
    opens_at: isQuiet ? findOpening(context, account.value, body.scheduled_at) : null,
    refusal: refusal && { ...refusal, detail: translate(refusal.detail) },
    warnings: renderWarnings(asked, warnings),
  });
}

type Reasons = DetailedQuote["rejections_by_reason"];

/** Of those that are among the rejected who are told; the first with a number stands before all that repeat it. */
function withFirst(
  repeats: readonly Repeat[],
  rejected: StoredUpload["rejected"],
): readonly (Repeat & { readonly is_first_sent: boolean })[] {
  const reasons = new Map(rejected.map(({ line, reason }) => [line, reason]));
  return repeats
    .filter(({ line }) => reasons.has(line))
    .map((repeat) => ({ ...repeat, is_first_sent: reasons.get(repeat.line) === DUPLICATE_ROW }));
}

/** Reasons by how many, doubles apart whose number gets nothing either. */
function withDoubles(reasons: Reasons, ofRefused: number): Reasons {
  if (ofRefused === 0) return reasons;
  const { [DUPLICATE_ROW]: doubles = 0, ...others } = reasons;
  const ofSent = doubles - ofRefused;
  return { ...others, ...(ofSent > 0 ? { [DUPLICATE_ROW]: ofSent } : {}), [DUPLICATE_OF_REJECTED]: ofRefused };
}

/** Reasons by how many, with those of rows that are left out. */
function withLeft(reasons: Reasons, { left }: EarlierRows): Reasons {
  const counts = new Map<string, number>();
  for (const { reason } of left) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return { ...reasons, ...Object.fromEntries(counts) };
}

/** Lines of the file, the first of each kind. */
type LeftLines = {
  readonly by_reason: Readonly<Record<string, readonly number[]>>;
  readonly by_operator: Readonly<Record<string, readonly number[]>>;
};

/** As many as somebody looks up by hand. */
const MAX_LINES = 12;

/** On which lines stand those who are sent nothing, as far as they are told. `rows`: as the batch keeps them. */
function leftLines(
  { rejected, unreached }: Pick<StoredUpload, "rejected" | "unreached">,
  rows: readonly Pick<ImportRow, "line" | "status">[],
): LeftLines {
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

function named<Of extends { readonly operator: string }>({ config }: PageContext["context"], rows: readonly Of[]) {
  return rows.map((row) => ({ ...row, name: config.operators[row.operator]?.name ?? row.operator }));
}

const NOTHING_LEAVES: CompletionEstimate = { ends_at: null, down: [] };

async function send(asked: PageContext, wanted: string, { key, ...body }: Static<typeof SEND>) {
  const file = requireOwnFile(asked, wanted, body.file);
  if (!file.ok) return file;
  const account = findAccount(asked.context.store.read, wanted);
  if (!account.ok) return account;
  const asOf = body.corrected?.as_of ?? asked.context.clock.nowMs();
  const name = `console ${key}`;
  // What is pressed for again may have been sent itself since.
  const pressed = sentBefore(asked.context.store.read, account.value.id, name);
  const corrected = correctionOf(file.value, body);
  const about = { corrected, sender: body.sender };
  const compared = await readEarlierBatches(asked, account.value.id, about, asOf, pressed);
  if (!compared.ok) return compared;
  if (compared.value?.isOutdated) return OUTDATED;
  const made = await submissionOf(asked, file.value, body, compared.value);
  if (!made.ok) return made;
  const { submission, lines, bad, earlier, rows } = made.value;
  const sent = await batchSend(asked.context, wanted, submission, name, {
    file: { ulid: file.value.id, lines, leftOut: bad + (earlier?.left.length ?? 0), rows },
    corrects: compared.value && {
      of: compared.value.of,
      compared: compared.value.batches.length,
    },
  });
  if (!sent.ok) return hideRefusalMoney(canSeeBalance(asked), sent.refusal);
  return done({ batch_id: sent.value.batch_id, is_replayed: sent.value.is_replayed });
}

export const SEND_ROUTES = {
  "GET /send/:account/pauses": route(
    { operation: "batches.quote", params: ACCOUNT_PATH },
    (asked, { params }) => pausesPage(asked, params.account),
  ),
  "POST /send/:account/files": route(
    {
      operation: "batches.quote",
      params: ACCOUNT_PATH,
      body: t.Unsafe<Uint8Array>({}),
      takesFile: { tooLarge: TOO_LARGE },
    },
    (asked, { params, body }) => bringFile(asked, params.account, new Uint8Array(body)),
  ),
  "GET /send/:account/files/:file": route(
    { operation: "batches.quote", params: FILE_PATH, query: LOOK },
    (asked, { params, query }) => lookAgain(asked, params.account, params.file, query.column ?? null),
  ),
  "GET /send/:account/files/:file/left-out.csv": route(
    { operation: "batches.quote", params: FILE_PATH, query: LOOK },
    (asked, { params, query }) => renderLeftOutFile(asked, params.account, params.file, query.column ?? null),
  ),
  "DELETE /send/:account/files/:file": route(
    { operation: "batches.quote", params: FILE_PATH },
    (asked, { params }) => forgetFile(asked, params.account, params.file),
  ),
  "POST /send/:account/quote": route(
    { operation: "batches.quote", params: ACCOUNT_PATH, body: QUOTE },
    (asked, { params, body }) => quote(asked, params.account, body),
  ),
  "POST /send/:account": route(
    { operation: "batches.send", params: ACCOUNT_PATH, body: SEND },
    (asked, { params, body }) => send(asked, params.account, body),
  ),
};

// What the page "Send" tells of operators that are paused, before anything is written.

/** What texts would wait for that were sent now. */
function pausesPage(asked: PageContext, wanted: string): AdminOutcome<{ readonly pauses: readonly PublicPause[] }> {
  const own = resolveAccount(asked, wanted);
  if (!own.ok) return own;
  const account = findAccount(asked.context.store.read, wanted);
  return account.ok ? done({ pauses: listPublicPauses(asked.context, account.value.id) }) : account;
}
