import { expect, test } from "vitest";
import { createMutex } from "../../src/core/concurrency.ts";

test("what is asked for is done one after the other, also behind one that failed", async () => {
  const alone = createMutex();
  const seen: string[] = [];
  const first = Promise.withResolvers<void>();
  const failing = alone(async () => {
    seen.push("first begins");
    await first.promise;
    seen.push("first ends");
    throw new Error("it failed");
  });
  const second = alone(async () => {
    seen.push("second");
    return 2;
  });
  first.resolve();
  await expect(failing).rejects.toThrow("it failed");
  expect(await second).toBe(2);
  expect(seen).toEqual(["first begins", "first ends", "second"]);
});
