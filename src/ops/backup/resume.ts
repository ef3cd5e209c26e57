/** What becomes of what a restore holds back: decided by class and operator, as often as something is still held. */

import { change } from "../../admin/operations/change.ts";
import type { AdminContext } from "../../admin/operations/context.ts";
import { readInstant } from "../../admin/operations/instants.ts";
import { operation } from "../../admin/operations/operation.ts";
import { checkOperatorCode } from "../../admin/operations/operators.ts";
import { OPERATOR, oneOf, optional, text, typedAs, YES } from "../../admin/operations/parameters.ts";
import { type AdminOutcome, done, refuse } from "../../admin/operations/refusal.ts";
import { assert } from "../../core/assert.ts";
import { CHANNEL_TRAITS, toChannel } from "../../core/channels.ts";
import { isoUtc } from "../../core/clock.ts";
import type { Reader } from "../../db/read.ts";
import type { Tx } from "../../db/write.ts";
import { isMessageClass, MESSAGE_CLASSES, type MessageClass } from "../../domain/accounts/classes.ts";
import { openFacts } from "../../domain/messages/apply-facts.ts";
import {
  listHeldBatches,
  completeRestoreDecision,
  reopenAfterRestore,
  FIRST_HELD,
  type RestoreDecision,
  type HeldMessage,
  type HeldPlace,
  heldInBatch,
  heldMessages,
  holdValidated,
  lastRestore,
  recordRestoreDecision,
  type Restore,
  releaseHeld,
} from "../../domain/messages/held.ts";
import { decideInFlight, decideHeld, type HeldMode, scheduledInCopy } from "./decide-held.ts";
import { HELD_PAGE_SIZE, type HeldCount, type ResumeView, resumeView, createHeldCounter } from "./resume-view.ts";

const WAITING: readonly RestoreDecision[] = ["hold", "policy", "send", "give-up"];

type ResumeAsked = {
  readonly waiting: RestoreDecision;
  /** Of this class and this operator only; null: of all. */
  readonly messageClass: string | null;
  readonly operator: string | null;
  /** When the old machine last ran, as typed; null: it may have run until now. */
  readonly diedAt: string | null;
};

const NOTHING = refuse("NOTHING_RESTORED");

/** What is held, and why; changes nothing. */
async function backupHeld(context: AdminContext): Promise<AdminOutcome<ResumeView>> {
  const restore = lastRestore(context.store.read);
  return restore === null ? NOTHING : done(await resumeView(context, restore, []));
}

/**
 * Decides about what is held, and takes submissions again. What was not due before the old machine's end cannot have left, and simply
 * waits on. What comes to a queue only later goes by it too. It may be said again for what is still held; cut off, it is said again
 * for the rest.
 */
async function backupResume(context: AdminContext, asked: ResumeAsked): Promise<AdminOutcome<ResumeView>> {
  const restore = lastRestore(context.store.read);
  if (restore === null) return NOTHING;
  const checked = checkAsked(context, restore, asked);
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

function checkAsked(
  { clock, config, store }: AdminContext,
  restore: Restore,
  asked: ResumeAsked,
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

/** Messages, and batches that were validated since, decided in one transaction. */
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

/** Decides about messages in one transaction: what each was, or null where nothing is to be done with it now. */
function deciding({ config, recoverClaim }: AdminContext, { parkedBefore }: Restore, tx: Tx, nowMs: number) {
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
    // What comes to its queue later goes by what was decided then.
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
    decideHeld({ recoverClaim, parkedBefore }, tx, session, held, mode, nowMs);
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
      // Not `CLASS`: what is held has a refusal of its own.
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
