/** Does what messages of sandboxes wait for, when it is due. */
import type { Cancel, Clock } from "../../core/clock.ts";
import { errorFields, type Log } from "../../core/log.ts";
import type { Store } from "../../db/store.ts";
import type { Tx } from "../../db/write.ts";
import { openFacts } from "../../domain/messages/apply-facts.ts";
import { sandboxMessage } from "../../domain/messages/sandbox-message.ts";
import { take } from "./facts.ts";
import { type DueStep, dropStep, dueSteps, nextStepAt, putStep } from "./steps.ts";

export type StepRunner = {
  /** Something is due at an instant. */
  readonly arm: (dueAt: number) => void;
  /** Nothing begins any more; resolves when nothing is under way. */
  readonly stop: () => Promise<void>;
};

export type StepRunnerDeps = { readonly store: Store; readonly clock: Clock; readonly log: Log };

/** Steps taken in one transaction. */
const AT_ONCE = 25;
/** A wall clock may be set meanwhile: it is looked at again so soon. */
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
