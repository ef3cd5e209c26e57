import { afterEach, beforeEach, expect, test } from "vitest";
import { batchText } from "../../../src/admin/operations/revealed-texts.ts";
import { purgeMessages } from "../../../src/domain/messages/purge.ts";
import { plantBatch } from "./batch-fixture.ts";
import { type AdminFixture, adminFixture, codeOf, granted } from "./fixture.ts";

let fixture: AdminFixture;
let account: string;
let batch: string;
beforeEach(async () => {
  fixture = adminFixture();
  account = await fixture.account();
  batch = await plantBatch(fixture, { account, status: "SENDING", messages: ["SENT"] });
});
afterEach(() => fixture.close());

const kept = () =>
  fixture.context.store.read.all<{ subject: string; detail: string }>(
    "SELECT subject, detail FROM audit_entries WHERE action = 'batch text'",
  );
const write = (sql: string) => fixture.context.store.write((tx) => tx.run(sql));

test("the text of a batch is shown as it was submitted to who says why, and the reason is kept without it", async () => {
  await write("UPDATE batches SET body = 'Bonjour {nom}'");
  const shown = granted(await batchText(fixture.context, batch.toLowerCase(), " complaint 12 "));
  expect(shown).toEqual({ batch_id: batch, account_id: account, text: "Bonjour {nom}", fallback: null });
  expect(kept()).toMatchObject([{ subject: batch }]);
  expect(JSON.parse(kept()[0]?.detail ?? "")).toEqual({ account_id: account, reason: "complaint 12" });
});

test("with the text that goes where WhatsApp fails", async () => {
  await write(
    `INSERT INTO batch_fallbacks (batch_id, after_ms, body, charge_on, first_expires_at, validity_ms)
     SELECT id, 60000, 'Par SMS {nom}', 'accepted', 1, 1 FROM batches`,
  );
  const shown = granted(await batchText(fixture.context, batch, "complaint"));
  expect([shown.text, shown.fallback]).toEqual(["Bonjour", "Par SMS {nom}"]);
});

test("whose batch it is needs no reason, and nothing is kept of it", async () => {
  expect(granted(await batchText(fixture.context, batch, null)).text).toBe("Bonjour");
  expect(kept()).toEqual([]);
});

test("once texts were forgotten there is none, and that is what is told", async () => {
  await write("UPDATE messages SET is_final = 1, status = 'DELIVERED'");
  await write("UPDATE batches SET unfinished = 0, ended_at = 1");
  const beforeMs = fixture.clock.nowMs() + 86_400_000;
  const pass = { name: "texts", what: "texts", classes: ["MARKETING"], beforeMs } as const;
  await fixture.context.store.write((tx) => purgeMessages(tx, 1, pass, 100, () => {}));
  expect(granted(await batchText(fixture.context, batch, null))).toMatchObject({
    text: null,
    fallback: null,
  });
});

test("with a blank reason, or of a batch that is not there, nothing is shown or kept", async () => {
  expect(codeOf(await batchText(fixture.context, batch, "  "))).toBe("INVALID_REASON");
  const nobodys = "01K00000000000000000000000";
  expect(codeOf(await batchText(fixture.context, nobodys, "why"))).toBe("BATCH_NOT_FOUND");
  expect(codeOf(await batchText(fixture.context, nobodys, null))).toBe("BATCH_NOT_FOUND");
  expect(kept()).toEqual([]);
});
