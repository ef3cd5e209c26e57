import { accountById } from "../accounts/accounts.ts";
import { isRegistered } from "../accounts/senders.ts";
import type { MessageError } from "../messages/message-error.ts";
import { type QueuedBatch, queuedBatch } from "../messages/queue.ts";
import type { Reader } from "../store/read.ts";

/** Whether a batch may be sent from at this moment, must wait, or is given up. */
export type Gate =
  | { readonly kind: "open" }
  /** The batch was called off, or its account is suspended: nothing is claimed while it is. */
  | { readonly kind: "held" }
  | { readonly kind: "given_up"; readonly error: MessageError };

/** Looks at what may have changed since the batch was accepted (decisions.md sections 5 and 6). */
export function gateOf(
  read: Reader,
  batch: QueuedBatch,
  isConfigured: (operator: string) => boolean,
  nowMs: number,
): Gate {
  if (queuedBatch(read, batch.batchId).length === 0) return { kind: "held" };
  if (!isConfigured(batch.operator))
    return { kind: "given_up", error: { code: "NO_ROUTE", operatorCode: null } };
  if (batch.expiresAt <= nowMs) {
    return { kind: "given_up", error: { code: "EXPIRED_IN_QUEUE", operatorCode: null } };
  }
  if (!isRegistered(read, batch.accountId, batch.sender, batch.operator)) {
    return { kind: "given_up", error: { code: "SENDER_NOT_REGISTERED", operatorCode: null } };
  }
  return accountById(read, batch.accountId)?.status === "ACTIVE" ? { kind: "open" } : { kind: "held" };
}
