import { statSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { systemPlatform } from "../../../src/app/platform.ts";
import { type Client, type Stage, stage } from "../../scenarios/stage.ts";

const DAY_MS = 86_400_000;

let freeBytes = 1e12;
let whole: Stage;
let client: Client;
beforeEach(async () => {
  freeBytes = 1e12;
  whole = await stage({ ...systemPlatform, spaceOf: () => ({ freeBytes, totalBytes: 2e12 }) });
  client = await whole.client();
});
afterEach(() => whole.close());

const fileBytes = () => statSync(join(whole.settings.now().storage.directory, "bendre.db")).size;
const send = async (count: number, from: number) => {
  const recipients = Array.from({ length: count }, (_, index) => ({ msisdn: String(from + index) }));
  const { batch_id } = await client.submit({ recipients });
  await client.until(batch_id, ({ status }) => status === "SETTLED");
};
const rowsOf = (view: Record<string, unknown>, table: string) =>
  (view.tables as { name: string; rows: number }[]).find(({ name }) => name === table)?.rows;

test("each table is told with its rows and bytes, the growth a day, and when the disk is full at that rate", async () => {
  await send(300, 70_100_000);
  const before = await whole.admin("storage show");
  expect([rowsOf(before, "messages"), rowsOf(before, "parts"), rowsOf(before, "batches")]).toEqual([
    300, 300, 1,
  ]);
  expect(before).toMatchObject({ bytes_a_day: null, full_at: null, disk_free_bytes: 1e12 });
  await send(3000, 70_200_000);
  await whole.stop();
  whole.clock.setBy(2 * DAY_MS);
  await whole.start();
  freeBytes = 1e9;
  const after = await whole.admin("storage show");
  expect(Number(after.bytes_a_day)).toBeGreaterThan(100_000);
  expect(String(after.full_at) > "2026-03-04").toBe(true);
});

test("what is free is given back while links stay up, and nothing that is asked for meanwhile is lost", async () => {
  await send(6000, 70_100_000);
  await whole.stop();
  whole.clock.setBy(399 * DAY_MS);
  await whole.start();
  whole.clock.setBy(10 * DAY_MS);
  await whole.admin("clock accept");
  const purging = whole.admin("storage purge");
  await whole.clock.advance(10_000);
  expect(await purging).toMatchObject({ messages: 6000 });
  const full = fileBytes();
  const compacting = whole.admin("storage compact");
  const meanwhile = client.submit({ recipients: [{ msisdn: "70999999" }] });
  const view = await compacting;
  expect(Number(view.bytes)).toBeLessThan(Number(view.bytes_before) / 2);
  expect(fileBytes()).toBeLessThan(full / 2);
  const { batch_id } = await meanwhile;
  await client.until(batch_id, ({ status }) => status === "SETTLED");
  expect(await whole.admin("ledger check")).toMatchObject({ batches: 2 });
});

test("a disk without room for it is told, and nothing is done", async () => {
  freeBytes = 100 * 1024 * 1024;
  await expect(whole.admin("storage compact")).rejects.toThrow("NO_ROOM");
});
