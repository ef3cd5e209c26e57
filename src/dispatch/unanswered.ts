import type { Config } from "../config/config.ts";
import type { MessageClass } from "../domain/accounts/message-class.ts";
import type { Fact } from "../domain/messages/facts.ts";

/** How often a message is sent again for want of an answer (docs/behaviour.md#unanswered-submits). */
export const MAX_RESENDS = 3;

type UnansweredMessage = {
  readonly messageId: number;
  readonly messageClass: MessageClass;
  readonly resends: number;
  readonly expiresAt: number;
};

/** Whether a message whose outcome is unknown is sent again: its class is, up to 3 times, and it is still worth sending. Pure. */
export function shouldResend(
  { messageClass, resends, expiresAt }: Omit<UnansweredMessage, "messageId">,
  policy: Config["delivery"]["unanswered"],
  nowMs: number,
): boolean {
  return policy[messageClass] === "resend" && resends < MAX_RESENDS && nowMs < expiresAt;
}

/** A message whose outcome is unknown waits for a late answer or a receipt, from now on. */
export function toWaitFact(messageId: number, policy: Config["delivery"]["unanswered"], nowMs: number): Fact {
  return { kind: "unanswered", messageId, next: "wait", untilMs: nowMs + policy.wait_hours * 3_600_000 };
}

/**
 * What becomes of an unanswered submit, which the operator may have or not. Classes that are resent are, ahead of their class, up
 * to 3 times within validity; the others wait for a late answer or receipt. Pure.
 */
export function toUnansweredFact(
  message: UnansweredMessage,
  policy: Config["delivery"]["unanswered"],
  nowMs: number,
): Fact {
  const { messageId } = message;
  return shouldResend(message, policy, nowMs)
    ? { kind: "unanswered", messageId, next: "resend" }
    : toWaitFact(messageId, policy, nowMs);
}
