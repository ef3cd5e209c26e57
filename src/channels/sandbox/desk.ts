/** One attempt of a message of a sandbox, from its claim to what the operator that is played made of it. */
import type { Cancel, Clock } from "../../core/clock.ts";
import type { Tx } from "../../db/write.ts";
import type { Claim } from "../../dispatch/claim.ts";
import type { Candidate } from "../../dispatch/lanes.ts";
import type { LineTools } from "../../dispatch/line.ts";
import type { LineQueue } from "../../dispatch/line-queue.ts";
import type { OwnedWork } from "../../dispatch/owned-work.ts";
import { enterForSure, type Recorder } from "../../dispatch/recorder.ts";
import type { FactSession } from "../../domain/messages/apply-facts.ts";
import { ARRIVES, type Move, moveOf, SECOND_MS } from "./endings.ts";
import { accept, traitsOf } from "./facts.ts";
import type { StepRunner } from "./step-runner.ts";
import { type DueStep, putStep } from "./steps.ts";

export type DeskDeps = Pick<LineTools, "recorder" | "holds"> & {
  readonly queue: LineQueue;
  readonly claim: Claim;
  readonly clock: Clock;
  readonly work: OwnedWork;
  readonly steps: Pick<StepRunner, "arm">;
  readonly isStopping: () => boolean;
  /** Whether a message has gone on by its second way, which always arrives: its number has chosen the end of the first. */
  readonly isSecondWay: (messageId: number) => boolean;
};

export type Desk = {
  /** Begins an attempt with a message that was taken off the queue. */
  readonly begin: (candidate: Candidate) => void;
  /** Hands back at once what no answer has come for. */
  readonly handBack: () => void;
};

/** An operator that does not answer is given up after so long. */
const PATIENCE_MS = SECOND_MS;

/** What comes of an attempt that was claimed. */
type ClaimedMove = Exclude<Move, { readonly kind: "given up" }>;

/** What is written down of an attempt's end. `againMs`: the message is in the queue again, and due then. */
type End = {
  readonly apply: (tx: Tx, session: FactSession) => void;
  readonly againMs?: number;
};

export function desk(deps: DeskDeps): Desk {
  const { queue, claim, recorder, holds, clock, work, isStopping, isSecondWay } = deps;
  const silent = new Map<Candidate, Cancel>();
  const enter = enterForSure(recorder, clock, isStopping);
  const end = ({ batch, message }: Candidate, { apply, againMs }: End): void => {
    enter(apply, (outcome) => {
      holds.release(message.id);
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
      const move = isSecondWay(message.id)
        ? ARRIVES
        : moveOf({ ...message, messageClass: batch.messageClass, isOnce });
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
function endOf({ clock, steps }: DeskDeps, { batch, message }: Candidate, move: ClaimedMove): End {
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

/** It never leaves: it ends where it waits. */
function giveUp(
  { queue, work }: DeskDeps,
  enter: Recorder["enter"],
  messageId: number,
  error: Extract<Move, { kind: "given up" }>["error"],
): void {
  enter(
    (_, session) => session.apply({ kind: "given_up", messageId, error }),
    () => {
      queue.settled(messageId);
      work.ended();
    },
  );
}
