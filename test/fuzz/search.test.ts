import { describe, expect, test } from "vitest";
import { minimised } from "./minimise.ts";
import { processWorkedMs, type Search, search } from "./search.ts";
import { octetsOf, textOf, textTarget } from "./target.ts";

const clocks = { nowMs: () => performance.now(), workedMs: processWorkedMs };

/** Goes wrong four steps in, each of which shows in the outcome; each is a rare find without the one before. */
const stairs = textTarget({
  name: "stairs",
  promise: "nothing goes wrong",
  words: ["a", "b", "c", "d", "!"],
  draw: ({ ascii }) => ascii(8),
  run: (text) => {
    const found = /^a(b(c(d)?)?)?/.exec(text)?.[0] ?? "";
    if (found === "abcd" && text.includes("!")) throw new Error(`${text} is no stair`);
    return found;
  },
});

const run = (changes: Partial<Search> = {}) =>
  search({ target: stairs, inputs: 20_000, seed: 3, kept: [], ...clocks, ...changes });

describe("a search", () => {
  test("finds what lies behind steps that it remembers, and gives the smallest input that fails", async () => {
    const { failures, found } = await run();
    expect(failures.map(({ what }) => what)).toEqual([expect.stringMatching(/^Error at test.fuzz.search/)]);
    expect(failures[0] && textOf(failures[0].input)).toMatch(/^abcd!$/);
    expect(found.map(({ input }) => textOf(input))).toEqual(
      expect.arrayContaining(["a", "ab", "abc", "abcd"]),
    );
  });

  test("is the same again from the same seed and the same kept inputs", async () => {
    const inputsOf = async (seed: number) => {
      const inputs: string[] = [];
      await run({ inputs: 300, seed, onInput: (input) => inputs.push(textOf(input)) });
      return inputs;
    };
    expect(await inputsOf(5)).toEqual(await inputsOf(5));
    expect(await inputsOf(5)).not.toEqual(await inputsOf(6));
  });

  test("begins with what was kept, and tells nothing known as new", async () => {
    const kept = ["a", "ab", "abc"].map(octetsOf);
    const { known, found } = await run({ inputs: 500, kept });
    expect(known).toBe(3);
    expect(found.map(({ signature }) => signature)).not.toContain("abc");
  });

  test("tells an input that takes longer than its length is worth", async () => {
    let worked = 0;
    const target = textTarget({
      name: "slow",
      promise: "",
      words: [],
      draw: () => "xy",
      run: (text) => {
        worked += text.length ** 2 / 1e6;
        return "";
      },
    });
    const { failures } = await search({
      target,
      inputs: 2_000,
      seed: 1,
      kept: [],
      nowMs: () => worked,
      workedMs: () => worked,
    });
    expect(failures.map(({ what }) => what)).toEqual(["took too long"]);
  });
});

describe("a minimised input", () => {
  test("is what it was, and nothing that can be left out", async () => {
    const still = (smaller: Uint8Array) => /x.*y.*z/s.test(textOf(smaller));
    expect(textOf(await minimised(octetsOf("aaaaxbbbbbbybbz\ncc".repeat(3)), still, 600))).toBe("xyz");
  });
});
