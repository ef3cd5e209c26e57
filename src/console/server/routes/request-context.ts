/** The context of a page's request, and whose data its caller may ask about. */
import { type Static, type TSchema, Type as t } from "typebox";
import { findAccount } from "../../../admin/operations/account-names.ts";
import { findAnyBatch } from "../../../admin/operations/batches.ts";
import type { AdminContext } from "../../../admin/operations/context.ts";
import { type AdminOutcome, done, refuse } from "../../../admin/operations/refusal.ts";
import { findSmppUser } from "../../../admin/operations/smpp-users.ts";
import { findWebhook } from "../../../admin/operations/webhooks.ts";
import { hasLeft } from "../../../admin/reports/inbound.ts";
import { type Account, accountByUlid, accountUlid } from "../../../domain/accounts/accounts.ts";
import { keyByKeyId } from "../../../domain/accounts/api-keys.ts";
import type { Permission, UserLanguage } from "../../../domain/accounts/roles.ts";
import { hasSignedIn, userByLogin } from "../../../domain/accounts/users.ts";
import { inboundText } from "../../../domain/inbound/inbound-texts.ts";
import { isBatchSender } from "../../../domain/messages/batch-senders.ts";
import type { BatchRecord } from "../../../domain/messages/batches.ts";
import { tracedMessage } from "../../../domain/messages/trace.ts";
import type { Phrase, Told } from "../../../i18n/phrase.ts";
import { worded } from "../../../i18n/text.ts";
import type { FileChoice, FileSource } from "../send/file-jobs.ts";
import type { StoredUpload, Uploads } from "../send/uploads.ts";
import { ACCOUNT_PATH, ID, type REASON_TO_READ } from "./schemas.ts";

/** The caller, as far as data goes. */
export type PageContext = {
  /** Its actor is the user. */
  readonly context: AdminContext;
  /** The id of the account that a user is confined to; null: staff. */
  readonly account: string | null;
  /** Whether amounts may be shown. */
  readonly seesMoney: boolean;
  /** The user who asks. */
  readonly user: number;
  /** Where files that a user uploads are kept and read. */
  readonly files: Uploads;
  /** Whether they may do another operation too: one page may show what belongs to another. */
  readonly may: (operation: Permission) => boolean;
  /** The language of their downloads. */
  readonly language: UserLanguage;
  /** Words a phrase in the caller's language and zone. */
  readonly translate: (phrase: Phrase) => string;
};

/** Words an answer for the caller: puts a text in the place of each phrase in it. */
export function told<View>({ translate }: Pick<PageContext, "translate">, outcome: AdminOutcome<View>) {
  return outcome.ok ? done(worded(outcome.value, translate) as Told<View>) : outcome;
}

/**
 * Resolves the account asked about; null for all of them. A confined user asks about their own, named or not; any other is as
 * unknown to them as one that does not exist.
 */
export function resolveAccountFilter(
  { account }: PageContext,
  wanted: string | undefined,
): AdminOutcome<string | null> {
  if (account === null) return done(wanted ?? null);
  return wanted === undefined || wanted === account ? done(account) : unknown(wanted);
}

/** The same where exactly one account is meant. */
function resolveAccount(asked: PageContext, wanted: string): AdminOutcome<string> {
  const account = resolveAccountFilter(asked, wanted);
  return account.ok ? done(account.value ?? wanted) : account;
}

/** What a path names, and how the caller's own is found: another's is refused as if there were none. */
export type PathSubject<Params extends TSchema, Subject> = {
  readonly params: Params;
  readonly find: (asked: PageContext, path: Static<Params>) => AdminOutcome<Subject>;
};

/** The account that a path names. */
export const ACCOUNT_SUBJECT: PathSubject<typeof ACCOUNT_PATH, Account> = {
  params: ACCOUNT_PATH,
  find: (asked, { account: wanted }) => {
    const account = resolveAccount(asked, wanted);
    return account.ok ? findAccount(asked.context.store.read, account.value) : account;
  },
};

function unknown(wanted: string) {
  return refuse("ACCOUNT_NOT_FOUND", { account: wanted });
}

/** Whether the caller sees a wallet's balance: staff who see amounts, and account users who manage its money. */
export function canSeeBalance({ account, seesMoney, may }: PageContext): boolean {
  return account === null ? seesMoney : may("money.read");
}

/** Whether the caller reads texts freely: those of their own account. Staff give a reason each time. */
export function canReadTexts({ account, may }: PageContext): boolean {
  return account !== null && may("messages.text");
}

/** Whether the caller reads the texts of a batch freely: as `canReadTexts`, and those that they sent themselves. */
export function canReadBatchTexts(asked: PageContext, batchId: number): boolean {
  return (
    canReadTexts(asked) ||
    (asked.may("messages.text") && isBatchSender(asked.context.store.read, batchId, asked.user))
  );
}

/** Resolves the reason for reading a text: null where none is needed; whatever shows the text refuses a blank one. */
export function resolveReadReason(isFree: boolean, { reason }: Static<typeof REASON_TO_READ>): string | null {
  return isFree ? null : (reason ?? "");
}

/** The zone that an account's users read times in. */
export function readTimeZone({ context }: PageContext, account: string): string {
  const found = accountByUlid(context.store.read, account.toUpperCase());
  return found?.timezone ?? context.config.defaults.timezone;
}

/** Refuses a batch of another account as if there were none. */
export function requireOwnBatch(asked: PageContext, id: string): AdminOutcome<BatchRecord> {
  const { read } = asked.context.store;
  const batch = findAnyBatch(read, id);
  if (!batch.ok) return batch;
  return isOwn(asked, batch.value.accountId) ? batch : refuse("BATCH_NOT_FOUND", { id });
}

const BATCH_PATH = t.Object({ batch: ID });

/** The batch that a path names. */
export const BATCH_SUBJECT: PathSubject<typeof BATCH_PATH, BatchRecord> = {
  params: BATCH_PATH,
  find: (asked, { batch }) => requireOwnBatch(asked, batch),
};

/** Refuses a message of another account as if there were none. */
export function requireOwnMessage(asked: PageContext, id: string): AdminOutcome<null> {
  const message = tracedMessage(asked.context.store.read, id.toUpperCase());
  return message && isOwn(asked, message.accountId) ? done(null) : refuse("MESSAGE_NOT_FOUND", { id });
}

/** Refuses an inbound text that left another account as if there were none. */
export function requireOwnInbound({ context, account }: PageContext, id: string): AdminOutcome<null> {
  const text = inboundText(context.store.read, Number(id));
  return text && (account === null || hasLeft(text, account))
    ? done(null)
    : refuse("MESSAGE_NOT_FOUND.inbound", { id });
}

/** Refuses an endpoint of another account as if there were none. */
export function requireOwnWebhook(asked: PageContext, id: string): AdminOutcome<null> {
  const webhook = findWebhook(asked.context.store.read, id);
  if (!webhook.ok) return webhook;
  return isOwn(asked, webhook.value.accountId) ? done(null) : refuse("WEBHOOK_NOT_FOUND", { id });
}

/** Refuses a key of another account as if there were none. */
export function requireOwnKey(asked: PageContext, id: string): AdminOutcome<null> {
  const key = keyByKeyId(asked.context.store.read, id.toUpperCase());
  return key && isOwn(asked, key.accountId) ? done(null) : refuse("KEY_NOT_FOUND", { id });
}

/** Refuses an SMPP user of another account as if there were none. */
export function requireOwnSmppUser(asked: PageContext, systemId: string): AdminOutcome<null> {
  const user = findSmppUser(asked.context.store.read, systemId);
  if (!user.ok) return user;
  return isOwn(asked, user.value.accountId)
    ? done(null)
    : refuse("USER_NOT_FOUND.system_id", { system_id: systemId });
}

/** Refuses a user of another account, or of staff, as if there were none. */
export function requireOwnUser(asked: PageContext, login: string): AdminOutcome<null> {
  const user = userByLogin(asked.context.store.read, login);
  // Account users learn nothing of a user who never signed in: it would reveal whether a login was free.
  const isTheirs =
    asked.account === null || (user?.accountId != null && isOwn(asked, user.accountId) && hasSignedIn(user));
  return user && isTheirs ? done(null) : refuse("USER_NOT_FOUND", { login });
}

function isOwn({ account, context }: PageContext, accountId: number): boolean {
  if (account === null) return true;
  return accountUlid(context.store.read, accountId) === account;
}

// Stored uploads of recipients, for the user who brought them.

const GONE = refuse("FILE_NOT_FOUND");

/** A file of this user, for an account that it may send for. */
export function requireOwnFile(asked: PageContext, wanted: string, id: string): AdminOutcome<StoredUpload> {
  const account = resolveAccount(asked, wanted);
  if (!account.ok) return account;
  const file = asked.files.store.get(asked.user, id);
  return file === null ? GONE : done(file);
}

const FILE_PATH = t.Object({ ...ACCOUNT_PATH.properties, file: ID });

/** The stored file that a path names. */
export const FILE_SUBJECT: PathSubject<typeof FILE_PATH, StoredUpload> = {
  params: FILE_PATH,
  find: (asked, { account, file }) => requireOwnFile(asked, account, file),
};

/** What a file thread needs to recognize numbers. */
export function toNumberRules({ defaults, operators }: PageContext["context"]["config"]) {
  const prefixes = Object.entries(operators).map(([code, { prefixes: own }]) => [code, { prefixes: own }]);
  return { defaults: { region: defaults.region }, operators: Object.fromEntries(prefixes) };
}

/** A file in the form that the file thread takes. */
export function toFileSource({ bytes, isParsed }: StoredUpload): FileSource {
  return { bytes, isParsed };
}

type ChosenInFile = {
  readonly column: number | null;
  readonly sheet?: number | null | undefined;
  readonly heading_row?: number | null | undefined;
};

/** What a page said of a file; unless it said a sheet, the first that has recipients. */
export function toFileChoice(
  { sheets }: StoredUpload,
  { column, sheet = null, heading_row: headingRow = null }: ChosenInFile,
): FileChoice {
  return { column, sheet: sheet ?? sheets.chosen, headingRow };
}
