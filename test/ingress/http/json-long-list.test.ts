import { describe, expect, test } from "vitest";
import { parseJsonWithLongList } from "../../../src/ingress/http/json.ts";
import { seeded, seeds } from "../../kit/seeds.ts";

/** What it reads with every made list as an array, or that it refuses. */
function read(text: string): unknown {
  try {
    const value = parseJsonWithLongList(text, "list") as Record<string, unknown>;
    const { list } = value ?? {};
    const isMade =
      typeof list === "object" && list !== null && Symbol.iterator in list && !Array.isArray(list);
    return isMade ? { ...value, list: [...(list as Iterable<unknown>)] } : value;
  } catch (error) {
    expect(error).toBeInstanceOf(SyntaxError);
    return "no JSON";
  }
}

function plain(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return "no JSON";
  }
}

const items = (count: number): string =>
  Array.from({ length: count }, (_, n) => `{"n":"a,]}\\"${n}", "of": [${n}, {}]}`).join(" ,\n");

describe("an object with a long list", () => {
  test.each([[251], [500], [501], [1000]])("of %i items is what JSON.parse makes of it", (count) => {
    const text = ` {"a": [1, "list"], "list" : [ ${items(count)} ], "b": {"list": [1]}} `;
    const value = parseJsonWithLongList(text, "list") as { list: { length: number } };
    expect(Array.isArray(value.list)).toBe(false);
    expect(value.list.length).toBe(count);
    expect(Object.keys(value)).toEqual(["a", "list", "b"]);
    expect(read(text)).toEqual(plain(text));
  });

  test("can be gone through again", () => {
    const { list } = parseJsonWithLongList(`{"list":[${items(300)}]}`, "list") as { list: Iterable<unknown> };
    expect([...list]).toEqual([...list]);
  });

  test.each([
    ["a short one", `{"list":[${items(250)}]}`],
    ["an empty one", `{"list":[]}`],
    ["none", `{"other":[${items(300)}]}`],
    ["no list", `{"list":${JSON.stringify("[".repeat(300))}}`],
    ["two of the name", `{"list":[${items(300)}],"list":[1]}`],
    ["a second whose name is escaped", `{"list":[${items(300)}],"l\\u0069st":[1]}`],
    ["no object", `[{"list":[${items(300)}]}]`],
    ["one in another object", `{"in":{"list":[${items(300)}]}}`],
    ["the name as a value", `{"a":"list","b":[${items(300)}]}`],
    ["nothing", ""],
  ])("is parsed whole where there is %s", (_, text) => {
    expect(read(text)).toEqual(plain(text));
  });

  test.each([
    ["a comma before the bracket", `{"list":[${items(300)},]}`],
    ["a comma before the bracket, at the end of a piece", `{"list":[${items(500)},]}`],
    ["two commas", `{"list":[${items(300)},,1]}`],
    ["two commas at the end of a piece", `{"list":[${items(250)},,${items(250)}]}`],
    ["a comma at the beginning", `{"list":[,${items(300)}]}`],
    ["the wrong bracket", `{"list":[${items(300)}}}`],
    ["brackets that cross", `{"list":[${items(260)},[{]},${items(40)}]}`],
    ["no end", `{"list":[${items(300)}`],
    ["an open string", `{"list":[${items(300)},"]}`],
    ["more behind it", `{"list":[${items(300)}]} x`],
    ["a colon that is missing", `{"list"[${items(300)}]}`],
    ["a raw line break in a string", `{"list":[${items(300)},"\n"]}`],
  ])("is refused with %s, as JSON.parse does", (_, text) => {
    expect(plain(text)).toBe("no JSON");
    expect(read(text)).toBe("no JSON");
  });

  test.each(seeds(40))(
    "is what JSON.parse makes of it, or refused like that, however it was bent (seed %i)",
    seeded((chance) => {
      const whole = `{"x":1,"list":[${items(502)}],"y":[{"list":2}]}`;
      const bits = ["", ",", "]", "[", "}", "{", '"', "\\", ":", '"list":', " "];
      const upTo = (most: number): number => Math.floor(chance.fraction() * most);
      for (let round = 0; round < 40; round++) {
        const at = upTo(whole.length);
        const bent = whole.slice(0, at) + bits[upTo(bits.length)] + whole.slice(at + upTo(3));
        expect(read(bent)).toEqual(plain(bent));
      }
    }),
  );
});
