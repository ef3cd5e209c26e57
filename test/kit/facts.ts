import type { Fact } from "../../src/domain/messages/facts.ts";
import type { MessageErrorCode } from "../../src/domain/messages/message-status.ts";

/** Facts as short as a test wants them; ids of the operator are `SMSC` + message and part unless given. */
export const claimed = (messageId: number): Fact => ({ kind: "claimed", messageId });

export const partAccepted = (
  messageId: number,
  part = 1,
  key = `SMSC${messageId}-${part}`,
  final = false,
): Fact => ({
  kind: "part_accepted",
  messageId,
  part,
  operator: "orange",
  remoteId: key,
  remoteKey: key,
  final,
});

export const delivered = (messageId: number, part = 1, remoteKey = `SMSC${messageId}-${part}`): Fact => ({
  kind: "receipt",
  messageId,
  part,
  remoteKey,
  verdict: { kind: "delivered" },
});

export const undelivered = (messageId: number, part = 1, remoteKey = `SMSC${messageId}-${part}`): Fact => ({
  kind: "receipt",
  messageId,
  part,
  remoteKey,
  verdict: { kind: "failed", error: { code: "ABSENT_SUBSCRIBER", operatorCode: "27" } },
});

export const sentBack = (messageId: number, part: number, remoteKey: string, notBeforeMs: number): Fact => ({
  kind: "receipt",
  messageId,
  part,
  remoteKey,
  verdict: { kind: "again", notBeforeMs, operatorCode: "130429" },
});

export const pending = (messageId: number, part = 1, remoteKey = `SMSC${messageId}-${part}`): Fact => ({
  kind: "receipt",
  messageId,
  part,
  remoteKey,
  verdict: { kind: "pending", rawState: "ENROUTE" },
});

export const refusedForGood = (messageId: number): Fact => ({
  kind: "refused",
  messageId,
  error: { code: "OPERATOR_REJECTED", operatorCode: "0x45" },
});

export const resendUnanswered = (messageId: number): Fact => ({
  kind: "unanswered",
  messageId,
  next: "resend",
});

export const waitUnanswered = (messageId: number, untilMs: number): Fact => ({
  kind: "unanswered",
  messageId,
  next: "wait",
  untilMs,
});

export const notWritten = (messageId: number): Fact => ({ kind: "not_written", messageId });

export const postponed = (messageId: number, notBeforeMs: number): Fact => ({
  kind: "postponed",
  messageId,
  notBeforeMs,
  operatorCode: "0x58",
});

export const outcomeUnknown = (messageId: number): Fact => ({ kind: "outcome_unknown", messageId });

export const receiptOverdue = (messageId: number): Fact => ({ kind: "receipt_overdue", messageId });

export const givenUp = (messageId: number, code: MessageErrorCode = "EXPIRED_IN_QUEUE"): Fact => ({
  kind: "given_up",
  messageId,
  error: { code, operatorCode: null },
});

export const cancelled = (messageId: number): Fact => ({
  kind: "cancelled",
  messageId,
  error: { code: "CANCELLED", operatorCode: null },
});
