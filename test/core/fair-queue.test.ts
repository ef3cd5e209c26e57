import { describe, expect, test } from "vitest";
import { concurrencyLimiter } from "../../src/core/concurrency.ts";

const stranger = (name: string) => ({ name, isPreferred: false });

/** A queue whose work ends when the test says so; `order` tells who began. */
function desk(maxConcurrent: number, maxWaiting: number) {
  const queue = concurrencyLimiter({ maxConcurrent, maxWaiting });
  const order: string[] = [];
  const ends: (() => void)[] = [];
  const enter = (name: string, isPreferred = false) =>
    queue.enter({ name, isPreferred }, async () => {
      order.push(name);
      await new Promise<void>((resolve) => void ends.push(resolve));
      return name;
    });
  const endAll = async () => {
    while (ends.length > 0) {
      ends.shift()?.();
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return { enter, order, endAll };
}

describe("a fair queue", () => {
  test("serves parties in turns, however much one of them brings first", async () => {
    const { enter, order, endAll } = desk(1, 10);
    const all = ["a", "a", "a", "a", "b", "c"].map((name) => enter(name));
    await endAll();
    expect(await Promise.all(all)).toEqual(["a", "a", "a", "a", "b", "c"]);
    expect(order).toEqual(["a", "b", "c", "a", "a", "a"]);
  });

  test("refuses what is too much to whoever brings most, and what came last of that", async () => {
    const { enter, order, endAll } = desk(1, 3);
    const many = ["a", "a", "a", "a"].map((name) => enter(name));
    const few = enter("b");
    const refused = await many[3];
    await endAll();
    expect([refused, await few]).toEqual([null, "b"]);
    expect(order).toEqual(["a", "b", "a", "a"]);
  });

  test("puts whoever is preferred before all others, and refuses them last", async () => {
    const { enter, order, endAll } = desk(1, 2);
    const others = ["a", "b", "c"].map((name) => enter(name));
    const known = enter("d", true);
    await endAll();
    expect([...(await Promise.all(others)), await known]).toEqual(["a", "b", null, "d"]);
    expect(order).toEqual(["a", "d", "b"]);
  });

  test("goes on after work that failed", async () => {
    const queue = concurrencyLimiter({ maxConcurrent: 1, maxWaiting: 1 });
    const failing = queue.enter(stranger("a"), () => Promise.reject(new Error("no")));
    const next = queue.enter(stranger("b"), () => Promise.resolve("b"));
    await expect(failing).rejects.toThrow("no");
    expect(await next).toBe("b");
  });
});
