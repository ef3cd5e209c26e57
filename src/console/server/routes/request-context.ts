/** What a page is asked with, and whose things somebody may ask about. */
import type { Static } from "typebox";
import { findAnyBatch } from "../../../admin/operations/batches.ts";
import type { AdminContext } from "../../../admin/operations/context.ts";
import { type AdminOutcome, done, refuse } from "../../../admin/operations/refusal.ts";
import { findWebhook } from "../../../admin/operations/webhooks.ts";
import { hasLeft } from "../../../admin/reports/inbound.ts";
import { accountByUlid, accountUlid } from "../../../domain/accounts/accounts.ts";
import { keyByKeyId } from "../../../domain/accounts/api-keys.ts";
import type { Permission, UserLanguage } from "../../../domain/accounts/roles.ts";
import { hasSignedIn, userByLogin } from "../../../domain/accounts/users.ts";
import { inboundText } from "../../../domain/inbound/inbound-texts.ts";
import type { BatchRecord } from "../../../domain/messages/batches.ts";
import { tracedMessage } from "../../../domain/messages/trace.ts";
import type { Phrase, Told } from "../../../i18n/phrase.ts";
import { worded } from "../../../i18n/text.ts";
import type { FileSource } from "../send/file-jobs.ts";
import type { StoredUpload } from "../send/upload-store.ts";
import type { Uploads } from "../send/uploads.ts";
import type { REASON_TO_READ } from "./schemas.ts";

/** Who asks, as far as data goes. */
export type PageContext = {
  /** Its actor is the user. */
  readonly context: AdminContext;
  /** The id of the account that a user is confined to; null: staff. */
  readonly account: string | null;
  /** Whether amounts may be shown. */
  readonly seesMoney: boolean;
  /** The user who asks. */
  readonly user: number;
  /** Where files are kept and read that a user brings. */
  readonly files: Uploads;
  /** Whether they may do something else too: one page may show what belongs to another. */
  readonly may: (operation: Permission) => boolean;
  /** What their files are written in. */
  readonly language: UserLanguage;
  /** A phrase in the language and by the clocks of whoever asks. */
  readonly translate: (phrase: Phrase) => string;
};

/** An answer in the words of whoever asks: with a text in the place of each phrase in it. */
export function told<View>({ translate }: Pick<PageContext, "translate">, outcome: AdminOutcome<View>) {
  return outcome.ok ? done(worded(outcome.value, translate) as Told<View>) : outcome;
}

/**
 * The account that is asked about, or null for all of them. A confined user asks about their own, named or not; any other is as
 * unknown to them as one that does not exist.
 */
export function resolveAccountFilter(
  { account }: PageContext,
  wanted: string | undefined,
): AdminOutcome<string | null> {
  if (account === null) return done(wanted ?? null);
  return wanted === undefined || wanted === account ? done(account) : unknown(wanted);
}

/** The same where one account must be meant. */
export function resolveAccount(asked: PageContext, wanted: string): AdminOutcome<string> {
  const account = resolveAccountFilter(asked, wanted);
  return account.ok ? done(account.value ?? wanted) : account;
}

function unknown(wanted: string) {
  return refuse("ACCOUNT_NOT_FOUND", { account: wanted });
}

/** Whether somebody sees what a wallet holds: staff who see amounts do, of an account's people those who look after its money. */
export function canSeeBalance({ account, seesMoney, may }: PageContext): boolean {
  return account === null ? seesMoney : may("money.read");
}

/** Whether somebody reads texts as they like: their own account's. Staff say why each time. */
export function canReadTexts({ account, may }: PageContext): boolean {
  return account !== null && may("messages.text");
}

/** Why somebody reads a text: null where they need not say it; a blank one is refused by whatever shows the text. */
export function resolveReadReason(
  asked: PageContext,
  { reason }: Static<typeof REASON_TO_READ>,
): string | null {
  return canReadTexts(asked) ? null : (reason ?? "");
}

/** The zone that an account's people read times in. */
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

/** Refuses a user of another account, or of staff, as if there were none. */
export function requireOwnUser(asked: PageContext, login: string): AdminOutcome<null> {
  const user = userByLogin(asked.context.store.read, login);
  // Of somebody who never came in an account's people know nothing: whether a login was free would show by it.
  const isTheirs =
    asked.account === null || (user?.accountId != null && isOwn(asked, user.accountId) && hasSignedIn(user));
  return user && isTheirs ? done(null) : refuse("USER_NOT_FOUND", { login });
}

function isOwn({ account, context }: PageContext, accountId: number): boolean {
  if (account === null) return true;
  return accountUlid(context.store.read, accountId) === account;
}

// Files of recipients that are on the shelf, for whoever brought them.

const GONE = refuse("FILE_NOT_FOUND");

/** A file of this user, for an account that it may send for. */
export function requireOwnFile(asked: PageContext, wanted: string, id: string): AdminOutcome<StoredUpload> {
  const account = resolveAccount(asked, wanted);
  if (!account.ok) return account;
  const file = asked.files.get(asked.user, id);
  return file === null ? GONE : done(file);
}

/** What a thread needs to tell numbers from others. */
export function toNumberRules({ defaults, operators }: PageContext["context"]["config"]) {
  const prefixes = Object.entries(operators).map(([code, { prefixes: own }]) => [code, { prefixes: own }]);
  return { defaults: { region: defaults.region }, operators: Object.fromEntries(prefixes) };
}

/** A file as the thread that works on it takes it. */
export function toFileSource({ bytes, isParsed }: StoredUpload): FileSource {
  return { bytes, isParsed };
}
