import type { KeyMode } from "../accounts/api-key.ts";
import type { MessageClass } from "../accounts/classes.ts";
import { countErased } from "../accounts/erased-numbers.ts";
import {
  addSuppression,
  EVERYWHERE,
  removeSuppression,
  type Suppression,
  type SuppressionSource,
  suppressedClasses,
  suppressionsOf,
} from "../accounts/suppressions.ts";
import { isoUtc } from "../base/clock.ts";
import { refused } from "../base/failures.ts";
import { slicer } from "../base/slices.ts";
import type { Reader } from "../store/read.ts";
import type { Tx } from "../store/write.ts";
import { change } from "./change.ts";
import type { AdminContext } from "./context.ts";
import { msisdnReader, noNumber } from "./msisdn.ts";
import { type AdminOutcome, done } from "./refusal.ts";
import { findSide } from "./sandboxes.ts";
import { checkLimit, checkWords } from "./typed-values.ts";

/** The most numbers in one answer, and how many are read at once. */
const MOST_NUMBERS = 10_000;
const NUMBERS_A_STEP = 500;

/** Whose list is meant: that of an account or of its sandbox; null names the appliance-wide one. */
export type WhoseList = string | { readonly account: string; readonly mode: KeyMode } | null;

/** A list of numbers: an account's, its sandbox's, or the appliance-wide one. */
export type SuppressionList = {
  /** EVERYWHERE for the appliance-wide one. */
  readonly id: number;
  readonly mode: KeyMode;
  /** Null for the appliance-wide one. */
  readonly ulid: string | null;
  /** What the audit list calls it. */
  readonly subject: string;
};

/** The list that is meant. */
export function findList(read: Reader, whose: WhoseList): AdminOutcome<SuppressionList> {
  if (whose === null) return done({ id: EVERYWHERE, mode: "live", ulid: null, subject: "everywhere" });
  const { account: name, mode } =
    typeof whose === "string" ? { account: whose, mode: "live" as const } : whose;
  const account = findSide(read, name, mode);
  if (!account.ok) return account;
  const { id, ulid } = account.value;
  return done({ id, mode, ulid, subject: ulid });
}

/** One number on one list. */
export type SuppressedView = {
  /** Null: the appliance-wide list. */
  readonly account_id: string | null;
  readonly msisdn: string;
  /** The classes it is on this list for; empty: it is not on it. */
  readonly message_classes: readonly MessageClass[];
};

export type ToSuppress = {
  readonly msisdn: string;
  /** Null: every class. */
  readonly messageClass: MessageClass | null;
  readonly note: string | null;
};

/** `source`: only what came so is lifted; null: all of it. */
export type ToLift = Omit<ToSuppress, "note"> & { readonly source: SuppressionSource | null };

/** Puts a number on a list. One that stands there already stays as it is. */
export async function suppressionAdd(
  context: AdminContext,
  whose: WhoseList,
  wanted: ToSuppress,
): Promise<AdminOutcome<SuppressedView>> {
  const msisdn = checkMsisdn(context, wanted.msisdn);
  if (!msisdn.ok) return msisdn;
  const note = checkNote(wanted.note);
  if (!note.ok) return note;
  const entry = { ...wanted, msisdn: msisdn.value, note: note.value, source: "ADMIN" } as const;
  return changeList(context, whose, "suppression add", entry, (tx, list, nowMs) =>
    addSuppression(tx, { accountId: list.id, ...entry }, nowMs),
  );
}

/** Takes a number off a list; one that is not on it is no error. Other lists are not touched. */
export async function suppressionRemove(
  context: AdminContext,
  whose: WhoseList,
  wanted: ToLift,
): Promise<AdminOutcome<SuppressedView>> {
  const msisdn = checkListed(context, wanted.msisdn);
  if (!msisdn.ok) return msisdn;
  const entry = { ...wanted, msisdn: msisdn.value };
  return changeList(context, whose, "suppression remove", entry, (tx, list) =>
    removeSuppression(tx, list.id, entry.msisdn, entry.messageClass, entry.source),
  );
}

export type SuppressionPage = {
  /** Null: the appliance-wide list. */
  readonly account_id: string | null;
  readonly suppressions: readonly SuppressionView[];
  /** How many more there are of numbers that were erased: each is a number and a class. */
  readonly erased: number;
  /** Where the next page begins; null when this is the last. */
  readonly next_after: string | null;
};

/** Up to `limit` numbers of one list after the number `after`, with all their classes, in order. */
export async function suppressionList(
  context: AdminContext,
  whose: WhoseList,
  after: string | null,
  limit: number,
): Promise<AdminOutcome<SuppressionPage>> {
  const checked = checkLimit(limit, MOST_NUMBERS);
  if (!checked.ok) return checked;
  const start = after === null ? done("") : checkListed(context, after);
  if (!start.ok) return start;
  const { read } = context.store;
  const list = findList(read, whose);
  if (!list.ok) return list;
  const pause = slicer(context.clock);
  const suppressions: SuppressionView[] = [];
  let last = start.value;
  for (let left = limit; left > 0; left -= NUMBERS_A_STEP) {
    const page = suppressionsOf(read, list.value.id, last, Math.min(left, NUMBERS_A_STEP));
    suppressions.push(...page.map(view));
    last = page.at(-1)?.msisdn ?? last;
    await pause();
  }
  const isLastPage = suppressionsOf(read, list.value.id, last, 1).length === 0;
  const erased = countErased(read, list.value.id);
  return done({ account_id: list.value.ulid, suppressions, erased, next_after: isLastPage ? null : last });
}

function checkNote(note: string | null): AdminOutcome<string | null> {
  return note === null ? done(null) : checkWords(note, "INVALID_NOTE", "note", 200);
}

function checkMsisdn({ config }: AdminContext, text: string): AdminOutcome<string> {
  const msisdn = msisdnReader(config)(text);
  return msisdn === null ? refused("INVALID_MSISDN", noNumber(config, text)) : done(msisdn);
}

/**
 * A number that may stand on a list. What has the form of E.164 is taken as it is: a recipient's own word or an
 * earlier configuration may have listed what is no number by today's.
 */
export function checkListed(context: AdminContext, text: string): AdminOutcome<string> {
  return /^\+\d{1,15}$/.test(text) ? done(text) : checkMsisdn(context, text);
}

/** Changes what a list says of one number; `work` tells for how many classes anything is new. */
function changeList(
  context: AdminContext,
  whose: WhoseList,
  action: string,
  wanted: Pick<ToSuppress, "msisdn" | "messageClass"> & { readonly source: SuppressionSource | null },
  work: (tx: Tx, list: SuppressionList, nowMs: number) => number,
): Promise<AdminOutcome<SuppressedView>> {
  const { msisdn, messageClass, source } = wanted;
  return change(context, (tx, nowMs) => {
    const list = findList(tx, whose);
    if (!list.ok) return list;
    const { id, mode, ulid, subject } = list.value;
    const changed = work(tx, list.value, nowMs);
    const of = {
      ...(source === null || source === "ADMIN" ? {} : { source }),
      ...(mode === "test" ? { mode } : {}),
    };
    const detail = { msisdn, message_class: messageClass ?? "all", ...of };
    return done({
      value: { account_id: ulid, msisdn, message_classes: suppressedClasses(tx, id, msisdn) },
      audit: changed > 0 ? { action, subject, detail } : null,
    });
  });
}

function view({ msisdn, messageClass, source, createdAtMs, note }: Suppression) {
  return { msisdn, message_class: messageClass, source, created_at: isoUtc(createdAtMs), note };
}

export type SuppressionView = Readonly<ReturnType<typeof view>>;
