import { describe, expect, test } from "vitest";
import { replaceExampleNumbers } from "../../src/docs/site/site.ts";

describe("the numbers of examples", () => {
  test("stay where an operator owns them", () => {
    const page = "70123456, +22670123456, 76123457";
    expect(replaceExampleNumbers(page, ["22670", "22676"])).toBe(page);
  });

  test("get the beginning of a number that an operator owns, and keep their end", () => {
    expect(replaceExampleNumbers("70123456, +22670123456, 0022670123456 and 76123457", ["22664"])).toBe(
      "64123456, +22664123456, 0022664123456 and 64123457",
    );
    expect(replaceExampleNumbers("70123456, 76123457", ["22676", "226014"])).toBe("76123456, 76123457");
  });

  test("are left alone where no operator owns a number of the country, and so is every other number", () => {
    expect(replaceExampleNumbers("70123456", ["3361"])).toBe("70123456");
    expect(replaceExampleNumbers("70123456", ["226"])).toBe("70123456");
    expect(replaceExampleNumbers("70200008, 170123456, 701234567", ["22664"])).toBe(
      "70200008, 170123456, 701234567",
    );
  });
});
