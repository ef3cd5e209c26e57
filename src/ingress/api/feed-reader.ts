/** Reads pages of the feed for `GET /messages`: small ones at once, large ones in a thread (docs/behaviour.md#the-feed). */
import type { Clock } from "../../core/clock.ts";
import type { Store } from "../../db/store.ts";
import { type FeedRequest, type FromFeedRenderer, renderFeedPage, type ToFeedRenderer } from "./feed-page.ts";
import { createOnDemandThread } from "./on-demand-thread.ts";

/** A page of at most this many messages is made at once, in less than half a millisecond. */
const SMALL_PAGE = 100;

/** JSON, as a text or in UTF-8; null when the batch that was asked for is missing or another account's. */
export type FeedBody = string | Uint8Array<ArrayBuffer> | null;

export type FeedReader = {
  /** Makes a page, a large one in a thread. @throws Error when the thread dies of it. */
  readonly page: (query: FeedRequest) => FeedBody | Promise<FeedBody>;
  readonly stop: () => void;
};

type Pending = {
  readonly resolve: (body: FeedBody) => void;
  readonly reject: (error: Error) => void;
};

/** Makes pages of the feed, with a thread that exists while clients ask for large ones. */
export function feedReader(
  startThread: () => Worker,
  clock: Clock,
  { read, directory }: Pick<Store, "read" | "directory">,
): FeedReader {
  const pending = new Map<number, Pending>();
  let pages = 0;
  const say = (said: ToFeedRenderer): ToFeedRenderer => said;
  const thread = createOnDemandThread({
    begin: () => {
      const started = startThread();
      started.postMessage(say({ kind: "begin", directory }));
      return started;
    },
    clock,
    onAnswer: (answer) => {
      const told = answer as FromFeedRenderer;
      const asked = pending.get(told.number);
      pending.delete(told.number);
      if (pending.size === 0) thread.rest();
      if ("error" in told) asked?.reject(new Error(`a page of the feed could not be made: ${told.error}`));
      else asked?.resolve(told.body);
    },
    failed: (why) => {
      const left = [...pending.values()];
      pending.clear();
      for (const { reject } of left) reject(new Error(`the thread that makes pages failed: ${why}`));
    },
    farewell: say({ kind: "end" }),
  });
  return {
    page: (query) => {
      if (query.limit <= SMALL_PAGE) return renderFeedPage(read, query);
      return new Promise((resolve, reject) => {
        pages += 1;
        pending.set(pages, { resolve, reject });
        thread.ask(say({ kind: "page", number: pages, query }));
      });
    },
    stop: thread.end,
  };
}
