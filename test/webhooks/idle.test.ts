import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Params } from "../../src/db/reader.ts";
import { answered, type Rig, taken, webhookRig } from "./rig.ts";

let rig: Rig;
beforeEach(async () => {
  rig = await webhookRig();
});
afterEach(() => rig.close());

describe("while nothing happens", () => {
  test("no endpoint is looked up, however many there are", async () => {
    for (let n = 0; n < 20; n++) await rig.endpoint(`e${n}`);
    rig.start();
    await rig.pass(5);
    const looks = vi.spyOn(rig.books.store.read, "all");
    await rig.pass(60);
    expect(looks.mock.calls).toEqual([]);
    looks.mockRestore();
    const [message] = await rig.batch(1);
    await rig.deliver(message!);
    await rig.pass(2);
    expect(new Set(rig.posts.map(({ path }) => path)).size).toBe(20);
  });

  test("a failing endpoint is looked up when its rest is over, and then told", async () => {
    await rig.endpoint("a");
    rig.answer(() => answered(503));
    rig.start();
    const [message] = await rig.batch(1);
    await rig.deliver(message!);
    await rig.pass(7);
    rig.answer(() => ({ status: 200, retryAfter: null, error: null }));
    const failed = rig.posts.length;
    expect(failed).toBeGreaterThan(0);
    await rig.leap(3600);
    await rig.pass(5);
    expect(rig.posts.length).toBeGreaterThan(failed);
    expect(rig.count("webhook_retries")).toBe(0);
  });
});

describe("what could not be told when it was looked for is told without anybody's help", () => {
  /** Until it is put right, reads of which the statement says so fail. */
  const breakReads = (isBroken: (sql: string) => boolean) => {
    const { all } = rig.books.store.read;
    const failing = vi.spyOn(rig.books.store.read, "all");
    failing.mockImplementation((sql: string, ...params: Params) => {
      if (isBroken(sql)) throw new Error("disk I/O error");
      return all(sql, ...params);
    });
    return failing;
  };
  const told = () => rig.posts.map(({ path, type }) => `${path} ${type}`).sort();

  test("after a look that failed", async () => {
    await rig.endpoint("a");
    rig.start();
    await rig.pass(2);
    const [message] = await rig.batch(1);
    const failing = breakReads((sql) => sql.includes("webhook_endpoints"));
    await rig.deliver(message!);
    await rig.pass(1);
    expect(failing).toHaveBeenCalled();
    failing.mockRestore();
    await rig.pass(10);
    expect(told()).toEqual(["a BATCH_SETTLED", "a MESSAGE_TERMINAL"]);
  });

  test("after events that could not be read: the process goes on", async () => {
    await rig.endpoint("a");
    rig.start();
    await rig.pass(2);
    const [message] = await rig.batch(1);
    const failing = breakReads((sql) => !sql.includes("webhook_endpoints"));
    await rig.deliver(message!);
    await rig.pass(1);
    expect(failing).toHaveBeenCalled();
    failing.mockRestore();
    await rig.pass(10);
    expect(told()).toEqual(["a BATCH_SETTLED", "a MESSAGE_TERMINAL"]);
    expect(rig.lines.some(({ message: said }) => said === "webhook events could not be read")).toBe(true);
  });

  test("after endpoints that held all the room of their account were disabled, and their attempts ended", async () => {
    const ends: (() => void)[] = [];
    rig.answer(({ path }) =>
      path === "late" ? taken : new Promise((resolve) => ends.push(() => resolve(taken))),
    );
    const slow: string[] = [];
    for (let n = 0; n < 60; n++) slow.push((await rig.endpoint("slow", ["MESSAGE_TERMINAL"])).id);
    await rig.endpoint("late", ["MESSAGE_TERMINAL"]);
    const toldLate = () => told().filter((one) => one === "late MESSAGE_TERMINAL").length;
    rig.start();
    await rig.pass(1);
    await rig.deliver(...(await rig.batch(8)));
    await rig.pass(3);
    const before = toldLate();
    await rig.deliver(...(await rig.batch(1)));
    await rig.pass(3);
    for (const id of slow) await rig.registration.disable({ accountId: rig.account.id, actor: "test" }, id);
    await rig.pass(3);
    expect(toldLate()).toBe(before);
    for (const end of ends) end();
    await rig.pass(5);
    expect(toldLate()).toBe(before + 1);
  });
});
