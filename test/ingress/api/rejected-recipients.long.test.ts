/** Rejected recipients cost nothing: they are kept once, told whole, and bounded by day. */
import { afterEach, describe, expect, test } from "vitest";
import { purge } from "../../../src/admin/operations/purge.ts";
import { ensureSandbox } from "../../../src/admin/operations/sandboxes.ts";
import { LIMITED } from "../../../src/core/metrics-registry.ts";
import { accountById } from "../../../src/domain/accounts/accounts.ts";
import { SCOPES } from "../../../src/domain/accounts/api-keys.ts";
import { validator } from "../../../src/domain/submission/staging.ts";
import { type HttpFixture, httpFixture, submission, submitTo, type Tenant, verdict } from "./fixture.ts";

let fixture: HttpFixture;
let tenant: Tenant;
const open = async (rejections_per_day: number) => {
  fixture = await httpFixture({ policy: { rejections_per_day } });
  tenant = await fixture.tenant();
};
afterEach(() => fixture.close());

/** Recipients that nobody can be sent anything. */
const nobody = (count: number, more: Readonly<Record<string, string>> = {}) =>
  submission({
    recipients: Array.from({ length: count }, (_, nth) => ({ msisdn: `nobody ${nth}`, ...more })),
  });
const kept = () =>
  fixture.store.read.get<{ octets: number }>(
    "SELECT sum(length(response)) AS octets FROM idempotency_records",
  )?.octets ?? 0;

describe("an answer that lists rejected recipients", () => {
  test.each([3, 600, 1200])("of %i is replayed to the byte, and its list is kept once", async (count) => {
    await open(0);
    const request = {
      ...nobody(count, { client_reference: 'Zoé "1"' }),
      client_reference: "été — {x}",
    };
    const first = await submitTo(fixture, tenant, "once", request);
    const text = await first.text();
    expect(JSON.parse(text).data).toMatchObject({ rejected: count, accepted: 0 });
    expect(JSON.parse(text).data.rejections).toHaveLength(count);
    expect(kept()).toBeLessThan(1000);
    const again = await submitTo(fixture, tenant, "once", request);
    expect(again.headers.get("idempotency-replayed")).toBe("true");
    expect(await again.text()).toBe(text);
  });

  test("is the same where nobody was rejected, where some were, and where it was too large to be validated at once", async () => {
    await open(0);
    const some = submission({
      recipients: [{ msisdn: "70123456" }, { msisdn: "1" }, { msisdn: "70123456" }],
    });
    for (const [key, request] of [
      ["none", submission()],
      ["some", some],
      ["large", nobody(10_001)],
    ] as const) {
      const first = await (await submitTo(fixture, tenant, key, request)).text();
      expect(await (await submitTo(fixture, tenant, key, request)).text()).toBe(first);
      if (key === "large") await validator(fixture.intake).next();
      expect(await (await submitTo(fixture, tenant, key, request)).text()).toBe(first);
    }
  });
});

describe("an answer in a sandbox that lists rejected recipients", () => {
  const purged = async () => {
    const { store, clock, newId, intake } = fixture;
    let isOver = false;
    const purging = purge({ store, clock, newId, config: intake.settings.now() }, () => false).finally(() => {
      isOver = true;
    });
    while (!isOver) await clock.advance(20);
    await purging;
  };

  test.each([1, 30, 59, 61, 90])(
    "is never replayed without some of them, %i minutes after they may go",
    async (minutes) => {
      await open(0);
      const live = fixture.store.read.get<{ id: number }>("SELECT id FROM accounts");
      const account = accountById(fixture.store.read, live?.id ?? 0);
      if (!account) throw new Error("the account exists");
      const { store, clock, newId, intake } = fixture;
      const deps = { config: intake.settings.now(), newId };
      const sandbox = await store.write((tx) => ensureSandbox(tx, deps, account, clock.nowMs()));
      const tested = await fixture.key(sandbox, SCOPES);
      const first = await (await submitTo(fixture, tested, "once", nobody(40))).text();
      clock.setBy(7 * 86_400_000 - 60_000);
      await purged();
      expect(await (await submitTo(fixture, tested, "once", nobody(40))).text()).toBe(first);
      clock.setBy((minutes + 1) * 60_000);
      await purged();
      const again = await submitTo(fixture, tested, "once", nobody(40));
      const { data } = (await again.json()) as { readonly data: { readonly rejections: unknown } };
      expect([again.status, data.rejections]).toEqual([202, JSON.parse(first).data.rejections]);
    },
  );
});

describe("rejected recipients of a day", () => {
  const wordOf = async (response: Promise<Response>) => verdict(await response);

  test("above their ceiling end the account's submissions until the next, and nobody else's", async () => {
    await open(5);
    const other = await fixture.tenant();
    // A list is taken whole, whatever it comes to: the ceiling looks at those before it.
    expect((await submitTo(fixture, tenant, "a", nobody(4))).status).toBe(202);
    const full = await submitTo(fixture, tenant, "b", nobody(300));
    expect(await full.json()).toMatchObject({ data: { rejected: 300, accepted: 0 } });
    const refused = await submitTo(fixture, tenant, "c");
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(3600);
    expect(await verdict(refused)).toBe("429 RATE_LIMITED");
    expect(fixture.store.tally.counters(LIMITED).of("rejected recipients").value).toBe(1);
    expect((await submitTo(fixture, other, "c")).status).toBe(202);
    // What was answered is answered again, and a quote keeps nothing.
    expect((await submitTo(fixture, tenant, "a", nobody(4))).status).toBe(202);
    expect(await wordOf(submitTo(fixture, tenant, "a", nobody(5)))).toBe("409 IDEMPOTENCY_KEY_REUSED");
    const quote = await fetch(`${fixture.http.url}/public/v1/batches/quote`, {
      method: "POST",
      headers: { "x-api-key": tenant.apiKey, "content-type": "application/json" },
      body: JSON.stringify(nobody(10)),
    });
    expect(quote.status).toBe(200);
    fixture.clock.setBy(Number(refused.headers.get("retry-after")) * 1000);
    expect((await submitTo(fixture, tenant, "c")).status).toBe(202);
  });

  test("are asked about before anything of a body is read", async () => {
    await open(1);
    await submitTo(fixture, tenant, "a", nobody(1));
    const response = await fetch(`${fixture.http.url}/public/v1/batches`, {
      method: "POST",
      headers: { "x-api-key": tenant.apiKey, "content-type": "application/json", "idempotency-key": "b" },
      body: "no JSON",
    });
    expect(await verdict(response)).toBe("429 RATE_LIMITED");
  });

  test("count after a restart, and those of a large batch once it is validated", async () => {
    await open(10_001);
    await submitTo(fixture, tenant, "large", nobody(10_001));
    expect((await submitTo(fixture, tenant, "b")).status).toBe(202);
    await validator(fixture.intake).next();
    expect(await wordOf(submitTo(fixture, tenant, "c"))).toBe("429 RATE_LIMITED");
    expect(fixture.store.read.all("SELECT rejected FROM rejection_counts")).toEqual([{ rejected: 10_001 }]);
  });
});
