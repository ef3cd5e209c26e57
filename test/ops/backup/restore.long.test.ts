import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { dataErase } from "../../../src/admin/operations/erasure/number-data.ts";
import { suppressionAdd } from "../../../src/admin/operations/suppressions.ts";
import { walletTopUp } from "../../../src/admin/operations/wallets.ts";
import { createClaimRecovery } from "../../../src/app/channels.ts";
import { systemPlatform } from "../../../src/app/platform.ts";
import type { Config } from "../../../src/config/config.ts";
import {
  commitRestore,
  finishRestore,
  isData,
  lockDirectory,
  REPLACES_FILE,
  RESTORING,
} from "../../../src/db/data-directory.ts";
import { inspectDatabase } from "../../../src/db/inspect.ts";
import { openReadOnly } from "../../../src/db/read-only.ts";
import { openStore } from "../../../src/db/store.ts";
import { isSuppressed } from "../../../src/domain/accounts/suppressions.ts";
import { phrase } from "../../../src/i18n/phrase.ts";
import { backupCreate } from "../../../src/ops/backup/backups.ts";
import { backupRestore, type RestoreRequest } from "../../../src/ops/backup/restore.ts";
import {
  type AdminFixture,
  adminConfig,
  adminFixture,
  codeOf,
  granted,
} from "../../admin/operations/fixture.ts";

let fixture: AdminFixture;
let root: string;
let file: string;
beforeEach(async () => {
  fixture = adminFixture();
  root = mkdtempSync(join(tmpdir(), "bendre-restore-"));
  granted(await walletTopUp(fixture.context, await fixture.account(), 1000, "r1"));
  writeFileSync(join(fixture.context.store.directory, "webhook-secrets.key"), "k".repeat(32));
  file = join(root, "copy.db");
  granted(await backupCreate(contextWith("passphrase"), file));
});
afterEach(async () => {
  await fixture.close();
  rmSync(root, { recursive: true });
});

const contextWith = (passphrase: string) => {
  const { config } = fixture.context;
  return { ...fixture.context, config: { ...config, backup: { ...config.backup, passphrase } } };
};
const target = () => join(root, "data");
const restore = (
  asked: Partial<RestoreRequest> = {},
  backup: Partial<Config["backup"]> = {},
  freeBytes = 1e12,
) => {
  const config = adminConfig(target());
  const withBackup = { ...config, backup: { ...config.backup, passphrase: "passphrase", ...backup } };
  return backupRestore(
    {
      config: withBackup,
      clock: fixture.clock,
      actor: "awa",
      machine: { ...systemPlatform, spaceOf: () => ({ freeBytes }) },
      recoverClaim: createClaimRecovery({ now: () => withBackup }),
    },
    { file, replace: false, keys: null, ...asked },
  );
};
/** Every file below the root with what stands in it, but for locks and the copy. */
const everything = () =>
  Object.fromEntries(
    (
      readdirSync(root, { recursive: true, withFileTypes: true }) as {
        isFile(): boolean;
        parentPath: string;
        name: string;
      }[]
    )
      .filter((entry) => entry.isFile() && !/lock|-shm|-wal|copy\.db/.test(entry.name))
      .map(({ parentPath, name }) => [
        join(parentPath, name),
        readFileSync(join(parentPath, name)).toString("base64"),
      ]),
  );
const accountsIn = async (directory: string) => {
  const store = openStore(directory, fixture.clock);
  const names = store.read.all<{ name: string }>("SELECT name FROM accounts");
  await store.close();
  return names.length;
};

/** A directory with data of its own. */
async function oldData(): Promise<void> {
  const store = openStore(target(), fixture.clock);
  await store.close();
  cpSync(join(fixture.context.store.directory, "webhook-secrets.key"), join(target(), "old.key"));
}

describe("a restore", () => {
  test("fills a directory that is not there: data, keys, and the state of a copy", async () => {
    const view = granted(await restore());
    expect(view).toMatchObject({ directory: target(), replaced: null, keys: "restored" });
    expect(view.note).toEqual(phrase("backup.restored.valid_again"));
    expect(readFileSync(join(target(), "webhook-secrets.key"), "utf8")).toBe("k".repeat(32));
    expect(readdirSync(target()).sort()).toEqual(["bendre.db", "bendre.lock", "webhook-secrets.key"]);
    const store = openStore(target(), fixture.clock);
    expect(store.read.get("SELECT file, made_at, resumed_at FROM restores")).toEqual({
      file,
      made_at: fixture.clock.nowMs(),
      resumed_at: null,
    });
    expect(
      store.read.get("SELECT actor, subject FROM audit_entries WHERE action = 'backup restore'"),
    ).toEqual({
      actor: "awa",
      subject: file,
    });
    await store.close();
  });

  test("brings what the console keeps of the configuration, its passwords sealed as they were", async () => {
    const { directory } = fixture.context.store;
    const text = '[alerts.smtp]\nuser = "bendre"\npassword = "sealed:AAAA"\n';
    writeFileSync(join(directory, "console.toml"), text);
    const key = Buffer.alloc(32, 7);
    writeFileSync(join(directory, "console-passwords.key"), key);
    for (const passphrase of ["passphrase", ""]) {
      rmSync(file);
      granted(await backupCreate(contextWith(passphrase), file));
      rmSync(target(), { recursive: true, force: true });
      granted(await restore({}, { passphrase }));
      expect(readFileSync(join(target(), "console.toml"), "utf8")).toBe(text);
      expect(statSync(join(target(), "console.toml")).mode & 0o777).toBe(0o600);
      const path = join(target(), "console-passwords.key");
      // The key is in the copy only where it could be sealed.
      expect(existsSync(path) && readFileSync(path).equals(key)).toBe(passphrase !== "");
    }
  });

  test("moves what the console kept beside the data with --replace", async () => {
    await oldData();
    writeFileSync(join(target(), "console.toml"), "# old\n");
    writeFileSync(join(target(), "console.toml.previous"), "# older\n");
    const { replaced } = granted(await restore({ replace: true }));
    expect(readFileSync(join(String(replaced), "console.toml"), "utf8")).toBe("# old\n");
    expect(readdirSync(target()).filter((name) => name.startsWith("console"))).toEqual([]);
  });

  test("moves what is there beside it with --replace, whole", async () => {
    await oldData();
    const before = everything();
    const { replaced } = granted(await restore({ replace: true }));
    expect(replaced).toBe(`${target()}.replaced-20260302T090000Z`);
    expect(readdirSync(String(replaced))).toEqual(expect.arrayContaining(["bendre.db", "old.key"]));
    for (const [path, content] of Object.entries(before)) {
      expect(readFileSync(path.replace(target(), String(replaced))).toString("base64")).toBe(content);
    }
    expect(await accountsIn(target())).toBe(1);
    expect(existsSync(join(target(), "old.key"))).toBe(false);
  });

  test("takes the place of a database that a command made and nobody used", async () => {
    await openStore(target(), fixture.clock).close();
    granted(await restore());
    expect(await accountsIn(target())).toBe(1);
  });

  test("takes a key file of the old machine, where the passphrase is lost or the keys were left out", async () => {
    const key = join(root, "saved");
    writeFileSync(key, "s".repeat(32));
    granted(await restore({ keys: key }, { passphrase: "" }));
    expect(readFileSync(join(target(), "webhook-secrets.key"), "utf8")).toBe("s".repeat(32));
  });

  test("knows numbers again that were erased, by their key: from the copy, or from a directory of keys", async () => {
    const { context } = fixture;
    const add = { msisdn: "70123456", messageClass: "MARKETING", note: null } as const;
    granted(await suppressionAdd(context, null, add));
    const asked = {
      msisdn: "70123456",
      isCancelling: false,
      isWithNewKey: false,
      listRetainedCopies: () => [],
    };
    const settled = dataErase(context, asked);
    let isDone = false;
    void settled.then(() => {
      isDone = true;
    });
    while (!isDone) await fixture.clock.advance(20);
    file = join(root, "erased.db");
    granted(await backupCreate(contextWith("passphrase"), file));
    const isKnown = async () => {
      const store = openStore(target(), fixture.clock);
      const known = isSuppressed(store.read, 7, "+22670123456", "MARKETING");
      await store.close();
      rmSync(target(), { recursive: true });
      return known;
    };
    granted(await restore());
    expect(await isKnown()).toBe(true);
    granted(await restore({ keys: context.store.directory }, { passphrase: "" }));
    expect(await isKnown()).toBe(true);
    const alone = join(context.store.directory, "webhook-secrets.key");
    const refused = await restore({ keys: alone });
    expect(refused).toMatchObject({
      ok: false,
      refusal: {
        detail: phrase("refusal.BACKUP_UNSOUND.restore", {
          file,
          why: phrase("backup.first_faults", { faults: [phrase("doctor.erased_numbers.key_missing")] }),
        }),
      },
    });
  });

  test("of a copy without keys says that they are missing", async () => {
    file = join(root, "without.db");
    granted(await backupCreate(contextWith(""), file));
    expect(granted(await restore()).keys).toBe("missing");
  });
});

describe("a restore that is refused leaves nothing behind", () => {
  const refused = async (
    code: string,
    asked?: Partial<RestoreRequest>,
    backup?: Partial<Config["backup"]>,
    free?: number,
  ) => {
    const before = everything();
    expect(codeOf(await restore(asked, backup, free))).toBe(code);
    expect(everything()).toEqual(before);
    return readdirSync(root).sort();
  };

  test("over data without --replace", async () => {
    await oldData();
    expect(await refused("DATA_PRESENT")).toEqual(["copy.db", "data"]);
  });

  test("beside a server or a command", async () => {
    await oldData();
    const unlock = lockDirectory(target());
    expect(await refused("SERVER_RUNNING", { replace: true })).toEqual(["copy.db", "data"]);
    unlock();
  });

  test("of a file that is none, or not sound", async () => {
    expect(await refused("BACKUP_UNSOUND", { file: join(root, "none.db") })).toEqual(["copy.db"]);
    await oldData();
    await fixture.context.store.write((tx) => tx.run("UPDATE wallets SET funds = 1"));
    const wrong = join(fixture.context.store.directory, "wrong.db");
    granted(await backupCreate(contextWith(""), wrong));
    expect(await refused("BACKUP_UNSOUND", { file: wrong, replace: true })).toEqual(["copy.db", "data"]);
    rmSync(target(), { recursive: true });
    expect(await refused("BACKUP_UNSOUND", { file: wrong })).toEqual(["copy.db"]);
  });

  test("whose keys do not open", async () => {
    expect(await refused("BACKUP_UNSOUND", {}, { passphrase: "wrong" })).toEqual(["copy.db"]);
    expect(await refused("BACKUP_UNSOUND", {}, { passphrase: "" })).toEqual(["copy.db"]);
    expect(await refused("BACKUP_UNSOUND", { keys: join(root, "none.key") })).toEqual(["copy.db"]);
  });

  test("that would go below the reserve of the disk", async () => {
    expect(await refused("DISK_RESERVE", {}, {}, 1024)).toEqual(["copy.db"]);
  });
});

describe("a crash at any moment of a restore", () => {
  /** Data that is told apart by its words. */
  const lay = (directory: string, words: string, keys: readonly string[]) => {
    mkdirSync(directory, { recursive: true });
    for (const name of ["bendre.db", ...keys]) writeFileSync(join(directory, name), `${words} ${name}`);
  };
  class Death extends Error {}
  const dyingAt = (moment: number) => {
    let synced = 0;
    return () => {
      synced += 1;
      if (synced === moment) throw new Death();
    };
  };

  test("leaves the old or the new, never half, and the next start finishes it", () => {
    const directory = join(root, "crash");
    const aside = join(root, "aside");
    const ends: string[] = [];
    for (let moment = 1; ; moment++) {
      rmSync(directory, { recursive: true, force: true });
      rmSync(aside, { recursive: true, force: true });
      lay(directory, "old", ["bendre.db-wal", "a.key", "b.key"]);
      lay(join(directory, RESTORING), "new", ["b.key", "c.key"]);
      writeFileSync(join(directory, RESTORING, REPLACES_FILE), aside);
      mkdirSync(aside);
      const die = dyingAt(moment);
      let isDead = false;
      try {
        commitRestore(directory, die);
        finishRestore(directory, die);
      } catch (error) {
        if (!(error instanceof Death)) throw error;
        isDead = true;
      }
      finishRestore(directory);
      const found = readdirSync(directory).map((name) => readFileSync(join(directory, name), "utf8"));
      ends.push(found.sort().join(", "));
      if (!isDead) break;
    }
    expect(ends.length).toBeGreaterThan(8);
    expect(new Set(ends)).toEqual(new Set(["new b.key, new bendre.db, new c.key"]));
  });

  /** Data moved aside, and the copy not yet in its place. */
  const cutOff = async () => {
    await oldData();
    granted(await restore({ replace: true }));
    const scratch = join(target(), RESTORING);
    mkdirSync(scratch);
    for (const name of readdirSync(target()).filter(isData)) {
      renameSync(join(target(), name), join(scratch, name));
    }
    commitRestore(target());
  };

  test("while neither stands in its place, nobody who looks sees an empty database", async () => {
    await cutOff();
    expect(openReadOnly(target(), fixture.clock)).toBeNull();
    expect(inspectDatabase(target()).kind).toBe("restored");
    expect(await accountsIn(target())).toBe(1);
  });

  test("while neither stands in its place, another restore takes it for data", async () => {
    await cutOff();
    expect(codeOf(await restore())).toBe("DATA_PRESENT");
    await fixture.clock.advance(1000);
    const { replaced } = granted(await restore({ replace: true }));
    expect(await accountsIn(String(replaced))).toBe(1);
    expect(await accountsIn(target())).toBe(1);
  });

  test("before it was whole the old data stands, and what was made is gone", () => {
    const directory = join(root, "crash");
    lay(directory, "old", ["a.key"]);
    lay(join(directory, RESTORING), "new", []);
    finishRestore(directory);
    expect(readdirSync(directory).sort()).toEqual(["a.key", "bendre.db"]);
    expect(readFileSync(join(directory, "bendre.db"), "utf8")).toBe("old bendre.db");
  });
});
