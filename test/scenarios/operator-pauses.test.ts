/** Operators and connections that an administrator holds still, over sockets, with the simulated operator. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Client, type Stage, stage } from "./stage.ts";

let whole: Stage;
let client: Client;
beforeEach(async () => {
  whole = await stage();
  client = await whole.client();
});
afterEach(() => whole.close());

const ORANGE = { CODE: "orange" };
const pause = (connection = {}) =>
  whole.admin("operator pause", { ...ORANGE, ...connection, reason: "tariff" });
let next = 70_200_000;
const submit = (count = 1) =>
  client.submit({ recipients: Array.from({ length: count }, () => ({ msisdn: String(next++) })) });
const isOver = ({ status }: { readonly status: string }) => status === "SETTLED";
const sent = async (batchId: string) => (await client.batch(batchId)).counts.sent;
const audited = async () => {
  const { entries } = (await whole.admin("audit list")) as { entries: { action: string }[] };
  return entries.map(({ action }) => action).filter((action) => action.startsWith("operator "));
};
const health = async () => (await whole.page("/health")).body;
const pass = async (isWanted: () => unknown): Promise<void> => {
  while (!(await isWanted())) await whole.clock.advance(20);
};

test("nothing leaves by a paused operator, also after a restart, until it is resumed", async () => {
  const since = new Date(whole.clock.nowMs()).toISOString();
  expect(await pause()).toEqual({
    operator: "orange",
    paused: [{ connection: null, reason: "tariff", since, by: "test" }],
  });
  const { batch_id } = await submit(3);
  await whole.clock.advance(60_000);
  expect(await sent(batch_id)).toBe(0);
  await whole.stop();
  await whole.start();
  await whole.clock.advance(60_000);
  expect(await sent(batch_id)).toBe(0);
  expect((await whole.admin("operator status")).connections).toMatchObject([
    { state: "BOUND", paused: "tariff" },
  ]);
  expect((await whole.admin("queue show")).queues).toMatchObject([
    { operator: "orange", messages: 0, held: { operator_paused: 3 } },
  ]);
  expect(await health()).toContain(`orange has been paused since ${since} (tariff)`);
  expect(await whole.admin("operator resume", ORANGE)).toEqual({ operator: "orange", paused: [] });
  expect((await client.until(batch_id, isOver)).counts).toMatchObject({ delivered: 3 });
  await whole.clock.advance(2000);
  expect(await health()).not.toContain("paused");
  expect(await audited()).toEqual(["operator resume", "operator pause"]);
});

test("what was claimed and not written goes back at once, and what was written is answered and told", async () => {
  const { orange } = whole.settings.now().operators;
  const [link] = orange?.connections ?? [];
  if (!orange || !link) throw new Error("the stage has a connection");
  const slow = { ...orange, connections: [{ ...link, window: 5 }] };
  whole.settings.replace({ ...whole.settings.now(), operators: { orange: slow } });
  whole.smsc.change({ responseDelayMs: 2000 });
  const { batch_id } = await submit(20);
  await pass(async () => JSON.stringify(await whole.admin("operator status")).includes('"in_flight":5'));
  await pause();
  await whole.clock.advance(10_000);
  expect(await sent(batch_id)).toBe(5);
  expect((await whole.admin("operator status")).queues).toMatchObject([{ operator: "orange", waiting: 15 }]);
  await whole.admin("operator resume", ORANGE);
  expect((await client.until(batch_id, isOver)).counts).toMatchObject({ delivered: 20 });
});

test("a connection is paused alone, and known by what it binds to when the list changes", async () => {
  const { orange } = whole.settings.now().operators;
  const [link] = orange?.connections ?? [];
  if (!orange || !link) throw new Error("the stage has a connection");
  const away = { ...link, host: "127.0.0.2", port: 1 };
  expect(await pause({ CONNECTION: "1" })).toMatchObject({ paused: [{ connection: 1 }] });
  whole.write({ ...whole.settings.now(), operators: { orange: { ...orange, connections: [away, link] } } });
  await whole.admin("config reload");
  const { connections } = await whole.admin("operator status");
  expect(connections).toMatchObject([
    { connection: 1, paused: null },
    { connection: 2, state: "BOUND", paused: "tariff" },
  ]);
  expect(await health()).toContain("orange has had 1 of 2 connections paused");
  expect(await whole.admin("operator resume", { ...ORANGE, CONNECTION: "2" })).toMatchObject({ paused: [] });
});

test("what is paused already keeps its first reason, and what is not paused is resumed without a word", async () => {
  await pause();
  expect(await whole.admin("operator pause", { ...ORANGE, reason: "another" })).toMatchObject({
    paused: [{ reason: "tariff" }],
  });
  expect((await whole.refusal("operator resume", { ...ORANGE, CONNECTION: "1" })).code).toBe(
    "OPERATOR_PAUSED",
  );
  await whole.admin("operator resume", ORANGE);
  await whole.admin("operator resume", ORANGE);
  expect(await audited()).toEqual(["operator resume", "operator pause"]);
});

test("an operator, a connection or a reason that is none is refused", async () => {
  const refused = async (args: Record<string, string>) =>
    (await whole.refusal("operator pause", { ...ORANGE, reason: "why", ...args })).code;
  expect(await refused({ CODE: "telmob" })).toBe("OPERATOR_UNKNOWN");
  expect(await refused({ CONNECTION: "2" })).toBe("CONNECTION_UNKNOWN");
  expect(await refused({ reason: " " })).toBe("INVALID_REASON");
  expect((await whole.refusal("operator reconnect", { ...ORANGE, CONNECTION: "0" })).code).toBe(
    "CONNECTION_UNKNOWN",
  );
});

test("a reconnection waits for the answers that are due and binds anew; nothing is in doubt", async () => {
  whole.smsc.change({ responseDelayMs: 1500 });
  const { batch_id } = await submit(10);
  await pass(async () => JSON.stringify(await whole.admin("operator status")).includes('"in_flight":10'));
  expect(await whole.admin("operator reconnect", ORANGE)).toEqual({ operator: "orange", connections: [1] });
  expect((await client.until(batch_id, isOver)).counts).toMatchObject({ delivered: 10 });
  await pass(() => whole.smsc.events.filter(({ kind }) => kind === "bound").length === 2);
  expect((await whole.admin("operator status")).connections).toMatchObject([{ unanswered: 0 }]);
  expect(await audited()).toEqual(["operator reconnect"]);
});
