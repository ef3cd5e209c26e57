/** Makes pages of the feed: in a thread for large ones, over a connection of its own, each page at one moment. */
import { assert, unreachable } from "../../core/assert.ts";
import { isSandbox } from "../../core/sandbox.ts";
import { openSnapshots, type Snapshots } from "../../db/connections.ts";
import type { OpenDatabase } from "../../db/disk.ts";
import type { Reader } from "../../db/reader.ts";
import { type FeedQuery, feedPage } from "../../domain/messages/feed.ts";
import { lastStampUs, stampToIso } from "../../domain/messages/feed-stamps.ts";
import { phrase } from "../../i18n/phrase.ts";
import { english } from "../../i18n/text.ts";

export type ToFeedRenderer =
  /** Said first. */
  | { readonly kind: "begin"; readonly directory: string }
  | { readonly kind: "page"; readonly number: number; readonly query: FeedRequest }
  /** Said last. */
  | { readonly kind: "end" };

/** The result for a page, by its number. `body`: in UTF-8; null when its batch is missing or another account's. */
export type FromFeedRenderer =
  | { readonly number: number; readonly body: Uint8Array<ArrayBuffer> | null }
  | { readonly number: number; readonly error: string };

/** Makes pages as asked; `say` takes the results, in order. */
export function createFeedRenderer(
  openDatabase: OpenDatabase,
  say: (said: FromFeedRenderer) => void,
): (asked: ToFeedRenderer) => void {
  const encoder = new TextEncoder();
  let moments: Snapshots | null = null;
  const made = (query: FeedRequest): Uint8Array<ArrayBuffer> | null => {
    assert(moments, "the thread was told to begin");
    const text = moments.inSnapshot((read) => renderFeedPage(read, query));
    return text === null ? null : encoder.encode(text);
  };
  return (asked) => {
    switch (asked.kind) {
      case "begin":
        moments = openSnapshots(asked.directory, openDatabase);
        return;
      case "page":
        try {
          say({ number: asked.number, body: made(asked.query) });
        } catch (error) {
          say({ number: asked.number, error: String(error) });
        }
        return;
      case "end":
        moments?.close();
        moments = null;
        return;
      default:
        unreachable(asked, "word to the thread that makes pages");
    }
  };
}

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
 * The cursor of an empty page: where the page began. For a start ahead of now it is the last stamp, so that a client whose clock is ahead
 * misses nothing; not "now", because stamps carry the start of their transaction, and one may be committed after this page.
 */
function behindAll(read: Reader, { accountId, sinceUs, nowUs, earliestUs }: FeedRequest): number {
  if (sinceUs <= nowUs) return sinceUs;
  const lastUs = lastStampUs(read, accountId);
  return lastUs === 0 ? earliestUs : lastUs + 1;
}

/** A requested page, the time of the request, and where the lookback begins; epoch microseconds. */
export type FeedRequest = FeedQuery & { readonly nowUs: number; readonly earliestUs: number };

/** Warnings that a page of the feed may carry. Others may be added. */
export const FEED_WARNING_CODES = ["CURSOR_IN_FUTURE"] as const;

type FeedWarning = { readonly code: (typeof FEED_WARNING_CODES)[number]; readonly detail: string };

/** How far a client's clock may be ahead of ours without a warning. */
const PATIENCE_US = 60_000_000;

/**
 * Warns of a start that lies ahead of everything: its page is empty, whatever happened before it.
 * A cursor that a page returned never does, not even after a burst whose stamps ran ahead of the clock.
 */
function findFeedWarnings(read: Reader, { accountId, sinceUs, nowUs }: FeedRequest): readonly FeedWarning[] {
  if (sinceUs <= nowUs + PATIENCE_US || sinceUs <= lastStampUs(read, accountId) + 1) return [];
  const detail = phrase("warning.cursor_ahead", { since: stampToIso(sinceUs), now: stampToIso(nowUs) });
  return [{ code: "CURSOR_IN_FUTURE", detail: english(detail) }];
}
