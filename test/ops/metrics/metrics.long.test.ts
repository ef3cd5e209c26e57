import { createServer } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { METRICS } from "../../../src/ops/metrics/catalogue.ts";
import { configOf, connection, document, operator } from "../../config/sample.ts";
import { bindOf, smppClient, submitOf } from "../../ingress/smpp/rig.ts";
import { readExposition } from "../../kit/prometheus.ts";
import { type Stage, stage } from "../../scenarios/stage.ts";

let appliance: Stage;
beforeEach(async () => {
  appliance = await stage(undefined, { metrics: { listen: "127.0.0.1:0" } });
});
afterEach(() => appliance.close());

/** Where the appliance says that it answers. */
const address = (): string => {
  const line = appliance.log().findLast(({ message }) => message === "metrics");
  return String(line?.url);
};
const scrape = async () => readExposition(await (await fetch(address())).text());
type Scrape = Awaited<ReturnType<typeof scrape>>;
/** The first answer of which it holds; some figures are counted a few seconds apart. */
const scrapeOnce = async (isIt: (told: Scrape) => boolean): Promise<Scrape> => {
  for (let tries = 0; tries < 200; tries++) {
    const told = await scrape();
    if (isIt(told)) return told;
    await appliance.clock.advance(500);
  }
  throw new Error("it was not told");
};
const OF_ORANGE = 'operator="orange",class="OTP",status=';
const otp = (count: number) => ({
  message_class: "OTP",
  recipients: [...Array.from({ length: count }, (_, n) => ({ msisdn: `7012345${n}` })), { msisdn: "nobody" }],
});

describe("GET /metrics", () => {
  test("keeps to the format and the conventions, tells every metric by its labels and no other", async () => {
    const client = await appliance.client();
    const { batch_id } = await client.submit(otp(2));
    await client.until(batch_id, ({ status }) => status === "SETTLED");
    const { faults, types, series } = await scrape();
    expect(faults).toEqual([]);
    const all = Object.values(METRICS);
    const { numberUp, numberRate, numberUsers, postsOpen, posts, routeAble, routeSegments, reroutes } =
      METRICS;
    const ofNumbers = [numberUp, numberRate, numberUsers, postsOpen, posts];
    const ofRoutes = [routeAble, routeSegments, reroutes];
    const { smppSessions, smppSubmits, smppReceiptsWaiting, smppReceipts } = METRICS;
    const ofSmppUsers = [smppSessions, smppSubmits, smppReceiptsWaiting, smppReceipts];
    const absent = [
      METRICS.ledgerDifferences,
      METRICS.backupAge,
      METRICS.oldest,
      ...ofNumbers,
      ...ofRoutes,
      ...ofSmppUsers,
    ].map(({ name }) => name);
    expect([...types.keys()].sort()).toEqual(
      all
        .map(({ name }) => name)
        .filter((name) => !absent.includes(name))
        .sort(),
    );
    for (const { name, kind, labels } of all) {
      const expected = kind === "histogram" ? [...labels, "le"] : labels;
      const told = series.find((one) => one.name === (kind === "histogram" ? `${name}_bucket` : name));
      if (told)
        expect([...told.labels.matchAll(/(\w+)="/g)].map(([, label]) => label)).toEqual([...expected]);
    }
  });

  test("is answered to no page of elsewhere whose name leads to this machine", async () => {
    const ask = async (host: string) => (await fetch(address(), { headers: { host } })).status;
    const { port } = new URL(address());
    expect(await ask("rebound.example")).toBe(421);
    expect([await ask(`localhost:${port}`), await ask("127.0.0.1"), await ask(`[::1]:${port}`)]).toEqual([
      200, 200, 200,
    ]);
    const { server } = appliance.settings.now();
    appliance.settings.replace({
      ...appliance.settings.now(),
      server: { ...server, public_url: "https://sms.example.bf" },
    });
    expect([await ask("sms.example.bf"), await ask("other.example.bf")]).toEqual([200, 421]);
  });

  test("counts what left a route for another, by why", async () => {
    const client = await appliance.client();
    const routes = { direct: { order: 1, reroute_on: ["0x45"] }, agg: { order: 2 } };
    const connections = Object.keys(routes).map((route) => connection({ route }));
    const made = configOf(document({ operators: { orange: operator({ routes, connections }) } })).operators
      .orange!;
    const config = appliance.settings.now();
    const orange = config.operators.orange!;
    const links = Object.keys(routes).map((route) => ({ ...orange.connections[0]!, route }));
    appliance.settings.replace({
      ...config,
      operators: { orange: { ...orange, routes: made.routes, connections: links } },
    });
    const of = (route: string, why: string) => `operator="orange",route="${route}",why="${why}"`;
    appliance.smsc.change({ refusePercent: 100, refuseStatus: 0x45 });
    const { batch_id } = await client.submit(otp(2));
    await client.until(batch_id, ({ status }) => status === "SETTLED");
    const { value } = await scrape();
    expect(value("bendre_reroutes_total", of("direct", "refused"))).toBe(2);
    expect(value("bendre_reroutes_total", of("direct", "later"))).toBe(0);
    expect(value("bendre_reroutes_total", of("agg", "refused"))).toBe(0);
  });

  test("tells of each number of WhatsApp whether it sends, how fast, and what became of its posts", async () => {
    const main = { phone_number_id: "1", waba_id: "2", token: "t", price: { TRANSACTIONAL: 5 } };
    const table = { app_secret: "S", verify_token: "V", api: "http://127.0.0.1:9", numbers: { main } };
    const { whatsapp } = configOf(document({ whatsapp: table }));
    appliance.settings.replace({ ...appliance.settings.now(), whatsapp });
    const { value } = await scrape();
    const of = 'operator="whatsapp:main"';
    expect(value("bendre_whatsapp_number_up", of)).toBe(1);
    expect(value("bendre_whatsapp_number_rate", of)).toBe(80);
    expect(value("bendre_whatsapp_users_of_day", of)).toBe(0);
    expect(value("bendre_whatsapp_posts_open", of)).toBe(0);
    expect(value("bendre_whatsapp_posts_total", `${of},result="refused"`)).toBe(0);
    expect(value("bendre_messages_total", `${of},class="OTP",status="DELIVERED"`)).toBe(0);
    await appliance.admin("operator pause", { CODE: "whatsapp:main", reason: "works" });
    expect((await scrape()).value("bendre_whatsapp_number_up", of)).toBe(0);
  });

  test("tells of each SMPP user its sessions, what its submits were answered and its receipts, and of refused binds why", async () => {
    const { smpp_server } = appliance.settings.now();
    const open = { ...smpp_server, listen: "127.0.0.1:0" };
    appliance.settings.replace({ ...appliance.settings.now(), smpp_server: open });
    const told = appliance.log().findLast(({ message }) => message === "SMPP clients are answered");
    const { accountId } = await appliance.client();
    const given = { ACCOUNT: accountId, "system-id": "faso", tls: "optional", networks: "127.0.0.1" };
    const { password } = await appliance.admin("smpp create", { ...given, window: "1", sender: "ACME" });
    const before = await scrape();
    expect(before.value("bendre_smpp_user_sessions", 'user="faso"')).toBe(0);
    expect(before.value("bendre_smpp_user_receipts_waiting", 'user="faso"')).toBe(0);
    expect(before.value("bendre_smpp_binds_refused_total", 'reason="UNKNOWN_SYSTEM_ID"')).toBe(0);

    const stranger = await smppClient(Number(told?.port), appliance);
    await stranger.ask(bindOf("transceiver", "wrong", "nobody"), 100);
    const client = await smppClient(Number(told?.port), appliance);
    await client.ask(bindOf("transceiver", String(password), "faso"));
    client.answerWith(0x14);
    const [first, second] = [client.send(submitOf({ registeredDelivery: 1 })), client.send(submitOf())];
    expect((await client.responseTo(first)).status).toBe(0);
    expect((await client.responseTo(second)).status).toBe(0x14);
    expect((await client.submit({ dataCoding: 4 })).status).toBe(0x45);
    await client.until(() => client.delivered().length === 1, 100);
    // What is counted in the database is kept for two seconds; the receipt is tried again after five.
    await appliance.clock.advance(2_500);
    const waits = await scrape();
    expect(waits.value("bendre_smpp_user_sessions", 'user="faso"')).toBe(1);
    expect(waits.value("bendre_smpp_user_receipts_waiting", 'user="faso"')).toBe(1);
    client.answerWith(0);
    await client.until(() => client.delivered().length === 2, 500);
    const { value } = await scrapeOnce(
      ({ value }) => value("bendre_smpp_user_receipts_waiting", 'user="faso"') === 0,
    );
    const submits = (result: string) =>
      value("bendre_smpp_user_submits_total", `user="faso",result="${result}"`);
    expect(["accepted", "refused", "throttled", "busy", "error"].map(submits)).toEqual([1, 1, 0, 1, 0]);
    const receipts = (result: string) =>
      value("bendre_smpp_user_receipts_total", `user="faso",result="${result}"`);
    expect(["delivered", "repeated", "given_up"].map(receipts)).toEqual([1, 1, 0]);
    const refused = (reason: string) => value("bendre_smpp_binds_refused_total", `reason="${reason}"`);
    expect(["UNKNOWN_SYSTEM_ID", "WRONG_PASSWORD"].map(refused)).toEqual([1, 0]);

    client.close();
    await client.until(client.isClosed);
    const left = ({ value }: Scrape) => value("bendre_smpp_user_sessions", 'user="faso"') === 0;
    await scrapeOnce(left);
    await appliance.admin("smpp revoke", { ID: "faso" });
    const isGone = ({ value }: Scrape) => value("bendre_smpp_user_sessions", 'user="faso"') === undefined;
    await scrapeOnce(isGone);
  });

  test("counts each time that a message reaches a status, what was dropped, and how long answers and receipts took", async () => {
    const client = await appliance.client();
    const before = await scrape();
    for (const status of ["QUEUED", "DELIVERED", "CANCELLED"])
      expect(before.value("bendre_messages_total", `${OF_ORANGE}"${status}"`)).toBe(0);
    const { batch_id } = await client.submit(otp(3));
    await client.until(batch_id, ({ status }) => status === "SETTLED");
    const after = await scrape();
    for (const status of ["QUEUED", "SUBMITTED", "SENT", "DELIVERED"])
      expect([status, after.value("bendre_messages_total", `${OF_ORANGE}"${status}"`)]).toEqual([status, 3]);
    expect(after.value("bendre_messages_total", `${OF_ORANGE}"FAILED"`)).toBe(0);
    expect(after.value("bendre_rejections_total", 'reason="INVALID_MSISDN"')).toBe(1);
    expect(after.value("bendre_submit_seconds_count", 'operator="orange"')).toBe(3);
    expect(after.value("bendre_receipt_seconds_count", 'operator="orange"')).toBe(3);
    expect(after.value("bendre_link_up", 'operator="orange",connection="1"')).toBe(1);
    const accepted = 'operator="orange",connection="1",result="accepted"';
    expect(after.value("bendre_submits_total", accepted)).toBe(3);
    const submitted = 'method="POST",route="/public/v1/batches",status="202"';
    expect(after.value("bendre_http_requests_total", submitted)).toBe(1);
    expect(after.value("bendre_commit_seconds_count")).toBeGreaterThan(3);
  });

  test("counts a large batch once it is open, and nothing of one that is refused", async () => {
    const recipients = Array.from({ length: 600 }, (_, n) => ({ msisdn: String(70_200_000 + (n % 590)) }));
    const poor = await appliance.client({ funds: 100 });
    await expect(poor.submit({ recipients })).rejects.toThrow();
    const queued = 'operator="orange",class="TRANSACTIONAL",status="QUEUED"';
    expect((await scrape()).value("bendre_messages_total", queued)).toBe(0);
    const rich = await appliance.client();
    await rich.submit({ recipients });
    const told = await scrape();
    expect(told.value("bendre_messages_total", queued)).toBe(590);
    expect(told.value("bendre_rejections_total", 'reason="DUPLICATE_IN_BATCH"')).toBe(10);
  });

  test("tells what waits and for how long, while the operator is away, and no age where nothing waits", async () => {
    const client = await appliance.client();
    const queue = 'operator="orange",class="OTP"';
    expect((await scrape()).value("bendre_queue_messages", queue)).toBe(0);
    expect((await scrape()).value("bendre_queue_oldest_seconds", queue)).toBeUndefined();
    await appliance.smsc.stop();
    await appliance.clock.advance(5000);
    await client.submit(otp(2));
    await appliance.clock.advance(5000);
    const told = await scrape();
    expect(told.value("bendre_link_up", 'operator="orange",connection="1"')).toBe(0);
    expect(told.value("bendre_queue_messages", queue)).toBe(2);
    expect(told.value("bendre_queue_oldest_seconds", queue)).toBe(5);
  });

  test("tells how old the newest backup is, once there is one", async () => {
    expect((await scrape()).value("bendre_backup_age_seconds")).toBeUndefined();
    await appliance.admin("backup create");
    await appliance.clock.advance(60_000);
    expect((await scrape()).value("bendre_backup_age_seconds")).toBeCloseTo(60, 0);
  });

  test("tells what the last check of the books found, once there was one that came to an end", async () => {
    expect((await scrape()).value("bendre_ledger_differences")).toBeUndefined();
    await appliance.admin("ledger check");
    expect((await scrape()).value("bendre_ledger_differences")).toBe(0);
  });

  test("names the pattern of a route, and nothing that a caller makes up", async () => {
    for (const path of ["/public/v1/batches/none", "/made/up", "/public/v1/made-up"])
      await appliance.page(path);
    await fetch(`${appliance.url()}/made-up`, { method: "PURGE" });
    const { series } = await scrape();
    const routes = series
      .filter(({ name }) => name === "bendre_http_requests_total")
      .map(({ labels, value }) => `${labels} ${value}`);
    expect(routes.sort()).toEqual([
      'method="GET",route="unmatched",status="401" 2',
      'method="GET",route="unmatched",status="404" 1',
      'method="OTHER",route="unmatched",status="404" 1',
    ]);
  });

  test("is answered on its own address and nowhere else, and nothing else is answered there", async () => {
    expect((await appliance.page("/metrics")).status).toBe(404);
    expect((await fetch(address().replace("/metrics", "/health"))).status).toBe(404);
    expect((await fetch(address(), { method: "POST", body: "x" })).status).not.toBe(200);
    const head = await fetch(address(), { method: "HEAD" });
    expect([head.status, head.headers.get("content-type")]).toEqual([
      200,
      "text/plain; version=0.0.4; charset=utf-8",
    ]);
  });
});

test("an address that is taken keeps nobody from sending, and is taken up once it is free", async () => {
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  const { port } = other.address() as { port: number };
  const second = await stage(undefined, { metrics: { listen: `127.0.0.1:${port}` } });
  try {
    await second.clock.advance(90_000);
    const told = second.log().filter(({ message }) => message === "the metrics cannot be answered");
    expect(told).toHaveLength(1);
    expect((await second.page("/health/ready")).status).toBe(200);
    await new Promise<void>((resolve) => other.close(() => resolve()));
    await second.clock.advance(30_000);
    expect((await fetch(`http://127.0.0.1:${port}/metrics`)).status).toBe(200);
  } finally {
    await second.close();
  }
});
