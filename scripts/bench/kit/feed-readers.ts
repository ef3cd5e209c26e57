/** Clients that read the feed from its beginning, page after page, and begin anew at its end. */

const FOLLOWERS = 8;
const PAGE = 500;
const BEGINNING = "2026-01-01T00:00:00.000000Z";

export type FeedReaders = {
  /** Ends them; pages a second that they got. */
  readonly stop: () => Promise<number>;
};

/** So many pages a second are asked for, by all together. */
export function readFeed(port: number, apiKey: string, pagesPerSecond: number): FeedReaders {
  const headers = { authorization: `Bearer ${apiKey}` };
  const began = performance.now();
  const everyMs = (FOLLOWERS * 1000) / pagesPerSecond;
  let isOver = false;
  let pages = 0;
  const follow = async (follower: number): Promise<void> => {
    let cursor = BEGINNING;
    for (let dueMs = began + (follower * everyMs) / FOLLOWERS; !isOver; dueMs += everyMs) {
      await Bun.sleep(Math.max(0, dueMs - performance.now()));
      const path = `/public/v1/messages?limit=${PAGE}&status_changed_since=${encodeURIComponent(cursor)}`;
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`a page of the feed was answered with ${answer.status}: ${text}`);
      pages += 1;
      // The page is not parsed: the reader shares the cores with what is measured.
      const next = /"next_status_changed_since":"([^"]+)"/.exec(text)?.[1];
      cursor = next !== undefined && /"has_more":true/.test(text) ? next : BEGINNING;
    }
  };
  const followers = Array.from({ length: FOLLOWERS }, (_, follower) => follow(follower));
  return {
    stop: async () => {
      isOver = true;
      const seconds = (performance.now() - began) / 1000;
      await Promise.all(followers);
      return pages / seconds;
    },
  };
}
