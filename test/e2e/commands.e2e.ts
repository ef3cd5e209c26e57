import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Json } from "./api.ts";
import { type Appliance, appliance, NO_RATE_LIMIT, type Tenant } from "./appliance.ts";
import { run } from "./executable.ts";

let bendre: Appliance;
let posts = 0;

beforeAll(async () => {
  // Quiet hours never, so that marketing may be sent whenever the tests run.
  const settings = `${NO_RATE_LIMIT}\n[policy]\nmarketing_hours = "00:00-24:00"`;
  bendre = await appliance({ operators: { orange: "away", moov: "away" }, settings });
});
afterAll(() => bendre?.close());

const send = (tenant: Tenant, recipients: readonly string[], rest: Json = {}) =>
  tenant.api.post(`commands-${posts}`, {
    sender: "ACME",
    body: `Commande ${posts++}`,
    message_class: "TRANSACTIONAL",
    recipients: recipients.map((msisdn) => ({ msisdn })),
    ...rest,
  });

const reasons = ({ data }: { data: Json }) => (data.rejections as Json[]).map((one) => one.reason_code);

/** Has commands obeyed by the server as it runs, or while there is none; afterwards the server runs. */
async function obeyed<T>(server: "running" | "stopped", commands: () => T): Promise<T> {
  if (server === "stopped") expect(await bendre.end("SIGTERM")).toBe(0);
  const answers = commands();
  if (server === "stopped") await bendre.start();
  return answers;
}

describe.each([["running"], ["stopped"]] as const)("commands to a server that is %s", (server) => {
  let tenant: Tenant;
  let accountId = "";
  beforeAll(async () => {
    tenant = await bendre.tenant(`Cliente ${server}`);
    accountId = tenant.accountId;
  });

  test("account set: ceilings, classes and the other rules are there at the next request", async () => {
    const account = await obeyed(server, () =>
      bendre.admin(
        ...["account", "set", accountId, "--recipients-per-day", "2", "--classes", "TRANSACTIONAL,OTP"],
        ...["--timezone", "Europe/Paris", "--marketing-hours", "09:00-18:00", "--marketing-per-day", "1"],
        ...["--marketing-per-week", "3", "--charge-on", "delivered", "--low-balance", "500"],
      ),
    );
    expect(account).toMatchObject({
      account_id: accountId,
      recipients_per_day: 2,
      classes: ["OTP", "TRANSACTIONAL"],
      timezone: "Europe/Paris",
      marketing_hours: "09:00-18:00",
      marketing_per_day: 1,
      marketing_per_week: 3,
      charge_on: "delivered",
      low_balance: 500,
    });
    const limited = await send(tenant, ["74800001", "74800002", "74800003"]);
    expect([limited.data.accepted, reasons(limited)]).toEqual([2, ["RATE_LIMIT_PER_DAY"]]);
    const marketing = await send(tenant, ["74800004"], { message_class: "MARKETING" });
    expect(marketing.body).toMatchObject({ status: 422, code: "VALIDATION_FAILED" });
    await obeyed(server, () =>
      bendre.admin(
        ...["account", "set", accountId, "--recipients-per-day", "default", "--classes", "all"],
        ...["--marketing-hours", "default"],
      ),
    );
    const open = await send(tenant, ["74800005", "74800006", "74800007"], { message_class: "MARKETING" });
    expect(open.data.accepted).toBe(3);
  });

  test("account suspend and resume: no key opens anything in between, and the waiting is told", async () => {
    const suspended = await obeyed(server, () =>
      bendre.admin("account", "suspend", accountId, "--reason", "impayé"),
    );
    expect(suspended).toMatchObject({ status: "SUSPENDED", suspended_reason: "impayé" });
    expect((await send(tenant, ["74800010"])).status).toBe(401);
    const resumed = await obeyed(server, () => bendre.admin("account", "resume", accountId));
    expect(resumed).toMatchObject({ status: "ACTIVE", suspended_reason: null });
    expect((await send(tenant, ["74800010"])).status).toBe(202);
  });

  // Keeps: public-api 2.1.9, 2.3.7
  test("suppression add, import, list and remove: per class, for one account or for everybody", async () => {
    const file = bendre.file(`${server}.csv`, "msisdn,class\n+22674800021,all\n74800022,MARKETING\n");
    const [added, imported, everywhere] = await obeyed(server, () => [
      bendre.admin("suppression", "add", accountId, "74800020", "--class", "MARKETING"),
      bendre.admin("suppression", "import", accountId, file),
      bendre.admin("suppression", "add", "--everywhere", "74800023", "--class", "TRANSACTIONAL"),
    ]);
    expect(added).toEqual({
      account_id: accountId,
      msisdn: "+22674800020",
      message_classes: ["MARKETING"],
    });
    expect(imported).toMatchObject({ numbers: 2, added: 2, already_listed: 0, skipped: 0 });
    expect(everywhere).toMatchObject({ account_id: null, message_classes: ["TRANSACTIONAL"] });

    const numbers = ["74800020", "74800021", "74800022", "74800023", "74800024"];
    const rejected = async (message_class: string) =>
      ((await send(tenant, numbers, { message_class })).data.rejections as Json[]).map(
        ({ index, reason_code }) => [index, reason_code],
      );
    const suppressed = (...places: number[]) => places.map((place) => [place, "SUPPRESSED"]);
    expect(await rejected("MARKETING")).toEqual(suppressed(0, 1, 2));
    expect(await rejected("TRANSACTIONAL")).toEqual(suppressed(1, 3));
    expect(await rejected("OTP")).toEqual(suppressed(1));

    const [list, removed] = await obeyed(server, () => [
      bendre.admin("suppression", "list", accountId),
      bendre.admin("suppression", "remove", accountId, "+22674800021", "--class", "TRANSACTIONAL"),
      bendre.admin("suppression", "remove", "--everywhere", "74800023", "--class", "all"),
    ]);
    const listed = (list!.suppressions as Json[]).map(({ msisdn, message_class }) => [msisdn, message_class]);
    expect(listed).toEqual([
      ["+22674800020", "MARKETING"],
      ["+22674800021", "MARKETING"],
      ["+22674800021", "OTP"],
      ["+22674800021", "TRANSACTIONAL"],
      ["+22674800022", "MARKETING"],
    ]);
    expect(removed?.message_classes).toEqual(expect.arrayContaining(["MARKETING", "OTP"]));
    expect(await rejected("TRANSACTIONAL")).toEqual([]);
    expect(await rejected("OTP")).toEqual(suppressed(1));
  });

  test("price set and list: the account's price goes before the operator's, from the next batch on", async () => {
    const before = await send(tenant, ["74800030"]);
    expect(before.data.reserved_amount).toBe(15);
    const price = await obeyed(server, () => {
      bendre.admin("price", "set", accountId, "--operator", "orange", "--amount", "9");
      return bendre.admin(
        ...["price", "set", accountId, "--operator", "orange", "--amount", "20", "--class", "OTP"],
      );
    });
    expect(price).toMatchObject({ operator: "orange", message_class: "OTP", amount: 20, source: "account" });
    expect((await send(tenant, ["74800031", "70800031"])).data.reserved_amount).toBe(9 + 12);
    expect((await send(tenant, ["74800032"], { message_class: "OTP" })).data.reserved_amount).toBe(20);
    const prices = bendre.admin("price", "list", accountId).prices as Json[];
    expect(prices.map(({ operator, message_class, amount }) => [operator, message_class, amount])).toEqual(
      expect.arrayContaining([
        ["orange", null, 9],
        ["orange", "OTP", 20],
        ["orange", null, 15],
        ["moov", null, 12],
      ]),
    );
    expect((await tenant.api.get(`/batches/${String(before.data.batch_id)}`)).data.reserved_amount).toBe(15);
  });

  test("batch list, show and cancel: what waits is called off and its money given back", async () => {
    const { data } = await send(tenant, ["74800040", "74800041", "12"]);
    const id = String(data.batch_id);
    const { data: before } = await tenant.api.get("/account/balance");
    const [list, shown, cancelled] = await obeyed(server, () => [
      bendre.admin("batch", "list", accountId, "--limit", "1"),
      bendre.admin("batch", "show", id),
      bendre.admin("batch", "cancel", id, "--reason", "erreur de liste"),
    ]);
    expect(list).toMatchObject({ batches: [{ batch_id: id, status: "QUEUED" }], next_before: id });
    expect(shown).toMatchObject({
      account_id: accountId,
      status: "QUEUED",
      accepted: 2,
      rejected: 1,
      rejections_by_reason: { INVALID_MSISDN: 1 },
      cancellation: null,
    });
    const reason = { code: "CANCELLED", reason: "erreur de liste" };
    expect(cancelled).toMatchObject({ status: "CANCELLED", cancellation: reason, charged_amount: 0 });
    const { data: after } = await tenant.api.get("/account/balance");
    expect(Number(after.spendable) - Number(before.spendable)).toBe(Number(data.reserved_amount));
    expect((await tenant.api.get(`/batches/${id}`)).data).toMatchObject({ status: "CANCELLED" });
    expect(bendre.refused("batch", "show", "01KJQX5Y8M3T7V9B2C4D6F8G0H")).toMatchObject({
      code: "BATCH_NOT_FOUND",
    });
  });

  // Keeps: public-api 2.6.3, 2.6.4
  test("sender unregister and reject: not sendable, and then not approved", async () => {
    const sender = async () => ((await tenant.api.get("/sender-ids")).data.sender_ids as Json[])[0];
    const unregistered = await obeyed(server, () => {
      bendre.admin("sender", "unregister", accountId, "ACME", "--operator", "moov");
      return bendre.admin("sender", "unregister", accountId, "ACME", "--operator", "orange");
    });
    expect(unregistered).toMatchObject({ sender: "ACME", status: "APPROVED", is_sendable: false });
    expect(await sender()).toMatchObject({ status: "APPROVED", is_sendable: false, operators: [] });
    const rejected = await obeyed(server, () =>
      bendre.admin("sender", "reject", accountId, "ACME", "--reason", "marque déposée"),
    );
    expect(rejected).toMatchObject({ status: "REJECTED", rejection_reason: "marque déposée" });
    expect(await sender()).toMatchObject({ status: "REJECTED", rejection_reason: "marque déposée" });
    expect((await send(tenant, ["74800050"])).body).toMatchObject({ code: "SENDER_NOT_APPROVED" });
  });

  test("a file is sent once, however often that is said", async () => {
    const owner = await bendre.tenant(`Fichier ${server}`);
    const path = join(dirname(bendre.config), "clients.csv");
    const rows = Array.from({ length: 300 }, (_, n) => `7480${String(1000 + n)};Client ${n}`);
    writeFileSync(path, ["Téléphone;nom", ...rows].join("\r\n"));
    const words = [
      "--recipients",
      path,
      "--sender",
      "ACME",
      "--class",
      "TRANSACTIONAL",
      "--body",
      "Bonjour {nom}",
    ];
    const sent = () => bendre.admin("batch", "send", owner.accountId, ...words) as Json;
    const [first, second] = await obeyed(server, () => [sent(), sent()] as const);
    expect(first).toMatchObject({ accepted: 300, is_replayed: false });
    expect(second).toEqual({ ...first, is_replayed: true });
    const { data } = (await owner.api.get(`/batches/${String(first.batch_id)}`)).body as { data: Json };
    expect(data).toMatchObject({ status: "QUEUED", accepted: 300 });
  });

  test("are all in the audit list, and the ledger agrees", async () => {
    const [audit] = await obeyed(server, () => [
      bendre.admin("audit", "list"),
      bendre.admin("ledger", "check"),
    ]);
    const actions = new Set((audit!.entries as Json[]).map(({ action }) => action));
    for (const action of [
      ...["account set", "account suspend", "account resume", "suppression add", "suppression import"],
      ...["suppression remove", "price set", "batch cancel", "sender unregister", "sender reject"],
    ]) {
      expect(actions).toContain(action);
    }
  });
});

describe("a command line", () => {
  test("answers with one JSON document and exit 0, an error of words and exit 1, or its usage and exit 2", () => {
    const config = ["--config", bendre.config];
    const good = run("account", "list", "--json", ...config);
    expect([good.exitCode, Object.keys(JSON.parse(good.stdout) as Json)]).toEqual([0, ["data"]]);
    const refused = run("account", "show", "NOBODY", "--json", ...config);
    expect([refused.exitCode, JSON.parse(refused.stdout)]).toEqual([
      1,
      {
        error: {
          code: "ACCOUNT_NOT_FOUND",
          detail: expect.stringContaining("NOBODY"),
          params: { account: "NOBODY" },
        },
      },
    ]);
    for (const words of [
      ["price", "set"],
      ["batch", "cancel", "X"],
      ["account", "set", "X", "--nothing"],
    ]) {
      const wrong = run(...words, "--json", ...config);
      expect([words, wrong.exitCode, wrong.stdout]).toEqual([words, 2, ""]);
      expect(wrong.stderr).toContain("usage: bendre");
    }
  });
});
