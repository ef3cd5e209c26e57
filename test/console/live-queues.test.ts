import { expect, test } from "vitest";
import type { LiveQueue } from "../../src/console/server/live/live-view.ts";
import type { OperatorsView } from "../../src/console/server/routes/operators.ts";
import { asksBeforeResume, mergeLiveQueues } from "../../src/console/ui/pages/traffic/live-queues.ts";

const queue = (operator: string, waiting: number) => ({
  operator,
  waiting,
  is_configured: true,
  oldest_at: null,
  scheduled: 0,
});
const viewOf = (waiting: number, paused: readonly (string | null)[] = ["works"]): OperatorsView =>
  ({
    queues: [queue("orange", waiting), queue("moov", 3)],
    connections: paused.map((reason) => ({ operator: "orange", paused: reason })),
  }) as unknown as OperatorsView;
const live = (operator: string, messages: number, message_class = "OTP"): LiveQueue => ({
  operator,
  messages,
  message_class,
  postponed: 0,
  oldest_at: null,
});
const waiting = ({ queues }: OperatorsView) => queues.map((one) => one.waiting);

test("what waits is as it was last told, all classes together, and nothing once it has left", () => {
  const view = viewOf(1);
  expect(waiting(mergeLiveQueues(view, null))).toEqual([1, 3]);
  const told = [live("moov", 2), live("moov", 5, "MARKETING")];
  expect(waiting(mergeLiveQueues(view, { queues: told }))).toEqual([0, 7]);
});

test("an operator is resumed at once, but where a hundred messages leave by that", () => {
  expect(asksBeforeResume(viewOf(99), "orange", null)).toBe(false);
  expect(asksBeforeResume(viewOf(100), "orange", null)).toBe(true);
  expect(asksBeforeResume(viewOf(100), "moov", null)).toBe(false);
  // What waits leaves by the other connection anyway.
  expect(asksBeforeResume(viewOf(100, ["works", null]), "orange", 1)).toBe(false);
  expect(asksBeforeResume(viewOf(100, ["works", "works"]), "orange", 1)).toBe(true);
});
