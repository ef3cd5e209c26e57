/**
 * The public API of another Bendre as we call it: the post of a message, what its answer means, and what a page of its feed says. It need
 * not be of our version: nothing of its shape is trusted. Pure.
 */

import { isRecord } from "../../core/request-shape.ts";
import type { MessageClass } from "../../domain/accounts/message-class.ts";
import { isMessageErrorCode, type MessageErrorCode } from "../../domain/messages/message-status.ts";
import type { AskEnd } from "../../https/post.ts";
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import { isForLater } from "./partner-reasons.ts";

/** A message as it is posted. */
export type PartnerPost = {
  /** The idempotency key, by which the feed names it too. */
  readonly key: string;
  /** How many appliances it has passed, this one included. */
  readonly hops: number;
  readonly sender: string;
  /** E.164 with "+". */
  readonly msisdn: string;
  readonly messageClass: MessageClass;
  readonly text: string;
};

/** The header that counts the appliances a message has passed. */
export const HOPS_HEADER = "bendre-hops";

/** The text travels as a value: braces in it would be read as tags in a body. */
const TAG = "texte";

/** The body of a post. A key always comes with the same one. */
export function renderPost({ key, sender, msisdn, messageClass, text }: PartnerPost): string {
  return JSON.stringify({
    sender,
    body: `{${TAG}}`,
    message_class: messageClass,
    text_policy: "as_is",
    recipients: [{ msisdn, client_reference: key, attributes: { [TAG]: text } }],
  });
}

/** What came of a post. */
type PostOutcome =
  /** It has the message; what becomes of it comes by the feed. */
  | { readonly kind: "taken" }
  | { readonly kind: "refused"; readonly reason: string }
  /** It took nothing, and may later. */
  | { readonly kind: "later"; readonly reason: string }
  /** It takes nothing of ours: our key, our account or our money there. */
  | { readonly kind: "away"; readonly reason: string }
  /** A first post with this key is still being worked on. */
  | { readonly kind: "running" }
  /** It may have read it. */
  | { readonly kind: "unanswered"; readonly error: Phrase }
  /** Certainly nothing was sent. */
  | { readonly kind: "unsent"; readonly error: Phrase };

/** Reads how a post ended. */
export function readPostOutcome({ status, answer = "", error, isUnsent }: AskEnd): PostOutcome {
  const why = error ?? phrase("network.failed");
  if (status === null) return isUnsent ? { kind: "unsent", error: why } : { kind: "unanswered", error: why };
  const body = jsonOf(answer);
  if (status === 202) return readAccepted(body) ?? { kind: "unanswered", error: why };
  const reason = textOf(body.code) ?? "";
  // Its status decides, also where its code is none that is known here.
  if (status === 401 || status === 402 || status === 403) {
    const usual = { 401: "UNAUTHORIZED", 402: "INSUFFICIENT_FUNDS", 403: "INSUFFICIENT_SCOPE" }[status];
    return { kind: "away", reason: isForLater(reason) ? reason : usual };
  }
  if (status === 409 && reason === "REQUEST_IN_PROGRESS") return { kind: "running" };
  if (status === 429) return { kind: "later", reason: "RATE_LIMITED" };
  if (status === 503) return { kind: "later", reason: isForLater(reason) ? reason : "SERVICE_UNAVAILABLE" };
  if (status >= 300 && status < 400) return { kind: "refused", reason: "REDIRECTED" };
  if (status >= 400 && status < 500) return { kind: "refused", reason: reason || "OTHER" };
  return { kind: "unanswered", error: why };
}

function readAccepted(body: Fields): PostOutcome | null {
  const data = isRecord(body.data) ? body.data : {};
  const [rejection]: unknown[] = Array.isArray(data.rejections) ? data.rejections : [];
  if (isRecord(rejection)) return { kind: "refused", reason: textOf(rejection.reason_code) ?? "OTHER" };
  return typeof data.batch_id === "string" && data.accepted === 1 ? { kind: "taken" } : null;
}

/** What the feed says of a message. */
export type FeedNews = {
  /** The key of its post. */
  readonly key: string;
  /** Its id there. */
  readonly remoteId: string;
  /** When it changed, by which the feed is asked. */
  readonly changedAt: string;
} & (
  | { readonly kind: "waiting" }
  /** Its operator took it. `isFinal`: no receipt will follow. */
  | { readonly kind: "sent"; readonly isFinal: boolean }
  | { readonly kind: "delivered" }
  /** It was sent, and did not arrive. */
  | { readonly kind: "failed"; readonly error: MessageErrorCode }
  /** It was never sent; `isUnknown`: not even that is known. */
  | { readonly kind: "given_up"; readonly reason: string; readonly isUnknown: boolean }
);

type FeedPage = {
  readonly news: readonly FeedNews[];
  /** What the next page is asked with. */
  readonly next: string;
  readonly hasMore: boolean;
};

/** Reads a page of the feed; null for what is none. Messages that we did not post are left out. */
export function readFeedPage(text: string): FeedPage | null {
  const { data } = jsonOf(text);
  if (!isRecord(data) || !Array.isArray(data.messages)) return null;
  const next = textOf(data.next_status_changed_since);
  if (next === null) return null;
  return { news: data.messages.flatMap(readNews), next, hasMore: data.has_more === true };
}

function readNews(item: unknown): FeedNews[] {
  if (!isRecord(item)) return [];
  const key = textOf(item.client_reference);
  const remoteId = textOf(item.message_id);
  const changedAt = textOf(item.status_changed_at);
  if (key === null || remoteId === null || changedAt === null) return [];
  const head = { key, remoteId, changedAt };
  const code = (isRecord(item.error) ? textOf(item.error.code) : null) ?? "OTHER";
  const wasSent = item.sent_at !== null && item.sent_at !== undefined;
  switch (item.status) {
    case "SENT":
      return [{ ...head, kind: "sent", isFinal: item.is_final === true && item.error === null }];
    case "DELIVERED":
      return [{ ...head, kind: "delivered" }];
    case "FAILED":
    case "CANCELLED":
      return wasSent
        ? [{ ...head, kind: "failed", error: isMessageErrorCode(code) ? code : "UNDELIVERABLE" }]
        : [{ ...head, kind: "given_up", reason: code, isUnknown: code === "SUBMIT_OUTCOME_UNKNOWN" }];
    default:
      return [{ ...head, kind: "waiting" }];
  }
}

type Fields = Readonly<Record<string, unknown>>;

function jsonOf(text: string): Fields {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
