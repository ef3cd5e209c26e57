/** Stores the next step of each message of a sandbox, and takes it when it is due. */

import { CHANNEL_TRAITS, type ChannelTraits, toChannel } from "../../core/channels.ts";
import type { Cancel, Clock } from "../../core/clock.ts";
import { errorFields, type Log } from "../../core/log.ts";
import { toLaneOperator } from "../../core/sandbox.ts";
import type { Reader } from "../../db/reader.ts";
import type { Store } from "../../db/store.ts";
import type { Tx } from "../../db/writer.ts";
import { type FactSession, openFacts } from "../../domain/messages/apply-facts.ts";
import type { ReceiptVerdict } from "../../domain/messages/facts.ts";
import { isMessageErrorCode } from "../../domain/messages/message-error.ts";
import { type SandboxMessage, sandboxMessage } from "../../domain/messages/segments.ts";
import { type SandboxStep, SECOND_MS } from "./scripted-outcomes.ts";

export type StepRunner = {
  /** Something is due at an instant. */
  readonly arm: (dueAt: number) => void;
  /** No step begins any more; resolves when none is in progress. */
  readonly stop: () => Promise<void>;
};

type StepRunnerDeps = { readonly store: Store; readonly clock: Clock; readonly log: Log };

/** Steps taken in one transaction. */
const AT_ONCE = 25;
/** The wall clock may be set meanwhile: it is looked at again at least this often. */
const MAX_NAP_MS = 60_000;
const AFTER_FAILURE_MS = 1000;

export function stepRunner({ store, clock, log }: StepRunnerDeps): StepRunner {
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
  const dueNow = (): DueStep[] => dueSteps(store.read, clock.nowMs(), AT_ONCE);

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

export type DueStep = { readonly messageId: number; readonly dueAt: number; readonly step: SandboxStep };

/** Stores the step that a message takes at an instant, in place of the one it waited for. */
export function putStep(tx: Tx, { messageId, dueAt, step }: DueStep): void {
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
export function traitsOf(lane: string): ChannelTraits {
  return CHANNEL_TRAITS[toChannel(toLaneOperator(lane))];
}

/** The id under which a segment counts as accepted. */
function remoteIdOf(messageId: number, part: number): string {
  return `sandbox-${messageId}-${part}`;
}

/** Accepts every segment of a message. */
export function accept(
  session: FactSession,
  messageId: number,
  { operator, segments }: SandboxMessage,
): void {
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
