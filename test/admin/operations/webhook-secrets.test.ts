import { afterEach, beforeEach, expect, test } from "vitest";
import type { AdminContext } from "../../../src/admin/operations/context.ts";
import {
  WEBHOOK_OPERATIONS,
  WEBHOOK_SECRET_OPERATIONS,
  webhookCreate,
} from "../../../src/admin/operations/webhooks.ts";
import { type AdminFixture, adminFixture, codeOf, granted } from "./fixture.ts";
import { run } from "./run-operation.ts";

let fixture: AdminFixture;
let context: AdminContext;
let account: string;
beforeEach(async () => {
  fixture = adminFixture();
  const { config } = fixture.context;
  const webhooks = { ...config.webhooks, allow_private_targets: true };
  context = { ...fixture.context, config: { ...config, webhooks } };
  account = await fixture.account();
});
afterEach(() => fixture.close());

const wanted = { url: "https://127.0.0.1:9/in?token=hush", description: "Shop", events: null };

test("an endpoint is added with a secret that is told once, and the server hears of it", async () => {
  const { secret, webhook_id } = granted(await webhookCreate(context, account, wanted));
  expect(secret).toMatch(/^whsec_/);
  const shown = granted(await run(WEBHOOK_OPERATIONS["webhook show"], context, { webhook: webhook_id }));
  expect(shown).toMatchObject({ account_id: account, description: "Shop", status: "ENABLED" });
  expect(JSON.stringify(shown)).not.toContain(secret.slice(6, 30));
  expect(fixture.told()).toEqual(["webhooks"]);
  expect(fixture.audited().at(-1)).toBe("awa: webhook create");
  expect(JSON.stringify(context.store.read.all("SELECT * FROM audit_entries"))).not.toMatch(/hush|whsec/);
});

test("a new secret takes the place of the one before, which ends a day later", async () => {
  const first = granted(await webhookCreate(context, account, wanted));
  const second = granted(
    await run(WEBHOOK_SECRET_OPERATIONS["webhook rotate"], context, {
      webhook: first.webhook_id.toLowerCase(),
    }),
  );
  expect(second.secret).not.toBe(first.secret);
  expect(Date.parse(second.previous_secret_expires_at) - fixture.clock.nowMs()).toBe(86_400_000);
  expect(fixture.audited().at(-1)).toBe("awa: webhook rotate");
});

test("what the API would refuse is refused", async () => {
  const create = async (more: Partial<typeof wanted>) =>
    codeOf(await webhookCreate(fixture.context, account, { ...wanted, ...more }));
  expect(await create({})).toBe("INVALID_URL");
  expect(await create({ url: "http://shop.example/in" })).toBe("INVALID_URL");
  expect(await create({ description: "x".repeat(256) })).toBe("INVALID_NAME");
  expect(codeOf(await webhookCreate(context, "nobody", wanted))).toBe("ACCOUNT_NOT_FOUND");
  expect(
    codeOf(
      await run(WEBHOOK_SECRET_OPERATIONS["webhook rotate"], context, {
        webhook: "01K00000000000000000000000",
      }),
    ),
  ).toBe("WEBHOOK_NOT_FOUND");
});
