/** Decides about messages that a restore holds back: by class and operator, repeatable while anything is still held. */
import { change } from "../../admin/operations/change.ts";
import type { AdminContext } from "../../admin/operations/context.ts";
import { operation } from "../../admin/operations/operation.ts";
import { checkOperatorCode } from "../../admin/operations/operators.ts";
import {
  OPERATOR,
  oneOf,
  optional,
  readInstant,
  text,
  typedAs,
  YES,
} from "../../admin/operations/parameters.ts";
import { type AdminOutcome, done, refuse } from "../../admin/operations/refusal.ts";
import { assert } from "../../core/assert.ts";
import { CHANNEL_TRAITS, toChannel } from "../../core/channels.ts";
import { isoOrNull, isoUtc } from "../../core/clock.ts";
import { createYielder } from "../../core/concurrency.ts";
import type { Reader } from "../../db/reader.ts";
import type { Tx } from "../../db/writer.ts";
import { accountById } from "../../domain/accounts/accounts.ts";
import { isMessageClass, MESSAGE_CLASSES, type MessageClass } from "../../domain/accounts/message-class.ts";
import { lastTopUp } from "../../domain/ledger/funding.ts";
import { openFacts } from "../../domain/messages/apply-facts.ts";
import {
  completeRestoreDecision,
  FIRST_HELD,
  type HeldMessage,
  type HeldPlace,
  heldInBatch,
  heldMessages,
  holdValidated,
  lastRestore,
  lateReceipts,
  listHeldBatches,
  type Restore,
  type RestoreDecision,
  recordRestoreDecision,
  releaseHeld,
  reopenAfterRestore,
} from "../../domain/messages/restore-holds.ts";
import type { Phrase } from "../../i18n/phrase.ts";
import { decideHeld, decideInFlight, type HeldMode, scheduledInCopy } from "./held-decisions.ts";

const WAITING: readonly RestoreDecision[] = ["hold", "policy", "send", "give-up"];

type ResumeRequest = {
  readonly waiting: RestoreDecision;
  /** Only of this class and this operator; null: of all. */
  readonly messageClass: string | null;
  readonly operator: string | null;
  /** When the old server last ran, as typed; null: it may have run until now. */
  readonly diedAt: string | null;
};

const NOTHING = refuse("NOTHING_RESTORED");

/** What is held, and why; changes nothing. */
async function backupHeld(context: AdminContext) {
  const restore = lastRestore(context.store.read);
  return restore === null ? NOTHING : done(await resumeView(context, restore, []));
}

/**
 * Decides about held messages, and accepts submissions again. What was not due before the old server's end cannot have left, and simply
 * waits on. The decision also covers what enters a queue later. Repeat it for what is still held, or after an
 * interruption.
 */
async function backupResume(context: AdminContext, asked: ResumeRequest) {
  const restore = lastRestore(context.store.read);
  if (restore === null) return NOTHING;
  const checked = checkRequest(context, restore, asked);
  if (!checked.ok) return checked;
  const meant = checked.value;
  const begun = await change(context, (tx, nowMs) => {
    reopenAfterRestore(tx, nowMs);
    const value = recordRestoreDecision(tx, meant, asked.waiting, meant.diedAtMs);
    const detail = { ...asked, died_at: isoUtc(meant.diedAtMs) };
    return done({
      value,
      audit: { action: "backup resume", subject: restore.file, detail },
      concern: { kind: "restored" },
    });
  });
  if (!begun.ok) return begun;
  const mode = asked.waiting;
  const decided = mode === "hold" ? [] : await decideAll(context, restore, meant, mode, begun.value);
  return done(await resumeView(context, lastRestore(context.store.read) ?? restore, decided));
}

type Meant = {
  readonly messageClass: MessageClass | null;
  readonly operator: string | null;
  readonly diedAtMs: number;
};

function checkRequest(
  { clock, config, store }: AdminContext,
  restore: Restore,
  asked: ResumeRequest,
): AdminOutcome<Meant> {
  const { messageClass: named, operator } = asked;
  const messageClass = named === null ? null : named.toUpperCase();
  if (messageClass !== null && !isMessageClass(messageClass)) {
    return refuse("INVALID_CLASS.held", { text: named ?? messageClass, known: MESSAGE_CLASSES.join(", ") });
  }
  if (operator !== null) {
    const known = checkOperatorCode(config, operator);
    if (!known.ok && !isHeldFor(store.read, operator)) return known;
  }
  const nowMs = clock.nowMs();
  const time =
    asked.diedAt === null
      ? done(Math.max(nowMs, restore.madeAtMs))
      : readInstant(asked.diedAt, config.defaults.timezone, nowMs);
  if (!time.ok) return time;
  const diedAtMs = time.value;
  if (diedAtMs < restore.madeAtMs || (asked.diedAt !== null && diedAtMs > nowMs)) {
    return refuse("INVALID_TIME.died_at", { made: restore.madeAtMs, died: diedAtMs });
  }
  return done({ messageClass, operator, diedAtMs });
}

/** Whether anything is held for an operator, which need not be configured any more. */
function isHeldFor(read: Reader, operator: string): boolean {
  const isOf = (held: { readonly operator: string }): boolean => held.operator === operator;
  if (listHeldBatches(read).some((batchId) => heldInBatch(read, batchId).some(isOf))) return true;
  for (let after: HeldPlace | null = FIRST_HELD; after !== null; ) {
    const page: HeldMessage[] = heldMessages(read, after, HELD_PAGE_SIZE);
    if (page.some(isOf)) return true;
    after = page.at(-1) ?? null;
  }
  return false;
}

/** Messages, or batches validated since, decided in one transaction. */
const STEP = 250;
const BATCHES = 1;

async function decideAll(
  context: AdminContext,
  restore: Restore,
  meant: Meant,
  mode: HeldMode,
  decision: number,
): Promise<readonly HeldCount[]> {
  const { store, clock } = context;
  const tally = createHeldCounter();
  const accounts = new Set<number>();
  while ((await store.write((tx) => holdValidated(tx, BATCHES))) === BATCHES) {
    // Until none is left; one that is not validated has no messages yet, and stays held until it has.
  }
  for (let after: HeldPlace | null = FIRST_HELD; after !== null; ) {
    const from: HeldPlace = after;
    const page = await store.write((tx) => {
      const nowMs = clock.nowMs();
      const held = heldMessages(tx, from, STEP);
      const step = deciding(context, restore, tx, nowMs);
      const said = held.map((message) => ({
        message,
        kind: isMeant(meant, message) ? step.decide(message, mode, meant.diedAtMs) : null,
      }));
      step.close();
      return said;
    });
    for (const { message, kind } of page) {
      if (kind === null) continue;
      if (kind !== "released") tally.add(message, kind, 1);
      accounts.add(message.accountId);
    }
    after = page.length < STEP ? null : (page.at(-1)?.message ?? null);
  }
  await store.write((tx) => completeRestoreDecision(tx, decision, meant));
  for (const accountId of accounts) context.server?.changed({ kind: "account", accountId });
  context.server?.changed({ kind: "queue" });
  return tally.counts();
}

function isMeant({ messageClass, operator }: Meant, held: HeldMessage): boolean {
  return (
    (messageClass ?? held.messageClass) === held.messageClass && (operator ?? held.operator) === held.operator
  );
}

/** Decides about messages in one transaction; returns what each was, or null where nothing is to be done now. */
function deciding(
  { config, recoverClaim }: AdminContext,
  { unmatchedBefore }: Restore,
  tx: Tx,
  nowMs: number,
) {
  assert(recoverClaim, "whoever decides knows the channels");
  const session = openFacts(tx, nowMs);
  const scheduled = scheduledInCopy(tx);
  const decide = (
    held: HeldMessage,
    mode: HeldMode,
    diedAtMs: number,
  ): HeldCount["kind"] | "released" | null => {
    const { isThere, isInFlight, status, notBefore } = held;
    if (held.isFinal === 1) {
      releaseHeld(tx, held);
      return null;
    }
    if (scheduled.isReleased(held, diedAtMs)) return "released";
    // What enters its queue later follows the recorded decision.
    if (isThere === 0) return null;
    if (status === "SUBMITTED" && isInFlight === 1) {
      const { isSentAgain } = CHANNEL_TRAITS[toChannel(held.operator)];
      decideInFlight(config.delivery.unanswered, tx, session, held, isSentAgain, nowMs);
      return "in_flight";
    }
    if (status !== "QUEUED") return null;
    scheduled.start(held);
    if (notBefore > diedAtMs) {
      releaseHeld(tx, held);
      return "released";
    }
    decideHeld({ recoverClaim, unmatchedBefore }, tx, session, held, mode, nowMs);
    return "waiting";
  };
  return {
    decide,
    close: (): void => {
      session.close();
      scheduled.close(nowMs);
    },
  };
}

export const RESUME_OPERATIONS = {
  "backup resume": operation({
    does: (isGiven) => (isGiven("list") ? "reads" : "changes"),
    params: {
      waiting: optional(typedAs({ excludes: ["list"] }, oneOf("WHAT", WAITING))),
      // Not `CLASS`: held messages have a refusal of their own.
      class: optional(text("CLASS", 100)),
      operator: optional(OPERATOR),
      died_at: optional(text("TIME", 40)),
      list: YES,
    },
    run: (context, { waiting, class: messageClass, operator, died_at: diedAt }) =>
      waiting === null
        ? backupHeld(context)
        : backupResume(context, { waiting, messageClass, operator, diedAt }),
  }),
};

// What a restore holds back, and the results of decisions, as administrators see it.

/** "waiting": in the queue. "in_flight": with an operator in the copy; follows the rule of its class. */
type HeldCount = {
  readonly message_class: MessageClass;
  readonly operator: string;
  readonly kind: "waiting" | "in_flight";
  readonly messages: number;
};

/** Messages read in one go. */
const HELD_PAGE_SIZE = 500;

type HeldCounter = {
  readonly add: (
    place: { readonly messageClass: MessageClass; readonly operator: string },
    kind: HeldCount["kind"],
    messages: number,
  ) => void;
  /** By class, operator and kind; zero counts are left out. */
  readonly counts: () => readonly HeldCount[];
};

function createHeldCounter(): HeldCounter {
  const sums = new Map<string, HeldCount>();
  return {
    add: ({ messageClass, operator }, kind, messages) => {
      const key = `${messageClass} ${kind} ${operator}`;
      const before = sums.get(key)?.messages ?? 0;
      sums.set(key, { message_class: messageClass, operator, kind, messages: before + messages });
    },
    counts: () =>
      [...sums.entries()]
        .filter(([, { messages }]) => messages > 0)
        .sort(([one], [other]) => (one < other ? -1 : 1))
        .map(([, count]) => count),
  };
}

/** Counts what is held, in slices. */
export async function heldCounts({
  store,
  clock,
}: Pick<AdminContext, "store" | "clock">): Promise<readonly HeldCount[]> {
  const tally = createHeldCounter();
  const pause = createYielder(clock);
  const whole = new Set<number>();
  for (const batchId of listHeldBatches(store.read)) {
    const held = heldInBatch(store.read, batchId);
    if (held.length > 0) whole.add(batchId);
    for (const place of held) tally.add(place, "waiting", place.messages);
    await pause();
  }
  for (let after: HeldPlace | null = FIRST_HELD; after !== null; ) {
    const page: HeldMessage[] = heldMessages(store.read, after, HELD_PAGE_SIZE);
    for (const held of page) {
      // A batch that was counted whole may be held message by message by now.
      if (held.isThere === 0 || whole.has(held.batchId)) continue;
      if (held.status === "QUEUED") tally.add(held, "waiting", 1);
      if (held.status === "SUBMITTED" && held.isInFlight === 1) tally.add(held, "in_flight", 1);
    }
    after = page.at(-1) ?? null;
    await pause();
  }
  return tally.counts();
}

/** The most receipts named, newest first. */
const MAX_LATE = 100;

async function lateOnes({ store, clock }: AdminContext, { notesBefore }: Restore) {
  const pause = createYielder(clock);
  let found: { message_id: string; at: string; detail: Phrase }[] = [];
  for (let after: number | null = notesBefore; after !== null; ) {
    const page: ReturnType<typeof lateReceipts> = lateReceipts(store.read, after);
    const named = page.found.map(({ ulid, at, detail }) => ({ message_id: ulid, at: isoUtc(at), detail }));
    found = [...found, ...named].slice(-MAX_LATE);
    after = page.next;
    await pause();
  }
  return found.toReversed();
}

async function resumeView(context: AdminContext, restore: Restore, decided: readonly HeldCount[]) {
  const { read } = context.store;
  return {
    file: restore.file,
    made_at: isoUtc(restore.madeAtMs),
    restored_at: isoUtc(restore.restoredAtMs),
    /** Null while nothing new is accepted. */
    resumed_at: isoOrNull(restore.resumedAtMs),
    /** Decided just now. */
    decided,
    /** Still held. */
    counts: await heldCounts(context),
    /** The last top-up in the backup: enter later ones again, under their references. */
    last_topup: lastTopUpView(read),
    /** Late receipts of messages that were given up: they moved no money. */
    late_receipts: await lateOnes(context, restore),
  };
}

export type ResumeView = Awaited<ReturnType<typeof resumeView>>;

function lastTopUpView(read: Reader) {
  const last = lastTopUp(read);
  const account = last && accountById(read, last.accountId);
  if (!last || !account) return null;
  return {
    account_id: account.ulid,
    account: account.name,
    amount: last.amount,
    reference: last.reference,
    at: isoUtc(last.atMs),
  };
}
