import { describe, expect, test } from "vitest";
import {
  type DeliveryConditions,
  planDeliveries,
  type QueuedNotification,
} from "../../../src/ops/alerts/notifications.ts";

const MIN = 60_000;

/** Letters of one alarm, one a minute. */
const written = (...states: QueuedNotification["event"]["state"][]): QueuedNotification[] =>
  states.map((state, minute) => ({
    id: minute + 1,
    eventId: `event ${minute}`,
    channel: "email",
    recipient: "a@b.c",
    attempts: 0,
    testId: null,
    event: {
      rule: "operator_down",
      subject: "orange",
      state,
      facts: {},
      sinceMs: minute * MIN - 30_000,
      atMs: minute * MIN,
    },
    dueAtMs: minute * MIN,
  }));
const told = (notifications: readonly QueuedNotification[], changes: Partial<DeliveryConditions> = {}) => {
  const now = { nowMs: 10 * MIN, isJoined: true, silencedUntilMs: () => 0, isOpen: () => true, ...changes };
  const { due, dropped, nextMs } = planDeliveries(notifications, now);
  return {
    due: due.map(({ notifications: joined, event, starts }) => ({
      notifications: joined.map(({ id }) => id),
      state: event.state,
      sinceMs: event.sinceMs,
      starts,
    })),
    dropped: dropped.map(({ id }) => id),
    nextMs,
  };
};

describe("notifications of one alarm that wait for one address", () => {
  test("are one: a start that ended is its end, since it began", () => {
    expect(told(written("start", "end")).due).toEqual([
      { notifications: [1, 2], state: "end", sinceMs: -30_000, starts: 1 },
    ]);
  });

  test("are one that starts where it lasts and nobody heard of it, since the last time", () => {
    expect(told(written("start", "end", "start", "repeat")).due).toEqual([
      { notifications: [1, 2, 3, 4], state: "start", sinceMs: 2.5 * MIN, starts: 2 },
    ]);
    expect(told(written("repeat")).due).toMatchObject([{ state: "repeat" }]);
  });

  test("are told to a program one by one, and none before the one that it did not take", () => {
    const [start, end] = written("start", "end");
    const later = { ...start!, dueAtMs: 20 * MIN };
    const program = { isJoined: false };
    expect(told([start!, end!], program).due).toMatchObject([{ notifications: [1] }]);
    expect(told([later, end!], program)).toMatchObject({ due: [], nextMs: 20 * MIN });
  });

  test("wait for the end of a silence, and are dropped where the alarm is over without anybody hearing of it", () => {
    const waiting = written("start");
    expect(told(waiting, { silencedUntilMs: () => 15 * MIN })).toEqual({
      due: [],
      dropped: [],
      nextMs: 15 * MIN,
    });
    expect(told(waiting, { isOpen: () => false })).toEqual({ due: [], dropped: [1], nextMs: null });
    expect(told(written("start", "end"), { isOpen: () => false }).due).toHaveLength(1);
  });

  test("are apart from those of other alarms and of other addresses", () => {
    const [notification] = written("start");
    const others = [notification!, { ...notification!, recipient: "d@e.f" }];
    expect(told(others).due).toHaveLength(2);
    const moov = { ...notification!, event: { ...notification!.event, subject: "moov" } };
    expect(told([notification!, moov]).due).toHaveLength(2);
  });
});
