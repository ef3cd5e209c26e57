import { describe, expect, test } from "vitest";
import { createAckWatermark } from "../../src/webhooks/endpoint-worker.ts";
import { seededChance } from "../kit/test-chance.ts";

describe("a cursor", () => {
  test("stays below the first that has not ended, however many after it have", () => {
    const log = createAckWatermark(10);
    for (const position of [11, 14, 15]) log.begin(position);
    log.pass(20);
    expect(log.mark()).toBe(10);
    log.end(15);
    log.end(14);
    expect(log.mark()).toBe(10);
    log.end(11);
    expect(log.mark()).toBe(20);
    expect(log.passed()).toBe(20);
  });

  test("moves over what was passed by, and never back", () => {
    const log = createAckWatermark(10);
    log.pass(15);
    log.pass(12);
    expect(log.mark()).toBe(15);
  });

  test("is never above anything open, in whatever order things end", () => {
    const chance = seededChance(3);
    const log = createAckWatermark(0);
    const open: number[] = [];
    let next = 1;
    for (let step = 0; step < 2000; step++) {
      if (chance.fraction() < 0.5) {
        next += 1 + Math.floor(chance.fraction() * 3);
        log.begin(next);
        log.pass(next);
        open.push(next);
      } else if (open.length > 0) {
        const [ended] = open.splice(Math.floor(chance.fraction() * open.length), 1);
        log.end(ended!);
      }
      expect(log.mark()).toBe(open.length === 0 ? log.passed() : Math.min(...open) - 1);
    }
  });
});
