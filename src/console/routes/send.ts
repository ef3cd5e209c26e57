/** The page "Send": a file of recipients is brought and looked at, what a text to them would cost, and sending it. */
import { type Static, Type as t } from "@sinclair/typebox";
import { MESSAGE_CLASSES } from "../../accounts/classes.ts";
import { isRegistered } from "../../accounts/senders.ts";
import { MISSING_ATTRIBUTES, TEXT_POLICIES } from "../../base/text-rules.ts";
import { DOUBLE, DOUBLE_OF_REFUSED, reasonsTold } from "../../messages/doubles.ts";
import { batchSend, OUTDATED, personsQuote, sentBefore } from "../../operations/batch-send.ts";
import { findAccount } from "../../operations/find-account.ts";
import { type AdminOutcome, done, refuse } from "../../operations/refusal.ts";
import type { PersonsQuote } from "../../operations/submissions.ts";
import type { FileLook } from "../../recipients/look.ts";
import type { UnfollowedFormat } from "../../recipients/recipients.ts";
import type { Repeat } from "../../recipients/repeats.ts";
import { walletOf } from "../../wallet/wallet.ts";
import type { KeptFile } from "../send/file-shelf.ts";
import type { Gap, MadeSubmission, SubmissionHead } from "../send/file-work.ts";
import { type Leaving, leavingOf, opensAt } from "../send/leaving.ts";
import type { MixedDates } from "../send/mixed-dates.ts";
import { type Asked, oneAccount, seesBalance } from "./asked.ts";
import { correctedLines } from "./corrected-lines.ts";
import { type Affordable, quoteFor, refusedFor } from "./money.ts";
import { numberRules, ownFile } from "./own-file.ts";
import { route } from "./route.ts";
import {
  CORRECTED,
  type Earlier,
  type EarlierView,
  earlierOf,
  earlierView,
  NOTHING_TO_SEND,
  numbersIn,
} from "./send-corrected.ts";
import { leftOut } from "./send-left-out.ts";
import { pausesPage } from "./send-pauses.ts";
import { type LeftLines, leftLines, withDoubles, withFirst, withLeft } from "./send-reasons.ts";
import { ACCOUNT, ACCOUNT_PATH, ID, nullable } from "./shapes.ts";

const FILE_PATH = t.Object({ account: ACCOUNT, file: ID });
const COLUMN = t.Integer({ minimum: 0, maximum: 1000 });
const LOOK = t.Object({ column: t.Optional(COLUMN) });
const CLASS = t.Union(MESSAGE_CLASSES.map((name) => t.Literal(name)));

const WANTED = {
  file: ID,
  /** The place of the column of numbers; null: it is found by its name. */
  column: nullable(COLUMN),
  sender: t.String({ minLength: 1, maxLength: 32 }),
  message_class: CLASS,
  body: t.String({ minLength: 1, maxLength: 8000 }),
  /** As the account has it where they are absent. */
  text_policy: t.Optional(t.Union(TEXT_POLICIES.map((name) => t.Literal(name)))),
  missing_attributes: t.Optional(t.Union(MISSING_ATTRIBUTES.map((name) => t.Literal(name)))),
  client_reference: t.Optional(t.String({ minLength: 1, maxLength: 64 })),
  /** Local to the account where it has no offset. */
  scheduled_at: t.Optional(t.String({ minLength: 1, maxLength: 64 })),
  corrected: t.Optional(CORRECTED),
};
const QUOTE = t.Object(WANTED);
/** Made up when the form was opened: said again, nothing is sent twice. */
export const KEY = t.String({ pattern: "^[A-Za-z0-9-]{16,64}$" });
const SEND = t.Object({ ...WANTED, key: KEY });

/** A file that is kept for a while, and what stands in it. */
export type FileView = FileLook & { readonly file_id: string };

/** What a batch would come to, and when it is out. */
export type QuoteView = Omit<PersonsQuote, "by_operator"> &
  Affordable &
  Omit<Leaving, "down"> & {
    /** What each operator's price makes of its segments; operators as pages name them. */
    readonly by_operator: readonly (PersonsQuote["by_operator"][number] & {
      readonly name: string;
      /** Whether it lets the sender through; else its texts fail, and cost nothing. */
      readonly is_registered: boolean;
    })[];
    readonly down: readonly (Leaving["down"][number] & { readonly name: string })[];
    /** Rows of the file that are no recipients, and those of them that an earlier file tells as repeats. */
    readonly bad: number;
    readonly sent_already: number;
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
    /** Who was served before, and who failed; null where it corrects no batch. What is left out because of it counts as rejected. */
    readonly earlier: EarlierView | null;
  };

const TOO_LARGE =
  "a file of recipients has at most 16 MB: split it, or leave out columns that are not needed";
async function bringFile(
  asked: Asked,
  wanted: string,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<AdminOutcome<FileView>> {
  const account = oneAccount(asked, wanted);
  if (!account.ok) return account;
  if (bytes.byteLength === 0) return refuse("INVALID_FILE", "the file is empty");
  const { files, user, context } = asked;
  const file = files.keep(user, context.newId(), bytes);
  const look = await lookAt(asked, file, null);
  if (!look.ok) files.drop(user, file.id);
  return look;
}

async function lookAt(asked: Asked, file: KeptFile, column: number | null): Promise<AdminOutcome<FileView>> {
  const { files, context, inTheirWords } = asked;
  const { config, machine } = context;
  const numbers = numberRules(config);
  const read = await files.read(asked, machine.startThread, {
    kind: "look",
    bytes: file.bytes,
    column,
    numbers,
  });
  if (!read.ok) return read;
  const bad_rows = read.value.bad_rows.map(({ line, cause }) => ({ line, cause: inTheirWords(cause) }));
  return done({ ...read.value, bad_rows, file_id: file.id });
}

async function lookAgain(asked: Asked, account: string, id: string, column: number | null) {
  const file = ownFile(asked, account, id);
  return file.ok ? lookAt(asked, file.value, column) : file;
}

function forgetFile(asked: Asked, account: string, id: string) {
  const file = ownFile(asked, account, id);
  if (!file.ok) return file;
  asked.files.drop(asked.user, id);
  return done({});
}

type Wanted = Static<typeof QUOTE>;

async function submissionOf(
  asked: Asked,
  file: KeptFile,
  { column, corrected: _, ...wanted }: Wanted,
  compared: Earlier | null,
): Promise<AdminOutcome<MadeSubmission>> {
  const { file: __, ...fields } = wanted;
  const head: SubmissionHead = fields;
  const { files, context } = asked;
  const { config, machine } = context;
  const earlier = compared && numbersIn(compared);
  const about = { bytes: file.bytes, column, numbers: numberRules(config), earlier };
  const refused = file.rejected.filter(({ reason }) => reason !== DOUBLE && reason !== DOUBLE_OF_REFUSED);
  const rejected = new Set(refused.map(({ line }) => line));
  return files.read(asked, machine.startThread, { kind: "submission", ...about, rejected, head });
}

async function quote(asked: Asked, wanted: string, body: Wanted): Promise<AdminOutcome<QuoteView>> {
  const file = ownFile(asked, wanted, body.file);
  if (!file.ok) return file;
  const account = findAccount(asked.context.store.read, wanted);
  if (!account.ok) return account;
  const asOf = asked.context.clock.nowMs();
  const compared = await earlierOf(asked, account.value.id, body, asOf);
  if (!compared.ok) return compared;
  const made = await submissionOf(asked, file.value, body, compared.value);
  if (!made.ok) return made;
  const quoted =
    made.value.lines.length === 0
      ? done(NOTHING_TO_SEND)
      : await personsQuote(asked.context, account.value.ulid, made.value.json);
  if (!quoted.ok) return quoted;
  const { rejections, starts_at, by_operator, doubles_of_refused } = quoted.value;
  const { lines, bad, sentAlready: sent_already, gaps, dates, formats, repeats, earlier } = made.value;
  const toldOf = reasonsTold();
  const rejected = rejections.map((rejection) => ({
    ...{ line: lines[rejection.index] ?? 0, reason: toldOf(rejection) },
  }));
  file.value.rejected = [...rejected, ...(earlier?.left ?? [])];
  file.value.unreached = quoted.value.unreached.map(({ index, operator }) => ({
    ...{ line: lines[index] ?? 0, operator },
  }));
  const { context } = asked;
  const leaving =
    starts_at === null
      ? NOTHING_LEAVES
      : await leavingOf(context, account.value, body.message_class, Date.parse(starts_at), by_operator);
  const forThem = quoteFor(seesBalance(asked), quoted.value, walletOf(context.store.read, account.value.id));
  const { refusal, warnings, rejections_by_reason: reasons } = forThem;
  const { inTheirWords } = asked;
  const isQuiet = (reasons.QUIET_HOURS ?? 0) > 0;
  const told = withDoubles(reasons, doubles_of_refused);
  return done({
    ...{ ...forThem, ...leaving, bad, sent_already, gaps, dates, formats },
    earlier: earlier && compared.value && (await earlierView(asked, compared.value, earlier, asOf)),
    rejected: quoted.value.rejected + (earlier?.left.length ?? 0),
    by_operator: named(context, by_operator).map((row) => ({
      ...row,
      is_registered: isRegistered(context.store.read, account.value.id, body.sender, row.operator),
    })),
    down: named(context, leaving.down),
    repeats: withFirst(repeats, file.value.rejected),
    left_lines: leftLines(file.value, made.value.unreadable),
    rejections_by_reason: earlier ? withLeft(told, earlier) : told,
    opens_at: isQuiet ? opensAt(context, account.value, body.scheduled_at) : null,
    refusal: refusal && { ...refusal, detail: inTheirWords(refusal.detail) },
    warnings: warnings.map((one) => ({ ...one, detail: inTheirWords(one.detail) })),
  });
}

function named<Of extends { readonly operator: string }>({ config }: Asked["context"], rows: readonly Of[]) {
  return rows.map((row) => ({ ...row, name: config.operators[row.operator]?.name ?? row.operator }));
}

const NOTHING_LEAVES: Leaving = { ends_at: null, down: [] };

async function send(asked: Asked, wanted: string, { key, ...body }: Static<typeof SEND>) {
  const file = ownFile(asked, wanted, body.file);
  if (!file.ok) return file;
  const account = findAccount(asked.context.store.read, wanted);
  if (!account.ok) return account;
  const asOf = body.corrected?.as_of ?? asked.context.clock.nowMs();
  const name = `console ${key}`;
  // What is pressed for again may have been sent itself since.
  const pressed = sentBefore(asked.context.store.read, account.value.id, name);
  const compared = await earlierOf(asked, account.value.id, body, asOf, pressed);
  if (!compared.ok) return compared;
  if (compared.value?.isOutdated) return OUTDATED;
  const made = await submissionOf(asked, file.value, body, compared.value);
  if (!made.ok) return made;
  const { json, lines, bad, earlier, unreadable, repeated, rejected, origins } = made.value;
  const rows = [...unreadable, ...repeated, ...rejected];
  const sent = await batchSend(asked.context, wanted, json, name, {
    unreadable: { count: bad + (earlier?.left.length ?? 0), rows },
    lines,
    corrects: compared.value && {
      ...{ of: compared.value.of, compared: compared.value.batches.length },
      lines: await correctedLines(asked, compared.value.batches, origins),
    },
  });
  if (!sent.ok) return refusedFor(seesBalance(asked), sent.refusal);
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
      body: t.Uint8Array(),
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
    (asked, { params, query }) => leftOut(asked, params.account, params.file, query.column ?? null),
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
