import { decodeTime, isValid } from "ulid";
import { describe, expect, test } from "vitest";
import { isUlid } from "../../src/core/ids.ts";
import { deriveEventId } from "../../src/webhooks/payload.ts";

const AT = Date.UTC(2026, 2, 2, 9, 0, 0, 123);

describe("the id of an event", () => {
  test("is a ULID of the time of the event", () => {
    const id = deriveEventId("MESSAGE_TERMINAL", "01KJQX5Y8M3T7V9B2C4D6F8G0H", AT);
    expect(isUlid(id) && isValid(id)).toBe(true);
    expect(decodeTime(id)).toBe(AT);
  });

  test("is the same whenever it is derived, and another for another type, subject or time", () => {
    const ids = [
      deriveEventId("BATCH_SETTLED", "A", AT),
      deriveEventId("BATCH_ACCEPTED", "A", AT),
      deriveEventId("BATCH_SETTLED", "B", AT),
      deriveEventId("BATCH_SETTLED", "A", AT + 1),
    ];
    expect(deriveEventId("BATCH_SETTLED", "A", AT)).toBe(ids[0]!);
    expect(new Set(ids).size).toBe(4);
  });

  test("does not come twice among many", () => {
    const ids = Array.from({ length: 20_000 }, (_, number) =>
      deriveEventId("MESSAGE_TERMINAL", `${number}`, AT),
    );
    expect(new Set(ids).size).toBe(20_000);
  });

  test("holds no dot, which would part it from the timestamp in what is signed", () => {
    expect(deriveEventId("MESSAGE_TERMINAL", "x", 0)).not.toContain(".");
  });
});
