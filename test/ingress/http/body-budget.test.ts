import { describe, expect, test } from "vitest";
import { type BodyClaim, bodyBudget, JUDGED_EVERY_MS } from "../../../src/ingress/http/body-budget.ts";
import { testClock } from "../../kit/test-clock.ts";

const MIB = 1_048_576;
/** The largest body of these tests. */
const MOST = 100 * MIB;

/** Bodies by name; tells in which order they were granted memory, and which lost it. */
function desk() {
  const clock = testClock();
  const budget = bodyBudget(MOST, clock);
  const granted: string[] = [];
  const lost: string[] = [];
  const open = (name: string, accountId: number, longest: number): BodyClaim => {
    const claim = budget.claim(accountId, longest * MIB);
    void claim.lost.then(() => lost.push(name));
    return claim;
  };
  const grow = (name: string, claim: BodyClaim, mib: number) => {
    void claim.grow(mib * MIB).then(() => granted.push(name));
  };
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  return {
    clock,
    grow,
    /** Asks for so much of a body that may come to `longest` MiB. */
    ask: (name: string, accountId: number, mib: number, longest = mib): BodyClaim => {
      const claim = open(name, accountId, longest);
      grow(name, claim, mib);
      return claim;
    },
    granted: async () => {
      await settled();
      return granted.join();
    },
    lost: async () => {
      await settled();
      return lost.join();
    },
  };
}

describe("memory for large bodies", () => {
  test("is granted at once while there is some", async () => {
    const { ask, granted } = desk();
    ask("a", 1, 30);
    ask("b", 1, 10);
    ask("c", 2, 100);
    expect(await granted()).toBe("a,b,c");
  });

  test("is left for the next account by all that hold as much as they may", async () => {
    const { ask, grow, granted } = desk();
    for (let account = 1; account <= 6; account++) {
      const claim = ask("begun", account, 1, 100);
      for (let mib = 2; mib <= 100; mib++) grow("grown", claim, mib);
    }
    ask("next", 99, 1, 100);
    expect(await granted()).toMatch(/next$/);
  });

  test("is for one largest body of an account at most, and the others pass it by", async () => {
    const { ask, granted } = desk();
    const first = ask("a1", 1, 100);
    ask("a2", 1, 10);
    ask("b", 2, 10);
    expect(await granted()).toBe("a1,b");
    first.release();
    expect(await granted()).toBe("a1,b,a2");
  });

  test("is held as the body arrives, so that many may have begun", async () => {
    const { ask, grow, granted } = desk();
    const some = Array.from({ length: 50 }, (_, index) => ask(`${index}`, index, 1, 100));
    const [first] = some;
    if (first) grow("grown", first, 50);
    expect((await granted()).split(",")).toHaveLength(51);
  });

  test("is not begun by bodies of one account that would wait for each other half-way", async () => {
    const { ask, grow, granted } = desk();
    const first = ask("first", 1, 1, 100);
    ask("second", 1, 1, 100);
    grow("first whole", first, 100);
    expect(await granted()).toBe("first,first whole");
    first.release();
    expect(await granted()).toBe("first,first whole,second");
  });

  test("is always there for one to grow to its end, however many stand half-way", async () => {
    const { ask, grow, granted } = desk();
    const half = [1, 2, 3].map((account) => ({ account, claim: ask(`${account}`, account, 10, 100) }));
    for (const { account, claim } of half) grow(`${account} whole`, claim, 100);
    expect(await granted()).toBe("1,2,3,1 whole");
    half[0]?.claim.release();
    expect(await granted()).toBe("1,2,3,1 whole,2 whole");
    half[1]?.claim.release();
    expect(await granted()).toBe("1,2,3,1 whole,2 whole,3 whole");
  });

  test("goes to the account that holds least, then to the one that was served longest ago", async () => {
    const { ask, granted } = desk();
    const a = ask("a", 1, 100);
    ask("a2", 1, 100);
    const b = ask("b", 2, 100);
    const c = ask("c", 3, 100);
    for (const claim of [a, b, c]) claim.release();
    expect(await granted()).toBe("a,b,c,a2");
  });

  test("that nobody waits for any more is not granted", async () => {
    const { ask, granted } = desk();
    const first = ask("first", 1, 100);
    const given = ask("given up", 1, 100);
    ask("third", 1, 100);
    given.release();
    given.release();
    first.release();
    expect(await granted()).toBe("first,third");
  });

  test("is free again after any number of releases, once each", async () => {
    const { ask, granted } = desk();
    for (let round = 0; round < 5; round++) {
      const claim = ask(`r${round}`, 1, 100);
      claim.release();
      claim.release();
    }
    ask("x", 1, 100);
    ask("y", 2, 40);
    ask("z", 3, 40);
    expect(await granted()).toBe("r0,r1,r2,r3,r4,x,y");
  });
});

describe("a body that arrives slowly", () => {
  test("keeps its memory while nobody waits", async () => {
    const { ask, clock, lost } = desk();
    ask("slow", 1, 100);
    await clock.advance(60_000);
    expect(await lost()).toBe("");
  });

  test("loses it within a second or two once others wait, and they get it", async () => {
    const { ask, clock, granted, lost } = desk();
    const drips = [ask("drip 1", 1, 100), ask("drip 2", 2, 50)];
    ask("quick", 3, 30);
    for (const drip of drips) drip.arrived(10);
    await clock.advance(JUDGED_EVERY_MS);
    expect(await lost()).toBe("drip 1");
    expect(await granted()).toBe("drip 1,drip 2,quick");
  });

  test("is one whose memory would not be filled within half a minute, however much it sent before", async () => {
    const { ask, clock, granted, lost } = desk();
    const [preloaded, steady] = [ask("preloaded", 1, 100), ask("steady", 2, 50)];
    preloaded.arrived(90 * MIB);
    ask("quick", 3, 30);
    preloaded.arrived(2 * MIB);
    steady.arrived(4 * MIB);
    await clock.advance(JUDGED_EVERY_MS);
    expect(await lost()).toBe("preloaded");
    expect(await granted()).toBe("preloaded,steady,quick");
  });

  test("is not one that is there already, nor one that waits itself, nor one that was just let on", async () => {
    const { ask, grow, clock, granted, lost } = desk();
    const there = ask("there", 1, 100);
    there.complete();
    ask("there too", 2, 50).complete();
    grow("more", ask("waits", 3, 10, 50), 50);
    await clock.advance(5 * JUDGED_EVERY_MS);
    expect([await granted(), await lost()]).toEqual(["there,there too,waits", ""]);
    there.release();
    await clock.advance(JUDGED_EVERY_MS / 2);
    expect([await granted(), await lost()]).toEqual(["there,there too,waits,more", ""]);
  });

  test("is broken off no further than others need", async () => {
    const { ask, clock, granted, lost } = desk();
    ask("large", 1, 90);
    ask("small", 2, 10);
    ask("busy", 3, 40).complete();
    ask("quick", 4, 50);
    await clock.advance(JUDGED_EVERY_MS);
    expect([await lost(), await granted()]).toEqual(["large", "large,small,busy,quick"]);
  });
});

test("bodies of accounts with many others waiting do not make another account wait for those", async () => {
  const { ask, granted } = desk();
  for (const account of [1, 2]) {
    for (let index = 0; index < 20; index++) ask(`${account}.${index}`, account, 100);
  }
  ask("quick", 3, 1);
  expect(await granted()).toBe("1.0,quick");
});
