import { describe, expect, test } from "vitest";
import { senderFault, senderKind } from "../../../src/domain/accounts/senders.ts";

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
    ["FASO SHOPPING", "fault.sender.too_long"],
    ["Café", "fault.sender.ascii"],
    ["1234567890123456", "fault.sender.digits"],
    ["12", "fault.sender.digits"],
    ["12-34", "fault.sender.no_letter"],
    ["a@b", "fault.sender.characters"],
    [" SHOP", "fault.sender.spaces"],
    ["  ", "fault.sender.blank"],
  ] as const)("%j is refused for the reason: %s", (name, reason) => {
    expect(senderFault(name)?.code).toBe(reason);
  });
});
