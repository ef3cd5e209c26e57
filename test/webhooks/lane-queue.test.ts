import { afterEach, beforeEach, expect, test } from "vitest";
import type { EndpointOutcome, Retry } from "../../src/webhooks/attempts.ts";
import { createEndpointQueue } from "../../src/webhooks/endpoint-worker.ts";
import { type Rig, webhookRig } from "./rig.ts";

let rig: Rig;
beforeEach(async () => {
  rig = await webhookRig();
});
afterEach(() => rig.close());

const retry: Retry = { eventId: "e1", type: "MESSAGE_TERMINAL", body: "{}", attempts: 1, dueAt: 0 };

const outcome = (retries: readonly Retry[]): EndpointOutcome => ({
  endpointId: 1,
  revision: 1,
  feedCursorUs: 0,
  eventCursor: 0,
  consecutiveFailures: 1,
  notBefore: 0,
  lastSuccessAt: null,
  lastFailureAt: 0,
  isOver: false,
  isBack: false,
  attempts: [],
  finished: [],
  retries: [...retries],
});

test("a retry that is read before it is heard that it was written is taken over once, after that", async () => {
  const { id } = await rig.endpoint("a", ["MESSAGE_TERMINAL"]);
  const queue = createEndpointQueue(rig.books.store.read, rig.books.clock, rig.row(id));
  const written = outcome([retry]);
  expect(queue.leaving(written)).toBe(written);
  queue.due([retry]);
  expect(queue.takeNext(false)).toBe(null);
  queue.settled(written);
  queue.due([retry]);
  queue.due([retry]);
  expect(queue.takeNext(false)?.eventId).toBe("e1");
  expect(queue.takeNext(false)).toBe(null);
});
