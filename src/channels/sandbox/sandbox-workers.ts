/**
 * The simulated operator of sandboxes: what test keys send goes to nobody (docs/behaviour.md#test-keys).
 *
 * Messages of sandboxes wait in queues of their own (core/sandbox.ts), for which no channel opens a worker: no operator of
 * the configuration can have such a code, and the schema lets no message change sides. This room has a worker for each such queue. It
 * uses the same queue, gate, claims and facts as any channel, and in place of a session a table of outcomes (`scripted-outcomes.ts`).
 * What a message waits for after that is stored, and done when it is due (below).
 */
import type { Settings } from "../../config/live-config.ts";
import { CHANNEL_TRAITS, type ChannelTraits, toChannel } from "../../core/channels.ts";
import { type Cancel, type Clock, isStartDoubted } from "../../core/clock.ts";
import { errorFields, type Log } from "../../core/log.ts";
import { isSandboxOperator, toLaneOperator, toSandboxId } from "../../core/sandbox.ts";
import type { Reader } from "../../db/reader.ts";
import type { Store } from "../../db/store.ts";
import type { Tx } from "../../db/writer.ts";
import type { Candidate } from "../../dispatch/batch-scheduler.ts";
import { type Claim, claimer } from "../../dispatch/claim.ts";
import type { RecoverClaim } from "../../dispatch/leases.ts";
import { type OperatorQueue, operatorQueue } from "../../dispatch/operator-queue.ts";
import { createPace } from "../../dispatch/pace.ts";
import { enterUntilDurable, type Recorder } from "../../dispatch/recorder.ts";
import {
  type OpenExtraWorkers,
  type OpenWorkers,
  type OperatorWorker,
  type TaskTracker,
  taskTracker,
  type WorkerTools,
} from "../../dispatch/worker.ts";
import { type FactSession, openFacts } from "../../domain/messages/apply-facts.ts";
import type { ReceiptVerdict } from "../../domain/messages/facts.ts";
import { isOnFallback } from "../../domain/messages/fallback-legs.ts";
import { isMessageErrorCode } from "../../domain/messages/message-status.ts";
import { type SandboxMessage, sandboxMessage } from "../../domain/messages/segments.ts";
import { ARRIVES, chooseMove, type SandboxStep, type ScriptedMove, SECOND_MS } from "./scripted-outcomes.ts";

type SandboxDeps = {
  readonly settings: Settings;
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
};

type SandboxWorker = OperatorWorker & Pick<AttemptRunner, "begin"> & Pick<OperatorQueue, "take">;

/** Adds the sandboxes to what delivery is given: their workers to those of the channels, and their recovery of claims to `live`. */
export function withSandboxes(deps: SandboxDeps, openWorkers: readonly OpenWorkers[], live: RecoverClaim) {
  return { openWorkers, openExtraWorkers: sandboxWorkers(deps), recoverClaim: recoverSandboxClaims(live) };
}

/** Recovers a message of a sandbox that has no lease: it was sent to nobody, so it waits for its turn again. */
export function recoverSandboxClaims(live: RecoverClaim): RecoverClaim {
  return (tx, session, message, nowMs) => {
    if (isSandboxOperator(message.operator))
      session.apply({ kind: "not_written", messageId: message.messageId });
    else live(tx, session, message, nowMs);
  };
}

/** Opens a worker for each sandbox queue that messages wait in. */
function sandboxWorkers(deps: SandboxDeps): OpenExtraWorkers {
  const { settings, store, clock, log } = deps;
  return (tools) => {
    const workers = new Map<string, SandboxWorker>();
    const steps = stepRunner({ store, clock, log });
    const { ask, stop } = turns({
      store,
      clock,
      log,
      throughput: () => settings.now().sandbox.throughput,
      isHeld: () => isStartDoubted(clock) || !tools.mayClaim(),
      begin: (room) => beginWith([...workers.values()], room),
    });
    const shared = { ...deps, tools, steps, ask };
    return {
      workerOf: (code) => {
        if (!isSandboxOperator(code)) return null;
        const worker = workers.get(code) ?? sandboxWorker(shared, code);
        workers.set(code, worker);
        return worker;
      },
      halt: stop,
      stop: steps.stop,
    };
  };
}

/** Begins with up to `room` messages, one of each worker in turn. */
function beginWith(workers: readonly SandboxWorker[], room: number): number {
  let begun = 0;
  let left = workers;
  while (begun < room && left.length > 0) {
    left = left.filter((worker) => {
      const candidate = begun < room ? worker.take() : null;
      if (!candidate) return begun >= room;
      worker.begin(candidate);
      begun += 1;
      return true;
    });
  }
  return begun;
}

type Shared = SandboxDeps & {
  readonly tools: WorkerTools;
  readonly steps: StepRunner;
  readonly ask: () => void;
};

function sandboxWorker(
  { settings, store, clock, log, tools, steps, ask }: Shared,
  code: string,
): SandboxWorker {
  const { recorder, leases } = tools;
  const work = taskTracker((error) => {
    log.error("what a sandbox's operator does could not be written down", {
      lane: code,
      ...errorFields(error),
    });
  });
  let isHalted = false;
  const isStopping = (): boolean => isHalted;
  const queue = operatorQueue({
    settings,
    store,
    clock,
    log,
    own: work.own,
    onReady: ask,
    onOver: tools.onOver,
  });
  const claim = claimer({ queue, recorder, leases, clock, isStopping, unmatchedBefore: () => 0 });
  const isFallback = (messageId: number): boolean => isOnFallback(store.read, messageId);
  const attempts = attemptRunner({
    queue,
    claim,
    recorder,
    leases,
    clock,
    work,
    steps,
    isStopping,
    isFallback,
  });
  const halt = (): void => {
    if (isHalted) return;
    isHalted = true;
    queue.clear();
    attempts.handBack();
  };
  const end = async (): Promise<void> => {
    halt();
    await work.idle();
  };
  return {
    take: () => (isHalted ? null : queue.take()),
    begin: attempts.begin,
    open: (batch, all) => {
      if (!isHalted) queue.open(batch, all);
    },
    takeFastPathSlot: () => null,
    knows: queue.knows,
    accountChanged: (accountId) => queue.changed(toSandboxId(accountId)),
    status: () => [],
    halt,
    stop: end,
    leave: end,
  };
}

// Schedules the sandboxes: after all live work, and no faster than configured (docs/behaviour.md#test-keys).

type SandboxTurns = {
  /** There may be something to do. */
  readonly ask: () => void;
  readonly stop: () => void;
};

type TurnsDeps = {
  readonly store: Pick<Store, "write">;
  readonly clock: Clock;
  readonly log: Log;
  /** Messages a second. */
  readonly throughput: () => number;
  /** Nothing may be claimed for now. */
  readonly isHeld: () => boolean;
  /** Begins with up to `room` messages; returns how many. */
  readonly begin: (room: number) => number;
};

/** Messages begun with in one turn. */
const AT_ONCE = 10;
/** How often to look again while nothing may be claimed. */
const HELD_LOOK_MS = 1000;

function turns({ store, clock, log, throughput, isHeld, begin }: TurnsDeps): SandboxTurns {
  let isUnderWay = false;
  let isAsked = false;
  let isStopped = false;
  let cancel: Cancel = () => {};
  const pace = createPace(throughput());

  const later = (waitMs: number): void => {
    cancel();
    cancel = clock.after(Math.max(1, waitMs), ask);
  };
  const go = (): void => {
    if (isStopped) return;
    if (isHeld()) {
      later(HELD_LOOK_MS);
      return;
    }
    pace.allow(throughput());
    const nowMs = clock.steadyMs();
    const room = Math.min(AT_ONCE, pace.available(nowMs));
    const begun = room > 0 ? begin(room) : 0;
    if (begun > 0) pace.take(nowMs, begun);
    if (begun < room) return;
    // There may be more: at once where the pace allows it, in the next turn.
    if (pace.available(nowMs) > 0) ask();
    else later(pace.nextAtMs(nowMs) - nowMs);
  };
  const run = async (): Promise<void> => {
    try {
      // Whatever the writer has been given by now goes first.
      await store.write(() => {}, "with the next");
      isAsked = false;
      go();
    } catch (error) {
      log.error("sandboxes could not go on", { ...errorFields(error) });
      later(HELD_LOOK_MS);
    }
    isUnderWay = false;
    if (isAsked) ask();
  };
  const ask = (): void => {
    if (isStopped) return;
    isAsked = true;
    if (isUnderWay) return;
    isUnderWay = true;
    clock.soon(() => void run());
  };
  return {
    ask,
    stop: () => {
      isStopped = true;
      cancel();
    },
  };
}

// One attempt of a message of a sandbox, from its claim to what the simulated operator made of it.

type AttemptRunnerDeps = Pick<WorkerTools, "recorder" | "leases"> & {
  readonly queue: OperatorQueue;
  readonly claim: Claim;
  readonly clock: Clock;
  readonly work: TaskTracker;
  readonly steps: Pick<StepRunner, "arm">;
  readonly isStopping: () => boolean;
  /** Whether a message has gone on by its fallback, which always arrives: its number has chosen the outcome of the first leg. */
  readonly isFallback: (messageId: number) => boolean;
};

type AttemptRunner = {
  /** Begins an attempt with a message that was taken off the queue. */
  readonly begin: (candidate: Candidate) => void;
  /** Returns at once to the queue the messages that have no answer yet. */
  readonly handBack: () => void;
};

/** For how long an answer of the operator is waited for. */
const PATIENCE_MS = SECOND_MS;

/** What may follow once an attempt is claimed. */
type ClaimedMove = Exclude<ScriptedMove, { readonly kind: "given up" }>;

/** What is written at the end of an attempt. `againMs`: the message is in the queue again, and due then. */
type End = {
  readonly apply: (tx: Tx, session: FactSession) => void;
  readonly againMs?: number;
};

function attemptRunner(deps: AttemptRunnerDeps): AttemptRunner {
  const { queue, claim, recorder, leases, clock, work, isStopping, isFallback } = deps;
  const silent = new Map<Candidate, Cancel>();
  const enter = enterUntilDurable(recorder, clock, isStopping);
  const end = ({ batch, message }: Candidate, { apply, againMs }: End): void => {
    enter(apply, (outcome) => {
      leases.release(message.id);
      work.ended();
      if (againMs === undefined || outcome.status === "rejected" || isStopping()) return;
      queue.requeued(batch, againMs);
    });
  };
  const claimed = (candidate: Candidate, move: ClaimedMove): void => {
    const finish = (): void => end(candidate, endOf(deps, candidate, move));
    if (move.kind !== "resent" && move.kind !== "unanswered") {
      finish();
      return;
    }
    const gaveUp = (): void => {
      silent.delete(candidate);
      finish();
    };
    silent.set(candidate, clock.after(PATIENCE_MS, gaveUp));
  };
  return {
    begin: (candidate) => {
      const { batch, message } = candidate;
      const isOnce = !traitsOf(batch.operator).isSentAgain;
      const move = isFallback(message.id)
        ? ARRIVES
        : chooseMove({ ...message, messageClass: batch.messageClass, isOnce });
      work.begun();
      if (move.kind === "given up") giveUp(deps, enter, message.id, move.error);
      else claim(candidate, (parts) => (parts === null ? work.ended() : claimed(candidate, move)));
    },
    handBack: () => {
      for (const [candidate, cancel] of silent) {
        cancel();
        const messageId = candidate.message.id;
        end(candidate, { apply: (_, session) => session.apply({ kind: "not_written", messageId }) });
      }
      silent.clear();
    },
  };
}

/** How an attempt ends. */
function endOf({ clock, steps }: AttemptRunnerDeps, { batch, message }: Candidate, move: ClaimedMove): End {
  const messageId = message.id;
  const nowMs = clock.nowMs();
  const wait = (tx: Tx, step: DueStep): void => {
    putStep(tx, step);
    tx.afterCommit(() => steps.arm(step.dueAt));
  };
  switch (move.kind) {
    case "accepted": {
      const taken = { operator: batch.operator, segments: message.segments };
      return {
        apply: (tx, session) => {
          accept(session, messageId, taken);
          wait(tx, { messageId, dueAt: nowMs + move.afterMs, step: move.next });
        },
      };
    }
    case "refused":
      return { apply: (_, session) => session.apply({ kind: "refused", messageId, error: move.error }) };
    case "throttled": {
      const notBeforeMs = nowMs + move.againMs;
      const busy = { kind: "postponed", messageId, notBeforeMs, operatorCode: "88" } as const;
      return { apply: (_, session) => session.apply(busy), againMs: notBeforeMs };
    }
    case "resent": {
      const resend = { kind: "unanswered", messageId, next: "resend" } as const;
      return { apply: (_, session) => session.apply(resend), againMs: nowMs };
    }
    case "unanswered": {
      const silence = { kind: "unanswered", messageId, next: "wait", untilMs: nowMs + move.waitMs } as const;
      return {
        apply: (tx, session) => {
          session.apply(silence);
          wait(tx, { messageId, dueAt: nowMs + move.afterMs, step: move.next });
        },
      };
    }
  }
}

/** Fails a message that never leaves, where it waits. */
function giveUp(
  { queue, work }: AttemptRunnerDeps,
  enter: Recorder["enter"],
  messageId: number,
  error: Extract<ScriptedMove, { kind: "given up" }>["error"],
): void {
  enter(
    (_, session) => session.apply({ kind: "given_up", messageId, error }),
    () => {
      queue.settled(messageId);
      work.ended();
    },
  );
}

// Stores the next step of each message of a sandbox, and takes it when it is due.

type StepRunner = {
  /** Something is due at an instant. */
  readonly arm: (dueAt: number) => void;
  /** No step begins any more; resolves when none is in progress. */
  readonly stop: () => Promise<void>;
};

type StepRunnerDeps = { readonly store: Store; readonly clock: Clock; readonly log: Log };

/** Steps taken in one transaction. */
const STEPS_AT_ONCE = 25;
/** The wall clock may be set meanwhile: it is looked at again at least this often. */
const MAX_NAP_MS = 60_000;
const AFTER_FAILURE_MS = 1000;

function stepRunner({ store, clock, log }: StepRunnerDeps): StepRunner {
  let isStopped = false;
  let armedFor = Number.POSITIVE_INFINITY;
  let cancel: Cancel = () => {};
  let underWay: Promise<void> = Promise.resolve();
  let isBusy = false;

  const arm = (dueAt: number): void => {
    if (isStopped || isBusy || dueAt >= armedFor) return;
    cancel();
    armedFor = dueAt;
    const waitMs = Math.max(0, dueAt - clock.nowMs());
    cancel = clock.after(Math.min(MAX_NAP_MS, waitMs), () => {
      underWay = run();
    });
  };
  const run = async (): Promise<void> => {
    isBusy = true;
    let againAt: number | null = null;
    try {
      for (let due = dueNow(); due.length > 0 && !isStopped; due = dueNow()) {
        await store.write((tx) => takeAll(tx, due, clock.nowMs()));
      }
      againAt = nextStepAt(store.read);
    } catch (error) {
      log.error("what messages of sandboxes wait for could not be done", { ...errorFields(error) });
      againAt = clock.nowMs() + AFTER_FAILURE_MS;
    }
    isBusy = false;
    armedFor = Number.POSITIVE_INFINITY;
    if (againAt !== null) arm(againAt);
  };
  const dueNow = (): DueStep[] => dueSteps(store.read, clock.nowMs(), STEPS_AT_ONCE);

  const first = nextStepAt(store.read);
  if (first !== null) arm(first);
  return {
    arm,
    stop: () => {
      isStopped = true;
      cancel();
      return underWay;
    },
  };
}

function takeAll(tx: Tx, due: readonly DueStep[], nowMs: number): void {
  const session = openFacts(tx, nowMs);
  for (const { messageId, step } of due) {
    const message = sandboxMessage(tx, messageId);
    const next = message && take(session, messageId, message, step);
    if (next) putStep(tx, { messageId, dueAt: nowMs + next.afterMs, step: next.step });
    else dropStep(tx, messageId);
  }
  session.close();
}

// The stored steps of messages of sandboxes: a restart loses none.

type DueStep = { readonly messageId: number; readonly dueAt: number; readonly step: SandboxStep };

/** Stores the step that a message takes at an instant, in place of the one it waited for. */
function putStep(tx: Tx, { messageId, dueAt, step }: DueStep): void {
  tx.run(
    "INSERT OR REPLACE INTO sandbox_steps (message_id, due_at, step) VALUES (?, ?, ?)",
    messageId,
    dueAt,
    step.kind === "FAILED" ? step.code : step.kind,
  );
}

function dropStep(tx: Tx, messageId: number): void {
  tx.run("DELETE FROM sandbox_steps WHERE message_id = ?", messageId);
}

/** Up to `limit` steps that are due, in order. */
function dueSteps(read: Reader, nowMs: number, limit: number): DueStep[] {
  return read
    .all<{ messageId: number; dueAt: number; step: string }>(
      `SELECT message_id AS messageId, due_at AS dueAt, step FROM sandbox_steps WHERE due_at <= ?
       ORDER BY due_at LIMIT ?`,
      nowMs,
      limit,
    )
    .map(({ step, ...rest }) => ({ ...rest, step: stepOf(step) }));
}

/** When the next step is due; null where nothing waits. */
function nextStepAt(read: Reader): number | null {
  return read.get<{ at: number | null }>("SELECT min(due_at) AS at FROM sandbox_steps")?.at ?? null;
}

function stepOf(name: string): SandboxStep {
  switch (name) {
    case "DELIVERED":
    case "NO_RECEIPT":
    case "LATE_ANSWER":
    case "NO_ANSWER":
      return { kind: name };
    default:
      return { kind: "FAILED", code: isMessageErrorCode(name) ? name : "UNDELIVERABLE" };
  }
}

// The facts that the simulated operator causes.

/** The traits of the channel that a sandbox queue stands for. */
function traitsOf(operator: string): ChannelTraits {
  return CHANNEL_TRAITS[toChannel(toLaneOperator(operator))];
}

/** The id under which a segment counts as accepted. */
function remoteIdOf(messageId: number, part: number): string {
  return `sandbox-${messageId}-${part}`;
}

/** Accepts every segment of a message. */
function accept(session: FactSession, messageId: number, { operator, segments }: SandboxMessage): void {
  for (let part = 1; part <= segments; part++) {
    const remoteId = remoteIdOf(messageId, part);
    const named = { messageId, part, operator, remoteId, remoteKey: remoteId };
    session.apply({ kind: "part_accepted", ...named, final: false });
  }
}

function receipts(session: FactSession, messageId: number, segments: number, verdict: ReceiptVerdict): void {
  for (let part = 1; part <= segments; part++)
    session.apply({ kind: "receipt", messageId, part, remoteKey: remoteIdOf(messageId, part), verdict });
}

/** The step that follows, after so many milliseconds; null for none. */
type NextStep = { readonly step: SandboxStep; readonly afterMs: number } | null;

/** Takes the step of a message that is due. */
function take(session: FactSession, messageId: number, message: SandboxMessage, step: SandboxStep): NextStep {
  const { segments } = message;
  switch (step.kind) {
    case "DELIVERED":
      receipts(session, messageId, segments, { kind: "delivered" });
      return null;
    case "FAILED": {
      const error = { code: step.code, operatorCode: null };
      receipts(session, messageId, segments, { kind: "failed", error });
      return null;
    }
    case "NO_RECEIPT":
      session.apply({
        kind: "receipt_overdue",
        messageId,
        ...(traitsOf(message.operator).isSilenceFree ? { isFree: true } : {}),
      });
      return null;
    case "LATE_ANSWER":
      accept(session, messageId, message);
      return { step: { kind: "DELIVERED" }, afterMs: SECOND_MS };
    case "NO_ANSWER":
      session.apply({ kind: "outcome_unknown", messageId });
      return null;
  }
}
