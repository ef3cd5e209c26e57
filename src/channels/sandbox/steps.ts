/** What messages of sandboxes wait for, as it is kept: a restart loses nothing of it. */

import type { Reader } from "../../db/read.ts";
import type { Tx } from "../../db/write.ts";
import { isMessageErrorCode } from "../../domain/messages/message-error.ts";
import type { SandboxStep } from "./endings.ts";

export type DueStep = { readonly messageId: number; readonly dueAt: number; readonly step: SandboxStep };

/** Writes down what happens to a message at an instant, in place of what it waited for. */
export function putStep(tx: Tx, { messageId, dueAt, step }: DueStep): void {
  tx.run(
    "INSERT OR REPLACE INTO sandbox_steps (message_id, due_at, step) VALUES (?, ?, ?)",
    messageId,
    dueAt,
    step.kind === "FAILED" ? step.code : step.kind,
  );
}

export function dropStep(tx: Tx, messageId: number): void {
  tx.run("DELETE FROM sandbox_steps WHERE message_id = ?", messageId);
}

/** Up to `limit` steps that are due, in order. */
export function dueSteps(read: Reader, nowMs: number, limit: number): DueStep[] {
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
export function nextStepAt(read: Reader): number | null {
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
