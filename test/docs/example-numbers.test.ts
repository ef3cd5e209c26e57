import { describe, expect, test } from "vitest";
import { useServedNumbers } from "../../src/docs/site/own-examples.ts";

const served = (prefixes: readonly string[]) => [{ operator: "orange", prefixes }];

describe("the numbers of examples", () => {
  test("stay where an operator owns them", () => {
    const page = "70123456, +22670123456, 76123457";
    expect(useServedNumbers(page, served(["22670", "22676"]))).toBe(page);
  });

  test("get the beginning of a number that an operator owns, and keep their end", () => {
    expect(useServedNumbers("70123456, +22670123456, 0022670123456 and 76123457", served(["22664"]))).toBe(
      "64123456, +22664123456, 0022664123456 and 64123457",
    );
    expect(useServedNumbers("70123456, 76123457", served(["22676", "226014"]))).toBe("76123456, 76123457");
  });

  test("are left alone where no operator owns a number of the country, and so is every other number", () => {
    expect(useServedNumbers("70123456", served(["3361"]))).toBe("70123456");
    expect(useServedNumbers("70123456", served(["226"]))).toBe("70123456");
    expect(useServedNumbers("70200008, 170123456, 701234567", served(["22664"]))).toBe(
      "70200008, 170123456, 701234567",
    );
  });

  test("have the operator beside them that owns them here", () => {
    const json = '{"msisdn": "+22670123456", "operator": "moov", "operators": ["orange"]}';
    const all = [
      { operator: "telmob", prefixes: ["22670", "22671"] },
      { operator: "orange", prefixes: ["22676"] },
    ];
    expect(useServedNumbers(json, all)).toBe(
      '{"msisdn": "+22670123456", "operator": "telmob", "operators": ["orange"]}',
    );
    expect(useServedNumbers(json, [{ operator: "telmob", prefixes: ["22664"] }])).toBe(
      '{"msisdn": "+22664123456", "operator": "telmob", "operators": ["telmob"]}',
    );
    expect(useServedNumbers(json, [])).toBe(json);
  });
});
