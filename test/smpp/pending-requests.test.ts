import { describe, expect, test } from "vitest";
import { pendingRequests, sequenceAfter } from "../../src/smpp/session-states.ts";

describe("pendingRequests", () => {
  test("expires what is due, oldest first, and remembers it for one late response", () => {
    const submits = pendingRequests();
    submits.add(5, 50, 1_000);
    submits.add(3, 30, 2_000);
    submits.add(9, 90, 3_000);
    expect(submits.oldestSentMs()).toBe(1_000);
    expect(submits.expire(999, 9_000)).toEqual([]);
    expect(submits.expire(2_000, 9_000)).toEqual([50, 30]);
    expect(submits.count()).toBe(1);
    expect(submits.settle(3)).toEqual({ ref: 30, late: true });
    expect(submits.settle(3)).toBe(null);
    expect(submits.settle(9)).toEqual({ ref: 90, late: false });
    expect(submits.oldestSentMs()).toBe(Number.POSITIVE_INFINITY);
  });

  test("holds the place of one that timed out until it is let go or answered late", () => {
    const submits = pendingRequests();
    for (const sequence of [1, 2, 3]) submits.add(sequence, sequence * 10, 1_000);
    expect([submits.held(), submits.heldUntilMs()]).toEqual([0, Number.POSITIVE_INFINITY]);
    submits.expire(1_000, 2_000);
    expect([submits.count(), submits.held(), submits.heldUntilMs()]).toEqual([0, 3, 2_000]);
    submits.settle(2);
    expect(submits.held()).toBe(2);
    expect(submits.letGo(1_999)).toBe(0);
    expect(submits.letGo(2_000)).toBe(2);
    // The answer still finds its message.
    expect(submits.settle(3)).toEqual({ ref: 30, late: true });
  });

  test("a number used again belongs to the new submit", () => {
    const submits = pendingRequests();
    submits.add(1, 10, 1_000);
    submits.expire(1_000, 2_000);
    submits.add(1, 11, 9_000);
    expect(submits.settle(1)).toEqual({ ref: 11, late: false });
    expect(submits.settle(1)).toBe(null);
  });

  test("remembers the latest ten thousand and no more", () => {
    const submits = pendingRequests();
    for (let sequence = 1; sequence <= 10_001; sequence++) submits.add(sequence, sequence, 0);
    submits.expire(0, 0);
    expect(submits.settle(1)).toBe(null);
    expect(submits.settle(2)).toEqual({ ref: 2, late: true });
  });

  test("using a number twice at once is a bug", () => {
    const submits = pendingRequests();
    submits.add(1, 10, 1_000);
    expect(() => submits.add(1, 11, 1_000)).toThrow("in use");
  });
});

test("sequence numbers go from 1 to 0x7FFFFFFF and round again", () => {
  expect(sequenceAfter(0)).toBe(1);
  expect(sequenceAfter(0x7fff_fffe)).toBe(0x7fff_ffff);
  expect(sequenceAfter(0x7fff_ffff)).toBe(1);
});
