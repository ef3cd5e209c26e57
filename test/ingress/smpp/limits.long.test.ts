/** What the door takes no more of: sessions, parts, receipts that nobody takes, and anything on a full disk. */
import { afterEach, expect, test, vi } from "vitest";
import { concatenationHeader } from "../../../src/text/udh.ts";
import { bindOf, type SmppRig, smppRig, textOf } from "./rig.ts";

let rig: SmppRig;
afterEach(() => rig.close());

const part = (number: number, reference = 7) => ({
  esmClass: 0x40,
  shortMessage: Buffer.concat([
    concatenationHeader({ reference, total: 2, part: number }),
    textOf(`part ${number} of ${reference} `),
  ]),
});

test("bound sessions of all users are max_connections at most, and whoever leaves makes room", async () => {
  rig = await smppRig({ maxBinds: 5 }, { max_connections: 2 });
  await rig.addUser("other");
  const first = await rig.bind();
  const second = await rig.connect();
  expect((await second.ask(bindOf("receiver", undefined, "other"))).status).toBe(0);
  const third = await rig.connect();
  expect((await third.ask(bindOf("transceiver"), 50)).status).toBe(0x0d);
  expect(rig.status()?.refusals[0]?.reason).toBe("TOO_MANY_CONNECTIONS");
  expect((await first.submit()).status).toBe(0);
  await second.ask({ command: "unbind" });
  await second.until(second.isClosed);
  expect((await rig.bind()).isClosed()).toBe(false);
});

test("parts of a user that wait are ten thousand at most; one that completes its text is taken all the same", async () => {
  rig = await smppRig();
  const client = await rig.bind();
  expect((await client.submit(part(1))).status).toBe(0);
  const { store } = rig.stage.context();
  const columns = `user_id, source_ton, source_npi, source, dest_ton, dest_npi, destination, kind, total, part, coding, octets, digest,
    registered, session_id, message_class, asked_time, received_at`;
  await store.write((tx) =>
    tx.run(
      `INSERT INTO smpp_parts (${columns}, reference, reply_id)
       SELECT ${columns}, 1000 + value, 'filled ' || value FROM smpp_parts, json_each(?)`,
      JSON.stringify(Array.from({ length: 9_999 }, (_, index) => index)),
    ),
  );
  expect((await client.submit(part(1, 8))).status).toBe(0x14);
  expect(rig.status()).toMatchObject({ partsWaiting: 10_000, refusals: [{ reason: "TOO_MANY_PARTS" }] });
  expect((await client.submit(part(2))).status).toBe(0);
  expect((await client.submit(part(1, 8))).status).toBe(0);
});

test("a receipt that nobody takes is given up receipt_hours after it was due, and counted", async () => {
  rig = await smppRig({}, { receipt_hours: 1 });
  const client = await rig.bind();
  client.answerWith(0x14);
  await client.submit({ registeredDelivery: 1 });
  await client.until(() => client.delivered().length >= 4, 10_000);
  const { clock } = rig.stage;
  expect(rig.status()?.receipts).toMatchObject({ waiting: 1, givenUp: 0 });
  const dueMs = rig.status()?.receipts.oldestAtMs ?? 0;
  await client.until(() => rig.status()?.receipts.waiting === 0, 20_000);
  expect(clock.nowMs() - dueMs).toBeGreaterThanOrEqual(3_600_000);
  expect(rig.status()?.receipts.givenUp).toBe(1);
  client.answerWith(0);
  const again = await rig.bind();
  await clock.advance(60_000);
  expect(again.delivered()).toEqual([]);
});

test("a receipt for a user that does not bind is given up as well", async () => {
  rig = await smppRig({}, { receipt_hours: 1 });
  const client = await rig.bind("transmitter");
  await client.submit({ registeredDelivery: 1 });
  await client.until(() => rig.status()?.receipts.waiting === 1, 500);
  client.close();
  await client.until(() => rig.status()?.receipts.givenUp === 1, 60_000);
  expect(rig.status()?.receipts.waiting).toBe(0);
});

test("on a full disk nothing new is taken, for now: no text, no part; receipts still go", async () => {
  const MEGABYTE = 1024 * 1024;
  let freeBytes = 10_000 * MEGABYTE;
  rig = await smppRig({}, {}, { machine: { spaceOf: () => ({ freeBytes, totalBytes: 20_000 * MEGABYTE }) } });
  rig.stage.smsc.change({ receiptDelayMs: 5_000 });
  const client = await rig.bind();
  expect((await client.submit({ registeredDelivery: 1 })).status).toBe(0);
  expect((await client.submit(part(1))).status).toBe(0);
  freeBytes = 100 * MEGABYTE;
  await rig.stage.clock.advance(1_000);
  expect((await client.submit({ shortMessage: textOf("no room") })).status).toBe(0x14);
  expect((await client.submit(part(2))).status).toBe(0x14);
  expect((await client.submit(part(1, 9))).status).toBe(0x14);
  expect(rig.status()?.refusals.map(({ reason }) => reason)).toEqual(Array(3).fill("STORAGE_FULL"));
  await client.until(() => client.delivered().length === 1, 500);
  freeBytes = 10_000 * MEGABYTE;
  await rig.stage.clock.advance(2_000);
  // The part that was taken before waits on.
  expect((await client.submit(part(2))).status).toBe(0);
});

test("a receipt that is answered while the disk takes nothing does not come again: its answer is noted later", async () => {
  rig = await smppRig();
  const client = await rig.bind();
  client.answerWith(0x14);
  await client.submit({ registeredDelivery: 1 });
  await client.until(() => client.delivered().length === 1, 500);
  await rig.stage.clock.advance(1_000);
  const { store } = rig.stage.context();
  const writing = vi.spyOn(store, "write").mockRejectedValue(new Error("the disk is full"));
  client.answerWith(0);
  await client.until(() => client.delivered().length >= 2, 500);
  for (let turn = 0; turn < 20; turn++) await rig.stage.clock.advance(500);
  expect(client.delivered().length).toBe(2);
  expect(rig.status()?.receipts.waiting).toBe(1);
  writing.mockRestore();
  await client.until(() => rig.status()?.receipts.waiting === 0, 500);
  expect(client.delivered().length).toBe(2);
});
