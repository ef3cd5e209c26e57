import { describe, expect, test } from "vitest";
import { type BodyPermit, bodyBudget } from "../../src/http/body-budget.ts";

/** Asks in order; tells which permits are granted so far. */
function desk(mostBytes: number) {
  const budget = bodyBudget(mostBytes);
  const granted: string[] = [];
  return {
    ask: (name: string, accountId: number, bytes: number): BodyPermit => {
      const permit = budget.ask(accountId, bytes);
      void permit.granted.then(() => granted.push(name));
      return permit;
    },
    granted: async () => {
      await new Promise((resolve) => setImmediate(resolve));
      return granted.join();
    },
  };
}

describe("memory for large bodies", () => {
  test("is granted at once while there is some", async () => {
    const { ask, granted } = desk(100);
    ask("a", 1, 60);
    ask("b", 1, 40);
    ask("c", 2, 100);
    expect(await granted()).toBe("a,b,c");
  });

  test("is for one largest body of an account at most, and the others pass it by", async () => {
    const { ask, granted } = desk(100);
    const first = ask("a1", 1, 100);
    ask("a2", 1, 10);
    ask("b", 2, 10);
    expect(await granted()).toBe("a1,b");
    first.release();
    expect(await granted()).toBe("a1,b,a2");
  });

  test("is granted in the order it was asked for, so that a large body is not overtaken for ever", async () => {
    const { ask, granted } = desk(100);
    const one = ask("one", 1, 100);
    ask("two", 2, 60);
    ask("large", 3, 100);
    ask("small", 4, 10);
    expect(await granted()).toBe("one,two");
    one.release();
    expect(await granted()).toBe("one,two,large,small");
  });

  test("that nobody waits for any more is not granted", async () => {
    const { ask, granted } = desk(100);
    const first = ask("first", 1, 100);
    const given = ask("given up", 1, 100);
    ask("third", 1, 100);
    given.release();
    given.release();
    first.release();
    expect(await granted()).toBe("first,third");
  });

  test("is free again after any number of releases, once each", async () => {
    const { ask, granted } = desk(100);
    for (let round = 0; round < 5; round++) {
      const permit = ask(`r${round}`, 1, 100);
      permit.release();
      permit.release();
    }
    ask("x", 1, 100);
    ask("y", 2, 100);
    ask("z", 3, 1);
    expect(await granted()).toBe("r0,r1,r2,r3,r4,x,y");
  });
});
