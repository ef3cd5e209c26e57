import { afterEach, beforeEach, expect, test } from "vitest";
import type { AdminContext } from "../../../src/admin/operations/context.ts";
import { messagesByReference } from "../../../src/admin/reports/message-search.ts";
import { systemPlatform } from "../../../src/app/platform.ts";
import { accountUlid } from "../../../src/domain/accounts/accounts.ts";
import { configOf, document, operator } from "../../config/sample.ts";
import { type Tenants, tenants } from "../../kit/tenants.ts";
import { seededChance } from "../../kit/test-chance.ts";
import { adminConfig, granted } from "../operations/fixture.ts";

let place: Tenants;
beforeEach(() => {
  place = tenants(
    configOf(document({ operators: { orange: operator({ prefixes: ["22670"], price: 15 }) } })),
  );
});
afterEach(() => place.close());

test("messages are found by what their clients called them or their batch, of one account or of all", async () => {
  const shop = await place.account();
  const bank = await place.account();
  const named = (msisdn: string, clientReference: string) => ({ msisdn, attributes: {}, clientReference });
  await place.send(shop, "TRANSACTIONAL", [named("70000001", "order-7"), named("70000002", "order-8")]);
  await place.send(bank, "TRANSACTIONAL", [named("70000003", "order-7")]);
  await place.send(bank, "TRANSACTIONAL", ["70000004", "70000005"], { clientReference: "order-7" });
  const { store, clock, newId } = place;
  const context: AdminContext = {
    store,
    clock,
    newId,
    config: adminConfig(store.directory),
    chance: seededChance(3),
    actor: "awa",
    server: null,
    machine: systemPlatform,
  };
  const numbers = async (reference: string, account: string | null, limit = 50) => {
    const { messages, is_more } = granted(await messagesByReference(context, reference, account, limit));
    return [messages.map(({ msisdn }) => msisdn).sort(), is_more];
  };
  const ofBank = ["+22670000003", "+22670000004", "+22670000005"];
  expect(await numbers("order-7", null)).toEqual([["+22670000001", ...ofBank], false]);
  expect(await numbers("order-7", accountUlid(store.read, bank))).toEqual([ofBank, false]);
  expect(await numbers("order-9", null)).toEqual([[], false]);
  expect((await numbers("order-7", null, 2))[1]).toBe(true);
});
