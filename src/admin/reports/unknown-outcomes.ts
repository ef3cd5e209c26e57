/** Lists messages whose outcome is unknown, and those that were sent twice (docs/behaviour.md#unanswered-submits). */
import {
  type MessageInDoubt,
  messagesInDoubt,
  type UnknownOutcomeCursor,
} from "../../channels/sms/sent-segments.ts";
import { CHANNEL_TRAITS, toChannel } from "../../core/channels.ts";
import { isoOrNull, isoUtc } from "../../core/clock.ts";
import { createYielder } from "../../core/concurrency.ts";
import { MAX_RESENDS } from "../../dispatch/attempt.ts";
import { findUnansweredOfOthers, type UnansweredPlace } from "../../domain/messages/awaiting-outcome.ts";
import { listSentTwice, type MessageSentTwice } from "../../domain/messages/segments.ts";
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import type { AdminContext } from "../operations/context.ts";
import { operation } from "../operations/operation.ts";
import { checkOperatorCode } from "../operations/operators.ts";
import { limit, OPERATOR, optional } from "../operations/parameters.ts";
import { done } from "../operations/refusal.ts";

const MAX_MESSAGES = 100_000;
const STEP = 500;

/** For so long a message is listed as sent twice. */
const SENT_TWICE_LISTED_MS = 7 * 24 * 3_600_000;

/** Messages whose outcome is unknown, the oldest first, and those that two attempts got accepted, the newest first. */
export async function listUnknownOutcomes(
  { store, config, clock }: AdminContext,
  operator: string | null,
  limit: number,
) {
  const known = operator === null ? done(null) : checkOperatorCode(config, operator);
  if (!known.ok) return known;
  const pause = createYielder(clock);
  const messages: UnknownOutcomeView[] = [];
  let after: UnknownOutcomeCursor | null = { endedAt: 0, rowId: 0 };
  while (after !== null && messages.length <= limit) {
    const page = messagesInDoubt(store.read, operator, after, STEP);
    messages.push(...page.messages.map(view));
    after = page.last;
    await pause();
  }
  for (let from: UnansweredPlace | null = { until: 0, id: 0 }; from !== null && messages.length <= limit; ) {
    const page = findUnansweredOfOthers(store.read, from, STEP);
    // Messages that fall back to SMS are listed there.
    const meant = page.filter(
      (message) => !isSentAgain(message.operator) && (operator ?? message.operator) === message.operator,
    );
    messages.push(...meant.map(view));
    from = page.length < STEP ? null : (page.at(-1) ?? null);
    await pause();
  }
  messages.sort((one, other) => one.since.localeCompare(other.since));
  const twice = listSentTwice(store.read, operator, clock.nowMs() - SENT_TWICE_LISTED_MS, limit + 1);
  return done({
    messages: messages.slice(0, limit),
    /** Two attempts got it accepted, or a part of it: whoever it went to may have it twice. */
    sent_twice: twice.slice(0, limit).map(viewTwice),
    has_more: messages.length > limit || twice.length > limit,
  });
}

function viewTwice({ ulid, operator, messageClass, msisdn, status, atMs }: MessageSentTwice) {
  return {
    message_id: ulid,
    operator,
    message_class: messageClass,
    msisdn,
    status,
    /** When it was accepted for the second time. */
    accepted_at: isoUtc(atMs),
  };
}

function view(message: MessageInDoubt) {
  const { ulid, operator, messageClass, msisdn, since, resends, until } = message;
  return {
    message_id: ulid,
    operator,
    message_class: messageClass,
    msisdn,
    /** When the first answer was overdue. */
    since: isoUtc(since),
    /** How often it was resent for want of an answer. */
    resends,
    /** Until when an answer or a receipt is awaited; null while it is resent. */
    until: isoOrNull(until),
    next: next(message),
  };
}

export type UnknownOutcomeView = Readonly<ReturnType<typeof view>>;

/** Whether it may be resent: in a channel that never resends, all unknown outcomes wait, and are listed by message. */
function isSentAgain(operator: string): boolean {
  return CHANNEL_TRAITS[toChannel(operator)].isSentAgain;
}

function next({ operator, status, resends, until }: MessageInDoubt): Phrase {
  if (!isSentAgain(operator)) return phrase("message.next.waits_for_status");
  const resend = { resends, most: MAX_RESENDS };
  if (status === "QUEUED") return phrase("message.next.sent_again", resend);
  return until === null ? phrase("message.next.was_sent_again", resend) : phrase("message.next.waits");
}

export const UNANSWERED_OPERATIONS = {
  "operator unanswered": operation({
    does: "reads",
    params: { operator: optional(OPERATOR), limit: limit(100, MAX_MESSAGES) },
    run: (context, { operator, limit: most }) => listUnknownOutcomes(context, operator, most),
  }),
};
