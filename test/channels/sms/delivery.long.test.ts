import { describe, expect, test } from "vitest";
import { requestCancellation } from "../../../src/domain/messages/cancellation.ts";
import { recordOperatorRename, recordOperatorRetired } from "../../../src/domain/messages/operator-codes.ts";
import { connection, operator } from "../../config/sample.ts";
import { passingStore } from "../../kit/passing-store.ts";
import { quiet, type Rig, type RigOptions, rigOfEachTest, type Submit } from "./rig.ts";

const rig = rigOfEachTest();

const numbers = (count: number, from = 1) =>
  Array.from({ length: count }, (_, index) => String(70_000_000 + from + index));

/** An SMSC that answers one submit at a time, when told to, so that the order of sending shows. */
function oneByOne() {
  const waiting: Submit[] = [];
  const line = rig({ connection: { window: 1 }, onSubmit: (submit) => void waiting.push(submit) });
  const next = async (): Promise<string> => {
    await line.until(() => waiting.length > 0);
    const submit = waiting.shift()!;
    submit.accept();
    return submit.to;
  };
  return { line, next };
}

describe("the order on the wire", () => {
  // Keeps: behaviour 6.56
  // Keeps: public-api 2.1.6
  test("is OTP first, also before a campaign that is under way", async () => {
    const { line, next } = oneByOne();
    const accountId = await line.account();
    await line.send(accountId, "MARKETING", numbers(100));
    await next();
    await line.until(() => line.submits.length === 2);
    await line.send(accountId, "TRANSACTIONAL", ["70000500"]);
    await line.send(accountId, "OTP", ["70000600"]);
    expect([await next(), await next(), await next(), await next()]).toEqual([
      "70000002",
      "70000600",
      "70000500",
      "70000003",
    ]);
  });

  // Keeps: behaviour 6.57
  test("gives the single message of another account its turn beside a campaign", async () => {
    const { line, next } = oneByOne();
    await line.send(await line.account(), "MARKETING", numbers(1000));
    await next();
    await line.send(await line.account(), "MARKETING", ["70009999"]);
    expect([await next(), await next(), await next()]).toContain("70009999");
  });
});

describe("a message that can't be sent", () => {
  // Keeps: behaviour 6.3, 6.44
  test("is FAILED as SENDER_NOT_REGISTERED and released when its sender is not registered there", async () => {
    const line = rig();
    const accountId = await line.account({ funds: 100 });
    await line.store.write((tx) => tx.run("DELETE FROM sender_registrations"));
    const batchId = await line.send(accountId, "OTP", numbers(3));
    await line.untilAll("FAILED", 3);
    expect(line.message("70000001").error_code).toBe("SENDER_NOT_REGISTERED");
    expect(line.wallet(accountId)).toMatchObject({ funds: 100, reserved: 0 });
    expect(line.batch(batchId)).toMatchObject({ status: "SETTLED", submitted: 0, released_amount: 45 });
    expect(line.submits).toEqual([]);
  });

  // Keeps: behaviour 5.11, 6.3, 7.17
  test("is FAILED as EXPIRED_IN_QUEUE and released when its operator was away for too long", async () => {
    const line = rig({ isBindIgnored: () => true });
    const accountId = await line.account({ funds: 100 });
    const batchId = await line.send(accountId, "OTP", numbers(2));
    await line.clock.advance(10 * 60_000 - 1);
    line.delivery().refresh();
    await quiet(line);
    expect(line.message("70000001").status).toBe("QUEUED");
    await line.clock.advance(1);
    line.delivery().refresh();
    await line.untilAll("FAILED", 2);
    expect(line.message("70000001").error_code).toBe("EXPIRED_IN_QUEUE");
    expect(line.wallet(accountId)).toMatchObject({ funds: 100, reserved: 0 });
    expect(line.batch(batchId).status).toBe("SETTLED");
  });

  test("is given up whole, however large its batch is", async () => {
    const line = rig();
    await line.store.write((tx) => tx.run("DELETE FROM sender_registrations"));
    const accountId = await line.account();
    await line.store.write((tx) => tx.run("DELETE FROM sender_registrations"));
    const batchId = await line.send(accountId, "MARKETING", numbers(1200));
    await line.untilAll("FAILED", 1200);
    expect(line.batch(batchId).status).toBe("SETTLED");
  });
});

describe("an operator that left the configuration", () => {
  /** Two messages whose operator is not configured any more. */
  async function left(changes: RigOptions = {}) {
    const line = rig(changes);
    const accountId = await line.account({ funds: 100 });
    await line.stopDelivery();
    const batchId = await line.send(accountId, "OTP", numbers(2));
    await line.store.write((tx) => tx.run("UPDATE messages SET operator = 'gone'"));
    await line.restart();
    await line.clock.advance(1);
    return { line, accountId, batchId };
  }
  const waiting = (line: Rig) => line.delivery().waitingElsewhere();

  // Keeps: behaviour 4.55, 4.56
  test("has its messages wait, and the log and whoever asks are told how many wait for whom", async () => {
    const { line, accountId } = await left();
    await line.clock.advance(60_000);
    expect(waiting(line)).toEqual([{ operator: "gone", messages: 2 }]);
    const told = line.lines.filter(({ message }) => message.startsWith("messages wait for an operator"));
    expect(told).toMatchObject([{ level: "warn", operator: "gone", messages: 2 }]);
    expect(line.count("messages WHERE status = 'QUEUED'")).toBe(2);
    expect(line.wallet(accountId).reserved).toBe(30);
    expect(line.submits).toEqual([]);
  });

  // Keeps: behaviour 4.56, 4.70
  test("has them end with their validity and nothing else, EXPIRED_IN_QUEUE and released", async () => {
    const { line, accountId, batchId } = await left();
    await line.clock.advance(9 * 60_000);
    expect(line.count("messages WHERE status = 'QUEUED'")).toBe(2);
    await line.clock.advance(90_000);
    await line.untilAll("FAILED", 2);
    expect(line.message("70000001").error_code).toBe("EXPIRED_IN_QUEUE");
    expect(line.wallet(accountId)).toMatchObject({ funds: 100, reserved: 0 });
    expect(line.batch(batchId).status).toBe("SETTLED");
    await line.clock.advance(60_000);
    expect(waiting(line)).toEqual([]);
  });

  // Keeps: behaviour 4.70
  test("has them leave when it is back", async () => {
    const { line } = await left();
    await line.store.write((tx) => tx.run("UPDATE messages SET operator = 'orange'"));
    await line.restart();
    await line.untilAll("SENT", 2);
  });

  // Keeps: behaviour 4.70
  test("has them leave by the code that it was given, also what comes back to the queue later", async () => {
    const { line } = await left({ onSubmit: () => {} });
    await line.store.write((tx) => recordOperatorRename(tx, "gone", "orange", 1));
    line.delivery().refresh();
    await line.until(() => line.submits.length === 2);
    await quiet(line);
    expect(line.count("messages WHERE operator = 'orange'")).toBe(2);
    expect(waiting(line)).toEqual([]);
  });

  // Keeps: behaviour 4.70, 6.3
  test("has them given up as NO_ROUTE and released once it is retired", async () => {
    const { line, accountId, batchId } = await left();
    await line.store.write((tx) => recordOperatorRetired(tx, "gone", 1));
    line.delivery().refresh();
    await line.untilAll("FAILED", 2);
    expect(line.message("70000001").error_code).toBe("NO_ROUTE");
    expect(line.wallet(accountId)).toMatchObject({ funds: 100, reserved: 0 });
    expect(line.batch(batchId).status).toBe("SETTLED");
  });

  // Keeps: behaviour 4.71
  test("has its doubts ended by a receipt that comes by the code it was given", async () => {
    const line = rig({ onSubmit: () => {} });
    await line.send(await line.account(), "MARKETING", ["70000001"]);
    await line.until(() => line.submits.length === 1);
    await line.clock.advance(20_000);
    await line.until(() => line.message("70000001").unanswered_until !== null);
    await line.store.write((tx) => {
      tx.run("UPDATE messages SET operator = 'gone'");
      tx.run("UPDATE unaccepted_submits SET operator = 'gone'");
      recordOperatorRename(tx, "gone", "orange", 1);
    });
    await line.receipt("unheard-of", "DELIVRD");
    expect(line.message("70000001")).toMatchObject({ status: "DELIVERED", operator: "gone", amount: 15 });
  });

  // Keeps: behaviour 6.3, 6.44
  test("leaves new texts to their own operator, where a sender that only it knew is not registered", async () => {
    const line = rig();
    const accountId = await line.account({ funds: 100 });
    await line.store.write((tx) => tx.run("UPDATE sender_registrations SET operator = 'gone'"));
    await line.send(accountId, "OTP", ["70000001"]);
    await line.untilAll("FAILED", 1);
    expect(line.message("70000001")).toMatchObject({
      operator: "orange",
      error_code: "SENDER_NOT_REGISTERED",
    });
    expect(line.wallet(accountId)).toMatchObject({ funds: 100, reserved: 0 });
  });
});

describe("a suspended account", () => {
  const set = (line: Rig, accountId: number, status: string, reason: string | null) =>
    line.store.write((tx) =>
      tx.run("UPDATE accounts SET status = ?, suspended_reason = ? WHERE id = ?", status, reason, accountId),
    );

  // Keeps: behaviour 5.15
  test("has nothing claimed until it is resumed, while others send on", async () => {
    const held: Submit[] = [];
    const line = rig({
      connection: { window: 2 },
      onSubmit: (submit) => (held.length < 2 ? void held.push(submit) : submit.accept()),
    });
    const suspended = await line.account();
    const other = await line.account();
    const batchId = await line.send(suspended, "MARKETING", numbers(50));
    await line.until(() => held.length === 2);
    await set(line, suspended, "SUSPENDED", "unpaid");
    line.delivery().accountChanged(suspended);
    for (const submit of held) submit.accept();
    await line.send(other, "MARKETING", ["70000900"]);
    await line.untilAll("SENT", 3);
    await quiet(line);
    expect(line.batch(batchId).submitted).toBe(2);
    await set(line, suspended, "ACTIVE", null);
    line.delivery().accountChanged(suspended);
    await line.untilAll("SENT", 51);
  });

  // Keeps: behaviour 5.15
  test("has its messages expire all the same", async () => {
    const line = rig();
    const accountId = await line.account();
    await line.stopDelivery();
    await line.send(accountId, "OTP", ["70000001"]);
    await set(line, accountId, "SUSPENDED", "unpaid");
    await line.restart();
    await line.clock.advance(10 * 60_000);
    line.delivery().refresh();
    await line.untilAll("FAILED", 1);
    expect(line.message("70000001").error_code).toBe("EXPIRED_IN_QUEUE");
  });
});

test("a batch that is called off is sent no further, and a message of it that comes back is cancelled", async () => {
  const line = rig({ onSubmit: (submit) => submit.refuse(0x08) });
  const batchId = await line.send(await line.account(), "TRANSACTIONAL", ["70000001"]);
  await line.until(() => line.message("70000001").not_before > line.clock.nowMs());
  await line.store.write((tx) => requestCancellation(tx, batchId, "CANCELLED", null, line.clock.nowMs()));
  await line.clock.advance(60_000);
  await quiet(line);
  expect(line.submits).toHaveLength(1);
  await line.untilAll("CANCELLED", 1);
  expect(line.batch(batchId).status).toBe("CANCELLED");
});

test("what waits of a batch that was called off before a restart is cancelled after it", async () => {
  const line = rig({ isBindIgnored: () => true });
  const batchId = await line.send(await line.account(), "MARKETING", numbers(600));
  await line.stopDelivery();
  await line.store.write((tx) => requestCancellation(tx, batchId, "CANCELLED", null, line.clock.nowMs()));
  await line.restart();
  await line.untilAll("CANCELLED", 600);
  expect(line.batch(batchId).status).toBe("CANCELLED");
});

test("however often the queue is gone through and accounts change, the oldest campaign is sent on", async () => {
  const held: Submit[] = [];
  const line = rig({ connection: { window: 1 }, onSubmit: (submit) => void held.push(submit) });
  const accountId = await line.account();
  await line.send(accountId, "MARKETING", numbers(1));
  for (let batch = 1; batch < 40; batch++) await line.send(accountId, "MARKETING", numbers(1, 100 + batch));
  const sent: string[] = [];
  while (sent.length < 40) {
    await line.until(() => held.length > 0);
    line.delivery().refresh();
    line.delivery().accountChanged(accountId);
    const submit = held.shift()!;
    sent.push(submit.to);
    submit.accept();
  }
  expect(sent[0]).toBe("70000001");
  expect(new Set(sent).size).toBe(40);
  // Each has its turn in the order in which they came, as if nobody had changed anything.
  expect(sent).toEqual([...sent].sort());
});

test("each operator gets its own messages over its own link", async () => {
  const line = rig({
    operators: (port) => ({
      orange: operator({
        prefixes: ["22670"],
        price: 15,
        connections: [connection({ host: "127.0.0.1", port, throughput: 1000 })],
      }),
      moov: operator({
        prefixes: ["22660"],
        price: 20,
        connections: [connection({ host: "127.0.0.1", port, throughput: 1000 })],
      }),
    }),
  });
  await line.send(await line.account(), "OTP", [...numbers(5), "60000001", "60000002"]);
  await line.untilAll("SENT", 7);
  const links = new Map(line.submits.map(({ peer, to }) => [to, peer]));
  expect(new Set(links.values()).size).toBe(2);
  expect(links.get("60000001")).toBe(links.get("60000002")!);
  expect(new Set(numbers(5).map((number) => links.get(number))).size).toBe(1);
});

test("an operator that is away holds up nobody, and costs not one claim", async () => {
  const line = rig({
    operators: (port) => ({
      // Nothing listens on the discard port.
      orange: operator({
        prefixes: ["22670"],
        price: 15,
        connections: [connection({ host: "127.0.0.1", port: 9 })],
      }),
      moov: operator({
        prefixes: ["22660"],
        price: 20,
        connections: [connection({ host: "127.0.0.1", port, throughput: 1000 })],
      }),
    }),
  });
  const batchId = await line.send(await line.account(), "OTP", [...numbers(200), "60000001", "60000002"]);
  await line.untilAll("SENT", 2);
  await line.clock.advance(120_000);
  await quiet(line);
  expect(line.submits.map(({ to }) => to)).toEqual(["60000001", "60000002"]);
  expect(line.messagesOf(batchId).filter(({ attempts }) => attempts > 0)).toHaveLength(2);
});

test("the parts of a message leave together: one after the other, over one connection", async () => {
  const line = rig({
    operators: (port) => ({
      orange: operator({
        prefixes: ["22670"],
        price: 15,
        connections: [5, 7].map((window) => connection({ host: "127.0.0.1", port, window, throughput: 20 })),
      }),
    }),
  });
  await line.send(await line.account(), "MARKETING", numbers(30), { body: "a".repeat(400) });
  for (let second = 0; second < 5; second++) await line.clock.advance(1000);
  await line.untilAll("SENT", 30);
  const peers = [...new Set(line.submits.map(({ peer }) => peer))];
  expect(peers).toHaveLength(2);
  for (const peer of peers) {
    const order = line.submits.filter((submit) => submit.peer === peer);
    const places = order.map(({ to, place }) => `${to} ${place?.part}`);
    const together = order
      .filter(({ place }) => place?.part === 1)
      .flatMap(({ to }) => [`${to} 1`, `${to} 2`, `${to} 3`]);
    expect(places).toEqual(together);
  }
});

test("the log numbers an operator's connections from 1, as `operator status` does", async () => {
  const line = rig({
    operators: (port) => ({
      orange: operator({
        prefixes: ["22670"],
        connections: [connection({ host: "127.0.0.1", port }), connection({ host: "127.0.0.1", port })],
      }),
    }),
  });
  const bound = () => line.lines.filter(({ message }) => message === "bound");
  await line.until(() => bound().length === 2);
  expect(new Set(bound().map((said) => said.connection))).toEqual(new Set([1, 2]));
});

test("a transmitter and a receiver work as one: receipts come over the other connection", async () => {
  const line = rig({
    operators: (port) => ({
      orange: operator({
        prefixes: ["22670"],
        price: 15,
        connections: ["transmitter", "receiver"].map((bind) => connection({ host: "127.0.0.1", port, bind })),
      }),
    }),
  });
  await line.send(await line.account(), "OTP", numbers(2));
  await line.untilAll("SENT", 2);
  await line.until(() => line.delivery().status()[0]?.connections[1]?.state === "BOUND");
  await line.receipt("id-1", "DELIVRD");
  await line.receipt("id-2", "UNDELIV", "70000002");
  await line.receipt("id-9", "DELIVRD", "70000009");
  expect(numbers(2).map((number) => line.message(number).status)).toEqual(["DELIVERED", "FAILED"]);
  const [transmitter, receiver] = line.delivery().status()[0]?.connections ?? [];
  expect(transmitter?.tally).toMatchObject({ accepted: 2, receiptsMatched: 0 });
  expect(receiver?.tally).toMatchObject({ accepted: 0, receiptsMatched: 2, receiptsUnmatched: 1 });
});

describe("an SMSC that ignores enquire_link", () => {
  const ignoring = (onSubmit: (submit: Submit) => void) =>
    rig({
      connection: { enquire_link_seconds: 1, response_timeout_seconds: 20 },
      isEnquiryIgnored: () => true,
      onSubmit,
    });

  test("keeps its link while it answers submits, however slowly, and nobody is sent anything twice", async () => {
    const waiting: Submit[] = [];
    const line = ignoring((submit) => void waiting.push(submit));
    await line.send(await line.account(), "OTP", numbers(30));
    for (let round = 0; round < 6; round++) {
      await line.until(() => waiting.length === Math.min(10, 30 - round * 5));
      await line.clock.advance(8_000);
      for (const submit of waiting.splice(0, 5)) submit.accept();
      await line.untilAll("SENT", (round + 1) * 5);
    }
    expect(line.submits).toHaveLength(30);
    expect(line.smsc.received.filter(({ command }) => command === "bind_transceiver")).toHaveLength(1);
  });

  test("is bound anew while nothing is under way, and nobody is sent anything twice", async () => {
    const line = ignoring((submit) => submit.accept());
    const accountId = await line.account();
    for (let round = 0; round < 4; round++) {
      await line.send(accountId, "OTP", numbers(5, 1 + round * 5));
      await line.clock.advance(30_000);
      await line.untilAll("SENT", (round + 1) * 5);
    }
    expect(line.submits).toHaveLength(20);
    const binds = line.smsc.received.filter(({ command }) => command === "bind_transceiver").length;
    expect(binds).toBeGreaterThan(2);
  });
});

describe("what comes in", () => {
  // Keeps: behaviour 6.24
  test("is a receipt that is answered once it is durable", async () => {
    let isHeld = false;
    const jobs: (() => void)[] = [];
    const line = rig({
      store: (real) =>
        passingStore(real, () => (isHeld ? new Promise<void>((resolve) => jobs.push(resolve)) : undefined)),
    });
    await line.send(await line.account(), "OTP", ["70000001"]);
    await line.untilAll("SENT", 1);
    isHeld = true;
    let answer: number | null = null;
    const answering = line.receipt("id-1", "DELIVRD").then((status) => {
      answer = status;
    });
    await line.until(() => jobs.length === 1);
    await quiet(line);
    expect(answer).toBeNull();
    isHeld = false;
    jobs[0]?.();
    await answering;
    expect([answer, line.message("70000001").status]).toEqual([0, "DELIVERED"]);
  });

  test("is asked for again when it could not be written", async () => {
    let isBroken = false;
    const line = rig({
      store: (real) =>
        passingStore(real, () => {
          if (isBroken) throw new Error("disk I/O error");
        }),
    });
    await line.send(await line.account(), "OTP", ["70000001"]);
    await line.untilAll("SENT", 1);
    isBroken = true;
    expect(await line.receipt("id-1", "DELIVRD")).toBe(0x64);
    isBroken = false;
    expect(await line.receipt("id-1", "DELIVRD")).toBe(0);
    expect(line.message("70000001").status).toBe("DELIVERED");
  });

  test("is not believed where a customer's own words look like a receipt", async () => {
    const line = rig();
    await line.send(await line.account(), "OTP", ["70000001"]);
    await line.untilAll("SENT", 1);
    const forged = new Uint8Array(Buffer.from("id:other stat:ENROUTE text:id:id-1 stat:DELIVRD"));
    expect(await line.receipt("", "", "70000001", { shortMessage: forged })).toBe(0);
    expect(line.message("70000001").status).toBe("SENT");
  });

  // Keeps: behaviour 6.24
  test("a subscriber's text is answered, moves no message, and its words reach no log", async () => {
    const line = rig();
    await line.send(await line.account(), "OTP", ["70000001"]);
    await line.untilAll("SENT", 1);
    const words = new Uint8Array(Buffer.from("mon code secret"));
    expect(await line.receipt("", "", "70000001", { esmClass: 0, shortMessage: words })).toBe(0);
    expect(line.message("70000001").status).toBe("SENT");
    expect(JSON.stringify(line.lines)).not.toContain("secret");
    expect(JSON.stringify(line.lines)).not.toContain("22670000001");
  });
});

test("a restart goes on where the last process stopped, and sends nobody twice", async () => {
  const waiting: Submit[] = [];
  let answersNow = false;
  const line = rig({
    connection: { window: 5 },
    onSubmit: (submit) => (answersNow ? submit.accept() : void waiting.push(submit)),
  });
  await line.send(await line.account(), "MARKETING", numbers(40));
  await line.until(() => waiting.length === 5);
  for (const submit of waiting) submit.accept();
  await line.until(() => waiting.length === 10);
  for (const submit of waiting.slice(5)) submit.accept();
  answersNow = true;
  await line.restart();
  await line.untilAll("SENT", 40);
  const tried = line.submits.map(({ to }) => to);
  expect(new Set(tried).size).toBe(40);
  expect(tried).toHaveLength(40);
});

test("a connection has one number, counted from 1, in the log and in the list of connections", async () => {
  const line = rig();
  await line.until(() => line.lines.some(({ message }) => message === "bound"));
  expect(line.lines.find(({ message }) => message === "bound")).toMatchObject({
    operator: "orange",
    connection: 1,
  });
});
