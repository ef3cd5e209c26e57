import { describe, expect, test } from "vitest";
import { english } from "../../../src/i18n/text.ts";
import {
  locateJsonFault,
  MAX_CONTAINERS,
  MAX_NESTING,
  MAX_VALUES,
  parseJson,
} from "../../../src/ingress/http/json.ts";
import { seededChance } from "../../kit/test-chance.ts";

const parse = (text: string) => parseJson(new TextEncoder().encode(text));

/** A submission of about `size` characters. */
function long(size: number): string {
  const item = { msisdn: "+22670123456", attributes: { name: 'Awa "[{,\\ é 😀', amount: 5 } };
  const count = Math.ceil(size / JSON.stringify(item).length);
  const recipients = Array.from({ length: count }, (_, index) => ({ ...item, index }));
  return JSON.stringify({ sender: "ACME", list: [1, [2]], recipients, body: "x" });
}

function verdictOf(text: string): string {
  const outcome = parse(text);
  return outcome.ok ? "accepted" : english(outcome.refusal.detail);
}

describe("a large body", () => {
  test("is parsed to the value JSON.parse gives", async () => {
    const text = long(1_000_000);
    const outcome = parse(text);
    expect(outcome.ok && outcome.value).toEqual(JSON.parse(text));
  });

  test.each([
    ["an item too few", (text: string) => text.replaceAll("},{", "},,{")],
    ["a comma after the last item", (text: string) => text.replace("}],", "},],")],
    ["a comma before the first item", (text: string) => text.replace('"recipients":[', '"recipients":[,')],
    ["a wrong bracket", (text: string) => text.replace("}],", "}},")],
    ["a bracket too many", (text: string) => `${text}]`],
    ["an end too early", (text: string) => text.slice(0, -100)],
    ["an open string", (text: string) => text.replace('"body":"x', '"body":"x\\')],
    ["two values", (text: string) => text + text],
    ["a control character in a string", (text: string) => text.replace("Awa", "A\na")],
    ["a comma missing", (text: string) => text.replace("},{", "}{")],
  ])("with %s is refused", async (_name, spoil) => {
    expect(verdictOf(spoil(long(300_000)))).toMatch(
      /^the request body is not JSON: see line \d, column \d+$/,
    );
  });

  test("may have its longest array under any name, empty arrays and a repeated name", async () => {
    const filler = Array.from({ length: 30_000 }, (_, index) => index);
    for (const text of [
      `{"a":[],"b":${JSON.stringify(filler)},"c":[ ]}`,
      `{"b":${JSON.stringify(filler)},"b":[1]}`,
      `{"b":[1],"b":${JSON.stringify(filler)}}`,
      `{"a":{"b":${JSON.stringify(filler)}}}`,
      `{"x":"${"y".repeat(100_000)}"}`,
    ]) {
      const outcome = parse(text);
      expect(outcome.ok && outcome.value).toEqual(JSON.parse(text));
    }
  });

  test("is accepted and refused as JSON.parse does, whichever byte is changed", async () => {
    const chance = seededChance(7);
    const text = long(140_000);
    const letters = '[]{},:"\\ 0x';
    for (let round = 0; round < 150; round++) {
      const at = Math.floor(chance.fraction() * text.length);
      const letter = letters[Math.floor(chance.fraction() * letters.length)] ?? "";
      const changed = (text.slice(0, at) + letter + text.slice(at + 1)).toWellFormed();
      let expected: unknown = null;
      let isJson = true;
      try {
        expected = JSON.parse(changed);
      } catch {
        isJson = false;
      }
      const outcome = parse(changed);
      expect(outcome.ok).toBe(isJson);
      expect(locateJsonFault(changed) === null).toBe(isJson);
      if (outcome.ok) expect(Bun.deepEquals(outcome.value, expected)).toBe(true);
    }
  });
});

describe("a body with more in it than a submission can have", () => {
  const list = (item: string, count: number) => `{"x":[${Array.from({ length: count }, () => item).join()}]}`;

  test.each([
    ["objects and lists", () => list("[]", MAX_CONTAINERS)],
    ["values", () => list("1", MAX_VALUES)],
    ["levels", () => "[".repeat(MAX_NESTING + 1)],
  ])("is refused before it is parsed: %s", (what, text) => {
    expect(verdictOf(text())).toMatch(new RegExp(`more than \\d+ ${what}`));
  });

  test("is measured outside of its texts", () => {
    expect(verdictOf(`{"x":"${"[,".repeat(1_100_000)}\\"["}`)).toBe("accepted");
  });
});

describe("a text that is no JSON", () => {
  test.each([
    ["a comma behind the last member", '{\n  "sender": "TEST",\n}', 3, 1],
    ["a comma behind the last item", '{"x": [1, 2,]}', 1, 13],
    ["no comma between two members", '{\r\n  "a": 1\r\n  "b": 2\r\n}', 3, 3],
    ["single quotes", "{'a': 1}", 1, 2],
    ["a name without quotes", "{a: 1}", 1, 2],
    ["no colon", '{"a" 1}', 1, 6],
    ["a line end in a text", '{"a": "x\ny"}', 1, 7],
    ["an unknown escape", '{"a": "\\x"}', 1, 7],
    ["a number with a leading zero", '{"a": 01}', 1, 7],
    ["a word that is no value", '{"a": None}', 1, 7],
    ["a comment", "{} // x", 1, 4],
    ["two values", "{}\n{}", 2, 1],
    ["no end", '{"a": [1', 1, 9],
    ["an end that fits no beginning", '{"a": [1}', 1, 9],
  ])("is told the place: %s", (_what, text, line, column) => {
    expect(verdictOf(text)).toBe(`the request body is not JSON: see line ${line}, column ${column}`);
  });

  test.each([[""], ["  \r\n\t"]])("is empty: %j", (text) => {
    expect(verdictOf(text)).toBe("the request body is empty");
  });
});
