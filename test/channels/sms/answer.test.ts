import { describe, expect, test } from "vitest";
import { classifyResponse } from "../../../src/channels/sms/attempt-result.ts";
import { backoffMs } from "../../../src/dispatch/attempt.ts";

const NO_TABLE = new Map<number, "retry" | "pause" | "fail">();

describe("an answer to a submit_sm", () => {
  test("of 0 is acceptance, whatever the operator's table says", () => {
    expect(classifyResponse(0, null, new Map([[0, "fail"]]))).toEqual({ kind: "accepted" });
  });

  test.each([
    ["0x08", 0x08],
    ["0x64", 0x64],
    ["0x102", 0x102],
  ])("of %s is to try the message again, however often it comes; ten in a row slow the link", (_, status) => {
    const later = { kind: "retry", slowsAfter: 10, keepsPlace: false } as const;
    expect(classifyResponse(status, null, NO_TABLE)).toEqual(later);
    expect(classifyResponse(status, "0x08", NO_TABLE)).toEqual(later);
  });

  test("of a full queue is to try the message again; three in a row slow the link", () => {
    const later = { kind: "retry", slowsAfter: 3, keepsPlace: false } as const;
    expect(classifyResponse(0x14, null, NO_TABLE)).toEqual(later);
    expect(classifyResponse(0x14, "0x14", NO_TABLE)).toEqual(later);
  });

  test("of throttling slows the link each time; a message that met it twice lets others go first", () => {
    expect(classifyResponse(0x58, null, NO_TABLE)).toEqual({
      kind: "retry",
      slowsAfter: 1,
      keepsPlace: true,
    });
    expect(classifyResponse(0x58, "0x58", NO_TABLE)).toEqual({
      kind: "retry",
      slowsAfter: 1,
      keepsPlace: false,
    });
  });

  // Keeps: behaviour 6.15
  test("of 0xFF is to try again once", () => {
    expect(classifyResponse(0xff, null, NO_TABLE)).toMatchObject({ kind: "retry", slowsAfter: 10 });
    expect(classifyResponse(0xff, "0x58", NO_TABLE)).toMatchObject({ kind: "retry", slowsAfter: 10 });
    expect(classifyResponse(0xff, "0xFF", NO_TABLE)).toEqual({
      kind: "refused",
      error: { code: "OPERATOR_REJECTED", operatorCode: "0xFF" },
    });
  });

  test.each([
    ["0x0A", 0x0a, "SENDER_NOT_REGISTERED"],
    ["0x0B", 0x0b, "INVALID_DESTINATION"],
    ["0x45", 0x45, "OPERATOR_REJECTED"],
    ["0x400", 0x400, "OPERATOR_REJECTED"],
  ])("of %s is final", (operatorCode, status, code) => {
    expect(classifyResponse(status, null, NO_TABLE)).toMatchObject({
      kind: "refused",
      error: { code, operatorCode },
    });
  });

  // Keeps: behaviour 6.16
  test("means what the operator's own table says", () => {
    const table = new Map([
      [0x45, "retry"],
      [0x400, "pause"],
      [0x58, "fail"],
    ] as const);
    expect(classifyResponse(0x45, null, table)).toMatchObject({ kind: "retry", slowsAfter: 10 });
    expect(classifyResponse(0x400, null, table)).toEqual({ kind: "retry", slowsAfter: 1, keepsPlace: true });
    expect(classifyResponse(0x400, "0x400", table)).toEqual({
      kind: "retry",
      slowsAfter: 3,
      keepsPlace: false,
    });
    expect(classifyResponse(0x58, null, table)).toMatchObject({ kind: "refused" });
  });
});

// Keeps: behaviour 6.17
test("the back-off is 1 s and doubles to 30 s", () => {
  expect([1, 2, 3, 4, 5, 6, 7, 1000].map(backoffMs)).toEqual([
    1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000,
  ]);
});
