/**
 * Everything between the queue and one number of WhatsApp: takes messages in fair order (outbound) as fast as Meta lets the number
 * write, claims each before the first byte of its post leaves (`posting.ts`), and looks again when more may leave.
 */
import { type Cancel, isStartDoubted } from "../base/clock.ts";
import { type GatheredLog, gatheredLog } from "../base/gathered-log.ts";
import { errorFields } from "../base/log.ts";
import { operatorOfNumber } from "../config/whatsapp-codes.ts";
import type { Candidate } from "../outbound/lanes.ts";
import type { Line, LinkHealth } from "../outbound/line.ts";
import { type LineQueue, lineQueue } from "../outbound/line-queue.ts";
import { ownedWork } from "../outbound/owned-work.ts";
import type { Hindrance, NumberLineDeps } from "./line-deps.ts";
import { missedTurns } from "./missed-turns.ts";
import { type NumberPace, numberPace } from "./number-pace.ts";
import { type Begin, posting } from "./posting.ts";
import { type TestPosts, testPosts } from "./test-posts.ts";
import { type UserTurns, userTurns } from "./user-turns.ts";

export type NumberLine = Line & {
  readonly code: string;
  readonly pace: NumberPace;
  readonly tests: TestPosts;
  /** The configuration, or what hinders it, has changed: looks what may leave. */
  readonly look: () => void;
};

/** How often it is looked whether templates were written. */
const TEMPLATES_LOOK_MS = 5000;
/** How often a number by which nothing may leave looks again. */
const HELD_LOOK_MS = 1000;

export function numberLine(deps: NumberLineDeps): NumberLine {
  const { code, number, clock, store } = deps;
  const log = deps.log.with({ operator: operatorOfNumber(code) });
  const faults = gatheredLog(log, clock);
  const work = workOf(faults);
  const breakOff = new AbortController();
  const pace = numberPace(clock, () => number().throughput);
  const users = userTurns();
  let isHalted = false;
  const isStopping = (): boolean => isHalted;
  const ask = onceATurn(() => {
    if (!isHalted) sending.run();
  });
  const queue = lineQueue({
    ...{ ...deps, log, own: work.own, onReady: ask },
    channelGate: (batch) => deps.wording.gateOf(store.read, batch),
  });
  const next = nextOf({ ...deps, queue, users });
  const under = { queue, pace, users, work, faults, isStopping, ask, stop: breakOff.signal };
  const tests = testPosts({ ...deps, ...under });
  const sending = sendingBy(deps, pace, { ...next, test: tests.begin }, posting({ ...deps, ...under }));
  const stopWatching = watchTemplates(deps, queue.askAgain);
  const halt = (): void => {
    isHalted = true;
    stopWatching();
    sending.stop();
    queue.clear();
    users.clear();
  };
  const end = async (graceMs: number): Promise<void> => {
    halt();
    const cancel = clock.after(graceMs, () => breakOff.abort());
    await work.idle();
    cancel();
    faults.close();
  };
  return {
    ...{ code, pace, tests, halt, stop: end, knows: queue.knows, accountChanged: queue.changed },
    look: () => {
      pace.follow();
      next.forget();
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
function watchTemplates({ clock, store, wording, number }: NumberLineDeps, onWritten: () => void): Cancel {
  let mark = wording.markOf(store.read, number());
  let cancel: Cancel = () => {};
  const look = (): void => {
    const now = wording.markOf(store.read, number());
    if (now !== mark) onWritten();
    mark = now;
    cancel = clock.after(TEMPLATES_LOOK_MS, look);
  };
  cancel = clock.after(TEMPLATES_LOOK_MS, look);
  return () => cancel();
}

/** Begins with what may leave at this moment, and looks again when more may. */
function sendingBy(
  deps: NumberLineDeps,
  pace: NumberPace,
  next: ReturnType<typeof nextOf> & { readonly test: (nowMs: number) => boolean },
  begin: Begin,
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
      if (!number().enabled || hindrance() !== null) turns.pass(nowMs);
      cancelTimer = clock.after(HELD_LOOK_MS, run);
      return;
    }
    while (pace.available(nowMs)) {
      if (next.test(nowMs)) continue;
      const candidate = next.take(nowMs);
      if (candidate === null) break;
      begin(candidate, nowMs);
    }
    if (next.isFull(nowMs)) {
      turns.pass(nowMs);
      cancelTimer = clock.after(HELD_LOOK_MS, run);
      return;
    }
    turns.begin(nowMs);
    const dueMs = [pace.nextMs(nowMs), next.againMs()].filter((at) => at !== null);
    if (dueMs.length > 0) cancelTimer = clock.after(Math.max(1, Math.min(...dueMs) - nowMs), run);
  };
  return { run, stop: (): void => cancelTimer() };
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

function workOf(faults: GatheredLog) {
  return ownedWork((error) => {
    const words = "what happened on a number's line could not be written down";
    faults.note("error", "work", words, { ...errorFields(error) });
  });
}

type NextDeps = Pick<NumberLineDeps, "code" | "number" | "day" | "clock"> & {
  readonly queue: LineQueue;
  readonly users: UserTurns;
};

/** What leaves next: no user twice in a few seconds, and no more users in a day than the number may write to. */
function nextOf({ code, number, day, clock, queue, users }: NextDeps) {
  /** Of the steady clock; nothing is taken off the queue before. */
  let isFullUntilMs = Number.NEGATIVE_INFINITY;
  const hasRoom = ({ batch, message }: Candidate, nowMs: number): boolean => {
    const { recipients_per_day: limit } = number();
    const wallMs = clock.nowMs();
    if (day.hasRoom(code, message.msisdn, limit, wallMs)) return true;
    isFullUntilMs = nowMs + Math.max(1, (day.roomAtMs(code) ?? wallMs) - wallMs);
    queue.settled(message.id);
    queue.requeued(batch, wallMs);
    return false;
  };
  return {
    take: (nowMs: number): Candidate | null => {
      for (let waited = users.due(nowMs); waited; waited = users.due(nowMs)) {
        // Another that waited for the same user may have gone meanwhile.
        const freeAtMs = users.freeAtMs(waited.message.msisdn, nowMs);
        if (freeAtMs <= nowMs) return waited;
        users.keep(waited, freeAtMs);
      }
      while (nowMs >= isFullUntilMs && !users.isFull()) {
        const candidate = queue.take();
        if (candidate === null || !hasRoom(candidate, nowMs)) return null;
        const freeAtMs = users.freeAtMs(candidate.message.msisdn, nowMs);
        if (freeAtMs <= nowMs) return candidate;
        users.keep(candidate, freeAtMs);
      }
      return null;
    },
    /** When it is worth asking again; null: when something is queued. */
    againMs: (): number | null => {
      const at = [users.nextMs(), Number.isFinite(isFullUntilMs) ? isFullUntilMs : null];
      const known = at.filter((one) => one !== null && one > clock.steadyMs()).map(Number);
      return known.length === 0 ? null : Math.min(...known);
    },
    /** The number may write to nobody else for now. */
    isFull: (nowMs: number): boolean => nowMs < isFullUntilMs,
    forget: (): void => {
      isFullUntilMs = Number.NEGATIVE_INFINITY;
    },
  };
}

function healthOf(hindrance: Hindrance | null, pace: NumberPace): LinkHealth {
  const { lastError, downSinceMs } = pace.health();
  if (hindrance === null) {
    return { state: downSinceMs === null ? "BOUND" : "UNREACHABLE", lastError, downSinceMs };
  }
  const { words, atMs, isPause } = hindrance;
  if (isPause) return { state: "BOUND", lastError, downSinceMs: null, paused: { reason: words, atMs } };
  return { state: "STOPPED", lastError: words, downSinceMs: atMs };
}
