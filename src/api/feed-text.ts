import { isSandbox } from "../base/sandbox.ts";
import { type FeedQuery, feedPage } from "../messages/feed.ts";
import { stampToIso } from "../messages/stamps.ts";
import type { Reader } from "../store/read.ts";

/** The body of a page of the feed (docs/public-api.md section 4.4); null when its batch is missing or another account's. */
export function feedText(read: Reader, query: FeedQuery): string | null {
  const page = feedPage(read, query);
  if (page === null) return null;
  const data = {
    messages: page.messages,
    next_status_changed_since: stampToIso(page.nextUs),
    has_more: page.hasMore,
    is_sandbox: isSandbox(query.accountId),
  };
  return JSON.stringify({ data });
}
