import { Type as t } from "typebox";
import { isoUtc } from "../../core/clock.ts";
import { refused } from "../../core/failures.ts";
import { createYielder } from "../../core/slices.ts";
import type { Reader } from "../../db/read.ts";
import type { Tx } from "../../db/write.ts";
import type { KeyMode } from "../../domain/accounts/api-key.ts";
import { isMessageClass, MESSAGE_CLASSES, type MessageClass } from "../../domain/accounts/classes.ts";
import { countErased } from "../../domain/accounts/erased-numbers.ts";
import {
  addSuppression,
  EVERYWHERE,
  removeSuppression,
  SUPPRESSION_SOURCES,
  type Suppression,
  type SuppressionSource,
  suppressedClasses,
  suppressionsOf,
} from "../../domain/accounts/suppressions.ts";
import { change } from "./change.ts";
import type { AdminContext } from "./context.ts";
import { createMsisdnReader, describeInvalidNumber } from "./msisdn.ts";
import { operation, type Parameter } from "./operation.ts";
import { ACCOUNT, limit, MODE, MSISDN, optional, text, typedAlone, typedAs, YES } from "./parameters.ts";
import { type AdminOutcome, done, refuse } from "./refusal.ts";
import { findAccountByMode } from "./sandboxes.ts";
import { checkLimit, checkWords } from "./typed-values.ts";

/** The most numbers in one answer, and how many are read at once. */
const MAX_NUMBERS = 10_000;
const NUMBERS_A_STEP = 500;

/** Whose list is meant: that of an account or of its sandbox; null names the appliance-wide one. */
export type ListOwner = string | { readonly account: string; readonly mode: KeyMode } | null;

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
export function findSuppressionList(read: Reader, whose: ListOwner): AdminOutcome<SuppressionList> {
  if (whose === null) return done({ id: EVERYWHERE, mode: "live", ulid: null, subject: "everywhere" });
  const { account: name, mode } =
    typeof whose === "string" ? { account: whose, mode: "live" as const } : whose;
  const account = findAccountByMode(read, name, mode);
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

export type SuppressionInput = {
  readonly msisdn: string;
  /** Null: every class. */
  readonly messageClass: MessageClass | null;
  readonly note: string | null;
};

/** `source`: only what came so is lifted; null: all of it. */
export type LiftInput = Omit<SuppressionInput, "note"> & { readonly source: SuppressionSource | null };

/** Puts a number on a list. One that stands there already stays as it is. */
export async function suppressionAdd(
  context: AdminContext,
  whose: ListOwner,
  wanted: SuppressionInput,
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
  whose: ListOwner,
  wanted: LiftInput,
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
  whose: ListOwner,
  after: string | null,
  limit: number,
): Promise<AdminOutcome<SuppressionPage>> {
  const checked = checkLimit(limit, MAX_NUMBERS);
  if (!checked.ok) return checked;
  const start = after === null ? done("") : checkListed(context, after);
  if (!start.ok) return start;
  const { read } = context.store;
  const list = findSuppressionList(read, whose);
  if (!list.ok) return list;
  const pause = createYielder(context.clock);
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
  const msisdn = createMsisdnReader(config)(text);
  return msisdn === null ? refused("INVALID_MSISDN", describeInvalidNumber(config, text)) : done(msisdn);
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
  whose: ListOwner,
  action: string,
  wanted: Pick<SuppressionInput, "msisdn" | "messageClass"> & { readonly source: SuppressionSource | null },
  work: (tx: Tx, list: SuppressionList, nowMs: number) => number,
): Promise<AdminOutcome<SuppressedView>> {
  const { msisdn, messageClass, source } = wanted;
  return change(context, (tx, nowMs) => {
    const list = findSuppressionList(tx, whose);
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

/** Numbers that one answer holds unless asked otherwise. */
const USUAL_NUMBERS = 1000;

/** Whose list: of an account or of its sandbox, or the appliance-wide one where no account is named. */
export const LIST = {
  account: optional(ACCOUNT),
  everywhere: typedAlone(typedAs({ replaces: "ACCOUNT" }, YES)),
  mode: typedAlone(MODE),
};

/** The list that is named so; the appliance-wide one has no sandbox. */
export function readList({
  account,
  mode,
}: {
  readonly account: string | null;
  readonly mode: KeyMode;
}): AdminOutcome<ListOwner> {
  if (account !== null) return done({ account, mode });
  return mode === "live" ? done(null) : refuse("INVALID_MODE.everywhere");
}

/** What stands for every class. */
const ALL = "all";

type ClassOrAll = MessageClass | typeof ALL;

/** A class in capital or small letters, or all of them. */
export const CLASS_OR_ALL: Parameter<ClassOrAll, false> = {
  schema: t.Enum([...MESSAGE_CLASSES, ALL]),
  typed: {
    flag: "class",
    value: "CLASS",
    told: { classes: MESSAGE_CLASSES.join(", ") },
    read: (typed) => {
      const name = typed.trim().toUpperCase();
      if (name === ALL.toUpperCase()) return done(ALL);
      if (isMessageClass(name)) return done(name);
      return refuse("INVALID_CLASS.or_all", { text: typed, known: MESSAGE_CLASSES.join(", "), all: ALL });
    },
  },
};

/** The class that is meant; null: every class. */
export function classOf(named: ClassOrAll): MessageClass | null {
  return named === ALL ? null : named;
}

/** Why a number is on a list. The console sends an empty one for none. */
const NOTE = optional<string>({
  schema: t.String({ maxLength: 200 }),
  typed: { value: "TEXT", read: (typed) => checkWords(typed, "INVALID_NOTE", "note", 200) },
});

/** A way that numbers come onto a list, in capital or small letters. */
const SOURCE = optional<SuppressionSource>({
  schema: t.Enum([...SUPPRESSION_SOURCES]),
  typed: {
    value: "SOURCE",
    told: { sources: SUPPRESSION_SOURCES.join(", ") },
    read: (typed) => {
      const found = SUPPRESSION_SOURCES.find((source) => source === typed.trim().toUpperCase());
      return found
        ? done(found)
        : refuse("INVALID_SOURCE", { text: typed, known: SUPPRESSION_SOURCES.join(", ") });
    },
  },
});

export const SUPPRESSION_OPERATIONS = {
  "suppression add": operation({
    may: "suppressions.change",
    params: {
      account: LIST.account,
      msisdn: MSISDN,
      everywhere: LIST.everywhere,
      message_class: CLASS_OR_ALL,
      note: NOTE,
      mode: LIST.mode,
    },
    run: (context, { msisdn, message_class, note, ...of }) => {
      const list = readList(of);
      if (!list.ok) return list;
      return suppressionAdd(context, list.value, {
        msisdn,
        messageClass: classOf(message_class),
        note: note?.trim() === "" ? null : note,
      });
    },
  }),
  "suppression remove": operation({
    may: "suppressions.change",
    params: {
      account: LIST.account,
      msisdn: MSISDN,
      everywhere: LIST.everywhere,
      message_class: CLASS_OR_ALL,
      source: SOURCE,
      mode: LIST.mode,
    },
    run: (context, { msisdn, message_class, source, ...of }) => {
      const list = readList(of);
      if (!list.ok) return list;
      return suppressionRemove(context, list.value, { msisdn, messageClass: classOf(message_class), source });
    },
  }),
  "suppression list": operation({
    does: "reads",
    params: {
      account: LIST.account,
      everywhere: LIST.everywhere,
      after: optional(text("MSISDN", 100)),
      limit: limit(USUAL_NUMBERS),
      mode: LIST.mode,
    },
    run: (context, { after, limit: most, ...of }) => {
      const list = readList(of);
      return list.ok ? suppressionList(context, list.value, after, most) : list;
    },
  }),
};
