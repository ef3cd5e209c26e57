import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { answered, type Rig, webhookRig } from "./rig.ts";

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
