import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { settingsHolder } from "../../src/config/live-config.ts";
import type { Tx } from "../../src/db/writer.ts";
import { type Delivery, startDelivery } from "../../src/dispatch/delivery.ts";
import { applyFacts } from "../../src/domain/messages/apply-facts.ts";
import { requestCancellation } from "../../src/domain/messages/cancellation.ts";
import { configOf, document, operator } from "../config/sample.ts";
import { type SecondChannel, secondChannel } from "../kit/second-channel.ts";
import { type Tenants, tenants } from "../kit/tenants.ts";
import { testLog } from "../kit/test-log.ts";

const config = configOf(
  document({
    operators: {
      orange: operator({ prefixes: ["22670"], price: 15 }),
      moov: operator({ prefixes: ["22671"], price: 20 }),
    },
  }),
);

let base: Tenants;
let channels: { readonly one: SecondChannel; readonly other: SecondChannel };
let delivery: Delivery;
/** What happens between the commit of a batch and its way to the lines. */
let meanwhile: ((batchId: number) => Promise<void>) | null;
beforeEach(() => {
  meanwhile = null;
  base = tenants(config, (batchId, filled) => {
    if (meanwhile) void meanwhile(batchId).then(() => delivery.offer(batchId, filled));
    else delivery.offer(batchId, filled);
  });
  const deps = { settings: settingsHolder(config), store: base.store, clock: base.clock, log: testLog() };
  const one = secondChannel({ ...deps, operators: ["orange"] });
  const other = secondChannel({ ...deps, operators: ["moov"] });
  channels = { one, other };
  delivery = startDelivery({
    ...deps,
    openWorkers: [one.open, other.open],
    recoverClaim: one.recoverClaim,
    mayClaim: () => true,
  });
});
afterEach(async () => {
  await delivery.stop(0);
  await base.close();
});

const statuses = (batchId: number) => base.messagesOf(batchId).map(({ status }) => status);

describe("a channel that is no SMS", () => {
  test("has its operators' messages sent, delivered and paid, beside another channel's", async () => {
    const batchId = await base.send(await base.account(), "OTP", ["70000001", "71000001"]);
    await base.clock.advance(100);
    const [first, second] = base.messagesOf(batchId);
    expect(channels.one.sent).toEqual([{ id: `second-${first!.id}`, operator: "orange", text: "Bonjour" }]);
    expect(channels.other.sent.map((sent) => sent.operator)).toEqual(["moov"]);
    expect(statuses(batchId)).toEqual(["SENT", "SENT"]);
    await channels.one.delivered(first!.id);
    await channels.other.delivered(second!.id);
    expect(statuses(batchId)).toEqual(["DELIVERED", "DELIVERED"]);
    expect(base.batch(batchId)).toMatchObject({ status: "SETTLED", delivered: 2, charged_amount: 35 });
  });

  test.each([
    [
      "called off",
      "QUEUED",
      (tx: Tx, batchId: number) => void requestCancellation(tx, batchId, "CANCELLED", null, 1),
    ],
    [
      "suspended with its account",
      "QUEUED",
      (tx: Tx) => void tx.run("UPDATE accounts SET status = 'SUSPENDED', suspended_reason = 'unpaid'"),
    ],
    [
      "opted out of",
      "CANCELLED",
      (tx: Tx) =>
        void tx.run(
          `INSERT INTO suppressions (account_id, msisdn, message_class, source, created_at)
           SELECT account_id, msisdn, 'OTP', 'KEYWORD', 1 FROM messages`,
        ),
    ],
  ] as const)("sends nothing that was %s between its commit and its hand-over", async (_, status, change) => {
    meanwhile = (batchId) => base.store.write((tx) => change(tx, batchId));
    const batchId = await base.send(await base.account(), "OTP", ["70000001"]);
    await base.clock.advance(100);
    expect(channels.one.sent).toEqual([]);
    expect(statuses(batchId)).toEqual([status]);
  });

  test("tells how its connections are, and has nothing claimed once all is halted", async () => {
    const links = (state: string) => [{ state, lastError: null, downSinceMs: null }];
    expect(delivery.status()).toEqual([
      { operator: "orange", connections: links("BOUND") },
      { operator: "moov", connections: links("BOUND") },
    ]);
    delivery.halt();
    expect(delivery.status()[0]?.connections).toEqual(links("STOPPED"));
    const batchId = await base.send(await base.account(), "OTP", ["70000001"]);
    await base.clock.advance(60_000);
    expect(statuses(batchId)).toEqual(["QUEUED"]);
  });

  test("says how a claimed message goes on that nobody holds", async () => {
    delivery.halt();
    const batchId = await base.send(await base.account(), "OTP", ["70000001"]);
    const id = base.messagesOf(batchId)[0]!.id;
    await base.store.write((tx) => applyFacts(tx, [{ kind: "claimed", messageId: id }], base.clock.nowMs()));
    await base.clock.advance(60_000);
    expect(channels.one.unheld).toEqual([id]);
    // It never sends twice, whatever the class.
    expect(base.messagesOf(batchId)).toMatchObject([{ status: "SUBMITTED", resends: 0 }]);
    expect(base.messagesOf(batchId)[0]?.unanswered_until).not.toBeNull();
  });
});
