/** Events about a batch (docs/behaviour.md#event-types). */
const BATCH_EVENTS = [
  "BATCH_SETTLED",
  "BATCH_ACCEPTED",
  "BATCH_REJECTED",
  "BATCH_FAILED",
  "BATCH_CANCELLED",
] as const;

export type BatchEvent = (typeof BATCH_EVENTS)[number];

/** Every event a client may subscribe to (docs/public-api.md section 6, docs/behaviour.md#event-types). */
export const EVENT_TYPES = ["MESSAGE_TERMINAL", ...BATCH_EVENTS, "WALLET_LOW"] as const;

export type EventType = (typeof EVENT_TYPES)[number];

/** What an endpoint receives that is registered without naming events (docs/public-api.md section 4.8). */
export const DEFAULT_EVENTS: readonly EventType[] = ["MESSAGE_TERMINAL", "BATCH_SETTLED"];

export function isEventType(text: string): text is EventType {
  return EVENT_TYPES.some((known) => known === text);
}
