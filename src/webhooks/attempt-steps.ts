import type { StepLog } from "../core/steps.ts";
import type { PostEnd } from "../https/post.ts";
import { english } from "../i18n/text.ts";
import type { WaitingEvent } from "./fan-out.ts";

/** Tells an attempt: as a step of every followed message that its body names. */
export function tellAttempt(
  steps: StepLog,
  webhookId: string,
  { eventId, type, attempts }: WaitingEvent,
  body: string,
  { status, error, durationMs }: PostEnd & { readonly durationMs: number },
): void {
  const of = { webhook_id: webhookId, event_id: eventId, type };
  const told = { ...of, attempt: attempts + 1, status, error: error && english(error), ms: durationMs };
  const named = [...steps.followed].filter(([, { messageId }]) => body.includes(messageId));
  for (const [message] of named) steps.tell("webhooks", "webhook attempt", { message, ...told });
  if (named.length === 0) steps.tell("webhooks", "webhook attempt", told);
}
