/** What is posted to endpoints is what the part `webhooks` of the OpenAPI document says. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { changeAccount } from "../../../src/domain/accounts/accounts.ts";
import { EVENT_TYPES } from "../../../src/domain/events/outbox.ts";
import { adjust } from "../../../src/domain/ledger/funding.ts";
import { reviewLevel } from "../../../src/domain/ledger/wallet.ts";
import { WEBHOOKS } from "../../../src/ingress/api/openapi/event-schemas.ts";
import { type Rig, webhookRig } from "../../webhooks/rig.ts";
import { faults, schemas } from "./published-schemas.ts";

let rig: Rig;
beforeEach(async () => {
  rig = await webhookRig();
});
afterEach(() => rig.close());

test("an event of a message, of a batch and of a wallet is as its schema says", async () => {
  await rig.endpoint("a", EVENT_TYPES);
  rig.start();
  const [first, second] = (await rig.batch(2)) as [number, number];
  await rig.books.store.write((tx) => {
    tx.run(
      "INSERT INTO rejections VALUES (?, 2, NULL, 'SUPPRESSED', NULL)",
      rig.books.messageRow(first).batch_id,
    );
  });
  await rig.deliver(first, second);
  await rig.books.store.write((tx) => {
    const accountId = rig.account.id;
    changeAccount(tx, accountId, { lowBalance: 1_000_000_000 });
    reviewLevel(tx, accountId, rig.nowMs());
    adjust(tx, { accountId, amount: -1, reason: "x", id: "1", atMs: rig.nowMs() });
  });
  await rig.pass(1);
  const told = rig.posts.map(({ body }) => JSON.parse(body) as { readonly type: string });
  const of = (type: string) => told.filter((event) => event.type === type);
  expect(of("MESSAGE_TERMINAL")).toHaveLength(2);
  expect(of("BATCH_SETTLED")).toHaveLength(1);
  expect(of("WALLET_LOW")).toHaveLength(1);
  for (const event of of("MESSAGE_TERMINAL")) expect(faults(schemas.MessageTold, event)).toEqual([]);
  for (const event of of("BATCH_SETTLED")) expect(faults(schemas.BatchTold, event)).toEqual([]);
  for (const event of of("WALLET_LOW")) expect(faults(schemas.WalletTold, event)).toEqual([]);
  expect(faults(schemas.BatchTold, of("WALLET_LOW")[0])).not.toEqual([]);
});

test("every type of event stands in one of them", () => {
  const types = [schemas.MessageTold, schemas.BatchTold, schemas.WalletTold, schemas.TestTold].flatMap(
    ({ properties }) => (properties.type as { readonly enum?: readonly string[] }).enum ?? [],
  );
  expect(types.toSorted()).toEqual([...EVENT_TYPES, "WEBHOOK_TEST"].toSorted());
  expect(Object.keys(WEBHOOKS)).toHaveLength(4);
});
