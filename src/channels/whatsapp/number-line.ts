/**
 * Everything between the queue and one number of WhatsApp: takes messages in fair order (outbound) as fast as Meta lets the number
 * write, claims each before the first byte of its post leaves (`posting.ts`), and looks again when more may leave.
 */
import { toWhatsAppOperator } from "../../config/whatsapp-codes.ts";
import { type Cancel, isStartDoubted } from "../../core/clock.ts";
import { type RateLimitedLog, rateLimitedLog } from "../../core/gathered-log.ts";
import { errorFields } from "../../core/log.ts";
import type { SendingGate } from "../../dispatch/gate.ts";
import type { OperatorWorker, SessionHealth } from "../../dispatch/line.ts";
import { operatorQueue } from "../../dispatch/line-queue.ts";
import { taskTracker } from "../../dispatch/owned-work.ts";
import { isRestoring } from "../../domain/messages/held.ts";
import type { QueuedBatch } from "../../domain/messages/queue.ts";
import { hasUntimedLegs, startLegTimers } from "../../domain/messages/second-ways.ts";
import { createDailyLimit } from "./day-room.ts";
import type { SendBlock, WhatsAppWorkerDeps } from "./line-deps.ts";
import { type PostSelector, createPostSelector } from "./next-post.ts";
import { type NumberPace, numberPace } from "./number-pace.ts";
import { type BeginPost, posting } from "./posting.ts";
import { restoreUserSpacing } from "./recent-posts.ts";
import { type NumberTestMessages, createNumberTestMessages } from "./test-posts.ts";
import { createUserSpacing } from "./user-turns.ts";

export type WhatsAppWorker = OperatorWorker & {
  readonly code: string;
  readonly pace: NumberPace;
  readonly tests: NumberTestMessages;
  /** The configuration, or what hinders it, has changed: looks what may leave. */
  readonly look: () => void;
};

/** How often it is looked whether templates were written. */
const TEMPLATES_LOOK_MS = 5000;
/** How often a number by which nothing may leave looks again. */
const HELD_LOOK_MS = 1000;

export function openWhatsAppWorker(deps: WhatsAppWorkerDeps): WhatsAppWorker {
  const { code, number, clock, store } = deps;
  const log = deps.log.with({ operator: toWhatsAppOperator(code) });
  const faults = rateLimitedLog(log, clock);
  const work = workOf(faults);
  const breakOff = new AbortController();
  const pace = numberPace(clock, () => number().throughput);
  const users = createUserSpacing();
  restoreUserSpacing(store.read, code, users, clock);
  let isHalted = false;
  const isStopping = (): boolean => isHalted;
  const ask = onceATurn(() => {
    if (!isHalted) sending.run();
  });
  const room = createDailyLimit({ ...deps, queue: () => queue });
  const kept = keptBack();
  const queue = operatorQueue({
    ...deps,
    log,
    own: work.own,
    onReady: ask,
    onOver: (batchId) => {
      kept.drop(batchId);
      room.drop(batchId);
      deps.onOver(batchId);
    },
    channelGate: (batch) =>
      kept.seen(batch, room.keeps(batch.batchId) ? KEPT : deps.wording.checkGate(store.read, batch)),
  });
  const next = createPostSelector({ ...deps, queue, users, room });
  const under = { queue, pace, users, work, faults, isStopping, ask, stop: breakOff.signal };
  const tests = createNumberTestMessages({ ...deps, ...under });
  const sending = sendingBy(deps, pace, { ...next, test: tests.begin, kept }, posting({ ...deps, ...under }));
  const stopWatching = watchTemplates(deps, queue.askAgain);
  const halt = (): void => {
    isHalted = true;
    stopWatching();
    sending.stop();
    queue.clear();
    users.clear();
    room.clear();
  };
  const end = async (graceMs: number): Promise<void> => {
    halt();
    const cancel = clock.after(graceMs, () => breakOff.abort());
    await work.idle();
    cancel();
    faults.close();
  };
  return {
    code,
    pace,
    tests,
    halt,
    stop: end,
    knows: queue.knows,
    accountChanged: queue.changed,
    look: () => {
      pace.follow();
      room.letAll();
      ask();
    },
    open: (batch, all) => {
      if (!isHalted) queue.open(batch, all);
    },
    passage: () => null,
    status: () => [healthOf(deps.hindrance(), pace)],
    leave: () => end(deps.settings.now().whatsapp.response_timeout_seconds * 1000),
  };
}

/** What waits for its template has no time to be looked at: it is when templates were written. */
function watchTemplates({ clock, store, wording, number }: WhatsAppWorkerDeps, onWritten: () => void): Cancel {
  let mark = wording.readCursor(store.read, number());
  let cancel: Cancel = () => {};
  const look = (): void => {
    const now = wording.readCursor(store.read, number());
    if (now !== mark) onWritten();
    mark = now;
    cancel = clock.after(TEMPLATES_LOOK_MS, look);
  };
  cancel = clock.after(TEMPLATES_LOOK_MS, look);
  return () => cancel();
}

/** Begins with what may leave at this moment, and looks again when more may. */
function sendingBy(
  deps: WhatsAppWorkerDeps,
  pace: NumberPace,
  next: PostSelector & { readonly test: (nowMs: number) => boolean; readonly kept: KeptBack },
  begin: BeginPost,
) {
  const { clock, number, hindrance, mayClaim } = deps;
  let cancelTimer: Cancel = () => {};
  const turns = missedTurns(deps);
  const isHeld = (): boolean =>
    isStartDoubted(clock) || !mayClaim() || !number().enabled || hindrance() !== null;
  const run = (): void => {
    cancelTimer();
    const nowMs = clock.steadyMs();
    if (isHeld()) {
      // While a restore is undecided nobody's turn comes.
      if (!isRestoring(deps.store.read) && (!number().enabled || hindrance() !== null)) turns.pass(nowMs);
      cancelTimer = clock.after(HELD_LOOK_MS, run);
      return;
    }
    while (pace.available(nowMs)) {
      if (next.test(nowMs)) continue;
      const candidate = next.take(nowMs);
      if (candidate === null) break;
      begin(candidate, nowMs);
    }
    const isAnyKept = next.kept.isAny();
    if (isAnyKept) turns.pass(nowMs, next.kept.has);
    else turns.begin(nowMs);
    const lookMs = isAnyKept ? nowMs + HELD_LOOK_MS : null;
    const dueMs = [pace.nextMs(nowMs), next.againMs(nowMs), lookMs].filter((at) => at !== null);
    if (dueMs.length > 0) cancelTimer = clock.after(Math.max(1, Math.min(...dueMs) - nowMs), run);
  };
  return { run, stop: (): void => cancelTimer() };
}

const KEPT: SendingGate = { kind: "held", untilMs: null };

/** Batches that had their turn and are kept back since: by their template, or because the number's day is used up. */
type KeptBack = {
  /** What was said of a batch when it was looked at last. */
  readonly seen: (batch: QueuedBatch, gate: SendingGate) => SendingGate;
  readonly has: (batchId: number) => boolean;
  readonly isAny: () => boolean;
  /** A batch is at its end here. */
  readonly drop: (batchId: number) => void;
};

function keptBack(): KeptBack {
  const batches = new Set<number>();
  return {
    seen: ({ batchId }, gate) => {
      if (gate.kind === "held") batches.add(batchId);
      else batches.delete(batchId);
      return gate;
    },
    has: (batchId) => batches.has(batchId),
    isAny: () => batches.size > 0,
    drop: (batchId) => batches.delete(batchId),
  };
}

/** Runs it once at the end of this turn, however often it is asked for. */
function onceATurn(run: () => void): () => void {
  let isAsked = false;
  return () => {
    if (isAsked) return;
    isAsked = true;
    queueMicrotask(() => {
      isAsked = false;
      run();
    });
  };
}

function workOf(faults: RateLimitedLog) {
  return taskTracker((error) => {
    const words = "what happened on a number's line could not be written down";
    faults.note("error", "work", words, { ...errorFields(error) });
  });
}

function healthOf(hindrance: SendBlock | null, pace: NumberPace): SessionHealth {
  const { lastError, downSinceMs } = pace.health();
  if (hindrance === null) {
    return { state: downSinceMs === null ? "BOUND" : "UNREACHABLE", lastError, downSinceMs };
  }
  const { atMs } = hindrance;
  return hindrance.kind === "paused"
    ? { state: "BOUND", lastError, downSinceMs: null, paused: { reason: hindrance.reason, atMs } }
    : { state: "STOPPED", lastError: hindrance.why, downSinceMs: atMs };
}

/** The turns of messages that would have been posted by now, had anything left by the number. Times are of the steady clock. */
type MissedTurns = {
  /** Something may leave: no turn is missed until now. */
  readonly begin: (nowMs: number) => void;
  /**
   * Nothing has left since the last look, or nothing of these batches: for so many messages as the number writes meanwhile the time of
   * their way begins.
   */
  readonly pass: (nowMs: number, isMeant?: (batchId: number) => boolean) => void;
};

/** Most turns of one look: the next look takes the others. */
const MAX_TURNS = 250;

function missedTurns({
  code,
  number,
  store,
  clock,
  log,
}: Pick<WhatsAppWorkerDeps, "code" | "number" | "store" | "clock" | "log">): MissedTurns {
  let sinceMs = clock.steadyMs();
  let isWriting = false;
  return {
    begin: (nowMs) => {
      sinceMs = nowMs;
    },
    pass: (nowMs, isMeant) => {
      const turns = Math.floor(((nowMs - sinceMs) * number().throughput) / 1000);
      if (turns < 1 || isWriting) return;
      sinceMs = nowMs;
      if (!hasUntimedLegs(store.read)) return;
      isWriting = true;
      const most = Math.min(turns, MAX_TURNS);
      store
        .write((tx) => startLegTimers(tx, toWhatsAppOperator(code), clock.nowMs(), most, isMeant), "with the next")
        .catch(() => log.warn("turns that were missed are noted later", {}))
        .finally(() => {
          isWriting = false;
        });
    },
  };
}
