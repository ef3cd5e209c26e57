import { afterEach, beforeEach, expect, test } from "vitest";
import { phrase, said } from "../../../src/i18n/phrase.ts";
import {
  allBackups,
  lastDrill,
  recordBackup,
  recordVerification,
} from "../../../src/ops/backup/backup-records.ts";
import { type AdminFixture, adminFixture } from "../../admin/operations/fixture.ts";

let fixture: AdminFixture;
beforeEach(() => {
  fixture = adminFixture();
});
afterEach(() => fixture.close());

test("why a look at a backup failed is kept as a code; what an earlier version wrote down is shown as it is", async () => {
  const { store } = fixture.context;
  const failure = phrase("backup.faults", { number: 1, first: [phrase("backup.in_the_way")] });
  await store.write((tx) => {
    recordBackup(tx, { file: "/b/1.db", madeAtMs: 1, bytes: 1, schema: 1 });
    recordBackup(tx, { file: "/b/2.db", madeAtMs: 2, bytes: 1, schema: 1 });
    recordVerification(tx, "/b/1.db", { atMs: 3, isDrill: true, failure });
    tx.run("UPDATE backups SET failure = 'page 3 is not readable' WHERE file = '/b/2.db'");
  });
  expect(lastDrill(store.read)?.failure).toEqual(failure);
  expect(allBackups(store.read).map((row) => row.failure)).toEqual([said("page 3 is not readable"), failure]);
  await store.write((tx) => recordVerification(tx, "/b/1.db", { atMs: 4, isDrill: true, failure: null }));
  expect(lastDrill(store.read)?.failure).toBeNull();
});
