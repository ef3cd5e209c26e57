import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { KEY_OPERATIONS, keyCreate, keyList } from "../../../src/admin/operations/keys.ts";
import { AUDIT_OPERATIONS, type AuditQuery } from "../../../src/admin/reports/audit.ts";
import { authenticate } from "../../../src/domain/accounts/api-keys.ts";
import { type AdminFixture, adminFixture, codeOf, granted } from "./fixture.ts";
import { run } from "./run-operation.ts";

const ALL: AuditQuery = { actor: null, action: null, account: null, from: null, to: null, limit: 10 };

let fixture: AdminFixture;
let account: string;
beforeEach(async () => {
  fixture = adminFixture();
  account = await fixture.account();
});
afterEach(() => fixture.close());

const create = (expiresAtMs: number | null = null) =>
  keyCreate(fixture.context, account, { name: "shop", scopes: ["ACCOUNT_READ"], expiresAtMs });
const whoIs = (apiKey: string) => authenticate(fixture.context.store.read, apiKey, fixture.clock.nowMs());

describe("keys", () => {
  test("a created key works, and is shown nowhere again", async () => {
    const key = granted(await create());
    expect(whoIs(key.api_key)?.accountUlid).toBe(account);
    const secret = key.api_key.slice(17);
    const shown = JSON.stringify([
      keyList(fixture.context, account),
      await run(AUDIT_OPERATIONS["audit list"], fixture.context, ALL),
    ]);
    expect(shown).toContain(key.key_id);
    expect(shown).not.toContain(secret);
  });

  test("a revoked key stops at once; revoking again is harmless and not audited", async () => {
    const key = granted(await create());
    expect(
      granted(await run(KEY_OPERATIONS["key revoke"], fixture.context, { key: key.key_id })).status,
    ).toBe("REVOKED");
    expect(whoIs(key.api_key)).toBeNull();
    await fixture.clock.advance(1000);
    const again = granted(
      await run(KEY_OPERATIONS["key revoke"], fixture.context, { key: key.key_id.toLowerCase() }),
    );
    expect(again.revoked_at).toBe("2026-03-02T09:00:00.000Z");
    expect(fixture.audited().filter((entry) => entry.includes("revoke"))).toHaveLength(1);
  });

  test("an expired key says so in the list", async () => {
    granted(await create(fixture.clock.nowMs() + 1000));
    await fixture.clock.advance(1000);
    expect(granted(keyList(fixture.context, account)).keys.map((key) => key.status)).toEqual(["EXPIRED"]);
  });

  test("a key that could never be used is refused", async () => {
    expect(codeOf(await create(fixture.clock.nowMs()))).toBe("INVALID_TIME");
    expect(
      codeOf(await keyCreate(fixture.context, account, { name: "x", scopes: [], expiresAtMs: null })),
    ).toBe("INVALID_SCOPE");
    expect(codeOf(await run(KEY_OPERATIONS["key revoke"], fixture.context, { key: "000000000000" }))).toBe(
      "KEY_NOT_FOUND",
    );
  });
});
