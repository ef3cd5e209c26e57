import { isSandbox } from "../../core/sandbox.ts";
import type { Reader } from "../../db/read.ts";
import { feedPage } from "../../domain/messages/feed.ts";
import { lastStampUs, stampToIso } from "../../domain/messages/stamps.ts";
import { type FeedRequest, findFeedWarnings } from "./feed-warning.ts";

/** The body of a page of the feed (docs/public-api.md section 4.4); null when its batch is missing or another account's. */
export function renderFeedPage(read: Reader, query: FeedRequest): string | null {
  const page = feedPage(read, query);
  if (page === null) return null;
  const warnings = page.messages.length === 0 ? findFeedWarnings(read, query) : [];
  const data = {
    messages: page.messages,
    next_status_changed_since: stampToIso(page.nextUs > query.sinceUs ? page.nextUs : behindAll(read, query)),
    has_more: page.hasMore,
    is_sandbox: isSandbox(query.accountId),
    ...(warnings.length > 0 ? { warnings } : {}),
  };
  return JSON.stringify({ data });
}

/**
 * Where to go on from an empty page: where it began. From a start ahead of now it is behind the last stamp, so that a client whose clock
 * is ahead misses nothing; not "now", for stamps carry the start of their transaction, and one may be committed after this page.
 */
function behindAll(read: Reader, { accountId, sinceUs, nowUs, earliestUs }: FeedRequest): number {
  if (sinceUs <= nowUs) return sinceUs;
  const lastUs = lastStampUs(read, accountId);
  return lastUs === 0 ? earliestUs : lastUs + 1;
}
