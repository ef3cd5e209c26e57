import { afterEach, beforeEach, expect, test } from "vitest";
import { keyCreate, keyList } from "../../../src/admin/operations/keys.ts";
import { keyUses } from "../../../src/domain/accounts/api-keys.ts";
import { type AdminFixture, adminFixture, granted } from "../../admin/operations/fixture.ts";

let fixture: AdminFixture;
beforeEach(() => {
  fixture = adminFixture();
});
afterEach(() => fixture.close());

async function key(account: string, name: string) {
  const { context } = fixture;
  const wanted = { name, scopes: ["MESSAGES_READ"], expiresAtMs: null } as const;
  const { key_id } = granted(await keyCreate(context, account, wanted));
  const row = context.store.read.get<{ id: number }>("SELECT id FROM api_keys WHERE key_id = ?", key_id);
  return row!.id;
}

test("the last use of each key is written down once it is kept, and shown with the key", async () => {
  const account = await fixture.account();
  const used = await key(account, "used");
  await key(account, "never used");
  const { context, clock } = fixture;
  const uses = keyUses();
  uses.note(used, clock.nowMs() - 5000);
  uses.note(used, clock.nowMs());
  const running = granted(keyList({ ...context, keyUses: uses }, account)).keys;
  expect(running[0]?.last_used_at).toBe(new Date(clock.nowMs()).toISOString());
  await uses.store(context.store);
  const shown = granted(keyList(context, account)).keys.map(({ name, last_used_at }) => [name, last_used_at]);
  expect(shown).toEqual([
    ["used", new Date(clock.nowMs()).toISOString()],
    ["never used", null],
  ]);
});

test("nothing is written where no key was used, and of many keys a step at a time", async () => {
  const sizes: number[] = [];
  const store = {
    write: async (work: (tx: { run: () => number }) => unknown) => {
      let rows = 0;
      work({ run: () => ++rows });
      sizes.push(rows);
    },
  } as unknown as Parameters<ReturnType<typeof keyUses>["store"]>[0];
  const uses = keyUses();
  await uses.store(store);
  expect(sizes).toEqual([]);
  for (let id = 1; id <= 300; id++) uses.note(id, id);
  await uses.store(store);
  expect(sizes).toEqual([250, 50]);
});
