import { beforeEach, describe, expect, test } from "vitest";
import {
  type BatchScheduler,
  batchScheduler,
  type FindSenderRoutes,
  type IsWanted,
} from "../../src/dispatch/batch-scheduler.ts";
import { isUrgent } from "../../src/domain/accounts/message-class.ts";
import type { QueuedBatch, QueuedMessage } from "../../src/domain/messages/queue.ts";
import { seeded, seeds } from "../kit/seeds.ts";

type Class = QueuedBatch["messageClass"];

function batchOf(batchId: number, accountId = 1, messageClass: Class = "MARKETING"): QueuedBatch {
  return {
    batchId,
    accountId,
    messageClass,
    operator: "orange",
    sender: "ACME",
    body: "",
    createdAt: 0,
    expiresAt: 0,
  };
}

function messageOf(id: number): QueuedMessage {
  return { id, msisdn: "+22670000001", segments: 1, text: null, attempts: 0, resends: 0, operatorCode: null };
}

/** Lanes over queues in memory, read in pages of three; `reads` counts the pages of each batch. */
function rig(findSenderRoutes?: FindSenderRoutes) {
  const queues = new Map<number, number[]>();
  const reads = new Map<number, number>();
  const all = batchScheduler((batch) => {
    const queue = queues.get(batch.batchId) ?? [];
    reads.set(batch.batchId, (reads.get(batch.batchId) ?? 0) + 1);
    const page = queue.splice(0, 3).map(messageOf).reverse();
    return { page, hasMore: queue.length > 0 };
  }, findSenderRoutes);
  return {
    all,
    reads,
    fill: (batch: QueuedBatch, count: number, ahead?: boolean) => {
      queues.set(
        batch.batchId,
        Array.from({ length: count }, (_, index) => batch.batchId * 1000 + index),
      );
      return all.open(batch, ahead);
    },
  };
}

/** The batches of the next messages. */
function turns(all: BatchScheduler, count: number): (number | undefined)[] {
  return Array.from({ length: count }, () => all.take()?.batch.batchId);
}

describe("what leaves next", () => {
  test("is nothing when no lane is open", () => {
    expect(rig().all.take()).toBeNull();
  });

  // Keeps: behaviour 6.56
  test("is OTP before TRANSACTIONAL before MARKETING, also when it comes last", () => {
    const { all, fill } = rig();
    fill(batchOf(1, 1, "MARKETING"), 5);
    expect(turns(all, 1)).toEqual([1]);
    fill(batchOf(2, 1, "TRANSACTIONAL"), 5);
    expect(turns(all, 1)).toEqual([2]);
    fill(batchOf(3, 2, "OTP"), 2);
    expect(turns(all, 9)).toEqual([3, 3, 2, 2, 2, 2, 1, 1, 1]);
  });

  test("is no marketing where only what is urgent is asked for", () => {
    const { all, fill } = rig();
    fill(batchOf(1, 1, "MARKETING"), 2);
    fill(batchOf(2, 1, "TRANSACTIONAL"), 1);
    const urgent = () => all.take(() => true, isUrgent)?.batch.batchId;
    expect([urgent(), urgent(), all.take()?.batch.batchId]).toEqual([2, undefined, 1]);
  });

  // Keeps: behaviour 6.57
  test("goes round the accounts, however many batches each has", () => {
    const { all, fill } = rig();
    fill(batchOf(1, 1), 4);
    fill(batchOf(2, 1), 4);
    fill(batchOf(3, 2), 4);
    expect(turns(all, 8)).toEqual([1, 3, 2, 3, 1, 3, 2, 3]);
  });

  // Keeps: behaviour 6.57
  test("goes round the batches of an account", () => {
    const { all, fill } = rig();
    for (const id of [1, 2, 3]) fill(batchOf(id), 3);
    expect(turns(all, 9)).toEqual([1, 2, 3, 1, 2, 3, 1, 2, 3]);
  });

  test("is in order inside a batch", () => {
    const { all, fill } = rig();
    fill(batchOf(1), 7);
    const ids = Array.from({ length: 7 }, () => all.take()?.message.id);
    expect(ids).toEqual([1000, 1001, 1002, 1003, 1004, 1005, 1006]);
    expect(all.take()).toBeNull();
  });

  // Keeps: behaviour 6.57
  test("a campaign of 100,000 never holds up anybody's single message", () => {
    const { all, fill } = rig();
    fill(batchOf(1, 1), 100_000);
    turns(all, 50);
    fill(batchOf(2, 2), 1);
    expect(turns(all, 2)).toContain(2);
    fill(batchOf(3, 1), 1);
    expect(turns(all, 2)).toContain(3);
  });

  test("reads no more of a queue than it needs", () => {
    const { all, fill, reads } = rig();
    fill(batchOf(1), 100_000);
    expect(reads.get(1)).toBeUndefined();
    turns(all, 4);
    expect(reads.get(1)).toBe(2);
  });
});

describe("a batch that is ahead", () => {
  test("has the next turn of its class, and its account no more turns than the others after that", () => {
    const { all, fill } = rig();
    for (const id of [1, 2, 3]) fill(batchOf(id, id), 9);
    expect(turns(all, 1)).toEqual([1]);
    fill(batchOf(4, 4), 9, true);
    expect(turns(all, 5)).toEqual([4, 2, 3, 1, 4]);
  });

  test("goes before the other batches of its own account", () => {
    const { all, fill } = rig();
    for (const id of [1, 2, 3]) fill(batchOf(id, 1), 9);
    fill(batchOf(4, 2), 9);
    expect(turns(all, 1)).toEqual([1]);
    fill(batchOf(5, 1), 1, true);
    expect(turns(all, 5)).toEqual([5, 4, 2, 4, 3]);
  });

  test("still waits for a more urgent class", () => {
    const { all, fill } = rig();
    fill(batchOf(1, 1, "OTP"), 1);
    fill(batchOf(2, 1, "MARKETING"), 1, true);
    expect(turns(all, 2)).toEqual([1, 2]);
  });
});

describe("a lane", () => {
  test("that is open is not opened twice", () => {
    const { all, fill } = rig();
    expect(fill(batchOf(1), 2)).toBe(true);
    expect(all.open(batchOf(1))).toBe(false);
    expect(turns(all, 3)).toEqual([1, 1, undefined]);
  });

  test("that has run dry is closed and can be opened again", () => {
    const { all, fill } = rig();
    fill(batchOf(1), 1);
    turns(all, 2);
    expect(all.get(1)).toBeNull();
    fill(batchOf(1), 1);
    expect(turns(all, 1)).toEqual([1]);
  });

  test("that is closed gives nothing, and costs nobody a turn", () => {
    const { all, fill } = rig();
    for (const id of [1, 2, 3]) fill(batchOf(id, id), 9);
    turns(all, 1);
    all.close(1);
    all.close(99);
    expect(turns(all, 4)).toEqual([2, 3, 2, 3]);
    all.close(3);
    expect(turns(all, 2)).toEqual([2, 2]);
  });
});

describe("batches whose senders go by some routes", () => {
  const registered = new Map<number, readonly string[] | null>();
  const routesOf: FindSenderRoutes = ({ batchId }) => registered.get(batchId) ?? null;
  /** What a route takes. */
  const by =
    (route: string): IsWanted =>
    (_, { senderRoutes = null }) =>
      senderRoutes === null || senderRoutes.includes(route);
  const take = (all: BatchScheduler, route: string, count: number) =>
    Array.from({ length: count }, () => all.take(() => true, by(route))?.batch.batchId);
  beforeEach(() => registered.clear());

  test("block nothing behind them, and are not looked at by another route", () => {
    registered.set(1, ["agg"]);
    const { all, fill, reads } = rig(routesOf);
    fill(batchOf(1), 9);
    fill(batchOf(2), 2);
    expect(take(all, "direct", 3)).toEqual([2, 2, undefined]);
    expect(reads.get(1)).toBeUndefined();
    expect(take(all, "agg", 2)).toEqual([1, 1]);
    expect(all.limits()).toMatchObject([{ senderRoutes: ["agg"] }]);
  });

  test("take turns by account with all others, however many sets of routes there are", () => {
    const sets = [null, ["agg"], ["agg", "third"], ["agg", "direct"]] as const;
    const { all, fill } = rig(routesOf);
    for (const [index, routes] of sets.entries()) {
      registered.set(index + 1, routes);
      fill(batchOf(index + 1, index + 1), 30);
    }
    // A second account beside the first, by all routes.
    fill(batchOf(5, 5), 30);
    const taken = take(all, "agg", 50);
    for (const id of [1, 2, 3, 4, 5]) expect(taken.filter((one) => one === id)).toHaveLength(10);
    const tenOf = taken.slice(10, 15).toSorted();
    expect(tenOf).toEqual([1, 2, 3, 4, 5]);
  });

  test("are queued anew once they are registered otherwise", () => {
    registered.set(1, ["agg"]);
    const { all, fill } = rig(routesOf);
    const batch = batchOf(1);
    fill(batch, 9);
    registered.set(1, ["direct"]);
    // Not looked at by a route that it was not queued for, until somebody says so.
    expect(take(all, "direct", 1)).toEqual([undefined]);
    all.requeue(batch);
    expect(take(all, "direct", 2)).toEqual([1, 1]);
    expect(take(all, "agg", 1)).toEqual([undefined]);
  });

  test("are not taken by a route they are queued for and registered for no more, once their page is read", () => {
    const { all, fill } = rig(routesOf);
    fill(batchOf(1), 9);
    registered.set(1, ["agg"]);
    expect(take(all, "direct", 1)).toEqual([undefined]);
    expect(take(all, "agg", 9)).toEqual(Array(9).fill(1));
  });

  test("that another route may carry too is taken in the same look when it was queued for none", () => {
    registered.set(1, ["third"]);
    const { all, fill } = rig(routesOf);
    fill(batchOf(1), 2);
    registered.set(1, ["third", "agg"]);
    expect(take(all, "third", 2)).toEqual([1, 1]);
  });
});

test.each(seeds(60))(
  "whatever is opened, closed and put ahead, nobody is lost, taken twice or passed over for a whole round (seed %d)",
  seeded((chance) => {
    const pick = (below: number) => Math.floor(chance.fraction() * below);
    const { all, fill } = rig();
    const left = new Map<number, number>();
    const waited = new Map<number, number>();
    let nextBatch = 1;
    for (let step = 0; step < 400; step++) {
      if (pick(4) === 0 && left.size < 12) {
        const id = nextBatch++;
        const count = 1 + pick(8);
        fill(batchOf(id, 1 + (id % 5)), count);
        left.set(id, count);
        waited.set(id, 0);
      }
      const id = all.take()?.batch.batchId;
      if (id === undefined) {
        expect(left.size).toBe(0);
        continue;
      }
      const rest = (left.get(id) ?? 0) - 1;
      expect(rest).toBeGreaterThanOrEqual(0);
      waited.set(id, 0);
      if (rest === 0) {
        left.delete(id);
        waited.delete(id);
      } else left.set(id, rest);
      for (const [other, turnsWaited] of waited) {
        if (other !== id) waited.set(other, turnsWaited + 1);
        // 5 accounts with at most 12 batches: a full round of the accounts for each batch of one's own.
        expect(turnsWaited).toBeLessThanOrEqual(60);
      }
    }
  }),
);
