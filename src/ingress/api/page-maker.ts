/** The thread's side of large pages of the feed: it reads them over a connection of its own, each at one moment. */
import { assert, unreachable } from "../../core/assert.ts";
import type { OpenDatabase } from "../../db/open-database.ts";
import { type Snapshots, openSnapshots } from "../../db/snapshot.ts";
import { renderFeedPage } from "./feed-text.ts";
import type { FeedRequest } from "./feed-warning.ts";

export type ToFeedRenderer =
  /** Said first. */
  | { readonly kind: "begin"; readonly directory: string }
  | { readonly kind: "page"; readonly number: number; readonly query: FeedRequest }
  /** Said last. */
  | { readonly kind: "end" };

/** What came of a page, by its number. `body`: in UTF-8; null when its batch is missing or another account's. */
export type FromFeedRenderer =
  | { readonly number: number; readonly body: Uint8Array<ArrayBuffer> | null }
  | { readonly number: number; readonly error: string };

/** Makes pages as it is asked; `say` takes what came of them, in order. */
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
