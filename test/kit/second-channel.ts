import type { Settings } from "../../src/config/live-config.ts";
import type { Clock } from "../../src/core/clock.ts";
import type { Log } from "../../src/core/log.ts";
import type { Store } from "../../src/db/store.ts";
import type { Candidate } from "../../src/dispatch/batch-scheduler.ts";
import { claimer } from "../../src/dispatch/claim.ts";
import type { RecoverClaim } from "../../src/dispatch/leases.ts";
import { operatorQueue } from "../../src/dispatch/operator-queue.ts";
import {
  type OpenWorkers,
  type OperatorWorker,
  taskTracker,
  type WorkerTools,
} from "../../src/dispatch/worker.ts";

/** A channel that is no SMS: what it sends stands in a list, and the test says what comes of it. */
export type SecondChannel = {
  readonly open: OpenWorkers;
  readonly recoverClaim: RecoverClaim;
  /** What was sent, oldest first, by the id that it was accepted under. */
  readonly sent: { readonly id: string; readonly operator: string; readonly text: string }[];
  /** Messages of which it was told that nobody held them. */
  readonly unheld: number[];
  /** The other side says that a message was delivered. */
  readonly delivered: (messageId: number) => Promise<void>;
};

type Deps = {
  readonly operators: readonly string[];
  readonly settings: Settings;
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
};

const idOf = (messageId: number) => `second-${messageId}`;

export function secondChannel(deps: Deps): SecondChannel {
  const sent: SecondChannel["sent"] = [];
  const unheld: number[] = [];
  let tools: WorkerTools | null = null;
  return {
    sent,
    unheld,
    open: (lent) => {
      tools = lent;
      return new Map(deps.operators.map((code) => [code, line(deps, lent, sent)]));
    },
    recoverClaim: (_tx, session, { messageId }, nowMs) => {
      unheld.push(messageId);
      session.apply({ kind: "unanswered", messageId, next: "wait", untilMs: nowMs + 3_600_000 });
    },
    delivered: async (messageId) => {
      const said = { kind: "receipt", messageId, part: 1, remoteKey: idOf(messageId) } as const;
      await tools!.recorder.record((_tx, session) =>
        session.apply({ ...said, verdict: { kind: "delivered" } }),
      );
    },
  };
}

function line(
  { settings, store, clock, log }: Deps,
  { recorder, leases, onOver }: WorkerTools,
  sent: SecondChannel["sent"],
): OperatorWorker {
  let isHalted = false;
  const isStopping = () => isHalted;
  const { own, begun, ended, idle } = taskTracker((error) => log.error("failed", { error: String(error) }));
  const take = (): void => {
    for (let next = queue.take(); next; next = queue.take()) {
      const candidate = next;
      begun();
      claim(candidate, (claimed) => {
        if (claimed) own(sendOne(candidate));
        ended();
      });
    }
  };
  const queue = operatorQueue({
    settings,
    store,
    clock,
    log,
    own,
    onOver,
    onReady: () => queueMicrotask(take),
  });
  const claim = claimer({ queue, recorder, leases, clock, isStopping, unmatchedBefore: () => 0 });
  const sendOne = async (candidate: Candidate): Promise<void> => {
    const { batch, message } = candidate;
    const id = idOf(message.id);
    sent.push({ id, operator: batch.operator, text: message.text ?? batch.body });
    const accepted = { kind: "part_accepted", messageId: message.id, part: 1, final: false } as const;
    await recorder.record((_tx, session) =>
      session.apply({ ...accepted, operator: batch.operator, remoteId: id, remoteKey: id }),
    );
    leases.release(message.id);
  };
  return {
    open: (batch, all) => {
      if (!isHalted) queue.open(batch, all);
    },
    takeFastPathSlot: () => null,
    knows: queue.knows,
    accountChanged: queue.changed,
    status: () => [{ state: isHalted ? "STOPPED" : "BOUND", lastError: null, downSinceMs: null }],
    halt: () => {
      isHalted = true;
      queue.clear();
    },
    stop: idle,
    leave: idle,
  };
}
