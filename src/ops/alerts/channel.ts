/** What a channel for alarms is: whom it tells, and what came of it. */
import { type Phrase, said } from "../../i18n/phrase.ts";
import type { PendingDelivery } from "./errands.ts";
import type { AddressOfChannel } from "./letter-rows.ts";

export type DeliveryResult =
  | { readonly kind: "told" }
  /** It may not be told yet. */
  | { readonly kind: "later"; readonly untilMs: number }
  | {
      readonly kind: "failed";
      readonly error: Phrase;
      /** It is of no use to try again. */
      readonly isFinal: boolean;
      /** What `Retry-After` asked for. */
      readonly retryAfter: string | null;
    };

export const NOTIFIED: DeliveryResult = { kind: "told" };

/** What somebody else said may be given as it is. */
export function failed(
  error: Phrase | string,
  more: { readonly isFinal?: boolean; readonly retryAfter?: string | null } = {},
): DeliveryResult {
  const why = typeof error === "string" ? said(error) : error;
  return { kind: "failed", error: why, isFinal: false, retryAfter: null, ...more };
}

/** Tells one address one thing. Never rejects, but where the database cannot be written. */
export type SendNotification = (
  to: AddressOfChannel,
  errand: Pick<PendingDelivery, "news" | "starts" | "letters"> & { readonly eventId: string },
  stop?: AbortSignal,
) => Promise<DeliveryResult>;
