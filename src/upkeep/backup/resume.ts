/** What becomes of what a restore holds back: decided by class and operator, as often as something is still held. */

import { isMessageClass, MESSAGE_CLASSES, type MessageClass } from "../../accounts/classes.ts";
import { isoUtc } from "../../base/clock.ts";
import { openFacts } from "../../messages/apply-facts.ts";
import { reviewBatch } from "../../messages/batch-rows.ts";
import {
  decidedThrough,
  endRestoring,
  FIRST_PLACE,
  type HeldPlace,
  heldFlight,
  heldFlights,
  heldMessages,
  heldPlaces,
  lastRestore,
  type Restore,
  releaseFlight,
  releasePlace,
  splitHeld,
  startHeld,
} from "../../messages/held.ts";
import type { QueuePlace } from "../../messages/queue.ts";
import { change } from "../../operations/change.ts";
import type { AdminContext } from "../../operations/context.ts";
import { readInstant } from "../../operations/instants.ts";
import { checkOperatorCode } from "../../operations/operators.ts";
import { type AdminOutcome, done, refuse } from "../../operations/refusal.ts";
import { settleUnheld } from "../../sms/rescue.ts";
import type { Reader } from "../../store/read.ts";
import { decideFlight, decideHeld, type HeldMode } from "./decide-held.ts";
import {
  type HeldCount,
  type HeldTally,
  PLACES_A_PAGE,
  type ResumeView,
  resumeView,
  tallyOf,
} from "./resume-view.ts";

/** "hold": it waits for another decision. */
export type HeldChoice = "hold" | HeldMode;

export const WAITING: readonly HeldChoice[] = ["hold", "policy", "send", "give-up"];

export type ResumeAsked = {
  readonly waiting: HeldChoice;
  /** Of this class and this operator only; null: of all. */
  readonly messageClass: string | null;
  readonly operator: string | null;
  /** When the old machine last ran, as typed; null: it may have run until now. */
  readonly diedAt: string | null;
};

const NOTHING = refuse(
  "NOTHING_RESTORED",
  "this database was never restored from a backup: there is nothing to decide",
);

/** What is held, and why; changes nothing. */
export async function backupHeld(context: AdminContext): Promise<AdminOutcome<ResumeView>> {
  const restore = lastRestore(context.store.read);
  return restore === null ? NOTHING : done(await resumeView(context, restore, []));
}

/**
 * Decides about what is held, and takes submissions again. What was not due before the old machine's end cannot have left, and simply
 * waits on. It may be said again for what is still held; cut off, it is said again for the rest.
 */
export async function backupResume(
  context: AdminContext,
  asked: ResumeAsked,
): Promise<AdminOutcome<ResumeView>> {
  const restore = lastRestore(context.store.read);
  if (restore === null) return NOTHING;
  const checked = checkAsked(context, restore, asked);
  if (!checked.ok) return checked;
  const meant = checked.value;
  const begun = await change(context, (tx, nowMs) => {
    endRestoring(tx, nowMs);
    const detail = { ...asked, died_at: isoUtc(meant.diedAtMs) };
    return done({
      value: null,
      audit: { action: "backup resume", subject: restore.file, detail },
      concern: { kind: "restored" },
    });
  });
  if (!begun.ok) return begun;
  const decided = asked.waiting === "hold" ? [] : await decideAll(context, restore, meant, asked.waiting);
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
    return refuse("INVALID_CLASS", `${JSON.stringify(named)} is no class: ${MESSAGE_CLASSES.join(", ")}`);
  }
  if (operator !== null && !isHeldFor(store.read, operator)) {
    const known = checkOperatorCode(config, operator);
    if (!known.ok) return known;
  }
  const nowMs = clock.nowMs();
  const time =
    asked.diedAt === null
      ? done(Math.max(nowMs, restore.madeAtMs))
      : readInstant(asked.diedAt, config.defaults.timezone, nowMs);
  if (!time.ok) return time;
  const diedAtMs = time.value;
  if (diedAtMs < restore.madeAtMs || (asked.diedAt !== null && diedAtMs > nowMs)) {
    const between = `${isoUtc(restore.madeAtMs)}, when the backup was made, and now`;
    return refuse(
      "INVALID_TIME",
      `the old machine last ran between ${between}: --died-at ${isoUtc(diedAtMs)} is not`,
    );
  }
  return done({ messageClass, operator, diedAtMs });
}

/** Whether anything is held for an operator, which need not be configured any more. */
function isHeldFor(read: Reader, operator: string): boolean {
  if (heldFlights(read).some((flight) => flight.operator === operator)) return true;
  for (let after = FIRST_PLACE; ; ) {
    const page = heldPlaces(read, after, PLACES_A_PAGE);
    if (page.some((place) => place.operator === operator)) return true;
    const last = page.at(-1);
    if (!last) return false;
    after = last;
  }
}

/** Messages decided in one transaction. */
const STEP = 250;

async function decideAll(
  context: AdminContext,
  restore: Restore,
  meant: Meant,
  mode: HeldMode,
): Promise<readonly HeldCount[]> {
  const { store } = context;
  const tally = tallyOf();
  const accounts = new Set<number>();
  await decideFlights(context, meant, tally, accounts);
  await store.write(splitHeld);
  let after: QueuePlace = FIRST_PLACE;
  for (;;) {
    const page = heldPlaces(store.read, after, PLACES_A_PAGE);
    for (const place of page) {
      // One that is not validated has no messages yet, and stays held until it has.
      if (!isMeant(meant, place) || place.operator === "") continue;
      tally.add(place, "waiting", await decidePlace(context, restore, meant, mode, place));
      accounts.add(place.accountId);
    }
    const last = page.at(-1);
    if (!last) break;
    after = last;
  }
  for (const accountId of accounts) context.server?.changed({ kind: "account", accountId });
  context.server?.changed({ kind: "queue" });
  return tally.counts();
}

function isMeant(
  { messageClass, operator }: Meant,
  place: { messageClass: MessageClass; operator: string },
): boolean {
  return (
    (messageClass ?? place.messageClass) === place.messageClass &&
    (operator ?? place.operator) === place.operator
  );
}

/** What was with an operator in the copy goes by the rule of its class. */
async function decideFlights(
  { store, clock, config }: AdminContext,
  meant: Meant,
  tally: HeldTally,
  accounts: Set<number>,
): Promise<void> {
  const flights = heldFlights(store.read).filter((flight) => isMeant(meant, flight));
  for (let from = 0; from < flights.length; from += STEP) {
    const step = flights.slice(from, from + STEP);
    await store.write((tx) => {
      const nowMs = clock.nowMs();
      const session = openFacts(tx, nowMs);
      for (const { messageId } of step) {
        // As it stands in this transaction: a receipt may have come.
        const flight = heldFlight(tx, messageId);
        if (flight) decideFlight(config.delivery.unanswered, session, flight, nowMs);
        releaseFlight(tx, messageId);
      }
      session.close();
    });
    for (const flight of step) {
      if (flight.status === "SUBMITTED") tally.add(flight, "in_flight", 1);
      accounts.add(flight.accountId);
    }
  }
}

/** Decides a place in steps, each of which says how far it came; how many messages were decided. */
async function decidePlace(
  { store, clock, config }: AdminContext,
  restore: Restore,
  { diedAtMs }: Meant,
  mode: HeldMode,
  place: HeldPlace,
): Promise<number> {
  const waitsOn = place.status === "SCHEDULED" && (place.scheduledAt ?? 0) > diedAtMs;
  if (waitsOn) {
    await store.write((tx) => releasePlace(tx, place));
    return 0;
  }
  const deps = {
    settleUnheld: settleUnheld({ now: () => config }),
    parkedBefore: restore.parkedBefore,
  };
  let decided = 0;
  for (let afterId = place.decidedThrough; ; ) {
    const from = afterId;
    const step = await store.write((tx) => {
      const nowMs = clock.nowMs();
      startHeld(tx, place.batchId);
      const found = heldMessages(tx, place, from, STEP);
      const due = found.filter(({ notBefore }) => notBefore <= diedAtMs);
      const session = openFacts(tx, nowMs);
      for (const { id } of due) decideHeld(deps, tx, session, id, mode, nowMs);
      session.close();
      const last = found.at(-1);
      if (last && found.length === STEP) decidedThrough(tx, place, last.id);
      else releasePlace(tx, place);
      // All of a batch that was scheduled may have been decided.
      if (place.status === "SCHEDULED" && found.length < STEP) reviewBatch(tx, place.batchId, nowMs);
      return { decided: due.length, lastId: found.length === STEP ? (last?.id ?? null) : null };
    });
    decided += step.decided;
    if (step.lastId === null) return decided;
    afterId = step.lastId;
  }
}
