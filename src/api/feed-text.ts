import { isSandbox } from "../base/sandbox.ts";
import { feedPage } from "../messages/feed.ts";
import { stampToIso } from "../messages/stamps.ts";
import type { Reader } from "../store/read.ts";
import { type FeedAsk, feedWarnings } from "./feed-warning.ts";

/** The body of a page of the feed (docs/public-api.md section 4.4); null when its batch is missing or another account's. */
export function feedText(read: Reader, query: FeedAsk): string | null {
  const page = feedPage(read, query);
  if (page === null) return null;
  const warnings = page.messages.length === 0 ? feedWarnings(read, query) : [];
  const data = {
    messages: page.messages,
    next_status_changed_since: stampToIso(page.nextUs),
    has_more: page.hasMore,
    is_sandbox: isSandbox(query.accountId),
    ...(warnings.length > 0 ? { warnings } : {}),
  };
  return JSON.stringify({ data });
}
