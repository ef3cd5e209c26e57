/** What clients ask for while things go on. */
import type { Chance } from "../../../src/core/chance.ts";
import type { Ask, HttpAnswer } from "../actors.ts";
import { between, oneOf } from "../chance.ts";
import type { Step } from "../plan.ts";
import { call, dataOf } from "./api.ts";
import { tablesOf, textOf } from "./json.ts";
import type { Memory } from "./memory.ts";
import { drawOddRequest } from "./odd-requests.ts";

export type ReadStep = Extract<Step, { readonly kind: "read" }>;

/** Nobody serves it. */
const ANOTHER_VERSION = "/public/v2/account/balance";

/** Where a page of the feed begins, and of what. */
export type FeedPage = { readonly since: string; readonly limit: number; readonly batchId?: string };

/** The path of a page of the feed. */
export function feedPath({ since, limit, batchId }: FeedPage): string {
  const batch = batchId === undefined ? "" : `&batch_id=${batchId}`;
  return `/messages?status_changed_since=${encodeURIComponent(since)}&limit=${limit}${batch}`;
}

/** What goes on after a page; null when it was none. */
export function afterPage(memory: Memory, answer: HttpAnswer | null) {
  const data = dataOf(answer);
  const next = textOf(data?.next_status_changed_since);
  if (data === null || next === null) return null;
  for (const message of tablesOf(data.messages)) {
    const id = textOf(message.message_id);
    if (id !== null) memory.messages.add(id);
  }
  return { next, hasMore: data.has_more === true };
}

/** Reads once: a feed is followed from where it was left, a few pages at most; of batches and messages a few are drawn. */
export async function read(
  memory: Memory,
  others: readonly Memory[],
  ask: Ask,
  step: ReadStep,
  chance: Chance,
): Promise<void> {
  const get = (path: string, apiKey?: null) =>
    call(memory, ask, { method: "GET", path, ...(apiKey === null && { apiKey }) });
  switch (step.what) {
    case "feed":
      return followFeed(memory, ask, chance);
    case "batches":
      for (const id of drawn(chance, memory.batches, 3)) await get(`/batches/${id}`);
      await get("/batches?limit=5");
      return;
    case "messages":
      for (const id of drawn(chance, [...memory.messages], 3)) await get(`/messages/${id}`);
      return;
    case "balance":
      await get("/account/balance");
      return;
    case "senders":
      await get("/sender-ids");
      return;
    case "webhooks":
      await get("/webhooks");
      return;
    case "someone else's batch": {
      const foreign = drawn(
        chance,
        others.flatMap((other) => other.batches),
        1,
      );
      for (const id of foreign) {
        await get(`/batches/${id}`);
        await get(feedPath({ since: memory.cursor, limit: 100, batchId: id }));
      }
      return;
    }
    case "someone else's message":
      for (const id of drawn(
        chance,
        others.flatMap((other) => [...other.messages]),
        1,
      )) {
        await get(`/messages/${id}`);
      }
      return;
    case "without a key":
      await get("/account/balance", null);
      await ask({ client: "nobody", method: "GET", path: ANOTHER_VERSION, headers: {}, body: null });
      return;
    case "with a narrow key":
      for (const path of [feedPath({ since: memory.cursor, limit: 1 }), "/account/balance"]) {
        await call(memory, ask, { method: "GET", path, apiKey: memory.narrowKey });
      }
      return;
    case "an odd request":
      await call(memory, ask, drawOddRequest(chance));
      return;
    case "health":
      await ask({ client: "nobody", method: "GET", path: "/health", headers: {}, body: null });
  }
}

/** Pages that are read at once, at most: the rest is read the next time. */
const MAX_PAGES = 12;

async function followFeed(memory: Memory, ask: Ask, chance: Chance): Promise<void> {
  const limit = oneOf(chance, [1, 7, 50, 100, 500]);
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const since = memory.cursor;
    const page = afterPage(
      memory,
      await call(memory, ask, { method: "GET", path: feedPath({ since, limit }) }),
    );
    // Another poll of the same client may have gone on meanwhile: it holds one cursor.
    if (page === null || memory.cursor !== since) return;
    memory.cursor = page.next;
    if (!page.hasMore) return;
  }
}

/** Some of several, each once, in their order. */
export function drawn<T>(chance: Chance, all: readonly T[], most: number): readonly T[] {
  if (all.length <= most) return all;
  const places = new Set<number>();
  while (places.size < most) places.add(between(chance, [0, all.length - 1]));
  return [...places].sort((one, other) => one - other).flatMap((place) => all.slice(place, place + 1));
}
