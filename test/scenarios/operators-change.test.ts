/** Operators and connections that come, change and go while the appliance runs, over sockets, with the simulated operator. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Config, ConnectionConfig, OperatorConfig } from "../../src/config/config.ts";
import { phrase } from "../../src/i18n/phrase.ts";
import { PLAIN } from "../../src/simulator/quirks.ts";
import { type TestSmsc, testSmsc } from "../kit/smsc.ts";
import { seededChance } from "../kit/test-chance.ts";
import { type Client, type Stage, stage } from "./stage.ts";

let whole: Stage;
let moov: TestSmsc;
let atStart: Config;
let orange: OperatorConfig;
let link: ConnectionConfig;
let client: Client;
beforeEach(async () => {
  whole = await stage();
  moov = await testSmsc({ clock: whole.clock, chance: seededChance(2), quirks: PLAIN });
  atStart = whole.settings.now();
  const found = atStart.operators.orange;
  const first = found?.connections[0];
  if (!found || !first) throw new Error("the stage has an operator with a connection");
  orange = found;
  link = first;
  client = await whole.client();
});
afterEach(async () => {
  await whole.close();
  await moov.stop();
});

const ofMoov = (): OperatorConfig => ({
  ...orange,
  name: "Moov",
  prefixes: ["22601"],
  price: 12,
  connections: [{ ...link, port: moov.port }],
});
const both = (): Config => ({ ...atStart, operators: { orange, moov: ofMoov() } });
const withLinks = (...connections: ConnectionConfig[]): Config => ({
  ...atStart,
  operators: { orange: { ...orange, connections } },
});
const reload = (config: Config) => {
  whole.write(config);
  return whole.admin("config reload");
};
const pass = async (isWanted: () => unknown): Promise<void> => {
  while (!(await isWanted())) await whole.clock.advance(20);
};
const bindsOf = (smsc: TestSmsc) => smsc.events.filter(({ kind }) => kind === "bound").length;
const closedOf = (smsc: TestSmsc) => smsc.events.filter(({ kind }) => kind === "closed").length;
const toMoov = (count = 1) => client.submit({ recipients: numbers("01", count) });
const toOrange = (count = 1) => client.submit({ recipients: numbers("70", count) });
let next = 100_000;
const numbers = (prefix: string, count: number) =>
  Array.from({ length: count }, () => ({ msisdn: `${prefix}${next++}` }));
const isOver = ({ status }: { readonly status: string }) => status === "SETTLED";
const queues = async () =>
  (await whole.admin("operator status")).queues as readonly { operator: string; waiting: number }[];
const waitingFor = async (code: string) =>
  (await queues()).find(({ operator }) => operator === code)?.waiting;
const register = () =>
  whole.admin("sender register", { ACCOUNT: client.accountId, NAME: "ACME", operator: "moov" });

describe("an operator", () => {
  test("that comes is bound, owns its numbers, and has what was waiting for it", async () => {
    expect((await toMoov()).rejections).toMatchObject([{ reason_code: "UNROUTABLE_PREFIX" }]);
    expect((await reload(both())).changes).toMatchObject([
      { path: "operators.moov", change: "added", effect: "now", waiting: 0 },
    ]);
    await register();
    const { batch_id } = await toMoov();
    expect(await client.until(batch_id, isOver)).toMatchObject({ charged_amount: 12 });
    expect(bindsOf(moov)).toBe(1);
    expect(bindsOf(whole.smsc)).toBe(1);
  });

  test("that goes has its answers waited for and unbinds, and its receipts come when it is back", async () => {
    await reload(both());
    await register();
    moov.change({ responseDelayMs: 3000, receiptDelayMs: 0 });
    const { batch_id } = await toMoov(5);
    await pass(async () => (await client.batch(batch_id)).counts.submitted === 5);
    await reload(atStart);
    await pass(() => closedOf(moov) === 1);
    expect((await client.batch(batch_id)).counts).toMatchObject({ sent: 5, failed: 0 });
    expect(moov.events.filter(({ kind }) => kind === "violation")).toEqual([]);
    expect((await whole.admin("operator status")).connections).toHaveLength(1);
    expect((await whole.admin("operator unanswered")).messages).toEqual([]);
    await reload(both());
    expect((await client.until(batch_id, isOver)).counts).toMatchObject({ delivered: 5 });
  });

  test("that goes leaves what waits where it is, at its price, and has it when it is back", async () => {
    await reload(both());
    await register();
    moov.change({ refusePercent: 100, refuseStatus: 0x14 });
    const { batch_id } = await toMoov(3);
    await pass(async () => (await waitingFor("moov")) === 3);
    whole.write(atStart);
    const { changes } = await whole.admin("config diff");
    expect(changes).toMatchObject([
      {
        path: "operators.moov",
        change: "removed",
        waiting: 3,
        consequence: phrase("config.change.operator_goes.waiting", { waiting: 3 }),
      },
    ]);
    await reload(atStart);
    moov.change({ refusePercent: 0 });
    await whole.clock.advance(120_000);
    expect((await client.batch(batch_id)).counts).toMatchObject({ sent: 0, failed: 0 });
    expect(await queues()).toContainEqual(
      expect.objectContaining({ operator: "moov", is_configured: false, waiting: 3 }),
    );
    expect((await toMoov()).rejections).toMatchObject([{ reason_code: "UNROUTABLE_PREFIX" }]);
    await reload({ ...both(), operators: { orange, moov: { ...ofMoov(), price: 40 } } });
    expect(await client.until(batch_id, isOver)).toMatchObject({ charged_amount: 36 });
  });

  test("that left can be renamed to one that came, without a restart", async () => {
    await reload({
      ...atStart,
      operators: { orange, moov: { ...ofMoov(), connections: [{ ...link, port: 1 }] } },
    });
    await register();
    const { batch_id } = await toMoov(2);
    await reload({ ...atStart, operators: { orange, telmob: ofMoov() } });
    expect(await whole.admin("operator rename", { OLD: "moov", NEW: "telmob" })).toMatchObject({
      messages: 2,
      registrations: 1,
    });
    await client.until(batch_id, isOver);
    expect(moov.texts).toHaveLength(2);
  });

  test("that goes with the stop right behind it ends in time", async () => {
    await reload(both());
    await register();
    moov.change({ swallowEvery: 1 });
    await toMoov(2);
    await pass(() => whole.admin("operator status").then((s) => JSON.stringify(s).includes('"in_flight":2')));
    await reload(atStart);
    const beganMs = whole.clock.nowMs();
    await whole.stop();
    expect(whole.clock.nowMs() - beganMs).toBeLessThan(9000);
  });
});

describe("a connection", () => {
  const other = (): ConnectionConfig => ({ ...link, port: moov.port });

  test("that comes binds, and one that goes waits for its answers and unbinds; nothing is dropped", async () => {
    await reload(withLinks(link, other()));
    await pass(() => bindsOf(moov) === 1);
    for (const smsc of [whole.smsc, moov]) smsc.change({ responseDelayMs: 2000 });
    const { batch_id } = await toOrange(150);
    await pass(() =>
      whole.admin("operator status").then((s) => JSON.stringify(s).includes('"in_flight":100')),
    );
    await reload(withLinks(other()));
    await client.until(batch_id, ({ counts }) => counts.sent === 150);
    expect((await client.batch(batch_id)).counts).toMatchObject({ failed: 0 });
    await pass(() => closedOf(whole.smsc) === 1);
    const status = (await whole.admin("operator status")).connections;
    expect(status).toMatchObject([{ connection: 1, port: moov.port, state: "BOUND", unanswered: 0 }]);
    expect(whole.smsc.texts.length + moov.texts.length).toBe(150);
    expect(bindsOf(moov)).toBe(1);
  });

  test("goes by another window, pace and time limit without a new bind", async () => {
    whole.smsc.change({ responseDelayMs: 1000 });
    await reload(withLinks({ ...link, window: 3, throughput: 500, response_timeout_seconds: 7 }));
    const { batch_id } = await toOrange(20);
    await client.until(batch_id, isOver);
    const { stats } = await statsOf(whole.smsc);
    expect(stats.mostUnansweredOnLink).toBe(3);
    expect(bindsOf(whole.smsc)).toBe(1);
  });

  test("binds anew once its answers have come where only a bind can say what changed", async () => {
    whole.smsc.change({ responseDelayMs: 1500 });
    const { batch_id } = await toOrange(10);
    await pass(() =>
      whole.admin("operator status").then((s) => JSON.stringify(s).includes('"in_flight":10')),
    );
    await reload(withLinks({ ...link, system_type: "SMPP" }));
    expect((await client.until(batch_id, isOver)).counts).toMatchObject({ delivered: 10 });
    await pass(() => bindsOf(whole.smsc) === 2);
    expect((await whole.admin("operator status")).connections).toMatchObject([{ unanswered: 0 }]);
  });

  test("whose password is refused tries at once with the new one", async () => {
    moov.change({ refuseBinds: 1, refuseBindStatus: 0x0e });
    await reload(withLinks(link, other()));
    await pass(() => moov.events.some(({ kind }) => kind === "bind_refused"));
    const refusedMs = whole.clock.nowMs();
    await reload(withLinks(link, { ...other(), password: "another" }));
    await pass(() => bindsOf(moov) === 1);
    expect(whole.clock.nowMs() - refusedMs).toBeLessThan(1000);
  });

  test("that is up stays up under a new password", async () => {
    await reload(withLinks({ ...link, password: "another" }));
    const { batch_id } = await toOrange();
    await client.until(batch_id, isOver);
    expect(bindsOf(whole.smsc)).toBe(1);
  });
});

async function statsOf(smsc: TestSmsc) {
  await whole.stop();
  await smsc.stop();
  const stopped = smsc.events.find((event) => event.kind === "stopped");
  if (stopped?.kind !== "stopped") throw new Error("it has not stopped");
  return stopped;
}
