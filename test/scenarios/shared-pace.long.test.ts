/** Connections of two operators that share one throughput, through the appliance whole and one simulated aggregator. */
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Config, ConnectionConfig } from "../../src/config/config.ts";
import { configOf, operator } from "../config/sample.ts";
import { type Client, type Stage, stage } from "./stage.ts";

let whole: Stage;
let atStart: Config;
let link: ConnectionConfig;
let client: Client;
/** The second operator is there, and knows the sender. */
let isKnown: boolean;
beforeEach(async () => {
  isKnown = false;
  whole = await stage();
  atStart = whole.settings.now();
  link = atStart.operators.orange!.connections[0]!;
  client = await whole.client();
  await whole.admin("sender register", { ACCOUNT: client.accountId, NAME: "ACME", operator: "orange" });
});
afterEach(() => whole.close());

const THROUGHPUT = 20;
/** Both operators reach the aggregator by a connection of their own. */
const take = async (shared_pace: string, more: Partial<ConnectionConfig> = {}): Promise<void> => {
  const connections = [{ ...link, throughput: THROUGHPUT, shared_pace, ...more }];
  const orange = { ...atStart.operators.orange!, connections };
  const { moov } = configOf({ operators: { moov: operator({ prefixes: ["22601"], price: 15 }) } }).operators;
  whole.write({ ...atStart, operators: { orange, moov: { ...moov!, connections } } });
  const before = binds();
  await whole.admin("config reload");
  if (isKnown) return;
  isKnown = true;
  await pass(() => binds() > before);
  await whole.admin("sender register", { ACCOUNT: client.accountId, NAME: "ACME", operator: "moov" });
};
const binds = () => whole.smsc.events.filter(({ kind }) => kind === "bound").length;
const pass = async (isWanted: () => unknown): Promise<void> => {
  while (!(await isWanted())) await whole.clock.advance(20);
};
const seconds = async (count: number): Promise<void> => {
  for (let passed = 0; passed < count * 1000; passed += 20) await whole.clock.advance(20);
};
let next = 1;
const send = (prefix: string, count: number, message_class = "MARKETING") =>
  client.submit({
    message_class,
    recipients: Array.from({ length: count }, () => ({
      msisdn: `${prefix}${String(next++).padStart(6, "0")}`,
    })),
  });
const submits = () => whole.smsc.stats().submits;
const left = async (batchId: string): Promise<number> => {
  const messages = await client.messages(batchId);
  return messages.filter(({ status }) => status !== "QUEUED").length;
};

test("they send no more together than one of them may, in turns by operator", async () => {
  await take("agg1");
  const orange = await send("22670", 80);
  const moov = await send("22601", 80);
  const before = submits();
  await seconds(3);
  expect(submits() - before).toBeGreaterThan(2.8 * THROUGHPUT);
  expect(submits() - before).toBeLessThanOrEqual(3.2 * THROUGHPUT);
  const counts = [await left(orange.batch_id), await left(moov.batch_id)];
  expect(Math.min(...counts)).toBeGreaterThan(25);
  for (const { batch_id } of [orange, moov])
    expect((await client.until(batch_id, ({ status }) => status === "SETTLED")).counts).toMatchObject({
      delivered: 80,
    });
});

test("an OTP of one goes before what waits for the others", async () => {
  await take("agg1");
  await send("22670", 100, "TRANSACTIONAL");
  await seconds(1);
  const { batch_id } = await send("22601", 15, "OTP");
  await seconds(1);
  expect((await client.messages(batch_id)).map(({ status }) => status)).not.toContain("QUEUED");
});

test("all of them rest when one is throttled", async () => {
  await take("agg1");
  await send("22670", 100);
  await seconds(1);
  whole.smsc.change({ refusePercent: 100, refuseStatus: 0x58 });
  await pass(async () => {
    const { connections } = (await whole.admin("operator status")) as { connections: { rate: number }[] };
    return connections.every(({ rate }) => rate === THROUGHPUT / 2);
  });
  whole.smsc.change({ refusePercent: 0 });
  await send("22601", 10);
  const before = submits();
  await whole.clock.advance(700);
  expect(submits()).toBe(before);
  await pass(() => submits() > before);
});

test("a reload under traffic joins and parts them, without a new bind and without a message lost", async () => {
  await take("");
  const batches = [await send("22670", 150), await send("22601", 150)];
  await seconds(1);
  const bound = binds();
  await take("agg1");
  const joined = submits();
  await seconds(2);
  expect(submits() - joined).toBeLessThanOrEqual(2.2 * THROUGHPUT);
  await take("agg1", { throughput: 10 });
  const slower = submits();
  await seconds(2);
  expect(submits() - slower).toBeLessThanOrEqual(24);
  await take("");
  const parted = submits();
  await seconds(2);
  expect(submits() - parted).toBeGreaterThan(1.5 * 2 * THROUGHPUT);
  for (const { batch_id } of batches)
    expect((await client.until(batch_id, ({ status }) => status === "SETTLED")).counts).toMatchObject({
      delivered: 150,
    });
  expect([binds(), submits()]).toEqual([bound, 300]);
});

test("what one of them has claimed and its window does not take keeps the others from nothing", async () => {
  await take("agg1", { window: 10 });
  whole.smsc.change({ responseDelayMs: 60_000 });
  await client.submit({
    message_class: "MARKETING",
    body: "One of three parts. ".repeat(20),
    recipients: Array.from({ length: 4 }, () => ({ msisdn: `22670${String(next++).padStart(6, "0")}` })),
  });
  await seconds(2);
  expect(submits()).toBe(10);
  await send("22601", 5);
  await seconds(2);
  expect(submits()).toBe(15);
});

test("one that is down, or removed, keeps the others from nothing", async () => {
  await take("agg1");
  await whole.admin("operator pause", { CODE: "moov", reason: "works" });
  await send("22601", 50, "OTP");
  const { batch_id } = await send("22670", 10);
  expect((await client.until(batch_id, ({ status }) => status === "SETTLED")).counts).toMatchObject({
    delivered: 10,
  });
  const { orange } = whole.settings.now().operators;
  whole.write({ ...atStart, operators: { orange: orange! } });
  await whole.admin("config reload");
  const last = await send("22670", 10);
  expect((await client.until(last.batch_id, ({ status }) => status === "SETTLED")).counts).toMatchObject({
    delivered: 10,
  });
});
