import { afterEach, beforeEach, expect, test } from "vitest";
import { listAccountInbound } from "../../../src/admin/reports/inbound.ts";
import { insertInboundText } from "../../../src/domain/inbound/inbound-texts.ts";
import { type AdminFixture, adminFixture, granted } from "../operations/fixture.ts";

let fixture: AdminFixture;
beforeEach(() => {
  fixture = adminFixture();
});
afterEach(() => fixture.close());

test("an account is shown the texts that opted their senders out of it, and no other account by them", async () => {
  const { context, clock } = fixture;
  const shop = await fixture.account();
  const bank = await fixture.account();
  for (const [n, of] of [[shop], [bank], [bank, shop], null, [shop]].entries()) {
    await clock.advance(1000);
    const text = {
      operator: "orange",
      source: `2260511223${n}`,
      destination: "7000",
      msisdn: `+2260511223${n}`,
      dataCoding: 0,
      text: "STOP",
      octets: new Uint8Array([n]),
      parts: 1,
      missing: 0,
      optOut: of && { word: "STOP", of },
    };
    await context.store.write((tx) => insertInboundText(tx, text, clock.nowMs()));
  }
  const page = async (before: number | null) =>
    granted(
      await listAccountInbound(context, shop, { before: before === null ? null : String(before), limit: 2 }),
    );
  const first = await page(null);
  expect(first.texts.map(({ inbound_id, opted_out_of }) => [inbound_id, opted_out_of])).toEqual([
    [5, [shop]],
    [3, [shop]],
  ]);
  const rest = await page(first.next_before);
  expect([rest.texts.map(({ inbound_id }) => inbound_id), rest.next_before]).toEqual([[1], null]);
});
