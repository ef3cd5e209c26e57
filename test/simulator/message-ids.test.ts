import { describe, expect, test } from "vitest";
import { ID_FORMATS, messageIds } from "../../src/simulator/message-ids.ts";
import { PLAIN, type Quirks } from "../../src/simulator/quirks.ts";
import { seededChance } from "../kit/test-chance.ts";

const START_MS = Date.UTC(2026, 2, 2);

function ids(quirks: Partial<Quirks>, count = 1) {
  const next = messageIds(START_MS, seededChance(1));
  return Array.from({ length: count }, () => next({ ...PLAIN, ...quirks }));
}

describe("message ids", () => {
  test.each([
    ["decimal", /^\d{13}$/, /^\d{13}$/],
    ["hex", /^[\da-f]{11}$/, /^[\da-f]{11}$/],
    ["hex_upper", /^[\dA-F]{11}$/, /^[\dA-F]{11}$/],
    ["uuid", /^[\da-f-]{36}$/, /^[\da-f-]{36}$/],
    ["hex_response_decimal_receipt", /^[\dA-F]{11}$/, /^\d{13}$/],
    ["decimal_response_hex_receipt", /^\d{13}$/, /^[\dA-F]{11}$/],
  ] as const)("written %s name one message in response and receipt", (idFormat, response, receipt) => {
    const [id] = ids({ idFormat });
    expect(id?.response).toMatch(response);
    expect(id?.receipt).toMatch(receipt);
    const number = (text: string) =>
      /^\d+$/.test(text) ? BigInt(text) : BigInt(`0x${text.replace(/-/g, "")}`);
    expect(number(id?.response ?? "")).toBe(number(id?.receipt ?? ""));
  });

  test("never come twice, in any format", () => {
    for (const idFormat of ID_FORMATS) {
      const given = ids({ idFormat }, 500).map(({ response }) => response);
      expect(new Set(given).size).toBe(500);
    }
  });

  test("come again when they are to be used again", () => {
    const given = ids({ reuseIdsAfter: 3 }, 7).map(({ response }) => response);
    expect(given.slice(3, 6)).toEqual(given.slice(0, 3));
    expect(new Set(given).size).toBe(3);
  });

  test("are padded and changed in case on one side only", () => {
    const [padded] = ids({ receiptIdPad: 20 });
    expect(padded?.receipt).toBe(`0000000${padded?.response}`);
    const [answered] = ids({ responseIdPad: 16 });
    expect(answered?.response).toBe(`000${answered?.receipt}`);
    const [shouted] = ids({ idFormat: "hex", receiptIdCase: "upper" });
    expect(shouted?.receipt).toBe(shouted?.response.toUpperCase());
    const [whispered] = ids({ idFormat: "hex_upper", receiptIdCase: "lower" });
    expect(whispered?.receipt).toBe(whispered?.response.toLowerCase());
  });
});
