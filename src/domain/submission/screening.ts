/** What a recipient is dropped for after it was routed and rendered (docs/behaviour.md#reasons-of-rejection). Pure. */

import type { Span } from "../../core/calendar.ts";
import { hashKey } from "../../core/ids.ts";
import { transliterate } from "../../text/rewrite.ts";
import type { RecentSend, SendsQuery, SentText } from "../messages/recent-messages.ts";
import type { RejectionReason } from "./rejections.ts";

/** What holds for every recipient of a batch. */
export type ScreeningRules = {
  readonly isMarketing: boolean;
  /** The planned time lies in the hours in which the account may send marketing. */
  readonly isWithinHours: boolean;
  /** 0 = no cap. */
  readonly marketingPerDay: number;
  readonly marketingPerWeek: number;
  /** The calendar day and ISO week of the planned time in the account's zone. */
  readonly day: Span;
  readonly week: Span;
  /** When the batch is to leave. */
  readonly plannedAt: number;
};

/** What is known of one recipient. */
export type RecipientRecord = {
  readonly isSuppressed: boolean;
  readonly recent: readonly RecentSend[];
  readonly textKey: number;
  /** Whether they have a text that counts as the same, although it differs. */
  readonly hasAlike: boolean;
};

/** Recipients that an account may have accepted: in all, or what is left of them. */
export type Ceilings = { readonly perDay: number; readonly perMinute: number };

const DAY_MS = 86_400_000;

/** Which of the messages to a recipient of such a batch may decide, its text given by its key. */
export function toSendsQuery(
  rules: ScreeningRules,
  textKey: number,
): Pick<SendsQuery, "sameText" | "marketing"> {
  const spanOf = ({ startMs, endMs }: Span) => ({ fromMs: startMs, toMs: endMs });
  return {
    sameText: { textKey, fromMs: rules.plannedAt - DAY_MS + 1, toMs: rules.plannedAt + DAY_MS },
    marketing: rules.isMarketing
      ? [
          { ...spanOf(rules.day), most: rules.marketingPerDay },
          { ...spanOf(rules.week), most: rules.marketingPerWeek },
        ]
      : [],
  };
}

/** Whether one of the texts that a recipient has is, to a reader, `rendered`: they differ only in characters that rewriting replaces. */
export function isSimilarToAny(rendered: string, sent: Iterable<SentText>): boolean {
  const alike = transliterate(rendered);
  const alikeKey = hashKey(alike);
  for (const { text, textKey } of sent) {
    if (textKey === alikeKey || (text !== "" && transliterate(text) === alike)) return true;
  }
  return false;
}

/**
 * The first reason that applies, or null. Ceilings come last, so that a recipient dropped for another reason never
 * uses up an allowance.
 */
export function screen(
  rules: ScreeningRules,
  record: RecipientRecord,
  left: Ceilings,
): RejectionReason | null {
  if (record.isSuppressed) return "SUPPRESSED";
  if (rules.isMarketing) {
    if (!rules.isWithinHours) return "QUIET_HOURS";
    if (isReached(rules.marketingPerDay, record.recent, rules.day)) return "FREQUENCY_CAP_DAILY";
    if (isReached(rules.marketingPerWeek, record.recent, rules.week)) return "FREQUENCY_CAP_WEEKLY";
  }
  if (record.hasAlike || record.recent.some((send) => isRepeat(send, record.textKey, rules.plannedAt))) {
    return "DUPLICATE_RECENT_BODY";
  }
  if (left.perDay <= 0) return "RATE_LIMIT_PER_DAY";
  if (left.perMinute <= 0) return "RATE_LIMIT_PER_MINUTE";
  return null;
}

function isReached(cap: number, recent: readonly RecentSend[], span: Span): boolean {
  if (cap === 0) return false;
  const counted = recent.filter(
    ({ isMarketing, plannedAt }) => isMarketing === 1 && plannedAt >= span.startMs && plannedAt < span.endMs,
  );
  return counted.length >= cap;
}

function isRepeat(send: RecentSend, textKey: number, plannedAt: number): boolean {
  return send.textKey === textKey && Math.abs(send.plannedAt - plannedAt) < DAY_MS;
}
