import { describe, expect, test } from "vitest";
import { senderFault, senderKind } from "../../src/accounts/sender-kind.ts";

describe("the kind of a sender", () => {
  test.each([
    ["FASOSHOP", "ALPHANUMERIC"],
    ["Faso Shop", "ALPHANUMERIC"],
    ["A", "ALPHANUMERIC"],
    ["12345678901a", null],
    ["1234567890a", "ALPHANUMERIC"],
    ["S.O.S-24 & Co", null],
    ["SOS-24 & Co", "ALPHANUMERIC"],
    ["12", null],
    ["123", "SHORT_CODE"],
    ["12345678", "SHORT_CODE"],
    ["123456789", "NUMBER"],
    ["123456789012345", "NUMBER"],
    ["1234567890123456", null],
    ["+22670123456", "NUMBER"],
    ["+123", null],
    ["+1234567890123456", null],
    ["Café", null],
    ["", null],
    [" SHOP", null],
    ["SHOP ", null],
    ["12 34", null],
    ["SHOP\n", null],
    ["a@b", null],
  ])("%j is %s", (name, kind) => {
    expect(senderKind(name)).toBe(kind as ReturnType<typeof senderKind>);
    expect(senderFault(name) === null).toBe(kind !== null);
  });

  test.each([
    ["FASO SHOPPING", "at most 11 characters"],
    ["Café", "accents"],
    ["1234567890123456", "15 digits"],
    ["12", "3 to 8 digits"],
    ["12-34", "at least one letter"],
    ["a@b", "letters, digits"],
    [" SHOP", "space"],
    ["  ", "blank"],
  ])("%j is refused for the reason: %s", (name, reason) => {
    expect(senderFault(name)).toContain(reason);
  });
});
