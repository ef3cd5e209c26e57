import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { resumeAccount, suspendAccount } from "../../../src/domain/accounts/accounts.ts";
import {
  authenticate,
  createKey,
  formatApiKey,
  keyByKeyId,
  listKeys,
  type NewKey,
  parseApiKey,
  revokeKey,
  SCOPES,
} from "../../../src/domain/accounts/api-keys.ts";
import { seededChance } from "../../kit/test-chance.ts";
import { type AccountsFixture, accountsFixture } from "./fixture.ts";

let fixture: AccountsFixture;
let accountId: number;
const chance = seededChance(42);

beforeEach(async () => {
  fixture = accountsFixture();
  accountId = await fixture.account();
});
afterEach(() => fixture.close());

const create = (changes: Partial<NewKey> = {}) =>
  fixture.store.write((tx) =>
    createKey(
      tx,
      chance,
      { accountId, name: "shop", scopes: SCOPES, expiresAtMs: null, ...changes },
      fixture.clock.nowMs(),
    ),
  );
const whoIs = (key: string) => authenticate(fixture.store.read, key, fixture.clock.nowMs());

describe("authentication", () => {
  test("a key names its account and carries its scopes", async () => {
    const { apiKey, keyId } = await create({ scopes: ["MESSAGES_READ", "ACCOUNT_READ"] });
    const principal = whoIs(apiKey);
    expect(principal?.accountId).toBe(accountId);
    expect(principal?.accountUlid).toHaveLength(26);
    expect(principal?.keyId).toBe(keyId);
    expect([...(principal?.scopes ?? [])]).toEqual(["MESSAGES_READ", "ACCOUNT_READ"]);
  });

  test("two keys with different scopes stay different", async () => {
    const first = await create({ scopes: ["MESSAGES_SEND"] });
    const second = await create({ scopes: ["WEBHOOKS_MANAGE"] });
    expect(whoIs(first.apiKey)?.scopes.has("WEBHOOKS_MANAGE")).toBe(false);
    expect(whoIs(second.apiKey)?.scopes.has("WEBHOOKS_MANAGE")).toBe(true);
  });

  test("malformed, unknown and wrong keys are nobody", async () => {
    const { apiKey } = await create();
    const parts = parseApiKey(apiKey)!;
    const unknown = formatApiKey({ ...parts, keyId: "000000000000" });
    const wrong = formatApiKey({ ...parts, secret: `${parts.secret.slice(0, 42)}0` });
    expect(wrong).not.toBe(apiKey);
    for (const key of ["", "bdr_nonsense", apiKey.slice(0, -1), unknown, wrong])
      expect(whoIs(key)).toBeNull();
  });

  test("the secret of one key does not open another", async () => {
    const first = parseApiKey((await create()).apiKey)!;
    const second = parseApiKey((await create()).apiKey)!;
    expect(whoIs(formatApiKey({ mode: "live", keyId: first.keyId, secret: second.secret }))).toBeNull();
  });

  test("a revoked key is nobody, and revoking it twice says so", async () => {
    const { apiKey, keyId } = await create();
    expect(await fixture.store.write((tx) => revokeKey(tx, keyId, 5))).toBe(true);
    expect(await fixture.store.write((tx) => revokeKey(tx, keyId, 6))).toBe(false);
    expect(whoIs(apiKey)).toBeNull();
    expect(keyByKeyId(fixture.store.read, keyId)?.revokedAtMs).toBe(5);
  });

  test("a key works until the moment it expires", async () => {
    const { apiKey } = await create({ expiresAtMs: fixture.clock.nowMs() + 1000 });
    await fixture.clock.advance(999);
    expect(whoIs(apiKey)).not.toBeNull();
    await fixture.clock.advance(1);
    expect(whoIs(apiKey)).toBeNull();
  });

  test("the keys of a suspended account sleep until it is resumed", async () => {
    const { apiKey } = await create();
    await fixture.store.write((tx) => suspendAccount(tx, accountId, "unpaid"));
    expect(whoIs(apiKey)).toBeNull();
    await fixture.store.write((tx) => resumeAccount(tx, accountId));
    expect(whoIs(apiKey)).not.toBeNull();
  });
});

describe("keys at rest", () => {
  // Keeps: behaviour 2.3
  test("neither the key nor its secret is stored", async () => {
    const { apiKey } = await create();
    const secret = parseApiKey(apiKey)!.secret;
    const row = fixture.store.read.get<Record<string, unknown>>("SELECT * FROM api_keys")!;
    for (const value of Object.values(row)) {
      expect(String(value)).not.toContain(secret);
      if (value instanceof Uint8Array) expect(Buffer.from(value).toString("latin1")).not.toContain(secret);
    }
  });

  test("the list shows the account's own keys only, oldest first", async () => {
    const other = await fixture.account();
    await create({ accountId: other });
    const first = await create({ name: "one" });
    const second = await create({ name: "two" });
    expect(listKeys(fixture.store.read, accountId).map((key) => key.keyId)).toEqual([
      first.keyId,
      second.keyId,
    ]);
  });
});
