import { expect, test } from "vitest";
import { operatorStatus } from "../../../src/admin/operations/operators.ts";
import { newSessionCounters, type SessionStatus } from "../../../src/channels/sms/operator-session.ts";
import { phrase, said } from "../../../src/i18n/phrase.ts";
import { plantBatch } from "./batch-fixture.ts";
import { adminFixture, codeOf, granted, noConfiguration } from "./fixture.ts";

const BOUND_AT = Date.UTC(2026, 2, 2, 8, 0, 0);

function link(changes: Partial<SessionStatus> = {}): SessionStatus {
  return {
    state: "BOUND",
    bind: "transceiver",
    host: "smsc.example.net",
    port: 2775,
    inFlight: 3,
    window: 10,
    lastError: null,
    lastErrorAtMs: null,
    boundAtMs: BOUND_AT,
    downSinceMs: null,
    nextAttemptAtMs: null,
    wasBound: true,
    throughput: 30,
    granted: 15,
    lastSecond: 12,
    paused: null,
    refusing: null,
    tally: {
      ...newSessionCounters(),
      accepted: 100,
      refused: 1,
      throttled: 2,
      postponed: 3,
      unanswered: 4,
      answeredLate: 1,
      receiptsMatched: 90,
      receiptsUnmatched: 5,
      receiptsRefused: 0,
    },
    ...changes,
  };
}

test("a running server tells of its connections: state, window, rate asked, granted and used, and what came of it", async () => {
  const fixture = adminFixture(() => [{ operator: "orange", connections: [link()] }]);
  expect(granted(await operatorStatus(fixture.context))).toEqual({
    server: "running",
    queues: ["orange", "moov"].map((operator) => ({
      operator,
      is_configured: true,
      waiting: 0,
      oldest_at: null,
      scheduled: 0,
    })),
    connections: [
      {
        operator: "orange",
        connection: 1,
        kind: "smpp",
        host: "smsc.example.net",
        port: 2775,
        bind: "transceiver",
        state: "BOUND",
        since: "2026-03-02T08:00:00.000Z",
        was_bound: true,
        reconnect_in_seconds: null,
        in_flight: 3,
        window: 10,
        throughput: 30,
        rate: 15,
        sent_last_second: 12,
        accepted: 100,
        refused: 1,
        throttled: 2,
        postponed: 3,
        unanswered: 4,
        answered_late: 1,
        receipts_matched: 90,
        receipts_unmatched: 5,
        receipts_refused: 0,
        paused: null,
        paused_since: null,
        paused_by: null,
        refusing: null,
        last_error: null,
        last_error_at: null,
      },
    ],
    routes: [],
    numbers: [],
    smsc_accounts: [
      {
        account: "bendre@127.0.0.1:2775",
        operators: ["orange", "moov"],
        unmarked_receipts: "auto",
        receipts: phrase("link.receipts.unknown"),
      },
    ],
  });
  await fixture.close();
});

test("a connection that is down says since when, why, and when it is tried again", async () => {
  const fixture = adminFixture(() => []);
  const nowMs = fixture.clock.nowMs();
  const down = link({
    state: "WAITING",
    boundAtMs: null,
    downSinceMs: nowMs - 60_000,
    nextAttemptAtMs: nowMs + 4_200,
    lastError: said("the operator refuses the password"),
    lastErrorAtMs: nowMs - 800,
  });
  const server = {
    operatorStatus: () => [{ operator: "orange", connections: [link(), down] }],
    routeStatus: () => [],
    numberStatus: () => [],
    webhookFigures: fixture.context.server!.webhookFigures,
    changed() {},
    notReady: () => [],
    testSender: () => null,
    numberTests: () => null,
    testAlerts: () => Promise.resolve([]),
    syncTemplates: () => Promise.resolve(),
    acceptClock() {},
    configuration: noConfiguration,
    reconnect() {},
  };
  expect(granted(await operatorStatus({ ...fixture.context, server })).connections[1]).toMatchObject({
    connection: 2,
    state: "WAITING",
    since: "2026-03-02T08:59:00.000Z",
    reconnect_in_seconds: 5,
    last_error: said("the operator refuses the password"),
    last_error_at: "2026-03-02T08:59:59.200Z",
  });
  await fixture.close();
});

test("without a server nothing is known of connections, and the refusal says how to start one", async () => {
  const fixture = adminFixture();
  expect(codeOf(await operatorStatus({ ...fixture.context, server: null }))).toBe("SERVER_NOT_RUNNING");
  await fixture.close();
});

test("what waits for each operator is told, since when, and for codes that the configuration has not", async () => {
  const fixture = adminFixture();
  const account = await fixture.account();
  const plant = (status: string, messages: readonly ("QUEUED" | "SENT")[]) =>
    plantBatch(fixture, { account, status, messages });
  const oldest_at = new Date(fixture.clock.nowMs()).toISOString();
  await plant("SENDING", ["QUEUED", "SENT", "QUEUED"]);
  await fixture.clock.advance(60_000);
  await plant("QUEUED", ["QUEUED"]);
  const scheduled = await plant("SCHEDULED", ["QUEUED", "QUEUED"]);
  const gone = await plant("QUEUED", ["QUEUED"]);
  const off = await plant("QUEUED", ["QUEUED"]);
  await fixture.context.store.write((tx) => {
    tx.run("UPDATE batches SET scheduled_at = created_at + 1000 WHERE ulid = ?", scheduled);
    tx.run("UPDATE batches SET cancel_reason = 'CANCELLED' WHERE ulid = ?", off);
    tx.run(
      "UPDATE messages SET operator = 'gone' WHERE batch_id = (SELECT id FROM batches WHERE ulid = ?)",
      gone,
    );
  });
  expect(granted(await operatorStatus(fixture.context)).queues).toEqual([
    { operator: "orange", is_configured: true, waiting: 3, oldest_at, scheduled: 2 },
    { operator: "moov", is_configured: true, waiting: 0, oldest_at: null, scheduled: 0 },
    {
      operator: "gone",
      is_configured: false,
      waiting: 1,
      scheduled: 0,
      oldest_at: new Date(fixture.clock.nowMs()).toISOString(),
    },
  ]);
  await fixture.close();
});

test("a queue of thousands is counted in pages, each message once", async () => {
  const fixture = adminFixture();
  const account = await fixture.account();
  const queued = (count: number) => Array.from({ length: count }, () => "QUEUED" as const);
  for (const count of [1999, 1, 2001, 7]) {
    await plantBatch(fixture, { account, status: "QUEUED", messages: queued(count) });
  }
  await fixture.context.store.write((tx) =>
    tx.run("UPDATE messages SET operator = 'moov' WHERE id % 3 = 0 AND status = 'QUEUED'"),
  );
  const { queues } = granted(await operatorStatus(fixture.context));
  expect(queues.map(({ operator, waiting }) => [operator, waiting])).toEqual([
    ["orange", 2672],
    ["moov", 1336],
  ]);
  await fixture.close();
});

test("a connection that is paused says since when and by whom, beside since when it is bound", async () => {
  const atMs = BOUND_AT + 36 * 60_000;
  const paused = {
    operator: "orange",
    connection: null,
    reason: "incident",
    actor: "oumar@example.bf",
    atMs,
  };
  const fixture = adminFixture(() => [{ operator: "orange", connections: [link({ paused })] }]);
  expect(granted(await operatorStatus(fixture.context)).connections[0]).toMatchObject({
    since: "2026-03-02T08:00:00.000Z",
    paused: "incident",
    paused_since: "2026-03-02T08:36:00.000Z",
    paused_by: "oumar@example.bf",
  });
  await fixture.close();
});
