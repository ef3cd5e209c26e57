import type { Reader } from "../../db/read.ts";
import type { FeedQuery } from "../../domain/messages/feed.ts";
import { lastStampUs, stampToIso } from "../../domain/messages/stamps.ts";
import { phrase } from "../../i18n/phrase.ts";
import { english } from "../../i18n/text.ts";

/** A page that is asked for, when, and where the lookback begins; epoch microseconds. */
export type FeedRequest = FeedQuery & { readonly nowUs: number; readonly earliestUs: number };

/** What a page of the feed may warn of. Others may be added. */
export const FEED_WARNING_CODES = ["CURSOR_IN_FUTURE"] as const;

type FeedWarning = { readonly code: (typeof FEED_WARNING_CODES)[number]; readonly detail: string };

/** By so much the clock of a client may go before ours without a word about it. */
const PATIENCE_US = 60_000_000;

/**
 * What is to be told of a start that lies ahead of everything: its page is empty, whatever happened before it.
 * A cursor that a page answered never does, also where a burst ran ahead of the clock.
 */
export function findFeedWarnings(read: Reader, { accountId, sinceUs, nowUs }: FeedRequest): readonly FeedWarning[] {
  if (sinceUs <= nowUs + PATIENCE_US || sinceUs <= lastStampUs(read, accountId) + 1) return [];
  const detail = phrase("warning.cursor_ahead", { since: stampToIso(sinceUs), now: stampToIso(nowUs) });
  return [{ code: "CURSOR_IN_FUTURE", detail: english(detail) }];
}
