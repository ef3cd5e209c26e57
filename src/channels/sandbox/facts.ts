/** Facts of messages that an operator is played for. */
import { CHANNEL_TRAITS, type ChannelTraits, toChannel } from "../../core/channels.ts";
import { toLaneOperator } from "../../core/sandbox.ts";
import type { FactSession } from "../../domain/messages/apply-facts.ts";
import type { ReceiptVerdict } from "../../domain/messages/facts.ts";
import type { SandboxMessage } from "../../domain/messages/sandbox-message.ts";
import { type SandboxStep, SECOND_MS } from "./endings.ts";

/** What the channel of a lane is like. */
export function traitsOf(lane: string): ChannelTraits {
  return CHANNEL_TRAITS[toChannel(toLaneOperator(lane))];
}

/** The id under which a segment is said to have been taken. */
function remoteIdOf(messageId: number, part: number): string {
  return `sandbox-${messageId}-${part}`;
}

/** The operator takes every segment. */
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

/** What follows a step, after so many milliseconds; null for nothing. */
export type NextStep = { readonly step: SandboxStep; readonly afterMs: number } | null;

/** Does to a message what it waited for. */
export function take(
  session: FactSession,
  messageId: number,
  message: SandboxMessage,
  step: SandboxStep,
): NextStep {
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
