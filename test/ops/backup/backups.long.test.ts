import {
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { walletTopUp } from "../../../src/admin/operations/wallets.ts";
import type { Config } from "../../../src/config/config.ts";
import { openCopy } from "../../../src/db/copy.ts";
import { StoreError } from "../../../src/db/errors.ts";
import { openStore } from "../../../src/db/store.ts";
import { phrase } from "../../../src/i18n/phrase.ts";
import { english } from "../../../src/i18n/text.ts";
import {
  type BackupContext,
  backupCreate,
  backupDrill,
  backupList,
  backupVerify,
} from "../../../src/ops/backup/backups.ts";
import { registration } from "../../../src/webhooks/registration.ts";
import { KEY_FILE, openSecretSeal } from "../../../src/webhooks/signing.ts";
import { type AdminFixture, adminFixture, codeOf, granted } from "../../admin/operations/fixture.ts";

let fixture: AdminFixture;
let accountId: string;
beforeEach(async () => {
  fixture = adminFixture();
  accountId = await fixture.account();
  granted(await walletTopUp(fixture.context, accountId, 1000, "r1"));
});
afterEach(() => fixture.close());

const directory = () => fixture.context.store.directory;
const contextWith = (backup: Partial<Config["backup"]> = {}): BackupContext => {
  const { config } = fixture.context;
  return { ...fixture.context, config: { ...config, backup: { ...config.backup, ...backup } } };
};
/** An endpoint, so that there is a key and something that is sealed with it. */
const endpoint = () => {
  const { store, clock, chance, newId } = fixture.context;
  const account = store.read.get<{ id: number }>("SELECT id FROM accounts WHERE ulid = ?", accountId);
  const seal = openSecretSeal(directory(), chance);
  const { create } = registration({
    store,
    clock,
    chance,
    newId,
    seal,
    allowPrivate: () => true,
    own: () => new Set<string>(),
    resolve: () => Promise.resolve([]),
  });
  return create(
    { accountId: account?.id ?? 0, actor: "test" },
    { url: "https://hook.example.test/in", description: "", events: [] },
  );
};

describe("a backup", () => {
  test("is a whole copy, its owner's alone, while others write", async () => {
    const { store } = fixture.context;
    const made = backupCreate(contextWith(), null);
    const written = Promise.all(
      Array.from({ length: 20 }, (_, n) => walletTopUp(fixture.context, accountId, 1, `during-${n}`)),
    );
    const view = granted(await made);
    await written;
    expect(view.file).toBe(join(directory(), "backups", "bendre-20260302T090000Z.db"));
    expect(statSync(view.file).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(view.file)).mode & 0o777).toBe(0o700);
    expect(view).toMatchObject({
      made_at: "2026-03-02T09:00:00.000Z",
      keys: "none",
      verified_at: null,
      warnings: [],
    });
    expect(view.bytes).toBe(statSync(view.file).size);
    const copy = openCopy(view.file);
    if ("why" in copy) throw new Error(copy.why.code);
    expect(copy.read.get("SELECT name FROM accounts")).toEqual(store.read.get("SELECT name FROM accounts"));
    copy.close();
    expect(readdirSync(dirname(view.file))).toEqual(["bendre-20260302T090000Z.db"]);
    expect(fixture.audited()).toContain("awa: backup create");
  });

  test("never overwrites a file", async () => {
    const file = join(directory(), "mine.db");
    writeFileSync(file, "mine");
    expect(codeOf(await backupCreate(contextWith(), file))).toBe("FILE_UNWRITABLE");
    expect(await Bun.file(file).text()).toBe("mine");
    expect(readdirSync(directory()).filter((name) => name.includes("draft"))).toEqual([]);
  });

  test("is refused where the disk would have less left than its reserve", async () => {
    const context = contextWith();
    const machine = { ...context.machine, spaceOf: () => ({ freeBytes: 256 * 1024 * 1024 }) };
    expect(codeOf(await backupCreate({ ...context, machine }, null))).toBe("DISK_RESERVE");
    expect(existsSync(join(directory(), "backups"))).toBe(false);
  });

  test("that cannot be written leaves nothing behind", async () => {
    const context = contextWith({ directory: join(directory(), "bendre.db", "below-a-file") });
    expect(codeOf(await backupCreate(context, null))).toBe("BACKUP_FAILED");
  });

  test("is no database to run on: put in its place by hand it is refused, since what waits in it may have left", async () => {
    const elsewhere = join(directory(), "elsewhere");
    mkdirSync(elsewhere);
    granted(await backupCreate(contextWith(), join(elsewhere, "bendre.db")));
    expect(() => openStore(elsewhere, fixture.clock)).toThrow(StoreError);
    expect(() => openStore(elsewhere, fixture.clock)).toThrow("backup restore");
  });
});

describe("the keys of a backup", () => {
  test("are left out without a passphrase, and that is said", async () => {
    await endpoint();
    const view = granted(await backupCreate(contextWith(), null));
    expect(view.keys).toBe("left out");
    expect(view.warnings).toEqual([phrase("backup.keys.left_out")]);
    expect(granted(await backupVerify(contextWith(), view.file)).keys).toBe("left out");
  });

  test("are sealed with the passphrase: they open with that one and no other, and never lie there in the clear", async () => {
    await endpoint();
    const context = contextWith({ passphrase: "correct horse" });
    const view = granted(await backupCreate(context, null));
    expect(view).toMatchObject({ keys: "sealed", warnings: [] });
    const key = await Bun.file(join(directory(), KEY_FILE)).bytes();
    const octets = Buffer.from(await Bun.file(view.file).bytes());
    expect([octets.includes(key), octets.includes(Buffer.from(key).toString("base64"))]).toEqual([
      false,
      false,
    ]);
    granted(await backupVerify(context, view.file));
    const wrong = await backupVerify(contextWith({ passphrase: "wrong" }), view.file);
    expect(codeOf(wrong)).toBe("BACKUP_UNSOUND");
    expect(codeOf(await backupVerify(contextWith(), view.file))).toBe("BACKUP_UNSOUND");
  });

  test("that are another directory's do not pass: the signing secrets must open with them", async () => {
    await endpoint();
    writeFileSync(join(directory(), KEY_FILE), new Uint8Array(32));
    const context = contextWith({ passphrase: "correct horse" });
    const { file } = granted(await backupCreate(context, null));
    const looked = await backupVerify(context, file);
    expect(codeOf(looked)).toBe("BACKUP_UNSOUND");
    expect(looked.ok ? "" : english(looked.refusal.detail)).toContain("signing secrets of 1 endpoint");
  });
});

describe("a look at a backup", () => {
  test("proves pages, books and keys, and is remembered", async () => {
    const { file } = granted(await backupCreate(contextWith(), null));
    await fixture.clock.advance(60_000);
    const view = granted(await backupVerify(contextWith(), file));
    expect(view.verified_at).toBe("2026-03-02T09:01:00.000Z");
    expect(granted(backupList(contextWith())).backups).toEqual([view]);
  });

  test("finds a page that was altered", async () => {
    const { file } = granted(await backupCreate(contextWith(), null));
    const { size } = statSync(file);
    const opened = openSync(file, "r+");
    for (let at = 3 * 4096; at < size; at += 4096) writeSync(opened, Buffer.alloc(64, 0xab), 0, 64, at);
    expect(codeOf(await backupVerify(contextWith(), file))).toBe("BACKUP_UNSOUND");
  });

  test("as a drill tries the newest, also one so damaged that it does not tell what it is, unless it is gone", async () => {
    granted(await backupCreate(contextWith(), null));
    await fixture.clock.advance(60_000);
    const { file } = granted(await backupCreate(contextWith(), null));
    const opened = openSync(file, "r+");
    writeSync(opened, Buffer.alloc(4096, 0xab), 0, 4096, 0);
    expect(codeOf(await backupDrill(contextWith()))).toBe("BACKUP_UNSOUND");
    rmSync(file);
    granted(await backupDrill(contextWith()));
  });

  test("finds books that do not agree", async () => {
    await fixture.context.store.write((tx) => tx.run("UPDATE wallets SET funds = funds + 1"));
    const { file } = granted(await backupCreate(contextWith(), null));
    const looked = await backupVerify(contextWith(), file);
    expect(looked.ok ? "" : english(looked.refusal.detail)).toContain("funds is 1001 XOF");
  });

  test("as a drill says that there is no room for it, and nothing of the backup", async () => {
    granted(await backupCreate(contextWith(), null));
    const context = contextWith();
    const machine = { ...context.machine, spaceOf: () => ({ freeBytes: 1, totalBytes: 2 }) };
    const drilled = await backupDrill({ ...context, machine });
    expect(codeOf(drilled)).toBe("DISK_RESERVE");
    expect(drilled.ok ? "" : english(drilled.refusal.detail)).not.toContain("sound");
  });

  test("refuses what is no backup", async () => {
    const refused = async (file: string) => {
      const looked = await backupVerify(contextWith(), file);
      return looked.ok ? "" : english(looked.refusal.detail);
    };
    expect(await refused(join(directory(), "none.db"))).toContain("no such file");
    expect(await refused(join(directory(), "bendre.db"))).toContain("not a backup");
  });

  test("as a drill restores the newest into a scratch directory, and leaves nothing of it", async () => {
    expect(codeOf(await backupDrill(contextWith()))).toBe("BACKUP_NOT_FOUND");
    granted(await backupCreate(contextWith(), null));
    await fixture.clock.advance(60_000);
    const newest = granted(await backupCreate(contextWith(), null));
    const drilled = granted(await backupDrill(contextWith()));
    expect(drilled.file).toBe(newest.file);
    expect(readdirSync(dirname(newest.file))).toHaveLength(2);
    const row = fixture.context.store.read.get(
      "SELECT drilled_at, failure FROM backups WHERE file = ?",
      newest.file,
    );
    expect(row).toEqual({ drilled_at: fixture.clock.nowMs(), failure: null });
  });
});
