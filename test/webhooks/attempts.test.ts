import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { phrase, said } from "../../src/i18n/phrase.ts";
import {
  attemptOutcome,
  type EndpointOutcome,
  readLatestAttempts,
  writeOutcome,
} from "../../src/webhooks/attempts.ts";
import { disableEndpoint, touchEndpoint } from "../../src/webhooks/endpoints.ts";
import { type Rig, webhookRig } from "./rig.ts";

let rig: Rig;
beforeEach(async () => {
  rig = await webhookRig();
});
afterEach(() => rig.close());

/** What one failed attempt came to, as the endpoint was known then. */
async function outcome(): Promise<{ id: string; failed: EndpointOutcome }> {
  const { id } = await rig.endpoint("a");
  const { id: endpointId, revision } = rig.row(id);
  const event = { eventId: "E", type: "BATCH_SETTLED" };
  return {
    id,
    failed: {
      endpointId,
      revision,
      feedCursorUs: 70,
      eventCursor: 7,
      consecutiveFailures: 1,
      notBefore: 0,
      lastSuccessAt: null,
      lastFailureAt: 5,
      retries: [{ ...event, body: "{}", attempts: 1, dueAt: 9 }],
      finished: [],
      attempts: [
        { ...event, at: 1, durationMs: 4, status: 500, error: phrase("network.answered", { status: 500 }) },
      ],
      isBack: false,
      isOver: false,
    },
  };
}

describe("what attempts came to", () => {
  test("is written with the cursors, the failures and the retries", async () => {
    const { id, failed } = await outcome();
    expect(await rig.books.store.write((tx) => writeOutcome(tx, failed, 10))).toBe(true);
    expect(rig.row(id)).toMatchObject({ feedCursorUs: 70, eventCursor: 7, consecutiveFailures: 1 });
    expect([rig.count("webhook_retries"), rig.count("webhook_attempts")]).toEqual([1, 1]);
  });

  test("makes what waits due at once when the endpoint is back, but not what has failed since", async () => {
    const { failed } = await outcome();
    const waits = { ...failed, retries: [{ eventId: "w", type: "t", body: "{}", attempts: 1, dueAt: 9000 }] };
    const back = {
      ...failed,
      retries: [{ eventId: "f", type: "t", body: "{}", attempts: 1, dueAt: 9000 }],
      isBack: true,
    };
    await rig.books.store.write((tx) => [writeOutcome(tx, waits, 10), writeOutcome(tx, back, 20)]);
    const rows = rig.books.store.read.all("SELECT event_id, due_at FROM webhook_retries ORDER BY event_id");
    expect(rows).toEqual([
      { event_id: "f", due_at: 9000 },
      { event_id: "w", due_at: 20 },
    ]);
  });

  test("is read as it was said, by its code or, of an earlier version, in a sentence", async () => {
    const { store } = rig.books;
    const { failed } = await outcome();
    await store.write((tx) => {
      writeOutcome(tx, failed, 10);
      tx.run(
        `INSERT INTO webhook_attempts (endpoint_id, event_id, type, at, duration_ms, status, error)
         VALUES (?, 'F', 'BATCH_SETTLED', 2, 4, NULL, 'connection refused')`,
        failed.endpointId,
      );
    });
    expect(readLatestAttempts(store.read, failed.endpointId).map(attemptOutcome)).toEqual([
      said("connection refused"),
      phrase("network.answered", { status: 500 }),
    ]);
  });

  test("is not written to an endpoint that was changed meanwhile", async () => {
    const { id, failed } = await outcome();
    const before = rig.row(id);
    await rig.books.store.write((tx) => touchEndpoint(tx, before.id));
    expect(await rig.books.store.write((tx) => writeOutcome(tx, failed, 10))).toBe(false);
    expect(rig.row(id)).toEqual({ ...before, revision: before.revision + 1 });
    expect([rig.count("webhook_retries"), rig.count("webhook_attempts")]).toEqual([0, 0]);
  });

  // Keeps: behaviour 8.17
  test("is not written to one that was disabled meanwhile", async () => {
    const { id, failed } = await outcome();
    await rig.books.store.write((tx) =>
      disableEndpoint(tx, failed.endpointId, "DISABLED_BY_USER", said("why")),
    );
    const { revision } = rig.row(id);
    const late = { ...failed, revision };
    expect(await rig.books.store.write((tx) => writeOutcome(tx, late, 10))).toBe(false);
    expect(rig.row(id)).toMatchObject({ consecutiveFailures: 0, lastFailureAt: null });
    expect(rig.count("webhook_retries")).toBe(0);
  });
});
