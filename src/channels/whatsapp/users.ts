/**
 * Finds the numbers of the user that Meta names (docs/behaviour.md#consent-of-whatsapp). A user may show no number, and then is known by
 * the statuses of posts that reached it; or Meta may use another number than the one that is written to, as in Côte d'Ivoire, Benin,
 * Mexico, Argentina and Brazil, and then the user is known by the answers to posts.
 */
import type { ErasedNumber } from "../../core/number-matcher.ts";
import type { Reader } from "../../db/reader.ts";
import type { Tx } from "../../db/writer.ts";
import { accountsRegisteredWith } from "../../domain/accounts/senders.ts";
import { applyPastOptOuts } from "../../domain/inbound/inbound.ts";
import { writersSince } from "../../domain/inbound/inbound-texts.ts";
import { applyChannelOptOut, liftChannelOptOut } from "../../domain/inbound/opt-out.ts";
import { familyCode, formerCodes, operatorFamily } from "../../domain/messages/operator-codes.ts";
import { hasSentTo } from "../../domain/messages/recent-messages.ts";
import { readRecipient } from "../../domain/messages/segments.ts";
import { findMessageToUser, findPostByWamid, readMessagesToWaId } from "./posts.ts";

/** A user as Meta names it in the user's events. */
type NamedUser = {
  /** Digits; null for a user who shows no number. */
  readonly from: string | null;
  /** Meta's id of a user who shows no number. */
  readonly userId: string | null;
  /** Meta's id of the post that the user answered; null where there is none. */
  readonly answers: string | null;
};

/** The most posts of a user that are searched for the numbers that they went to: nobody has many. */
const MAX_POSTS = 50;

/**
 * The numbers by which a user is written to, E.164 with "+", the surest first: that of the post that was answered, then those for which
 * Meta named the user; where there is none, the user's own. Empty where nothing is known.
 */
export function readUserNumbers(tx: Tx, operator: string, { from, userId, answers }: NamedUser): string[] {
  const numbers = new Set<string>();
  const answered = answers === null ? null : findPostByWamid(tx, answers);
  if (answered !== null) addNumber(numbers, readRecipient(tx, answered.messageId));
  if (from !== null) {
    for (const number of readNumbersByWaId(tx, from)) numbers.add(number);
    // Some may write to the user's own number.
    const own = `+${from}`;
    if (numbers.size === 0 || (!numbers.has(own) && isWrittenTo(tx, operator, own))) numbers.add(own);
  } else if (userId !== null && numbers.size === 0) {
    addNumber(numbers, numberOfUser(tx, userId) ?? "");
  }
  return [...numbers];
}

/** The numbers, E.164 with "+", that Meta said are this user's, where it uses another for the user; the latest first. */
function readNumbersByWaId(read: Reader, waId: string): readonly string[] {
  const numbers = new Set<string>();
  for (const messageId of readMessagesToWaId(read, waId, MAX_POSTS))
    addNumber(numbers, readRecipient(read, messageId));
  return [...numbers];
}

/** Adds a number, but not the name that replaces an erased one. */
function addNumber(numbers: Set<string>, msisdn: string): void {
  if (msisdn.startsWith("+")) numbers.add(msisdn);
}

function isWrittenTo(tx: Tx, operator: string, msisdn: string): boolean {
  return accountsRegisteredWith(tx, operator).some((accountId) => hasSentTo(tx, accountId, msisdn));
}

/** The number of the user with a user id, E.164 with "+"; null where it is not known, or was erased. */
function numberOfUser(read: Reader, userId: string): string | null {
  const messageId = findMessageToUser(read, userId);
  const msisdn = messageId === null ? null : readRecipient(read, messageId);
  return msisdn?.startsWith("+") ? msisdn : null;
}

/** The name that a preference is stored under, in place of a number, until the user's number is known. */
export function readUserName(userId: string): string {
  return `user:${userId}`;
}

/** A post to this message has reached the user with a user id: what the user said before is applied now. */
export function userIsKnown(tx: Tx, userId: string, messageId: number, nowMs: number): void {
  const msisdn = readRecipient(tx, messageId);
  if (!msisdn.startsWith("+")) return;
  applyPastOptOuts(tx, userId, null, msisdn, nowMs);
  const name = readUserName(userId);
  obeyAsOf(tx, name, msisdn, nowMs);
  forgetPreferences(tx, name);
}

/**
 * To be called before it is written down that Meta uses `waId` for the user of a number, E.164 with "+". The first time, what the
 * user said before is applied: it was stored under the other number. Returns whether it is the first time.
 */
export function numberIsNamed(tx: Tx, waId: string, msisdn: string, nowMs: number): boolean {
  if (readNumbersByWaId(tx, waId).includes(msisdn)) return false;
  const other = `+${waId}`;
  applyPastOptOuts(tx, other, other, msisdn, nowMs);
  obeyAsOf(tx, other, msisdn, nowMs);
  return true;
}

/** Applies to a number what was said of marketing under another name. */
function obeyAsOf(tx: Tx, name: string, msisdn: string, nowMs: number): void {
  for (const { operator, saidAt, isStop } of readPreferences(tx, name))
    applyPreference(tx, { operator, msisdn, saidAtMs: saidAt, isStop: isStop === 1 }, nowMs);
}

// Knows who has written to a number within a day: such a user is answered without being counted (docs/behaviour.md#pace-of-whatsapp).

export type ServiceWindows = {
  /** A user, by a number that is written to, wrote to a number of ours, at an instant of the wall clock. */
  readonly wrote: (operator: string, msisdn: string, atMs: number) => void;
  /** Meta says that a number is the user's who was known by another until now: the texts of that one count for it. */
  readonly named: (operator: string, known: string, msisdn: string) => void;
  /** Whether the user had written to the number within the day before an instant. */
  readonly isOpen: (operator: string, msisdn: string, atMs: number) => boolean;
  /** How many users are in memory, and how many spans. */
  readonly size: () => { readonly users: number; readonly spans: number };
};

const DAY_MS = 86_400_000;
/** A post of a day ago may have been in a window that was opened a day before. */
const KEPT_MS = 2 * DAY_MS;
const PAGE = 1000;
/** Most users in memory, some 50 MB: who wrote longest ago is forgotten first, and then counts as one of the day. */
const MAX_USERS = 200_000;

/** From a first text to a day after the last that came before the day was over: any number of texts is one span. */
type Span = { readonly fromMs: number; readonly untilMs: number };

/** Restored from the stored texts of these numbers and the codes that they had before. */
export function createServiceWindows(
  read: Reader,
  operators: readonly string[],
  nowMs: number,
  maxUsers = MAX_USERS,
): ServiceWindows {
  // Of each user and number the spans of the last two days, the user who wrote last at the end.
  const spans = new Map<string, readonly Span[]>();
  const keep = (key: string, kept: readonly Span[]): void => {
    spans.delete(key);
    spans.set(key, kept);
  };
  const wrote: ServiceWindows["wrote"] = (operator, msisdn, atMs) => {
    const key = `${operator} ${msisdn}`;
    keep(key, withText(spans.get(key) ?? [], atMs));
    for (const [oldest, of] of spans) {
      if (spans.size <= maxUsers && isRecent(of, atMs)) break;
      spans.delete(oldest);
    }
  };
  const codes = operators.flatMap((operator) =>
    [operator, ...formerCodes(read, operator)].map((code) => ({ operator, code })),
  );
  for (const { operator, code } of codes) {
    for (let afterId = 0; ; ) {
      const page = writersSince(read, code, nowMs - KEPT_MS, afterId, PAGE);
      const last = page.at(-1);
      if (!last) break;
      for (const { source, msisdn, receivedAt } of page) {
        if (msisdn === null) continue;
        // Meta may have named the user for more numbers since.
        const named = [source, msisdn].flatMap((called) => readNumbersByWaId(read, called.slice(1)));
        for (const number of numbersWritten(source, [msisdn, ...named])) wrote(operator, number, receivedAt);
      }
      afterId = last.id;
    }
  }
  return {
    wrote,
    named: (operator, known, msisdn) => {
      for (const { fromMs, untilMs } of spans.get(`${operator} ${known}`) ?? []) {
        wrote(operator, msisdn, fromMs);
        wrote(operator, msisdn, untilMs - DAY_MS);
      }
    },
    isOpen: (operator, msisdn, atMs) =>
      (spans.get(`${operator} ${msisdn}`) ?? []).some(
        ({ fromMs, untilMs }) => fromMs <= atMs && atMs < untilMs,
      ),
    size: () => ({ users: spans.size, spans: [...spans.values()].reduce((sum, of) => sum + of.length, 0) }),
  };
}

/** The numbers that the sender of a text may be written to by: the source is one of them where it is a number. */
export function numbersWritten(source: string, numbers: readonly string[]): ReadonlySet<string> {
  return new Set(source.startsWith("+") ? [source, ...numbers] : numbers);
}

/** The spans of a user with one more text, in the order of their times, without long expired ones. */
function withText(known: readonly Span[], atMs: number): readonly Span[] {
  let span: Span = { fromMs: atMs, untilMs: atMs + DAY_MS };
  const others: Span[] = [];
  for (const each of known) {
    const touches = each.fromMs <= span.untilMs && span.fromMs <= each.untilMs;
    if (touches)
      span = {
        fromMs: Math.min(each.fromMs, span.fromMs),
        untilMs: Math.max(each.untilMs, span.untilMs),
      };
    else if (each.untilMs > atMs - DAY_MS) others.push(each);
  }
  return [...others, span].sort((a, b) => a.fromMs - b.fromMs);
}

/** Whether the last text of a user is recent enough to count. */
function isRecent(of: readonly Span[], nowMs: number): boolean {
  return (of.at(-1)?.untilMs ?? 0) - DAY_MS > nowMs - KEPT_MS;
}

// Stores the newest that Meta reported of each user's wish for marketing by a number
// (docs/behaviour.md#consent-of-whatsapp).

/** What a user said of marketing by a number, and when. */
type MarketingPreference = {
  /** The number's operator code. */
  readonly operator: string;
  /** E.164 with "+", or what stands for a user whose number is not known. */
  readonly msisdn: string;
  readonly isStop: boolean;
  /** Epoch milliseconds, as Meta tells them: by its clock, not by ours. */
  readonly saidAtMs: number;
};

type Known = { readonly saidAt: number; readonly isStop: number };

/** What is known of one user and one number. */
type PreferenceRecord = Known & { readonly operator: string };

/** All that is known of a user by the number, E.164 with "+". */
export function readPreferences(read: Reader, msisdn: string): PreferenceRecord[] {
  return read.all<PreferenceRecord>(
    `SELECT operator, said_at AS saidAt, is_stop AS isStop FROM whatsapp_preferences WHERE recipient = ?
     ORDER BY operator`,
    msisdn,
  );
}

/** The other numbers at which the newest that a user said is a stop, by the codes under which that is stored. */
function stoppedElsewhere(
  tx: Tx,
  { operator, msisdn }: Pick<MarketingPreference, "operator" | "msisdn">,
): string[] {
  const own = familyCode(tx, operator);
  const said = namesOf(tx, msisdn).flatMap((name) => readPreferences(tx, name));
  const byNumber = Map.groupBy(said, ({ operator: code }) => familyCode(tx, code));
  byNumber.delete(own);
  return [...byNumber.values()].flatMap((all) => {
    const newest = all.reduce((last, each) => (isNewer(each, last) ? each : last));
    return newest.isStop === 1 ? all.map(({ operator: code }) => code) : [];
  });
}

/** At the same moment the stop counts. */
function isNewer(one: Known, other: Known): boolean {
  return one.saidAt > other.saidAt || (one.saidAt === other.saidAt && one.isStop > other.isStop);
}

/** A number, and the name that replaced it where it was erased. */
function namesOf(tx: Tx, msisdn: string): string[] {
  return [msisdn, tx.nameOf(msisdn)].filter((name) => name !== null);
}

/**
 * Notes what a user said, where it is newer than all that is stored of the same user and number; returns whether it is. Where both were
 * said in one second, the stop counts. The row outlives the suppression, and a new code of the number.
 */
export function notePreference(tx: Tx, { operator, msisdn, isStop, saidAtMs }: MarketingPreference): boolean {
  const names = namesOf(tx, msisdn);
  for (const code of operatorFamily(tx, operator)) {
    for (const recipient of names) {
      const known = tx.get<Known>(
        "SELECT said_at AS saidAt, is_stop AS isStop FROM whatsapp_preferences WHERE operator = ? AND recipient = ?",
        code,
        recipient,
      );
      if (known === null || saidAtMs > known.saidAt) continue;
      if (saidAtMs < known.saidAt || known.isStop === 1 || !isStop) return false;
    }
  }
  tx.run(
    `INSERT INTO whatsapp_preferences (operator, recipient, said_at, is_stop) VALUES ($operator, $msisdn, $saidAtMs, $isStop)
     ON CONFLICT (operator, recipient) DO UPDATE SET said_at = excluded.said_at, is_stop = excluded.is_stop`,
    { operator, msisdn, saidAtMs, isStop: isStop ? 1 : 0 },
  );
  return true;
}

/** Deletes all that was said under a name. */
function forgetPreferences(tx: Tx, recipient: string): void {
  tx.run("DELETE FROM whatsapp_preferences WHERE recipient = ?", recipient);
}

/** Puts the name in place of a number that is erased: a repeat by Meta must not undo what is newer. */
export function erasePreferences(tx: Tx, { msisdn, name }: ErasedNumber): number {
  tx.run(
    `INSERT INTO whatsapp_preferences (operator, recipient, said_at, is_stop)
     SELECT operator, $name, said_at, is_stop FROM whatsapp_preferences WHERE recipient = $msisdn
     ON CONFLICT (operator, recipient) DO UPDATE SET said_at = excluded.said_at, is_stop = excluded.is_stop`,
    { msisdn, name },
  );
  return tx.run("DELETE FROM whatsapp_preferences WHERE recipient = ?", msisdn);
}

/** Notes what a user said of marketing in WhatsApp itself and applies it, where it is the newest. */
export function applyPreference(tx: Tx, said: MarketingPreference, nowMs: number): void {
  if (!notePreference(tx, said)) return;
  const { operator, msisdn } = said;
  if (said.isStop) {
    applyChannelOptOut(tx, { operator, msisdn, source: "META", word: null }, nowMs);
    return;
  }
  const stoppedAt = stoppedElsewhere(tx, { operator, msisdn });
  liftChannelOptOut(tx, { operator, msisdn, stoppedAt }, nowMs);
}
