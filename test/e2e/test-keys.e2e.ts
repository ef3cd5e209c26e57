import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { HOOK_CERTIFICATE, HOOK_KEY, TEST_AUTHORITY } from "../kit/certificates.ts";
import { type Json, poll } from "./api.ts";
import { type Appliance, appliance, NO_RATE_LIMIT, type Tenant } from "./appliance.ts";

let bendre: Appliance;
let tenant: Tenant;

/** What the endpoint of each side was told. */
const told: Json[] = [];
const receiver = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  tls: { cert: HOOK_CERTIFICATE, key: HOOK_KEY },
  fetch: async (request) => {
    told.push({ ...((await request.json()) as Json), at: new URL(request.url).pathname });
    return new Response(null, { status: 204 });
  },
});
const place = mkdtempSync(join(tmpdir(), "bendre-test-keys-"));

beforeAll(async () => {
  const authority = join(place, "ca.pem");
  writeFileSync(authority, TEST_AUTHORITY);
  const webhooks = `[webhooks]\nallow_private_targets = true\nca_file = "${authority}"`;
  bendre = await appliance({ operators: { orange: [] }, settings: `${NO_RATE_LIMIT}\n${webhooks}` });
  tenant = await bendre.tenant("Essais");
});
afterAll(async () => {
  bendre?.close();
  await receiver.stop(true);
  rmSync(place, { recursive: true, force: true });
});

const batch = (endings: readonly string[], more = {}) => ({
  sender: "TEST",
  body: "Bonjour",
  message_class: "TRANSACTIONAL",
  ...more,
  recipients: endings.map((ending, index) => ({ msisdn: `746${String(index).padStart(3, "0")}${ending}` })),
});

test("a test key sends to nobody, and a kill in the middle changes no outcome", async () => {
  const { apiKey, api } = bendre.key(tenant.accountId, "--scopes", "all", "--mode", "test");
  expect(apiKey).toMatch(/^bdr_test_/);
  const accepted = await api.post("one", batch(["10", "81", "88", "91", "87"]));
  expect([accepted.status, accepted.data.is_sandbox, accepted.data.accepted]).toEqual([202, true, 5]);
  expect(await bendre.end("SIGKILL")).not.toBe(0);
  await bendre.start();
  expect(await api.ended(accepted.data.batch_id)).toMatchObject({
    status: "SETTLED",
    counts: { delivered: 3, failed: 2 },
  });
  expect(bendre.seen("orange").filter(({ kind }) => kind === "submit")).toEqual([]);
  expect((await tenant.api.get(`/batches/${accepted.data.batch_id}`)).status).toBe(404);
  expect((await tenant.api.get("/account/balance")).data).toMatchObject({ balance: 1_000_000 });
});

test("the administration sees tests where it asks for them alone", async () => {
  expect((await bendre.ask("batch list", { ACCOUNT: tenant.accountId })).batches).toEqual([]);
  expect((await bendre.ask("batch list", { ACCOUNT: tenant.accountId, mode: "test" })).batches).toHaveLength(
    1,
  );
  expect((await bendre.ask("message find", { mode: "test", operator: "orange" })).messages).toHaveLength(5);
  expect(await bendre.ask("ledger check", {})).toMatchObject({ accounts: 1, batches: 0 });
});

test("an endpoint of a sandbox is told of tests alone, for real, and a live one of none", async () => {
  const { api } = bendre.key(tenant.accountId, "--scopes", "all", "--mode", "test");
  const endpoint = (path: string) => ({
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ url: `https://localhost:${receiver.port}${path}` }),
  });
  expect((await tenant.api.ask("/webhooks", endpoint("/live"))).status).toBe(201);
  const made = await api.ask("/webhooks", endpoint("/test"));
  expect([made.status, made.data.is_sandbox]).toEqual([201, true]);
  const { data } = await api.post("told", batch(["21", "82"], { body: "Encore" }));
  await api.ended(data.batch_id);
  await poll(
    () => told,
    (events) => events.length >= 3,
  );
  expect(told.map(({ type }) => type).sort()).toEqual([
    "BATCH_SETTLED",
    "MESSAGE_TERMINAL",
    "MESSAGE_TERMINAL",
  ]);
  expect(
    new Set(told.map(({ at, is_sandbox, account_id }) => [at, is_sandbox, account_id].join(" "))),
  ).toEqual(new Set([`/test true ${tenant.accountId}`]));
});
