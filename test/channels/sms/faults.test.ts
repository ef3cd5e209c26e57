import { describe, expect, test } from "vitest";
import type { Config, ConnectionConfig } from "../../../src/config/config.ts";
import type { Store } from "../../../src/db/store.ts";
import { connection, operator } from "../../config/sample.ts";
import { passingStore } from "../../kit/passing-store.ts";
import { type Rig, rigOfEachTest } from "./rig.ts";

const rig = rigOfEachTest();

/** A configuration with connections that its schema would have refused. */
const withConnections =
  (change: (connection: ConnectionConfig, index: number) => ConnectionConfig) =>
  (config: Config): Config => {
    const orange = config.operators.orange!;
    return { ...config, operators: { orange: { ...orange, connections: orange.connections.map(change) } } };
  };

/** A store of which the writes fail that are counted in `next`, for a reason that will not pass. */
function failingStore() {
  const state = { next: 0 };
  const store = (real: Store): Store =>
    passingStore(real, () => {
      if (state.next-- > 0) throw new Error("a bug of ours");
    });
  return { state, store };
}

const told = (line: Rig, words: string) => line.lines.filter(({ message }) => message.includes(words));

describe("a message that cannot be put on the wire", () => {
  // Keeps: behaviour 6.81
  test("is FAILED and released when no connection could ever carry it, told in the log, and others go on", async () => {
    const line = rig({
      altered: withConnections((one) => ({ ...one, service_type: "CM\u00e9" })),
    });
    const accountId = await line.account({ funds: 100 });
    await line.send(accountId, "OTP", ["70000001", "70000002"]);
    await line.untilAll("FAILED", 2);
    expect(line.message("70000001")).toMatchObject({ error_code: "NOT_ENCODABLE", amount: 0 });
    expect(line.wallet(accountId)).toMatchObject({ funds: 100, reserved: 0 });
    expect(line.submits).toEqual([]);
    const { ulid } = line.store.read.get<{ ulid: string }>("SELECT ulid FROM messages ORDER BY id")!;
    expect(told(line, "could not be put on the wire")).toMatchObject([
      { level: "error", times: 1, message_id: ulid },
    ]);
    const link = line.delivery().status()[0]?.connections[0];
    expect(link).toMatchObject({ state: "BOUND", inFlight: 0, tally: { faults: 2 } });
  });

  test("goes back to the queue with a back-off where another connection could carry it", async () => {
    const line = rig({
      operators: (port) => ({
        orange: operator({
          prefixes: ["22670"],
          price: 15,
          connections: [
            connection({ host: "127.0.0.1", port, throughput: 10_000 }),
            connection({ host: "127.0.0.1", port: 1 }),
          ],
        }),
      }),
      altered: withConnections((one, index) => (index === 0 ? { ...one, service_type: "CM\u00e9" } : one)),
    });
    await line.send(await line.account(), "OTP", ["70000001"]);
    await line.until(() => line.message("70000001").not_before > line.clock.nowMs());
    expect(line.message("70000001")).toMatchObject({ status: "QUEUED", attempts: 1, operator_code: null });
    await line.clock.advance(1000);
    await line.until(() => line.message("70000001").attempts === 2);
    await line.clock.advance(11 * 60_000);
    line.delivery().refresh();
    await line.untilAll("FAILED", 1);
    expect(line.message("70000001").error_code).toBe("EXPIRED_IN_QUEUE");
  });
});

describe("what could not be written down for a reason that will not pass", () => {
  // Keeps: behaviour 6.81
  test("leaves an answered submit in doubt, with its place in the window free, and a receipt settles it", async () => {
    const { state, store } = failingStore();
    const line = rig({
      store,
      onSubmit: (submit) => {
        state.next = 1;
        submit.accept("lost-1");
      },
    });
    await line.send(await line.account(), "MARKETING", ["70000001"]);
    await line.until(() => line.message("70000001").unanswered_until !== null);
    expect(line.delivery().status()[0]?.connections[0]).toMatchObject({ inFlight: 0, tally: { faults: 1 } });
    await line.receipt("lost-1", "DELIVRD");
    expect(line.message("70000001")).toMatchObject({ status: "DELIVERED", amount: 15 });
  });

  // Keeps: behaviour 6.81
  test("has the message found within a minute when nobody holds it, and it goes on by its class", async () => {
    const { state, store } = failingStore();
    const line = rig({
      store,
      onSubmit: (submit, count) => {
        if (count > 1) return submit.accept();
        state.next = 2;
        submit.refuse(0x14);
      },
    });
    await line.send(await line.account(), "OTP", ["70000001"]);
    await line.until(() => told(line, "could not be written down").length > 0);
    expect(line.message("70000001")).toMatchObject({ status: "SUBMITTED", unanswered_until: null });
    for (let second = 0; second < 60; second++) await line.clock.advance(1000);
    await line.untilAll("SENT", 1);
    expect(line.message("70000001").resends).toBe(1);
    expect(told(line, "nobody looked after")).toMatchObject([{ level: "error", messages: 1 }]);
  });

  test("is not sent again for want of an answer when it was accepted, and a receipt settles it", async () => {
    const { state, store } = failingStore();
    let failing = 0;
    const line = rig({
      store,
      onSubmit: (submit) => {
        state.next = failing;
        submit.accept(`lost-${failing}`);
      },
    });
    const accountId = await line.account();
    // What can be written is that it is in doubt; then not even that.
    for (failing = 1; failing <= 2; failing++) {
      const to = `7000000${failing}`;
      await line.send(accountId, "OTP", [to]);
      await line.until(() => line.submits.length === failing);
      for (let second = 0; second < 60; second++) await line.clock.advance(1000);
      expect(line.message(to)).toMatchObject({ status: "SUBMITTED", resends: 0 });
      expect(line.message(to).unanswered_until).not.toBeNull();
      await line.receipt(`lost-${failing}`, "DELIVRD", to);
      expect(line.message(to).status).toBe("DELIVERED");
    }
    expect(line.submits).toHaveLength(2);
  });

  test("of one part leaves the claim's end to whoever finds that nobody holds it, and no accepted part leaves twice", async () => {
    const { state, store } = failingStore();
    const line = rig({ store, onSubmit: () => {} });
    await line.send(await line.account(), "OTP", ["70000001"], { body: "x".repeat(200) });
    await line.until(() => line.submits.length === 2);
    state.next = 2;
    line.submits[0]?.accept("lost-1");
    await line.until(() => told(line, "could not be written down").length > 0);
    line.submits[1]?.refuse(0x14);
    for (let second = 0; second < 60; second++) await line.clock.advance(1000);
    expect(told(line, "nobody looked after")).toMatchObject([{ level: "error", messages: 1 }]);
    expect(line.message("70000001")).toMatchObject({ status: "SUBMITTED", resends: 0 });
    expect(line.message("70000001").unanswered_until).not.toBeNull();
    expect(line.delivery().status()[0]?.connections[0]).toMatchObject({ inFlight: 0 });
    expect(line.submits).toHaveLength(2);
  });

  test("has nothing taken for unheld of which a part is still tried again, though the last has been written", async () => {
    let failing = false;
    const line = rig({
      onSubmit: (submit, count) => {
        if (count > 2) submit.accept();
      },
      store: (real) =>
        passingStore(real, () => {
          if (failing) throw Object.assign(new Error("database or disk is full"), { code: "SQLITE_FULL" });
        }),
    });
    await line.send(await line.account(), "OTP", ["70000001"], { body: "x".repeat(200) });
    await line.until(() => line.submits.length === 2);
    await line.clock.advance(500);
    failing = true;
    line.submits[0]?.accept();
    await line.until(() => told(line, "a fact could not be written").length > 0);
    failing = false;
    await line.clock.advance(300);
    line.submits[1]?.accept();
    // What the first answer said is tried again each second, and fails each time; all else is written.
    for (let second = 0; second < 60; second++) {
      await line.clock.advance(690);
      failing = true;
      await line.clock.advance(20);
      failing = false;
      await line.clock.advance(290);
    }
    expect(told(line, "nobody looked after")).toEqual([]);
    for (let second = 0; second < 3; second++) await line.clock.advance(1000);
    await line.untilAll("SENT", 1);
    expect(line.submits).toHaveLength(2);
  });

  test("has nothing taken for unheld that is on its way, however long it takes", async () => {
    const line = rig({ connection: { response_timeout_seconds: 600 }, onSubmit: () => {} });
    await line.send(await line.account(), "OTP", ["70000001"]);
    await line.until(() => line.submits.length === 1);
    for (let second = 0; second < 300; second++) await line.clock.advance(1000);
    expect(line.message("70000001")).toMatchObject({ status: "SUBMITTED", resends: 0 });
    expect(line.submits).toHaveLength(1);
  });
});
