/** What somebody begins on the page of backups stands in the audit, whatever comes of it. */
import { join } from "node:path";
import { expect, test } from "vitest";
import { createBackgroundWork } from "../../../src/admin/operations/background-work.ts";
import { backupDirectory, backupName } from "../../../src/ops/backup/backup-file.ts";
import { backupCreate, backupList, startDrill, startVerification } from "../../../src/ops/backup/backups.ts";
import { adminFixture, granted } from "../../admin/operations/fixture.ts";

test("a trial and a check of a backup are written down with who began them and of which file", async () => {
  const fixture = adminFixture();
  const works = createBackgroundWork(fixture.clock);
  const { server } = fixture.context;
  const context = { ...fixture.context, actor: "oumar@example.bf", server: server && { ...server, works } };
  const { config, store } = context;
  const path = join(backupDirectory(config), backupName(fixture.clock.nowMs()));
  granted(await backupCreate(context, path));
  const file = granted(backupList(context)).backups[0]?.file ?? "";
  const over = async () => {
    while (works.standing()?.ended_at === null) await new Promise((seen) => setImmediate(seen));
    return works.standing()?.failure;
  };
  expect(granted(startDrill(context)).subject).toBe(file);
  expect(await over()).toBeNull();
  granted(startVerification(context, file));
  expect(await over()).toBeNull();
  const told = store.read.all<{ actor: string; action: string; subject: string }>(
    "SELECT actor, action, subject FROM audit_entries WHERE action IN ('backup drill', 'backup verify') ORDER BY id",
  );
  expect(told).toEqual([
    { actor: "oumar@example.bf", action: "backup drill", subject: file },
    { actor: "oumar@example.bf", action: "backup verify", subject: file },
  ]);
  await fixture.close();
});
