/** A second SMS by another route when nothing was heard of the first, over sockets: two simulated operators. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { countSubmits, type TwoRoutes, twoRoutes } from "./two-routes.ts";

let two: TwoRoutes;
let whole: TwoRoutes["whole"];
let direct: TwoRoutes["direct"];
let agg: TwoRoutes["agg"];
let client: TwoRoutes["client"];
beforeEach(async () => {
  two = await twoRoutes();
  ({ whole, direct, agg, client } = two);
});
afterEach(() => two.close());

const withRoutes: TwoRoutes["withRoutes"] = (...of) => two.withRoutes(...of);
const take: TwoRoutes["take"] = (config) => two.take(config);
const pass: TwoRoutes["pass"] = (isWanted) => two.pass(isWanted);
let next = 70_400_000;
const send = (message_class: string, count = 1, body = "Text") =>
  client.submit({
    message_class,
    body,
    recipients: Array.from({ length: count }, () => ({ msisdn: String(next++) })),
  });
const isOver = ({ status }: { readonly status: string }) => status === "SETTLED";
type RouteRow = { readonly route: string; readonly is_able: boolean; readonly why: string | null };
const routes = async () => (await whole.admin("operator status")).routes as readonly RouteRow[];

describe("a second SMS", () => {
  const silent = { order: 1, second_after_seconds: 60, accept_doubles: true, cost: "9" };
  const take2 = async (ofAgg: Readonly<Record<string, unknown>> = { order: 2, cost: "11.5" }) => {
    await take(withRoutes(silent, ofAgg));
    direct.change({ lostReceiptPercent: 100 });
  };
  const messageOf = async (batchId: string) => (await client.messages(batchId))[0]!;

  test("leaves by the next route once nothing was heard for so long: delivered, charged once, and costs twice", async () => {
    await take2();
    const before = await client.balance();
    const { batch_id } = await send("OTP");
    await pass(() => countSubmits(direct) === 1);
    await whole.clock.advance(59_000);
    expect(countSubmits(agg)).toBe(0);
    const sent = await messageOf(batch_id);
    expect(sent.status).toBe("SENT");
    await pass(() => countSubmits(agg) === 1);
    expect((await client.until(batch_id, isOver)).counts).toMatchObject({ delivered: 1 });
    expect(await messageOf(batch_id)).toMatchObject({ status: "DELIVERED", amount: 15 });
    expect((await client.balance()).balance).toBe(before.balance - 15);
    await whole.clock.advance(600_000);
    expect([countSubmits(direct), countSubmits(agg)]).toEqual([1, 1]);
    const margin = (await whole.admin("report margin", { by: "route" })) as {
      rows: { key: string; cost: string }[];
    };
    expect(margin.rows.map(({ key, cost }) => [key, cost])).toEqual([
      ["orange/agg", "11.500"],
      ["orange/direct", "9.000"],
    ]);
  });

  test("is told to administrators alone, and moves nothing that its client sees", async () => {
    await take2();
    agg.change({ receiptDelayMs: 120_000 });
    const { batch_id } = await send("OTP");
    await pass(() => countSubmits(direct) === 1);
    await whole.clock.advance(1000);
    const before = JSON.stringify([await client.batch(batch_id), await messageOf(batch_id)]);
    await pass(() => countSubmits(agg) === 1);
    await whole.clock.advance(1000);
    expect(JSON.stringify([await client.batch(batch_id), await messageOf(batch_id)])).toBe(before);
    const { message_id } = await messageOf(batch_id);
    const trace = await whole.admin("message trace", { MESSAGE: String(message_id) });
    const events = trace.events as readonly {
      event: { code: string };
      detail: { code: string };
      route: string;
    }[];
    expect(events.map(({ detail }) => detail.code)).toContain("message.detail.rerouted.silent");
    expect(
      events.filter(({ event }) => event.code === "message.event.submit_sm").map(({ route }) => route),
    ).toEqual(["direct", "agg"]);
    expect((await whole.admin("operator unanswered")).sent_twice).toMatchObject([
      { message_id, status: "SENT" },
    ]);
  });

  test("that is refused changes nothing", async () => {
    await take2();
    agg.change({ refusePercent: 100, refuseStatus: 0x45 });
    const { batch_id } = await send("OTP");
    await pass(() => countSubmits(agg) === 1);
    await whole.clock.advance(120_000);
    expect(await messageOf(batch_id)).toMatchObject({
      status: "SENT",
      is_final: false,
      amount: 15,
      error: null,
    });
    expect([countSubmits(direct), countSubmits(agg)]).toEqual([1, 1]);
  });

  test("that is not answered may be delivered: its receipt decides, charged once, and costs twice", async () => {
    await take2();
    agg.change({ swallowEvery: 1, receiptDelayMs: 1000, idFormat: "uuid" });
    const { batch_id } = await send("OTP");
    await pass(() => countSubmits(agg) === 1);
    expect((await client.until(batch_id, isOver)).counts).toMatchObject({ delivered: 1 });
    expect(await messageOf(batch_id)).toMatchObject({ status: "DELIVERED", amount: 15 });
    await whole.clock.advance(200_000);
    expect([countSubmits(direct), countSubmits(agg)]).toEqual([1, 1]);
    const { rows } = await whole.admin("report margin", { by: "route" });
    expect(rows).toMatchObject([
      { key: "orange/agg", segments: 1, cost: "11.500" },
      { key: "orange/direct", segments: 1, cost: "9.000" },
    ]);
  });

  test("is for OTP alone, and not for what a receipt came of", async () => {
    await take2();
    await send("TRANSACTIONAL");
    direct.change({ lostReceiptPercent: 0, receiptDelayMs: 30_000 });
    await send("OTP");
    await whole.clock.advance(200_000);
    expect([countSubmits(direct), countSubmits(agg)]).toEqual([2, 0]);
  });

  test("waits while no other route is able, and leaves no more once its validity is over", async () => {
    await take2();
    agg.change({ refuseBinds: 1000 });
    agg.dropLinks();
    await send("OTP");
    await whole.clock.advance(120_000);
    agg.change({ refuseBinds: 0 });
    await pass(() => countSubmits(agg) === 1);
    await pass(async () => (await routes())[1]?.is_able);
    agg.change({ refuseBinds: 1000 });
    agg.dropLinks();
    await send("OTP");
    await whole.clock.advance(620_000);
    agg.change({ refuseBinds: 0 });
    await pass(async () => (await routes())[1]?.is_able);
    await whole.clock.advance(60_000);
    expect(countSubmits(agg)).toBe(1);
  });

  test("waits over a restart, and one that was begun is never begun again", async () => {
    await take2();
    await send("OTP");
    await pass(() => countSubmits(direct) === 1);
    await whole.clock.advance(1000);
    await whole.stop();
    await whole.start();
    agg.change({ responseDelayMs: 600_000 });
    await pass(() => countSubmits(agg) === 1);
    await whole.stop();
    await whole.start();
    await whole.clock.advance(300_000);
    expect([countSubmits(direct), countSubmits(agg)]).toEqual([1, 1]);
  });

  test("is not asked of a route that refused the message before", async () => {
    const refusing = { order: 1, reroute_on: ["0x45"] };
    await take(withRoutes(refusing, { ...silent, order: 2 }));
    direct.change({ refusePercent: 100, refuseStatus: 0x45 });
    agg.change({ lostReceiptPercent: 100 });
    const { batch_id } = await send("OTP");
    await pass(async () => (await messageOf(batch_id)).status === "SENT");
    direct.change({ refusePercent: 0 });
    await whole.clock.advance(200_000);
    expect([countSubmits(direct), countSubmits(agg)]).toEqual([1, 1]);
  });

  test("waits for no other that no route may carry", async () => {
    await take2();
    const other = await whole.client();
    const sender = { ACCOUNT: other.accountId, NAME: "ACME" };
    await whole.admin("sender unregister", { ...sender, operator: "orange" });
    await whole.admin("sender register", { ...sender, operator: "orange/direct" });
    const recipients = Array.from({ length: 120 }, () => ({ msisdn: String(next++) }));
    await other.submit({ message_class: "OTP", body: "Text", recipients });
    await pass(() => countSubmits(direct) === 120);
    await send("OTP");
    await pass(() => countSubmits(agg) === 1);
    expect(countSubmits(direct)).toBe(121);
  });

  test("leaves by a route that its sender is registered for", async () => {
    await take2();
    const sender = { ACCOUNT: client.accountId, NAME: "ACME" };
    await whole.admin("sender unregister", { ...sender, operator: "orange" });
    await whole.admin("sender register", { ...sender, operator: "orange/direct" });
    await send("OTP");
    await pass(() => countSubmits(direct) === 1);
    await whole.clock.advance(90_000);
    expect(countSubmits(agg)).toBe(0);
    await whole.admin("sender register", { ...sender, operator: "orange/agg" });
    await pass(() => countSubmits(agg) === 1);
  });

  test("costs once where its receipt comes before its response, and an earlier submit was not answered", async () => {
    await take(withRoutes(silent, { order: 2, cost: "11.5" }, { response_timeout_seconds: 5 }));
    direct.change({ lostReceiptPercent: 100, swallowEvery: 1 });
    await whole.admin("operator pause", { CODE: "orange/agg", reason: "tariff" });
    const { batch_id } = await send("OTP");
    await pass(() => countSubmits(direct) === 1);
    direct.change({ swallowEvery: 0 });
    await pass(() => countSubmits(direct) === 2);
    agg.change({ receiptBeforeResponse: true });
    await whole.admin("operator resume", { CODE: "orange" });
    await pass(() => countSubmits(agg) === 1);
    expect((await client.until(batch_id, isOver)).counts).toMatchObject({ delivered: 1 });
    await whole.clock.advance(5000);
    const { rows } = (await whole.admin("report margin", { by: "route" })) as {
      rows: readonly { key: string; segments: number }[];
    };
    expect(rows.map(({ key, segments }) => [key, segments])).toEqual([
      ["orange/agg", 1],
      ["orange/direct", 1],
    ]);
  });

  test("of two segments is delivered where receipts come before responses, and a segment of the first was not answered", async () => {
    await take(withRoutes(silent, { order: 2, cost: "11.5" }, { response_timeout_seconds: 5 }));
    direct.change({ lostReceiptPercent: 100, swallowEvery: 2 });
    agg.change({ receiptBeforeResponse: true, idFormat: "uuid" });
    const { batch_id } = await send("OTP", 1, "Votre colis est pret. ".repeat(9));
    await pass(() => countSubmits(direct) === 3);
    expect((await client.until(batch_id, isOver)).counts).toMatchObject({ delivered: 1 });
    expect([countSubmits(direct), countSubmits(agg)]).toEqual([3, 2]);
  });

  test("is not sent once its batch was called off", async () => {
    await take2();
    const { batch_id } = await send("OTP");
    await pass(() => countSubmits(direct) === 1);
    await whole.clock.advance(1000);
    await whole.admin("batch cancel", { BATCH: batch_id, reason: "wrong list" });
    await whole.clock.advance(120_000);
    expect(countSubmits(agg)).toBe(0);
  });
});
