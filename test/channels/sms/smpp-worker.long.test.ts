import { describe, expect, test } from "vitest";
import type { Store } from "../../../src/db/store.ts";
import type { Tx } from "../../../src/db/writer.ts";
import { resumeAccount, suspendAccount } from "../../../src/domain/accounts/accounts.ts";
import { requestCancellation } from "../../../src/domain/messages/cancellation.ts";
import { connection, operator } from "../../config/sample.ts";
import { passingStore } from "../../kit/passing-store.ts";
import { quiet, type Rig, type RigOptions, rigOfEachTest, type Submit } from "./rig.ts";

const PRICE = 15;

const rig = rigOfEachTest();

const numbers = (count: number, from = 1) =>
  Array.from({ length: count }, (_, index) => String(70_000_000 + from + index));

/** A store whose writes wait while it is held. */
function gatedStore() {
  let isHeld = false;
  const jobs: (() => void)[] = [];
  return {
    store: (real: Store): Store =>
      passingStore(real, () => (isHeld ? new Promise<void>((resolve) => jobs.push(resolve)) : undefined)),
    waiting: () => jobs.length,
    hold: () => {
      isHeld = true;
    },
    release: () => {
      isHeld = false;
      for (const job of jobs.splice(0)) job();
    },
  };
}

describe("a message on its way", () => {
  // Keeps: behaviour 6.2
  test("is SUBMITTED in the database when the first byte of it arrives", async () => {
    const seen: string[] = [];
    const line = rig({
      onSubmit: (submit) => {
        seen.push(line.message(submit.to).status);
        submit.accept();
      },
    });
    await line.send(await line.account(), "OTP", numbers(20));
    await line.untilAll("SENT", 20);
    expect(seen).toEqual(Array.from({ length: 20 }, () => "SUBMITTED"));
  });

  // Keeps: behaviour 5.10, 6.5, 7.11, 7.16
  test("is SENT and charged when the operator accepts it, and its batch settles with the receipt", async () => {
    const line = rig();
    const accountId = await line.account({ funds: 100 });
    const batchId = await line.send(accountId, "OTP", ["70000001"]);
    await line.untilAll("SENT", 1);
    expect(line.wallet(accountId)).toMatchObject({ funds: 85, reserved: 0 });
    expect(line.batch(batchId).status).toBe("SENDING");
    expect(await line.receipt("id-1", "DELIVRD")).toBe(0);
    expect(line.message("70000001")).toMatchObject({ status: "DELIVERED", is_final: 1, amount: PRICE });
    expect(line.batch(batchId)).toMatchObject({ status: "SETTLED", charged_amount: PRICE });
  });

  // Keeps: behaviour 5.11, 6.8
  test("is FAILED and released when the operator refuses it", async () => {
    const line = rig({ onSubmit: (submit) => submit.refuse(0x0b) });
    const accountId = await line.account({ funds: 100 });
    const batchId = await line.send(accountId, "OTP", ["70000001"]);
    await line.untilAll("FAILED", 1);
    expect(line.message("70000001")).toMatchObject({
      error_code: "INVALID_DESTINATION",
      operator_code: "0x0B",
      amount: 0,
    });
    expect(line.wallet(accountId)).toMatchObject({ funds: 100, reserved: 0 });
    expect(line.batch(batchId)).toMatchObject({ status: "SETTLED", released_amount: PRICE });
  });

  // Keeps: behaviour 6.13
  test("is final as SENT where the operator sends no receipts", async () => {
    const line = rig({ operator: { receipts: false } });
    const batchId = await line.send(await line.account(), "OTP", ["70000001"]);
    await line.untilAll("SENT", 1);
    expect(line.message("70000001")).toMatchObject({ is_final: 1, amount: PRICE, error_code: null });
    expect(line.batch(batchId).status).toBe("SETTLED");
    expect(line.submits[0]?.message.registeredDelivery).toBe(0);
  });
});

describe("the window", () => {
  test("is never exceeded and is filled again as answers become durable", async () => {
    const waiting: Submit[] = [];
    let most = 0;
    const line = rig({
      connection: { window: 3 },
      onSubmit: (submit) => {
        waiting.push(submit);
        most = Math.max(most, waiting.length);
      },
    });
    await line.send(await line.account(), "MARKETING", numbers(20));
    for (let sent = 0; sent < 20; sent++) {
      await line.until(() => waiting.length === Math.min(3, 20 - sent));
      await quiet(line);
      expect(waiting.length).toBe(Math.min(3, 20 - sent));
      waiting.shift()?.accept();
    }
    await line.untilAll("SENT", 20);
    expect(most).toBe(3);
  });

  test("is not filled by marketing where an urgent message came in the last minute: one place of twenty", async () => {
    const waiting: Submit[] = [];
    const line = rig({ connection: { window: 40 }, onSubmit: (submit) => waiting.push(submit) });
    const accountId = await line.account();
    await line.send(accountId, "MARKETING", numbers(60));
    await line.until(() => waiting.length === 40);
    await line.send(accountId, "OTP", numbers(1, 901));
    for (const submit of waiting.splice(0, 40)) submit.accept();
    await line.until(() => waiting.length === 21);
    await line.send(accountId, "MARKETING", numbers(60, 101));
    await line.until(() => waiting.length === 38);
    await quiet(line);
    expect(waiting.length).toBe(38);
    await line.send(accountId, "OTP", numbers(2, 911));
    await line.until(() => waiting.length === 40);
    expect(waiting.slice(38).map(({ to }) => to.slice(-3))).toEqual(["911", "912"]);
  });

  test("counts the segments of long messages, of which no more than one is claimed beyond it", async () => {
    let inFlight = 0;
    let most = 0;
    let mostClaimed = 0;
    const line = rig({
      connection: { window: 4 },
      onSubmit: (submit) => {
        inFlight += 1;
        most = Math.max(most, inFlight);
        const claimed = line.store.read.get<{ n: number }>(
          "SELECT count(*) AS n FROM messages WHERE status = 'SUBMITTED'",
        );
        mostClaimed = Math.max(mostClaimed, claimed?.n ?? 0);
        setImmediate(() => {
          inFlight -= 1;
          submit.accept();
        });
      },
    });
    await line.send(await line.account(), "MARKETING", numbers(12), { body: "a".repeat(400) });
    await line.untilAll("SENT", 12);
    expect(line.submits).toHaveLength(36);
    expect(most).toBe(4);
    expect(mostClaimed).toBeLessThanOrEqual(4);
  });

  // Keeps: behaviour 6.30
  test("keeps a place until what became of its submit is durable", async () => {
    const gate = gatedStore();
    const line = rig({
      connection: { window: 2 },
      store: gate.store,
      onSubmit: (submit, count) => {
        if (count === 1) gate.hold();
        submit.accept();
      },
    });
    await line.send(await line.account(), "MARKETING", numbers(6));
    await line.until(() => gate.waiting() > 0);
    await quiet(line);
    // Both were answered, and neither answer is written down.
    expect(line.submits).toHaveLength(2);
    expect(line.delivery().status()[0]?.connections[0]?.inFlight).toBe(2);
    gate.release();
    await line.untilAll("SENT", 6);
  });

  test("stands still while the disk is full, and nothing is lost or sent twice", async () => {
    let isFull = false;
    const line = rig({
      connection: { window: 2 },
      onSubmit: (submit, count) => {
        isFull ||= count === 1;
        submit.accept();
      },
      store: (real) =>
        passingStore(real, () => {
          if (isFull) throw Object.assign(new Error("database or disk is full"), { code: "SQLITE_FULL" });
        }),
    });
    const batchId = await line.send(await line.account(), "MARKETING", numbers(6));
    await line.until(() => line.submits.length === 2);
    for (let second = 0; second < 30; second++) await line.clock.advance(1000);
    const told = line.lines.filter(({ message }) => message === "a fact could not be written");
    expect(told).toMatchObject([{ level: "error", times: 1 }]);
    expect(line.submits).toHaveLength(2);
    expect(line.delivery().status()[0]?.connections[0]?.inFlight).toBe(2);
    isFull = false;
    await line.clock.advance(1000);
    await line.untilAll("SENT", 6);
    expect(line.submits.map(({ to }) => to)).toEqual(numbers(6));
    expect(line.messagesOf(batchId).every(({ attempts }) => attempts === 1)).toBe(true);
  });

  test("sends no part again that was accepted, though the disk took what came of the other part first", async () => {
    let isFull = false;
    const line = rig({
      operator: { responses: { "0x45": "retry" } },
      onSubmit: (submit, count) => {
        if (count > 2) submit.accept();
      },
      store: (real) =>
        passingStore(real, () => {
          if (isFull) throw Object.assign(new Error("database or disk is full"), { code: "SQLITE_FULL" });
        }),
    });
    await line.send(await line.account(), "TRANSACTIONAL", ["70000001"], { body: "x".repeat(200) });
    await line.until(() => line.submits.length === 2);
    const [first, second] = line.submits;
    isFull = true;
    first?.accept();
    await line.until(() => line.lines.some(({ message }) => message === "a fact could not be written"));
    isFull = false;
    await line.clock.advance(300);
    second?.refuse(0x45);
    await quiet(line);
    // What the first answer said is tried again each second, and fails each time; all else is written.
    for (let second = 0; second < 4; second++) {
      await line.clock.advance(690);
      isFull = true;
      await line.clock.advance(20);
      isFull = false;
      await line.clock.advance(290);
    }
    for (let second = 0; second < 6; second++) await line.clock.advance(1000);
    await line.untilAll("SENT", 1);
    expect(line.submits.slice(2).map(({ place }) => place?.part)).toEqual([2]);
  });

  // Keeps: behaviour 6.30
  test("is not claimed twice over while claims are being committed", async () => {
    const gate = gatedStore();
    const line = rig({ connection: { window: 2 }, store: gate.store, onSubmit: () => {} });
    const accountId = await line.account();
    gate.hold();
    await line.send(accountId, "MARKETING", numbers(5));
    await line.until(() => gate.waiting() === 1);
    await line.send(accountId, "MARKETING", numbers(5, 11));
    await quiet(line);
    gate.release();
    await line.until(() => line.submits.length === 2);
    await quiet(line);
    expect(line.count("messages WHERE status = 'SUBMITTED'")).toBe(2);
  });

  test("asks a disk that is full for a claim once a second, and not again and again", async () => {
    let asked = 0;
    const line = rig({
      connection: { window: 5 },
      store: (real) =>
        passingStore(real, () => {
          asked += 1;
          throw Object.assign(new Error("database or disk is full"), { code: "SQLITE_FULL" });
        }),
    });
    await line.send(await line.account(), "MARKETING", numbers(240));
    await line.until(() => asked > 0);
    for (let turn = 0; turn < 20; turn++) await quiet(line);
    const atOnce = asked;
    for (let second = 0; second < 3; second++) await line.clock.advance(1000);
    for (let turn = 0; turn < 20; turn++) await quiet(line);
    expect([atOnce <= 5, asked <= 20]).toEqual([true, true]);
    expect(line.submits).toHaveLength(0);
  });

  test("claims again what could not be claimed", async () => {
    let failures = 1;
    const line = rig({
      store: (real) =>
        passingStore(real, () => {
          if (failures-- > 0) throw new Error("disk I/O error");
        }),
    });
    await line.send(await line.account(), "OTP", ["70000001"]);
    await line.until(() => failures <= 0);
    await quiet(line);
    expect(line.submits).toHaveLength(0);
    await line.clock.advance(1000);
    await line.untilAll("SENT", 1);
    expect(line.submits).toHaveLength(1);
  });
});

describe("a claim that waits in the writer", () => {
  /** Two claims are asked for; then the change is committed before them. */
  async function behind(
    change: (line: Rig, ids: { accountId: number; batchId: number }) => Promise<unknown>,
  ) {
    const gate = gatedStore();
    const line = rig({ connection: { window: 2 }, store: gate.store });
    const accountId = await line.account();
    gate.hold();
    const batchId = await line.send(accountId, "MARKETING", numbers(5));
    await line.until(() => gate.waiting() > 0);
    await change(line, { accountId, batchId });
    line.delivery().refresh();
    gate.release();
    await quiet(line);
    await line.clock.advance(1000);
    return { line, accountId, batchId };
  }

  // Keeps: behaviour 6.80
  test("is not carried out once its batch was called off", async () => {
    const { line, batchId } = await behind((rig, { batchId }) =>
      rig.store.write((tx) => requestCancellation(tx, batchId, "CANCELLED", null, rig.clock.nowMs())),
    );
    expect(line.submits).toEqual([]);
    expect(line.messagesOf(batchId).map(({ status, attempts }) => `${status} ${attempts}`)).toEqual(
      Array.from({ length: 5 }, () => "QUEUED 0"),
    );
  });

  // Keeps: behaviour 5.15, 6.80
  test("is not carried out once its account was suspended, and is when it is resumed", async () => {
    const { line, accountId } = await behind((rig, { accountId }) =>
      rig.store.write((tx) => suspendAccount(tx, accountId, "unpaid")),
    );
    expect(line.submits).toEqual([]);
    expect(line.count("messages WHERE status = 'QUEUED'")).toBe(5);
    await line.store.write((tx) => resumeAccount(tx, accountId));
    line.delivery().refresh();
    await line.untilAll("SENT", 5);
  });
});

describe("the pace", () => {
  // Keeps: behaviour 6.58
  test("lets no more than throughput leave in any second", async () => {
    const line = rig({ connection: { throughput: 5, window: 100 } });
    await line.send(await line.account(), "MARKETING", numbers(20));
    /** How many had arrived by each twentieth of a second. */
    const arrived: number[] = [];
    for (let step = 0; step < 80; step++) {
      await quiet(line);
      arrived.push(line.submits.length);
      expect(line.submits.length - (arrived.at(-20) ?? 0)).toBeLessThanOrEqual(5);
      await line.clock.advance(50);
    }
    expect(arrived.at(-1)).toBe(20);
  });

  test("never stands still, whatever moment between two readings of the clock it becomes free", async () => {
    let readings = 0;
    const line = rig({
      connection: { throughput: 3, window: 100 },
      // As on a machine: timers come a little early, and time passes between two looks at the clock.
      clock: (real) => ({ ...real, steadyMs: () => real.steadyMs() * 0.999 + 0.3 * readings++ }),
    });
    await line.send(await line.account(), "MARKETING", numbers(60));
    for (let second = 0; second < 40; second++) await line.clock.advance(1000);
    expect(line.submits).toHaveLength(60);
  });

  test("slows down when the operator is throttled, and the message is sent all the same", async () => {
    const line = rig({
      connection: { throughput: 100 },
      onSubmit: (submit, count) => (count === 1 ? submit.refuse(0x58) : submit.accept()),
    });
    await line.send(await line.account(), "OTP", ["70000001"]);
    await line.until(() => line.message("70000001").operator_code === "0x58");
    expect(line.message("70000001")).toMatchObject({ status: "QUEUED", attempts: 1 });
    expect(line.delivery().status()[0]?.connections[0]).toMatchObject({ throughput: 100, granted: 50 });
    await line.send(await line.account(), "OTP", ["70000002"]);
    await line.clock.advance(999);
    await quiet(line);
    // The whole link rests.
    expect(line.submits).toHaveLength(1);
    await line.clock.advance(100);
    await line.untilAll("SENT", 2);
    expect(line.message("70000001")).toMatchObject({ attempts: 2, operator_code: null });
  });

  test("keeps the order: a throttled message is the first to go when the link has rested", async () => {
    const line = rig({
      connection: { window: 1 },
      onSubmit: (submit, count) => (count === 2 ? submit.refuse(0x58) : submit.accept()),
    });
    await line.send(await line.account(), "MARKETING", numbers(4));
    await line.until(() => line.message("70000002").operator_code === "0x58");
    await line.clock.advance(2000);
    await line.untilAll("SENT", 4);
    expect(line.submits.map(({ to }) => to)).toEqual(["70000001", "70000002", ...numbers(3, 2)]);
  });

  test("is no storm while the operator throttles everything: one try for each ever longer rest", async () => {
    const line = rig({ connection: { throughput: 100 }, onSubmit: (submit) => submit.refuse(0x58) });
    await line.send(await line.account(), "TRANSACTIONAL", numbers(500));
    for (let second = 0; second < 120; second++) await line.clock.advance(1000);
    // A window at first; then at most what the halved rates let through, and in the end one in ten seconds.
    expect(line.submits.length).toBeLessThan(60);
    expect(line.delivery().status()[0]?.connections[0]).toMatchObject({ granted: 1 });
    expect(line.count("messages WHERE status = 'QUEUED'")).toBe(500);
  });

  test("goes on for everybody while one recipient's queue is full", async () => {
    const line = rig({
      connection: { window: 1, throughput: 100 },
      onSubmit: (submit) => (submit.to === "70000001" ? submit.refuse(0x14) : submit.accept()),
    });
    await line.send(await line.account(), "TRANSACTIONAL", numbers(60));
    for (let second = 0; second < 20; second++) await line.clock.advance(1000);
    await line.untilAll("SENT", 59);
    expect(line.delivery().status()[0]?.connections[0]?.granted).toBe(100);
    expect(line.message("70000001").status).toBe("QUEUED");
  });

  test("slows down when the operator puts off one message after the other", async () => {
    const line = rig({
      connection: { throughput: 1000, window: 1 },
      onSubmit: (submit, count) => (count <= 12 ? submit.refuse(0x08) : submit.accept()),
    });
    await line.send(await line.account(), "TRANSACTIONAL", numbers(100));
    await line.until(() => line.submits.length === 10);
    await quiet(line);
    expect(line.submits).toHaveLength(10);
    const status = () => line.delivery().status()[0]?.connections[0];
    expect(status()).toMatchObject({ granted: 500, tally: { postponed: 9, throttled: 1 } });
    for (let second = 0; second < 120; second++) await line.clock.advance(1000);
    await line.untilAll("SENT", 100);
    expect(status()?.granted).toBe(1000);
  });

  // Keeps: behaviour 6.7, 6.17
  test("backs off 1 s doubling to 30 s from temporary errors of one message, and the others go on", async () => {
    const line = rig({
      onSubmit: (submit) => (submit.to === "70000001" ? submit.refuse(0x08) : submit.accept()),
    });
    await line.send(await line.account(), "TRANSACTIONAL", ["70000001", "70000002"]);
    const waits: number[] = [];
    for (let attempt = 1; attempt <= 7; attempt++) {
      await line.until(() => {
        const { attempts, status } = line.message("70000001");
        return attempts === attempt && status === "QUEUED";
      });
      const waitMs = line.message("70000001").not_before - line.clock.nowMs();
      waits.push(waitMs);
      await line.clock.advance(waitMs - 1);
      await quiet(line);
      expect(line.message("70000001").attempts).toBe(attempt);
      await line.clock.advance(1);
    }
    expect(waits).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
    expect(line.message("70000002").status).toBe("SENT");
  });

  // Keeps: behaviour 6.17
  test("ends OPERATOR_THROTTLED when the validity is over before the operator relents", async () => {
    const line = rig({ onSubmit: (submit) => submit.refuse(0x08) });
    const accountId = await line.account();
    const batchId = await line.send(accountId, "OTP", ["70000001"]);
    for (let round = 0; line.message("70000001").status !== "FAILED" && round < 100; round++) {
      await line.clock.advance(10_000);
      await quiet(line);
    }
    expect(line.message("70000001")).toMatchObject({
      status: "FAILED",
      error_code: "OPERATOR_THROTTLED",
      operator_code: "0x08",
    });
    expect(line.batch(batchId)).toMatchObject({ status: "SETTLED", released_amount: PRICE });
    expect(line.wallet(accountId).reserved).toBe(0);
  });
});

describe("a long message", () => {
  const body = "a".repeat(400);
  const places = ({ submits }: Rig) => submits.map(({ place }) => place?.part);

  // Keeps: behaviour 6.5
  test("is SENT when all its segments are, and charged for each", async () => {
    const line = rig();
    await line.send(await line.account(), "OTP", ["70000001"], { body });
    await line.untilAll("SENT", 1);
    expect(places(line)).toEqual([1, 2, 3]);
    expect(line.submits.map(({ text }) => text).join("")).toBe(body);
    expect(line.message("70000001").amount).toBe(3 * PRICE);
  });

  // Keeps: behaviour 5.13
  test("has only its missing segment tried again, with the same reference", async () => {
    const line = rig({
      onSubmit: (submit, count) => (count === 2 ? submit.refuse(0x08) : submit.accept()),
    });
    await line.send(await line.account(), "OTP", ["70000001"], { body });
    await line.until(() => line.message("70000001").not_before > line.clock.nowMs());
    expect(line.message("70000001")).toMatchObject({ status: "QUEUED", amount: 0 });
    await line.clock.advance(1000);
    await line.untilAll("SENT", 1);
    expect(places(line)).toEqual([1, 2, 3, 2]);
    expect(new Set(line.submits.map(({ place }) => place?.reference)).size).toBe(1);
    expect(line.message("70000001").amount).toBe(3 * PRICE);
  });

  // Keeps: behaviour 5.14
  test("with a refused segment is FAILED: the accepted ones are charged and the others released", async () => {
    const line = rig({
      onSubmit: (submit) => (submit.place?.part === 2 ? submit.refuse(0x45) : submit.accept()),
    });
    const accountId = await line.account({ funds: 1000 });
    const batchId = await line.send(accountId, "OTP", ["70000001"], { body });
    await line.untilAll("FAILED", 1);
    expect(line.message("70000001")).toMatchObject({ error_code: "OPERATOR_REJECTED", amount: 2 * PRICE });
    expect(line.wallet(accountId)).toMatchObject({ funds: 1000 - 2 * PRICE, reserved: 0 });
    expect(line.batch(batchId)).toMatchObject({ charged_amount: 2 * PRICE, released_amount: PRICE });
  });

  test("is not sent on once a segment is refused", async () => {
    const line = rig({
      connection: { window: 1 },
      onSubmit: (submit) => submit.refuse(0x45),
    });
    await line.send(await line.account(), "OTP", ["70000001"], { body });
    await line.untilAll("FAILED", 1);
    await quiet(line);
    expect(places(line)).toEqual([1]);
    expect(line.message("70000001").amount).toBe(0);
  });

  // Keeps: behaviour 6.11
  test("is DELIVERED by the receipts of all its segments, also when some come before the last response", async () => {
    const held: Submit[] = [];
    const line = rig({
      onSubmit: (submit) => (submit.place?.part === 3 ? held.push(submit) : submit.accept()),
    });
    await line.send(await line.account(), "OTP", ["70000001"], { body });
    await line.until(() => held.length === 1 && line.count("parts") === 2);
    await line.receipt("id-1", "DELIVRD");
    await line.receipt("late", "DELIVRD");
    expect(line.message("70000001").status).toBe("SUBMITTED");
    held[0]?.accept("late");
    await line.untilAll("SENT", 1);
    await line.receipt("id-2", "DELIVRD");
    expect(line.message("70000001").status).toBe("DELIVERED");
  });

  // Keeps: behaviour 6.12
  test("is FAILED by the receipt of one segment, and stays charged", async () => {
    const line = rig();
    await line.send(await line.account(), "OTP", ["70000001"], { body });
    await line.untilAll("SENT", 1);
    await line.receipt("id-1", "DELIVRD");
    await line.receipt("id-3", "EXPIRED");
    expect(line.message("70000001")).toMatchObject({
      status: "FAILED",
      error_code: "EXPIRED_AT_OPERATOR",
      amount: 3 * PRICE,
    });
  });

  test("whose first part was accepted over one connection goes on over that one where another would make it a text of its own", async () => {
    const line = rig({
      operators: (port) => ({
        orange: operator({
          prefixes: ["22670"],
          price: 15,
          connections: ["gsm", "ascii"].map((default_alphabet) =>
            connection({
              host: "127.0.0.1",
              port,
              throughput: 10_000,
              system_id: default_alphabet,
              default_alphabet,
            }),
          ),
        }),
      }),
      onSubmit: (submit, count) => {
        // The link that it left by rests for a second.
        if (count === 2) submit.refuse(0x58);
        else submit.accept();
      },
    });
    await line.until(() =>
      line
        .delivery()
        .status()[0]!
        .connections.every(({ state }) => state === "BOUND"),
    );
    await line.send(await line.account(), "OTP", ["70000001"], { body: `\u0394${"x".repeat(290)}` });
    await line.until(() => line.submits.length === 2);
    for (let step = 0; step < 30; step++) await line.clock.advance(100);
    await line.untilAll("SENT", 1);
    expect(line.submits.map(({ place }) => place?.part)).toEqual([1, 2, 2]);
    expect(new Set(line.submits.map(({ peer }) => peer)).size).toBe(1);
  });

  test("whole in message_payload has one receipt for all its segments", async () => {
    const line = rig({ connection: { long_messages: "payload" } });
    await line.send(await line.account(), "OTP", ["70000001"], { body });
    await line.untilAll("SENT", 1);
    expect(line.submits).toHaveLength(1);
    expect(line.message("70000001").amount).toBe(3 * PRICE);
    await line.receipt("id-1", "DELIVRD");
    expect(line.message("70000001").status).toBe("DELIVERED");
  });
});

describe("a submit that is not answered in time", () => {
  /** An SMSC that answers nothing until told to. */
  function silent(options: RigOptions = {}) {
    const waiting: Submit[] = [];
    const line = rig({ ...options, onSubmit: (submit) => void waiting.push(submit) });
    return { line, waiting };
  }
  const TIMEOUT_MS = 20_000;

  // Keeps: behaviour 6.27, 6.28
  test("of OTP is sent again up to 3 times and then waits", async () => {
    const { line, waiting } = silent();
    await line.send(await line.account(), "OTP", ["70000001"]);
    for (let sent = 1; sent <= 4; sent++) {
      // The fourth waits until the place of the third is free: by then the link is in doubt.
      for (let second = 0; waiting.length < sent && second < 60; second++) await line.clock.advance(1000);
      expect(waiting).toHaveLength(sent);
      expect(line.message("70000001")).toMatchObject({ status: "SUBMITTED", resends: sent - 1 });
    }
    await line.clock.advance(TIMEOUT_MS);
    await line.until(() => line.message("70000001").unanswered_until !== null);
    await quiet(line);
    expect(waiting).toHaveLength(4);
    expect(line.message("70000001")).toMatchObject({ status: "SUBMITTED", resends: 3, is_final: 0 });
  });

  // Keeps: behaviour 6.27
  test("of OTP is sent again ahead of its class", async () => {
    const { line, waiting } = silent({ connection: { window: 1 } });
    const accountId = await line.account();
    for (const number of numbers(5)) await line.send(accountId, "OTP", [number]);
    await line.until(() => waiting.length === 1);
    await line.clock.advance(2 * TIMEOUT_MS);
    await line.until(() => waiting.length === 2);
    expect(waiting.map(({ to }) => to)).toEqual(["70000001", "70000001"]);
  });

  // Keeps: behaviour 6.9, 6.28
  test("of MARKETING waits 24 hours without being sent again", async () => {
    const { line, waiting } = silent();
    await line.send(await line.account(), "MARKETING", ["70000001"]);
    await line.until(() => waiting.length === 1);
    await line.clock.advance(TIMEOUT_MS);
    await line.until(() => line.message("70000001").unanswered_until !== null);
    expect(line.message("70000001").unanswered_until).toBe(line.clock.nowMs() + 24 * 3_600_000);
    await quiet(line);
    expect(waiting).toHaveLength(1);
  });

  test("keeps its place in the window for as long again, since a slow operator still has it", async () => {
    const { line, waiting } = silent({ connection: { window: 1 } });
    await line.send(await line.account(), "MARKETING", numbers(2));
    await line.until(() => waiting.length === 1);
    await line.clock.advance(2 * TIMEOUT_MS - 1);
    await quiet(line);
    expect(waiting).toHaveLength(1);
    await line.clock.advance(1);
    await line.until(() => waiting.length === 2);
    expect(waiting[1]?.to).toBe("70000002");
  });

  test("frees its place at once when the response comes late, and an OTP that waited for it is not sent twice", async () => {
    const { line, waiting } = silent({ connection: { window: 2 } });
    await line.send(await line.account(), "OTP", numbers(4));
    for (let round = 1; round <= 2; round++) {
      await line.until(() => waiting.length === 2 * round);
      await line.clock.advance(TIMEOUT_MS + 7_000);
      for (const submit of waiting.slice(-2)) submit.accept();
      await line.untilAll("SENT", 2 * round);
    }
    expect(waiting.map(({ to }) => to)).toEqual(numbers(4));
  });

  // Keeps: behaviour 6.29
  test("is settled by the response that comes late", async () => {
    const { line, waiting } = silent();
    await line.send(await line.account(), "MARKETING", ["70000001"]);
    await line.until(() => waiting.length === 1);
    await line.clock.advance(TIMEOUT_MS);
    await line.until(() => line.message("70000001").unanswered_until !== null);
    waiting[0]?.accept("late");
    await line.untilAll("SENT", 1);
    expect(line.message("70000001")).toMatchObject({ unanswered_until: null, amount: PRICE });
    expect(line.notes(line.message("70000001").id)).toContain("late response: late");
    await line.receipt("late", "DELIVRD");
    expect(line.message("70000001").status).toBe("DELIVERED");
  });

  test("is not sent a third time when the late response comes before the resend is answered", async () => {
    const { line, waiting } = silent();
    await line.send(await line.account(), "OTP", ["70000001"]);
    await line.until(() => waiting.length === 1);
    await line.clock.advance(TIMEOUT_MS);
    await line.until(() => waiting.length === 2);
    waiting[0]?.accept("first");
    await line.untilAll("SENT", 1);
    waiting[1]?.accept("second");
    await line.until(() => line.count("parts") === 2);
    expect(line.message("70000001").amount).toBe(PRICE);
    // The handset got it twice; one of them is lost, the other is not.
    await line.receipt("first", "UNDELIV");
    expect(line.message("70000001").status).toBe("SENT");
    await line.receipt("second", "DELIVRD");
    expect(line.message("70000001").status).toBe("DELIVERED");
  });
});

describe("when the link is lost", () => {
  // Keeps: behaviour 6.6, 6.9
  test("what was written is unanswered and what was not goes back to the queue", async () => {
    const line = rig({
      connection: { window: 2 },
      onSubmit: (submit, count) => {
        if (count === 2) submit.peer.hangUp();
        if (count > 2) submit.accept();
      },
    });
    await line.send(await line.account(), "MARKETING", numbers(6));
    await line.until(() => line.delivery().status()[0]?.connections[0]?.state === "WAITING");
    await line.until(
      () =>
        line.message("70000002").unanswered_until !== null &&
        line.message("70000001").unanswered_until !== null,
    );
    await line.until(() =>
      line
        .messagesOf(1)
        .slice(2)
        .every(({ status }) => status === "QUEUED"),
    );
    await line.clock.advance(6000);
    await line.untilAll("SENT", 4);
    expect(line.submits.map(({ to }) => to)).toEqual(numbers(6));
  });

  test("OTP that was written is sent again over the next link, and the batch loses nobody", async () => {
    const line = rig({
      connection: { window: 4 },
      onSubmit: (submit, count) => (count === 4 ? submit.peer.hangUp() : submit.accept()),
    });
    await line.send(await line.account(), "OTP", numbers(30));
    await line.until(() => line.delivery().status()[0]?.connections[0]?.state === "WAITING");
    await line.clock.advance(6000);
    await line.untilAll("SENT", 30);
    expect(new Set(line.submits.map(({ to }) => to)).size).toBe(30);
  });

  test("a long message of which a part was not written has that part sent later", async () => {
    const line = rig({
      connection: { window: 2 },
      onSubmit: (submit, count) => {
        if (count === 1) submit.accept();
        else if (count === 2) submit.peer.hangUp();
        else submit.accept();
      },
    });
    await line.send(await line.account(), "OTP", ["70000001"], { body: "a".repeat(400) });
    await line.until(() => line.delivery().status()[0]?.connections[0]?.state === "WAITING");
    await line.clock.advance(6000);
    await line.untilAll("SENT", 1);
    const tried = line.submits.map(({ place }) => place?.part);
    expect(new Set(tried)).toEqual(new Set([1, 2, 3]));
    expect(line.message("70000001").amount).toBe(3 * PRICE);
  });
});

describe("a message that finds room when it is accepted", () => {
  test("is claimed by the commit that accepts it, and leaves behind that one", async () => {
    const gate = gatedStore();
    const line = rig({ store: gate.store });
    const accountId = await line.account();
    await line.until(() => line.delivery().status()[0]?.connections[0]?.state === "BOUND");
    gate.hold();
    await line.send(accountId, "OTP", ["70000001"]);
    // Nothing but the acceptance is written.
    await line.until(() => line.submits.length === 1);
    expect(line.message("70000001")).toMatchObject({ status: "SUBMITTED", attempts: 1 });
    gate.release();
    await line.untilAll("SENT", 1);
  });

  test("waits in the queue where the window is full, or others wait already", async () => {
    const line = rig({ connection: { window: 2 }, onSubmit: () => {} });
    const accountId = await line.account();
    await line.until(() => line.delivery().status()[0]?.connections[0]?.state === "BOUND");
    await line.send(accountId, "MARKETING", numbers(3));
    await line.send(accountId, "OTP", ["70000011"]);
    await line.until(() => line.submits.length === 2);
    expect(numbers(3).map((to) => line.message(to).status)).toEqual(["SUBMITTED", "SUBMITTED", "QUEUED"]);
    expect(line.message("70000011").status).toBe("QUEUED");
    line.submits[0]?.accept();
    await line.until(() => line.submits.length === 3);
    expect(line.submits[2]?.to).toBe("70000011");
    // There is room now, and a message waits for it already.
    line.submits[1]?.accept();
    await line.until(() => line.submits.length === 4);
    expect(line.submits[3]?.to).toBe("70000003");
  });

  test("leaves once, and takes room once, though its acceptance was undone with another's and run again", async () => {
    const line = rig({ connection: { window: 1 }, onSubmit: () => {} });
    const accountId = await line.account();
    await line.until(() => line.delivery().status()[0]?.connections[0]?.state === "BOUND");
    const { write } = line.store;
    let runs = 0;
    Object.assign(line.store, {
      write: (job: (tx: Tx) => unknown, ...how: []) => {
        const accepted = write(
          (tx) => {
            runs += 1;
            return job(tx);
          },
          ...how,
        );
        write(() => {
          throw new Error("another's");
        }).catch(() => {});
        return accepted;
      },
    });
    await line.send(accountId, "TRANSACTIONAL", ["70000001"]);
    await line.until(() => line.submits.length === 1);
    expect(runs).toBe(2);
    Object.assign(line.store, { write });
    line.submits[0]?.accept();
    await line.untilAll("SENT", 1);
    await line.send(accountId, "TRANSACTIONAL", ["70000002"]);
    await line.until(() => line.submits.length === 2);
    expect(line.submits.map(({ to }) => to)).toEqual(["70000001", "70000002"]);
  });

  test("gives its room back where it could not be written", async () => {
    const line = rig({ connection: { window: 1 } });
    const accountId = await line.account();
    await line.until(() => line.delivery().status()[0]?.connections[0]?.state === "BOUND");
    const { write } = line.store;
    Object.assign(line.store, {
      write: (job: (tx: Tx) => unknown, ...how: []) =>
        write(
          (tx) => {
            job(tx);
            throw new Error("the disk does not take it");
          },
          ...how,
        ),
    });
    await expect(line.send(accountId, "OTP", ["70000001"])).rejects.toThrow("the disk does not take it");
    Object.assign(line.store, { write });
    await line.send(accountId, "OTP", ["70000002"]);
    await line.untilAll("SENT", 1);
    expect(line.submits.map(({ to }) => to)).toEqual(["70000002"]);
  });

  test("is not claimed once the stop was asked for", async () => {
    const line = rig();
    const accountId = await line.account();
    await line.until(() => line.delivery().status()[0]?.connections[0]?.state === "BOUND");
    line.delivery().halt();
    await line.send(accountId, "OTP", ["70000001"]);
    await quiet(line);
    expect([line.message("70000001").status, line.submits.length]).toEqual(["QUEUED", 0]);
  });
});

describe("when the link is lost while claims are being committed", () => {
  // Keeps: behaviour 6.6
  test("they go back to the queue and leave by the next link", async () => {
    const gate = gatedStore();
    const line = rig({
      waits: true,
      store: gate.store,
      onSubmit: (submit, count) => (count === 1 ? undefined : submit.accept()),
    });
    const accountId = await line.account();
    await line.send(accountId, "OTP", ["70000001"]);
    await line.until(() => line.submits.length === 1);
    gate.hold();
    await line.send(accountId, "MARKETING", numbers(3, 11));
    await line.until(() => gate.waiting() === 1);
    line.submits[0]?.peer.hangUp();
    await line.until(() => line.delivery().status()[0]?.connections[0]?.state === "WAITING");
    gate.release();
    await line.untilAll("QUEUED", 4);
    await line.clock.advance(6000);
    await line.untilAll("SENT", 4);
    expect(line.submits).toHaveLength(5);
  });
});

describe("stopping", () => {
  test("claims nothing more, waits for what is due, and hands back the rest", async () => {
    const waiting: Submit[] = [];
    const line = rig({ connection: { window: 3 }, onSubmit: (submit) => void waiting.push(submit) });
    await line.send(await line.account(), "MARKETING", numbers(10));
    await line.until(() => waiting.length === 3);
    const stopped = line.stopDelivery(5000);
    for (const submit of waiting) submit.accept();
    await stopped;
    expect(line.messagesOf(1).map(({ status }) => status)).toEqual([
      ...Array.from({ length: 3 }, () => "SENT"),
      ...Array.from({ length: 7 }, () => "QUEUED"),
    ]);
    expect(waiting).toHaveLength(3);
  });

  test("tells what stayed unanswered: OTP is queued again, MARKETING waits", async () => {
    const line = rig({ onSubmit: () => {} });
    const accountId = await line.account();
    await line.send(accountId, "OTP", ["70000001"]);
    await line.send(accountId, "MARKETING", ["70000002"]);
    await line.until(() => line.submits.length === 2);
    await line.stopDelivery(1000);
    expect(line.message("70000001")).toMatchObject({ status: "QUEUED", not_before: 0, resends: 1 });
    expect(line.message("70000002").status).toBe("SUBMITTED");
    expect(line.message("70000002").unanswered_until).not.toBeNull();
  });

  test("hands back the segments of a long message that the window had no room for", async () => {
    const line = rig({ connection: { window: 1 }, onSubmit: () => {} });
    await line.send(await line.account(), "MARKETING", ["70000001", "70000002"], { body: "a".repeat(400) });
    await line.until(() => line.submits.length === 1);
    await line.stopDelivery(1000);
    expect(line.message("70000001").unanswered_until).not.toBeNull();
    expect(line.message("70000002").status).toBe("QUEUED");
  });

  test("hands back what was being claimed: not a byte of it leaves", async () => {
    const gate = gatedStore();
    const line = rig({ store: gate.store });
    const accountId = await line.account();
    gate.hold();
    await line.send(accountId, "MARKETING", numbers(3));
    await line.until(() => gate.waiting() === 1);
    const stopped = line.stopDelivery();
    await quiet(line);
    gate.release();
    await stopped;
    expect(line.submits).toEqual([]);
    expect(line.messagesOf(1).map(({ status }) => status)).toEqual(["QUEUED", "QUEUED", "QUEUED"]);
  });

  test("a claim that waits in the writer is refused there", async () => {
    const gate = gatedStore();
    const line = rig({ store: gate.store });
    const accountId = await line.account();
    gate.hold();
    await line.send(accountId, "MARKETING", numbers(3));
    await line.until(() => gate.waiting() === 1);
    line.delivery().halt();
    gate.release();
    await quiet(line);
    expect(line.batch(1)).toMatchObject({ status: "QUEUED", submitted: 0 });
    expect(line.messagesOf(1).map(({ status }) => status)).toEqual(["QUEUED", "QUEUED", "QUEUED"]);
  });

  test("what was claimed goes back at once, whatever the operator owes, and nothing that comes later leaves", async () => {
    const line = rig({ connection: { window: 1 }, onSubmit: () => {} });
    const accountId = await line.account();
    await line.send(accountId, "MARKETING", numbers(1), { body: "a".repeat(400) });
    await line.until(() => line.submits.length === 1);
    await line.send(accountId, "MARKETING", numbers(3, 100));
    line.delivery().halt();
    await line.send(accountId, "OTP", ["70000900"]);
    line.delivery().refresh();
    await quiet(line);
    expect(line.messagesOf(2).map(({ status }) => status)).toEqual(["QUEUED", "QUEUED", "QUEUED"]);
    expect(line.message("70000900").status).toBe("QUEUED");
    expect(line.submits).toHaveLength(1);
  });

  test("an operator that answers neither its submits nor the unbind is left when the time is over", async () => {
    const line = rig({ onSubmit: () => {}, answersUnbind: false });
    await line.send(await line.account(), "OTP", ["70000001"]);
    await line.until(() => line.submits.length === 1);
    const from = line.clock.steadyMs();
    const stopped = line.delivery().stop(2000, 3000);
    let ended = Number.NaN;
    const noted = stopped.then(() => {
      ended = line.clock.steadyMs() - from;
    });
    while (Number.isNaN(ended)) await line.clock.advance(100);
    await noted;
    expect(ended).toBeLessThanOrEqual(3200);
    expect(line.message("70000001")).toMatchObject({ status: "QUEUED", resends: 1 });
  });

  test("leaves no timer of its own behind", async () => {
    const line = rig({ onSubmit: (submit) => submit.refuse(0x08) });
    await line.send(await line.account(), "TRANSACTIONAL", ["70000001"]);
    await line.until(() => line.message("70000001").not_before > line.clock.nowMs());
    await line.stopDelivery();
    await line.clock.advance(5000);
    expect(line.clock.waiting()).toBe(0);
  });
});

describe("what an operator does not accept", () => {
  const said = ({ lines }: Rig) => lines.filter(({ message }) => message.startsWith("the operator "));

  test("is in the log in words, a line at once and then one a minute for each status, without anybody's number", async () => {
    const line = rig({ onSubmit: (submit, count) => submit.refuse(count % 2 === 0 ? 0x0a : 0x0b) });
    await line.send(await line.account(), "OTP", numbers(40));
    await line.untilAll("FAILED", 40);
    const once = {
      operator: "orange",
      connection: 1,
      level: "warn",
      message: "the operator refuses messages",
      times: 1,
    };
    expect(said(line)).toEqual([
      { ...once, status: "0x0B RINVDSTADR: the recipient's number is not accepted" },
      {
        ...once,
        status: "0x0A RINVSRCADR: the sender is not accepted, probably not registered with this operator",
      },
    ]);
    await line.clock.advance(60_000);
    expect(said(line).map(({ times, seconds }) => [times, seconds])).toEqual([
      [1, undefined],
      [1, undefined],
      [19, 60],
      [19, 60],
    ]);
    expect(JSON.stringify(line.lines)).not.toMatch(/7000\d{4}/);
  });

  test("for the moment is told apart from what it refuses for good", async () => {
    const line = rig({ onSubmit: (submit, count) => (count <= 3 ? submit.refuse(0x58) : submit.accept()) });
    await line.send(await line.account(), "OTP", numbers(1));
    await line.until(() => line.submits.length === 1);
    for (let second = 0; second < 20; second++) await line.clock.advance(1_000);
    await line.untilAll("SENT", 1);
    await line.clock.advance(60_000);
    expect(said(line)[0]).toMatchObject({
      message: "the operator asks for messages to be sent again later",
      status: "0x58 RTHROTTLED: more messages a second than the operator allows",
      times: 1,
    });
    expect(said(line).map(({ times }) => times)).toEqual([1, 2]);
  });

  test("after its time is told too", async () => {
    const late: Submit[] = [];
    const line = rig({
      connection: { response_timeout_seconds: 5 },
      onSubmit: (submit) => void late.push(submit),
    });
    await line.send(await line.account(), "MARKETING", numbers(1));
    await line.until(() => late.length === 1);
    await line.clock.advance(5_000);
    late[0]?.refuse(0x45);
    await line.until(() => said(line).length === 1);
    expect(said(line)[0]?.status).toContain("0x45 RSUBMITFAIL");
  });
});

test("receipts without an id and subscribers' texts cost a line a minute, however many come", async () => {
  const line = rig();
  await line.until(() => line.delivery().status()[0]?.connections[0]?.state === "BOUND");
  const nameless = { shortMessage: new Uint8Array(Buffer.from("stat:DELIVRD")) };
  for (let each = 0; each < 20; each++) {
    const words = { shortMessage: new Uint8Array(Buffer.from(`Bonjour ${each}`)), esmClass: 0 };
    await line.receipt("", "", "70000001", nameless);
    await line.receipt("", "", "70000001", words);
  }
  await line.clock.advance(60_000);
  const told = line.lines.filter(({ times }) => times !== undefined);
  expect(told.map(({ message, times }) => [message, times])).toEqual([
    ["receipt without an id", 1],
    ["inbound text", 1],
    ["receipt without an id", 19],
    ["inbound text", 19],
  ]);
});
