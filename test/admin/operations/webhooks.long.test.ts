import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { runCommand } from "../../../src/admin/commands.ts";
import type { AdminContext } from "../../../src/admin/operations/context.ts";
import { WEBHOOK_OPERATIONS, webhookReplay, webhookUpdate } from "../../../src/admin/operations/webhooks.ts";
import { recordEvent } from "../../../src/domain/events/outbox.ts";
import { phrase, said } from "../../../src/i18n/phrase.ts";
import { english } from "../../../src/i18n/text.ts";
import { registration } from "../../../src/webhooks/registration.ts";
import { openSecretSeal } from "../../../src/webhooks/signing.ts";
import { TEST_AUTHORITY } from "../../kit/certificates.ts";
import { type Receiver, startReceiver, status } from "../../webhooks/receiver.ts";
import { type AdminFixture, adminFixture, codeOf, granted } from "./fixture.ts";
import { run } from "./run-operation.ts";

let fixture: AdminFixture;
let context: AdminContext;
let directory: string;
let accountId: string;
const receivers: Receiver[] = [];
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "bendre-ca-"));
  const ca = join(directory, "ca.pem");
  writeFileSync(ca, TEST_AUTHORITY);
  fixture = adminFixture();
  const { config } = fixture.context;
  const webhooks = { ...config.webhooks, allow_private_targets: true, ca_file: ca };
  const file = { pems: new Map([[ca, TEST_AUTHORITY]]), given: new Set<string>() };
  context = { ...fixture.context, config: { ...config, webhooks }, file };
  accountId = await fixture.account();
});
afterEach(async () => {
  for (const receiver of receivers.splice(0)) receiver.close();
  await fixture.close();
  rmSync(directory, { recursive: true });
});

const rowId = () =>
  context.store.read.get<{ id: number }>("SELECT id FROM accounts WHERE ulid = ?", accountId)?.id ?? 0;

async function register(url = "https://hook.example.test/in", events = ["WALLET_LOW"] as const) {
  const { store, clock, chance, newId } = context;
  const deps = { store, clock, chance, newId, allowPrivate: () => true, own: () => new Set<string>() };
  const created = await registration({
    ...deps,
    seal: openSecretSeal(store.directory, chance),
    resolve: () => Promise.resolve([]),
  }).create({ accountId: rowId(), actor: "key X" }, { url, description: "Orders", events });
  if (!created.ok) throw new Error(english(created.refusal.detail));
  return { id: created.value.webhook_id, secret: created.value.secret };
}

const low = (atMs: number) =>
  context.store.write((tx) =>
    recordEvent(tx, { type: "WALLET_LOW", accountId: rowId(), atMs, figures: { spendable: 1 } }),
  );

describe("webhook list and show", () => {
  test("tell how an endpoint is doing and what waits for it, and never a secret", async () => {
    const { id, secret } = await register();
    await low(1);
    await low(2);
    const [listed] = granted(
      await run(WEBHOOK_OPERATIONS["webhook list"], context, { account: accountId }),
    ).webhooks;
    expect(listed).toMatchObject({
      webhook_id: id,
      account_id: accountId,
      status: "ENABLED",
      backlog: {
        waiting: 2,
        retrying: 0,
        is_more: false,
        next_attempt_at: "2026-03-02T09:00:00.000Z",
      },
    });
    const shown = granted(
      await run(WEBHOOK_OPERATIONS["webhook show"], context, { webhook: id.toLowerCase() }),
    );
    expect(shown).toMatchObject({ webhook_id: id, attempts: [] });
    expect(JSON.stringify([listed, shown])).not.toContain(secret.slice(6, 30));
  });

  test("tell when what failed is attempted again", async () => {
    const { id } = await register();
    await context.store.write((tx) =>
      tx.run(
        `INSERT INTO webhook_retries (endpoint_id, event_id, type, body, attempts, due_at)
         SELECT id, 'E', 'WALLET_LOW', '{}', 1, ? FROM webhook_endpoints`,
        fixture.clock.nowMs() + 60_000,
      ),
    );
    expect(granted(await run(WEBHOOK_OPERATIONS["webhook show"], context, { webhook: id })).backlog).toEqual({
      waiting: 0,
      retrying: 1,
      is_more: false,
      next_attempt_at: "2026-03-02T09:01:00.000Z",
    });
  });

  test("tell of a disabled endpoint that nothing comes next", async () => {
    const { id } = await register();
    await low(1);
    granted(
      await run(WEBHOOK_OPERATIONS["webhook disable"], context, { webhook: id, reason: "moving house" }),
    );
    expect(granted(await run(WEBHOOK_OPERATIONS["webhook show"], context, { webhook: id }))).toMatchObject({
      status: "DISABLED_BY_USER",
      disabled_reason: said("moving house"),
      backlog: { waiting: 0, next_attempt_at: null },
    });
  });
});

describe("webhook update", () => {
  test("changes what it names, tells the server and keeps the rest", async () => {
    const { id } = await register();
    const url = "https://other.example.test/in?token=hush";
    const updated = granted(await webhookUpdate(context, id, { url, events: ["BATCH_SETTLED"] }));
    expect(updated).toMatchObject({ url, events: ["BATCH_SETTLED"], description: "Orders" });
    expect(granted(await webhookUpdate(context, id, { description: "" })).description).toBe("");
    expect(fixture.told()).toEqual(["webhooks", "webhooks"]);
    expect(JSON.stringify(context.store.read.all("SELECT * FROM audit_entries"))).not.toContain("hush");
  });

  test("refuses what registering would refuse, and to change nothing", async () => {
    const { id } = await register();
    const { config } = fixture.context;
    const strict = { ...context, config };
    expect(codeOf(await webhookUpdate(strict, id, { url: "https://127.0.0.1/" }))).toBe("INVALID_URL");
    expect(codeOf(await webhookUpdate(strict, id, { url: "http://a.test/" }))).toBe("INVALID_URL");
    expect(codeOf(await webhookUpdate(context, id, { description: "a".repeat(256) }))).toBe("INVALID_NAME");
    expect(codeOf(await webhookUpdate(context, id, {}))).toBe("NOTHING_TO_CHANGE");
    const typed = await runCommand(context, "webhook update", { WEBHOOK: id, events: "BATCH_SETTLED,SENT" });
    expect(codeOf(typed)).toBe("INVALID_EVENT");
  });
});

describe("webhook enable, disable and delete", () => {
  test("do so, with a line in the audit list", async () => {
    const { id } = await register();
    await run(WEBHOOK_OPERATIONS["webhook disable"], context, { webhook: id, reason: "too loud" });
    expect(granted(await run(WEBHOOK_OPERATIONS["webhook enable"], context, { webhook: id })).status).toBe(
      "ENABLED",
    );
    expect(granted(await run(WEBHOOK_OPERATIONS["webhook delete"], context, { webhook: id }))).toEqual({
      webhook_id: id,
      account_id: accountId,
    });
    expect(codeOf(await run(WEBHOOK_OPERATIONS["webhook show"], context, { webhook: id }))).toBe(
      "WEBHOOK_NOT_FOUND",
    );
    expect(context.store.read.all("SELECT * FROM webhook_secrets")).toEqual([]);
    expect(fixture.audited()).toEqual([
      "awa: account create",
      "key X: webhook create",
      "awa: webhook disable",
      "awa: webhook enable",
      "awa: webhook delete",
    ]);
  });
});

describe("webhook test", () => {
  test("sends a signed event and tells what the receiver made of it", async () => {
    const receiver = await startReceiver();
    receivers.push(receiver);
    const { id, secret } = await register(`https://127.0.0.1:${receiver.port}/in`);
    const tried = granted(await run(WEBHOOK_OPERATIONS["webhook test"], context, { webhook: id }));
    expect(tried).toMatchObject({
      webhook_id: id,
      delivered: true,
      outcome: phrase("webhook.delivered"),
      status: 204,
    });
    const { headers, body } = receiver.received[0]!;
    expect(JSON.parse(body)).toMatchObject({
      type: "WEBHOOK_TEST",
      event_id: tried.event_id,
      account_id: accountId,
      data: { webhook_id: id },
    });
    const at = new Date(Number(headers["webhook-timestamp"]) * 1000);
    expect(headers["webhook-signature"]).toBe(new Webhook(secret).sign(tried.event_id, at, body));
    expect(
      granted(await run(WEBHOOK_OPERATIONS["webhook show"], context, { webhook: id })).attempts,
    ).toMatchObject([
      { type: "WEBHOOK_TEST", event_id: tried.event_id, outcome: phrase("webhook.delivered"), status: 204 },
    ]);
  });

  test("of a receiver that refuses counts nothing against the endpoint", async () => {
    const receiver = await startReceiver(() => status(500));
    receivers.push(receiver);
    const { id } = await register(`https://127.0.0.1:${receiver.port}/in`);
    expect(granted(await run(WEBHOOK_OPERATIONS["webhook test"], context, { webhook: id }))).toMatchObject({
      delivered: false,
      outcome: phrase("network.answered", { status: 500 }),
      status: 500,
    });
    expect(granted(await run(WEBHOOK_OPERATIONS["webhook show"], context, { webhook: id }))).toMatchObject({
      consecutive_failures: 0,
      status: "ENABLED",
    });
  });

  test("does not reach a private address without leave to", async () => {
    const receiver = await startReceiver();
    receivers.push(receiver);
    const { id } = await register(`https://127.0.0.1:${receiver.port}/in`);
    const tried = granted(await run(WEBHOOK_OPERATIONS["webhook test"], fixture.context, { webhook: id }));
    expect(english(tried.outcome)).toBe("the address 127.0.0.1 is not allowed: loopback");
    expect(receiver.connections()).toBe(0);
  });
});

describe("webhook replay", () => {
  test("puts back what happened since, as far as the feed reaches", async () => {
    const { id } = await register();
    const nowMs = fixture.clock.nowMs();
    for (const ago of [3000, 2000, 1000]) await low(nowMs - ago);
    await context.store.write((tx) => tx.run("UPDATE webhook_endpoints SET event_cursor = 3"));
    expect(
      granted(await run(WEBHOOK_OPERATIONS["webhook show"], context, { webhook: id })).backlog.waiting,
    ).toBe(0);
    const replayed = granted(await webhookReplay(context, id, nowMs - 2000));
    expect(replayed).toMatchObject({
      webhook_id: id,
      since: "2026-03-02T08:59:58.000Z",
      backlog: { waiting: 2 },
    });
    const all = granted(await webhookReplay(context, id, 0));
    expect(all).toMatchObject({ since: "2026-01-31T09:00:00.000Z", backlog: { waiting: 3 } });
  });

  test("needs an enabled endpoint and a time that has been", async () => {
    const { id } = await register();
    const nowMs = fixture.clock.nowMs();
    expect(codeOf(await webhookReplay(context, id, nowMs + 1))).toBe("INVALID_TIME");
    const typed = await runCommand(context, "webhook replay", { WEBHOOK: id, since: "yesterday" });
    expect(codeOf(typed)).toBe("INVALID_TIME");
    await run(WEBHOOK_OPERATIONS["webhook disable"], context, { webhook: id, reason: "off" });
    expect(codeOf(await webhookReplay(context, id, nowMs))).toBe("WEBHOOK_DISABLED");
  });
});

describe("webhook status", () => {
  test("tells how delivery goes, or that no server runs", async () => {
    expect(granted(await run(WEBHOOK_OPERATIONS["webhook status"], context, {}))).toEqual({
      server: "running",
      endpoints: 1,
      in_flight: 2,
      delivered: 3,
      failed: 1,
      given_up: 0,
      disabled: 0,
      mean_ms: 100,
    });
    expect(
      granted(await run(WEBHOOK_OPERATIONS["webhook status"], { ...context, server: null }, {})).server,
    ).toBe("not running");
  });
});

describe("a webhook that does not exist", () => {
  test("is refused by every command that names one", async () => {
    const args = {
      WEBHOOK: "01KJQX5Y8M3T7V9B2C4D6F8G0H",
      description: "a",
      reason: "a",
      since: "2026-01-01",
    };
    for (const verb of ["show", "update", "enable", "disable", "delete", "test", "replay"]) {
      expect([verb, codeOf(await runCommand(context, `webhook ${verb}`, args))]).toEqual([
        verb,
        "WEBHOOK_NOT_FOUND",
      ]);
    }
    expect(codeOf(await run(WEBHOOK_OPERATIONS["webhook list"], context, { account: "nobody" }))).toBe(
      "ACCOUNT_NOT_FOUND",
    );
  });
});
