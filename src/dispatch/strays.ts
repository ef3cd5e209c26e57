/**
 * Messages that wait for an operator which has no line, because it left the configuration. They wait within their
 * validity, move on when the operator was given another code, and are given up when it was retired
 * (docs/behaviour.md#operators-that-left).
 */
import { type Clock, isOver } from "../core/clock.ts";
import type { Log } from "../core/log.ts";
import { runInBatches, createYielder } from "../core/slices.ts";
import type { Store } from "../db/store.ts";
import { isHeldBack } from "../domain/messages/held.ts";
import { isRetired, resolveOperatorCode } from "../domain/messages/operator-renames.ts";
import { hasUntimedLegs, startLegTimers } from "../domain/messages/second-ways.ts";
import { handOver, placesOf, type WaitingPlace, waitingAt } from "../domain/messages/waiting.ts";
import { giveUpQueued } from "./give-up.ts";

/** How many messages wait for an operator that is not in the configuration. */
export type OrphanCount = { readonly operator: string; readonly messages: number };

export type OrphanedMessages = {
  /** Messages of a batch wait for an operator without a line. */
  readonly note: (place: WaitingPlace) => void;
  /** Looks after every place once, in steps. The first time it finds them, and the log tells how many wait for whom. */
  readonly look: (isStopping: () => boolean) => Promise<void>;
  /** As of the last look, by code. */
  readonly waiting: () => readonly OrphanCount[];
};

export type OrphanedMessagesDeps = {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly hasLine: (operator: string) => boolean;
  /** Whether anything may be claimed at all. */
  readonly mayClaim: () => boolean;
  /** Messages of a batch wait for an operator with a line now. */
  readonly onHandedOver: (batchId: number) => void;
};

/** What becomes of messages for a code without a line. `code`: the one with a line that it goes by, if any. */
type Fate = { readonly code: string | null; readonly isRetired: boolean };

/** Messages handed over in one transaction. */
const STEP = 250;

export function orphanedMessages({ store, clock, log, hasLine, mayClaim, onHandedOver }: OrphanedMessagesDeps): OrphanedMessages {
  const places = new Map<string, WaitingPlace>();
  let counts = new Map<string, number>();
  let isSearched = false;

  const note = (place: WaitingPlace): void => {
    places.set(`${place.batchId} ${place.operator}`, place);
  };

  /** What was said about the code, read once a look: tens of thousands of batches may wait for it. */
  const fateOf = (operator: string): Fate => {
    const code = resolveOperatorCode(store.read, operator);
    return { code: hasLine(code) ? code : null, isRetired: isRetired(store.read, operator) };
  };

  /** Looks after one place: how many still wait there. */
  const lookAfter = async (place: WaitingPlace, { code, isRetired: isOut }: Fate): Promise<number> => {
    if (code !== null) {
      const isBack = code === place.operator;
      if (!isBack) await runInBatches(STEP, () => store.write((tx) => handOver(tx, place, code, STEP)));
      onHandedOver(place.batchId);
      return 0;
    }
    const found = waitingAt(store.read, place);
    if (!found || found.messages === 0) return 0;
    if (isHeldBack(store.read, place)) return found.messages;
    const isExpired = isOver(clock, found.createdAt, found.expiresAt);
    if (!isExpired && !isOut) return found.messages;
    const reason = isExpired ? "EXPIRED_IN_QUEUE" : "NO_ROUTE";
    await giveUpQueued({ store, clock, log }, place, { code: reason, operatorCode: null });
    return waitingAt(store.read, place)?.messages ?? 0;
  };

  /** Nothing leaves by it any more, so that each message has had its turn: the time begins after which it goes on by another channel. */
  const beginTurns = async (
    operator: string,
    batches: ReadonlySet<number>,
    isStopping: () => boolean,
  ): Promise<void> => {
    if (!mayClaim() || !hasUntimedLegs(store.read)) return;
    const isMeant = (batchId: number): boolean => batches.has(batchId);
    await runInBatches(STEP, async () =>
      isStopping() ? 0 : await store.write((tx) => startLegTimers(tx, operator, clock.nowMs(), STEP, isMeant)),
    );
  };

  const tell = (operator: string, messages: number): void => {
    log.warn("messages wait for an operator that is not in the configuration", {
      operator,
      messages,
      action: `configure it again, or use "operator rename ${operator} NEW" or "operator retire ${operator}"`,
    });
  };

  return {
    note,
    look: async (isStopping) => {
      const pause = createYielder(clock);
      if (!isSearched) {
        for (const place of await placesOf(store.read, pause, (code) => !hasLine(code))) note(place);
        isSearched = true;
      }
      const left = new Map<string, number>();
      const fates = new Map<string, Fate>();
      const standing = new Map<string, Set<number>>();
      for (const [key, place] of places) {
        if (isStopping()) return;
        const fate = fates.get(place.operator) ?? fateOf(place.operator);
        fates.set(place.operator, fate);
        const messages = await lookAfter(place, fate);
        if (messages === 0) places.delete(key);
        else {
          left.set(place.operator, (left.get(place.operator) ?? 0) + messages);
          const batches = standing.get(place.operator) ?? new Set();
          if (!isHeldBack(store.read, place)) standing.set(place.operator, batches.add(place.batchId));
        }
        await pause();
      }
      for (const [operator, batches] of standing) await beginTurns(operator, batches, isStopping);
      for (const [operator, messages] of left) if (!counts.has(operator)) tell(operator, messages);
      counts = left;
    },
    waiting: () => [...counts].map(([operator, messages]) => ({ operator, messages })),
  };
}
