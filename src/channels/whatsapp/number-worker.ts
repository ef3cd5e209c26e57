/**
 * The worker of one WhatsApp number: everything between its queue and its posts. Takes messages in fair order
 * (dispatch/batch-scheduler.ts) as fast as Meta lets the number write, claims each before the first byte of its post leaves
 * (`post-messages.ts`), and looks again when more may leave.
 */
import { toWhatsAppOperator } from "../../config/config.ts";
import { type Cancel, type Clock, isStartDoubted } from "../../core/clock.ts";
import { errorFields, type RateLimitedLog, rateLimitedLog } from "../../core/log.ts";
import { MAX_BACKOFF_MS } from "../../dispatch/attempt.ts";
import type { Candidate } from "../../dispatch/batch-scheduler.ts";
import { type OperatorQueue, operatorQueue } from "../../dispatch/operator-queue.ts";
import type { Recorder } from "../../dispatch/recorder.ts";
import type { SendingGate } from "../../dispatch/sending-gate.ts";
import { type OperatorWorker, type SessionHealth, taskTracker } from "../../dispatch/worker.ts";
import { MESSAGE_CLASSES, type MessageClass } from "../../domain/accounts/message-class.ts";
import { hasUntimedLegs, startLegTimers } from "../../domain/messages/fallback-legs.ts";
import { deferMessage, type QueuedBatch } from "../../domain/messages/queue.ts";
import { isRestoring } from "../../domain/messages/restore-holds.ts";
import type { NumberConfig } from "./cloud-api.ts";
import {
  createUserSpacing,
  type DailyUserCounts,
  type NumberPace,
  numberPace,
  type PaceFigures,
  restoreUserSpacing,
  type UserSpacing,
} from "./pacing.ts";
import { type BeginPost, posting, type SendBlock, type WhatsAppWorkerDeps } from "./post-messages.ts";
import { createNumberTestMessages, type NumberTestMessages } from "./test-messages.ts";

export type WhatsAppWorker = OperatorWorker & {
  readonly code: string;
  readonly pace: NumberPace;
  readonly tests: NumberTestMessages;
  /** The configuration, or a reason against sending, has changed: looks what may leave. */
  readonly look: () => void;
};

/** How often the worker looks whether templates were written. */
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
  const waiting = waitingBatches();
  const queue = operatorQueue({
    ...deps,
    log,
    own: work.own,
    onReady: ask,
    onOver: (batchId) => {
      waiting.drop(batchId);
      room.drop(batchId);
      deps.onOver(batchId);
    },
    channelGate: (batch) =>
      waiting.note(batch, room.keeps(batch.batchId) ? HELD : deps.wording.checkGate(store.read, batch)),
  });
  const next = createPostSelector({ ...deps, queue, users, room });
  const under = { queue, pace, users, work, faults, isStopping, ask, stop: breakOff.signal };
  const tests = createNumberTestMessages({ ...deps, ...under });
  const sending = sendingBy(
    deps,
    pace,
    { ...next, test: tests.begin, waiting },
    posting({ ...deps, ...under }),
  );
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
    takeFastPathSlot: () => null,
    status: () => [healthOf(deps.obstacle(), pace)],
    leave: () => end(deps.settings.now().whatsapp.response_timeout_seconds * 1000),
  };
}

/** Looks at batches that wait for their template when templates were written: they have no time at which to look. */
function watchTemplates(
  { clock, store, wording, number }: WhatsAppWorkerDeps,
  onWritten: () => void,
): Cancel {
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
  next: PostSelector & { readonly test: (nowMs: number) => boolean; readonly waiting: WaitingBatches },
  begin: BeginPost,
) {
  const { clock, number, obstacle, mayClaim } = deps;
  let cancelTimer: Cancel = () => {};
  const turns = missedTurns(deps);
  const isHeld = (): boolean =>
    isStartDoubted(clock) || !mayClaim() || !number().enabled || obstacle() !== null;
  const run = (): void => {
    cancelTimer();
    const nowMs = clock.steadyMs();
    if (isHeld()) {
      // While it is undecided what a restore sends, no turn is missed.
      if (!isRestoring(deps.store.read) && (!number().enabled || obstacle() !== null)) turns.pass(nowMs);
      cancelTimer = clock.after(HELD_LOOK_MS, run);
      return;
    }
    while (pace.available(nowMs)) {
      if (next.test(nowMs)) continue;
      const candidate = next.take(nowMs);
      if (candidate === null) break;
      begin(candidate, nowMs);
    }
    const isAnyWaiting = next.waiting.isAny();
    if (isAnyWaiting) turns.pass(nowMs, next.waiting.has);
    else turns.begin(nowMs);
    const lookMs = isAnyWaiting ? nowMs + HELD_LOOK_MS : null;
    const dueMs = [pace.nextMs(nowMs), next.againMs(nowMs), lookMs].filter((at) => at !== null);
    if (dueMs.length > 0) cancelTimer = clock.after(Math.max(1, Math.min(...dueMs) - nowMs), run);
  };
  return { run, stop: (): void => cancelTimer() };
}

const HELD: SendingGate = { kind: "held", untilMs: null };

/** Batches that had their turn and wait since: for their template, or because the number's daily users are used up. */
type WaitingBatches = {
  /** Notes the gate's answer for a batch. */
  readonly note: (batch: QueuedBatch, gate: SendingGate) => SendingGate;
  readonly has: (batchId: number) => boolean;
  readonly isAny: () => boolean;
  /** A batch has nothing left here. */
  readonly drop: (batchId: number) => void;
};

function waitingBatches(): WaitingBatches {
  const batches = new Set<number>();
  return {
    note: ({ batchId }, gate) => {
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

function healthOf(obstacle: SendBlock | null, pace: NumberPace): SessionHealth {
  const { lastError, downSinceMs } = pace.health();
  if (obstacle === null) {
    return { state: downSinceMs === null ? "BOUND" : "UNREACHABLE", lastError, downSinceMs };
  }
  const { atMs } = obstacle;
  return obstacle.kind === "paused"
    ? { state: "BOUND", lastError, downSinceMs: null, paused: { reason: obstacle.reason, atMs } }
    : { state: "STOPPED", lastError: obstacle.why, downSinceMs: atMs };
}

/** The turns of messages that would have been posted by now, had the number been able to send. Times are of the steady clock. */
type MissedTurns = {
  /** Something may leave: no turn is missed until now. */
  readonly begin: (nowMs: number) => void;
  /**
   * Nothing has left since the last look, or nothing of these batches: for as many messages as the number would have written meanwhile,
   * the time of their leg begins.
   */
  readonly pass: (nowMs: number, isMeant?: (batchId: number) => boolean) => void;
};

/** Most turns of one look: the next look takes the rest. */
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
        .write(
          (tx) => startLegTimers(tx, toWhatsAppOperator(code), clock.nowMs(), most, isMeant),
          "with the next",
        )
        .catch(() => log.warn("turns that were missed are noted later", {}))
        .finally(() => {
          isWriting = false;
        });
    },
  };
}

// Selects what leaves next by a number: no user twice in a few seconds, and no more users in a day than it may write to.

type PostSelector = {
  /** The next message, taken off the queue; null where none may leave at this moment of the steady clock. */
  readonly take: (nowMs: number) => Candidate | null;
  /** When to ask again, seen from the moment at which nothing could leave; null: when something is queued. */
  readonly againMs: (nowMs: number) => number | null;
};

type Deps = {
  readonly clock: Pick<Clock, "nowMs">;
  readonly queue: Pick<OperatorQueue, "take" | "settled" | "requeued">;
  readonly recorder: Pick<Recorder, "enter">;
  readonly users: UserSpacing;
  readonly room: DailyLimit;
};

/** In each class, messages that waited for their user go before those off the queue, and no class before a more urgent one. */
export function createPostSelector({ clock, queue, recorder, users, room }: Deps): PostSelector {
  /** More messages wait for the user than are kept in memory: this one is read again when those have left. */
  const later = ({ batch, message }: Candidate, nowMs: number): void => {
    const waitMs = users.throughMs(message.msisdn, batch.messageClass, nowMs) - nowMs;
    const untilMs = clock.nowMs() + Math.ceil(Math.min(waitMs, MAX_BACKOFF_MS));
    recorder.enter(
      (tx) => deferMessage(tx, message.id, untilMs),
      () => {
        queue.settled(message.id);
        queue.requeued(batch, untilMs);
      },
    );
  };
  const fromQueue = (isWanted: (messageClass: MessageClass) => boolean, nowMs: number): Candidate | null => {
    for (;;) {
      const candidate = queue.take((one) => isWanted(one) && !users.isFull(one));
      if (candidate === null) return null;
      if (!room.has(candidate)) continue;
      const freeAtMs = users.freeAtMs(candidate.message.msisdn, nowMs);
      if (freeAtMs <= nowMs) return candidate;
      if (!users.keep(candidate, freeAtMs)) later(candidate, nowMs);
    }
  };
  const fromAside = (nowMs: number): Candidate | null => {
    for (;;) {
      const candidate = users.due(nowMs);
      // The day's users may have been used up since it was set aside.
      if (candidate === null || room.has(candidate)) return candidate;
    }
  };
  return {
    take: (nowMs) => {
      room.letIn();
      const waited = fromAside(nowMs);
      if (waited === null) return fromQueue(() => true, nowMs);
      const rank = MESSAGE_CLASSES.indexOf(waited.batch.messageClass);
      const moreUrgent = fromQueue((one) => MESSAGE_CLASSES.indexOf(one) < rank, nowMs);
      if (moreUrgent === null) return waited;
      if (!users.keep(waited, nowMs)) later(waited, nowMs);
      return moreUrgent;
    },
    againMs: (nowMs) => {
      const known = [users.nextMs(), room.nextMs(nowMs)].filter((at) => at !== null);
      return known.length === 0 ? null : Math.max(nowMs, Math.min(...known));
    },
  };
}

/**
 * Batches that wait because their number has written to as many users as it may in a day. Messages to users of today, or who wrote, do
 * not wait: only others are kept back, batch by batch, and the most urgent batch goes first when there is room again.
 */
type DailyLimit = {
  /** Whether a message may leave under the daily limit; else its batch is kept back. */
  readonly has: (candidate: Candidate) => boolean;
  /** Whether a batch is kept back. */
  readonly keeps: (batchId: number) => boolean;
  /** Lets as many batches go on as there is room for users. */
  readonly letIn: () => void;
  /** Has all of them looked at again: the limit may be another. */
  readonly letAll: () => void;
  /** A batch has nothing left here. */
  readonly drop: (batchId: number) => void;
  /** When there will be room, on the steady clock; null where nothing waits for it. */
  readonly nextMs: (nowMs: number) => number | null;
  readonly clear: () => void;
};

type DailyLimitDeps = Pick<WhatsAppWorkerDeps, "code" | "number" | "day"> & {
  readonly clock: Clock;
  readonly queue: () => OperatorQueue;
};

function createDailyLimit({ code, number, day, clock, queue }: DailyLimitDeps): DailyLimit {
  const kept = new Map<number, QueuedBatch>();
  const byClass: Record<MessageClass, Map<number, QueuedBatch>> = {
    OTP: new Map(),
    TRANSACTIONAL: new Map(),
    MARKETING: new Map(),
  };
  const drop = (batchId: number): void => {
    const batch = kept.get(batchId);
    kept.delete(batchId);
    if (batch) byClass[batch.messageClass].delete(batchId);
  };
  const clear = (): void => {
    kept.clear();
    for (const messageClass of MESSAGE_CLASSES) byClass[messageClass].clear();
  };
  const letGo = (batch: QueuedBatch): void => {
    drop(batch.batchId);
    queue().requeued(batch, clock.nowMs());
  };
  return {
    has: ({ batch, message }) => {
      const { recipients_per_day: limit } = number();
      if (day.hasRoom(code, message.msisdn, limit, clock.nowMs())) return true;
      queue().settled(message.id);
      kept.set(batch.batchId, batch);
      byClass[batch.messageClass].set(batch.batchId, batch);
      // The batch's gate is asked, and keeps it back.
      queue().open(batch);
      return false;
    },
    drop,
    keeps: (batchId) => kept.has(batchId),
    letIn: () => {
      if (kept.size === 0) return;
      const { recipients_per_day: limit } = number();
      let room = limit === 0 ? kept.size : limit - day.usersOf(code, clock.nowMs());
      for (const messageClass of MESSAGE_CLASSES) {
        for (const batch of byClass[messageClass].values()) {
          if (room <= 0) return;
          room -= 1;
          letGo(batch);
        }
      }
    },
    letAll: () => {
      clear();
      queue().askAgain();
    },
    nextMs: (nowMs) => {
      if (kept.size === 0) return null;
      const wallMs = clock.nowMs();
      return nowMs + Math.max(1, (day.roomAtMs(code) ?? wallMs) - wallMs);
    },
    clear,
  };
}

/** A number as it stands, for `operator status`. */
export type NumberStatus = SessionHealth &
  PaceFigures & {
    /** Its operator code. */
    readonly operator: string;
    readonly phoneNumberId: string;
    readonly wabaId: string;
    readonly isEnabled: boolean;
    /** Messages a second that the configuration allows. */
    readonly throughput: number;
    /** Different users written to in the last day by all numbers of its portfolio, and how many there may be; 0 is no limit. */
    readonly usersOfDay: number;
    readonly recipientsPerDay: number;
    /** Countries that it may not write to, as Meta said lately. */
    readonly refusedCountries: readonly BlockedCountry[];
  };

/** The status of a number, from its worker and configuration; `nowMs` of the wall clock, `steadyMs` of the steady one. */
export function numberStatus(
  worker: WhatsAppWorker,
  operator: string,
  number: NumberConfig,
  day: DailyUserCounts,
  { nowMs, steadyMs }: { readonly nowMs: number; readonly steadyMs: number },
): Omit<NumberStatus, "refusedCountries"> | null {
  const [health] = worker.status();
  if (health === undefined) return null;
  return {
    ...health,
    ...worker.pace.figures(steadyMs),
    operator,
    phoneNumberId: number.phone_number_id,
    wabaId: number.waba_id,
    isEnabled: number.enabled,
    throughput: number.throughput,
    usersOfDay: day.usersOf(worker.code, nowMs),
    recipientsPerDay: number.recipients_per_day,
  };
}

// Countries whose users a number may not write to, as Meta says with each message to them (130497). In memory since the start.

type BlockedCountry = {
  /** Its calling code. */
  readonly country: string;
  /** Since when Meta says so, epoch milliseconds. */
  readonly sinceMs: number;
};

export type CountryBlocks = {
  /** Notes that Meta refused a message of a number to a country; returns whether that is news. */
  readonly note: (number: string, country: string) => boolean;
  /** The countries that Meta refused within the last 15 minutes. */
  readonly of: (number: string) => readonly BlockedCountry[];
};

/** For how long a country counts as refused, so that one that is written to now and then is not reported more often. */
const HOLDS_MS = 900_000;

type Refusal = BlockedCountry & { readonly lastMs: number };

export function createCountryBlocks(clock: Clock): CountryBlocks {
  const byNumber = new Map<string, Map<string, Refusal>>();
  const isLasting = ({ lastMs }: Refusal): boolean => clock.steadyMs() - lastMs < HOLDS_MS;
  return {
    note: (number, country) => {
      const known = byNumber.get(number) ?? new Map<string, Refusal>();
      byNumber.set(number, known);
      const before = known.get(country);
      const lasts = before !== undefined && isLasting(before);
      known.set(country, {
        country,
        sinceMs: lasts ? before.sinceMs : clock.nowMs(),
        lastMs: clock.steadyMs(),
      });
      return !lasts;
    },
    of: (number) =>
      [...(byNumber.get(number)?.values() ?? [])]
        .filter(isLasting)
        .map(({ country, sinceMs }) => ({ country, sinceMs })),
  };
}
