import { describe, expect, test } from "vitest";
import { taskTracker } from "../../src/dispatch/worker.ts";

describe("owned work", () => {
  test("is idle once its promises are settled and all that began has ended", async () => {
    const failures: unknown[] = [];
    const { own, begun, ended, idle } = taskTracker((error) => failures.push(error));
    let isIdle = false;
    begun();
    begun();
    own(Promise.reject("no"));
    const stopped = idle().then(() => {
      isIdle = true;
    });
    ended();
    await Bun.sleep(1);
    expect([isIdle, failures]).toEqual([false, ["no"]]);
    own(Promise.resolve());
    ended();
    await stopped;
    expect(isIdle).toBe(true);
  });

  test("waits for what begins while it waits", async () => {
    const { own, begun, ended, idle } = taskTracker(() => {});
    const order: string[] = [];
    own(Promise.resolve().then(begun));
    const stopped = idle().then(() => order.push("idle"));
    await Bun.sleep(1);
    order.push("ended");
    ended();
    await stopped;
    expect(order).toEqual(["ended", "idle"]);
  });
});
