import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { canWrite, prepareDirectory } from "../../src/db/data-directory.ts";
import { openStore } from "../../src/db/store.ts";
import { ownDirectory } from "../kit/books.ts";
import { testClock } from "../kit/test-clock.ts";

let directory: ReturnType<typeof ownDirectory>;
beforeEach(() => {
  directory = ownDirectory();
});
afterEach(() => directory.remove());

const modeOf = (...names: string[]) => statSync(join(directory.path, ...names)).mode & 0o777;

/** What needs two users: root can be both. */
const isRoot = process.geteuid?.() === 0;
const asRoot = (name: string, run: () => void | Promise<void>) =>
  test(name, () => (isRoot ? run() : undefined));
const SOMEBODY = 65_534;

/** Runs a program in a process of its own, as another user where one is given; its exit code and what it printed. */
function runApart(program: string, uid: number | null = null) {
  const script = join(directory.path, "..", `${Math.random().toString(36).slice(2)}.ts`);
  const drop = uid === null ? "" : `process.setgid(${uid}); process.setuid(${uid});`;
  writeFileSync(
    script,
    `import { openStore } from ${JSON.stringify(resolve("src/db/store.ts"))};
     import { systemClock } from ${JSON.stringify(resolve("src/core/clock.ts"))};
     ${drop}
     try { ${program} } catch (error) { console.log(error.message); process.exit(3); }`,
  );
  const done = Bun.spawnSync([process.execPath, script]);
  return { code: done.exitCode, said: done.stdout.toString() + done.stderr.toString() };
}

describe("the data directory's files", () => {
  test("are their owner's alone, whatever the mask was when they were made", async () => {
    const mask = process.umask(0o022);
    try {
      const store = openStore(directory.path, testClock());
      const names = readdirSync(directory.path);
      expect(names).toContain("bendre.db-wal");
      for (const name of names) expect([name, modeOf(name)]).toEqual([name, 0o600]);
      await store.close();
    } finally {
      process.umask(mask);
    }
  });

  test("that others could read are tightened at the start, and named", async () => {
    await openStore(directory.path, testClock()).close();
    const others = ["console-passwords.key", "console.toml", "webhook-secrets.key"];
    for (const name of others) writeFileSync(join(directory.path, name), "");
    for (const name of readdirSync(directory.path)) chmodSync(join(directory.path, name), 0o644);
    chmodSync(directory.path, 0o755);
    const store = openStore(directory.path, testClock());
    expect(store.tightened.filter((path) => !/-(wal|shm)$/.test(path)).toSorted()).toEqual([
      directory.path,
      ...["bendre.db", "bendre.lock", ...others].map((name) => join(directory.path, name)),
    ]);
    expect([".", "bendre.db", "bendre.lock", ...others].map((name) => modeOf(name))).toEqual([
      0o700, 0o600, 0o600, 0o600, 0o600, 0o600,
    ]);
    await store.close();
    const again = openStore(directory.path, testClock());
    expect(again.tightened).toEqual([]);
    await again.close();
  });

  test("a directory that holds other things stays as it is, its files of ours do not", () => {
    chmodSync(directory.path, 0o755);
    writeFileSync(join(directory.path, "bendre.db"), "", { mode: 0o644 });
    writeFileSync(join(directory.path, "notes.txt"), "", { mode: 0o644 });
    prepareDirectory(directory.path);
    expect([modeOf("."), modeOf("bendre.db"), modeOf("notes.txt")]).toEqual([0o755, 0o600, 0o644]);
  });

  /** What is synced when a store is opened there, by names below the test's own directory. */
  const syncedFor = async (...names: string[]) => {
    const synced: string[] = [];
    const syncDirectory = (path: string) => void synced.push(relative(directory.path, path));
    await openStore(join(directory.path, ...names), testClock(), { syncPath: syncDirectory }).close();
    return synced;
  };

  test("are in a directory whose name is synced before there is a database, with those above it that were made", async () => {
    expect(await syncedFor("one", "two", "data")).toEqual(["one/two", "one", ""]);
    expect(await syncedFor("one", "two", "data")).toEqual([]);
    mkdirSync(join(directory.path, "left"));
    expect(await syncedFor("left")).toEqual([""]);
    prepareDirectory(join(directory.path, "really"));
  });

  test("are in no directory whose name the disk does not keep", () => {
    const failing = (code: string) => () => {
      throw Object.assign(new Error(`${code}: fsync`), { code });
    };
    const path = join(directory.path, "data");
    expect(() => prepareDirectory(path, failing("EIO"))).toThrow(/cannot be created: Error: EIO/);
    expect(readdirSync(path)).toEqual([]);
    // Others' directories cannot always be opened.
    prepareDirectory(path, failing("EACCES"));
  });

  test("everybody's directory is none for it", () => {
    chmodSync(directory.path, 0o1777);
    expect(() => prepareDirectory(directory.path)).toThrow(
      /is a shared system directory: use a directory of its own/,
    );
    expect(modeOf(".")).toBe(0o777);
  });

  test.each([
    ["its owner", 1000, 0o600, { uid: 1000, groups: [] }, false, true],
    ["its owner, who may only read", 1000, 0o400, { uid: 1000, groups: [] }, false, false],
    ["a group that may write", 1, 0o660, { uid: 1000, groups: [7] }, false, true],
    ["a group that may not", 1, 0o640, { uid: 1000, groups: [7] }, false, false],
    ["another", 1, 0o644, { uid: 1000, groups: [] }, false, false],
    ["root", 1000, 0o600, { uid: 0, groups: [] }, false, true],
    ["a directory's owner", 1000, 0o700, { uid: 1000, groups: [] }, true, true],
    ["another in a directory", 1, 0o755, { uid: 1000, groups: [] }, true, false],
  ])("may be written by %s or not, as their bits say", (_who, uid, mode, us, isDirectory, may) => {
    expect(canWrite({ uid, gid: 7, mode }, us, isDirectory)).toBe(may);
  });

  asRoot("of another user are refused in words, before anything is touched", () => {
    mkdirSync(join(directory.path, "data"), { mode: 0o777 });
    chmodSync(directory.path, 0o755);
    chmodSync(join(directory.path, "data"), 0o777);
    const path = join(directory.path, "data");
    writeFileSync(join(path, "bendre.db"), "", { mode: 0o600 });
    const { code, said } = runApart(`openStore(${JSON.stringify(path)}, systemClock);`, SOMEBODY);
    expect([code, said]).toEqual([
      3,
      `${path}/bendre.db belongs to root and cannot be written by user ${SOMEBODY}: run bendre as root, or as root ` +
        `give everything to the right user with "chown -R USER ${path}"\n`,
    ]);
    expect(readdirSync(path)).toEqual(["bendre.db"]);
  });

  asRoot("in a directory that another user may not even enter are refused in the same words", () => {
    chmodSync(directory.path, 0o755);
    const path = join(directory.path, "data");
    mkdirSync(path, { mode: 0o700 });
    const { code, said } = runApart(`openStore(${JSON.stringify(path)}, systemClock);`, SOMEBODY);
    expect([code, said]).toEqual([
      3,
      expect.stringContaining(
        `${path} belongs to root and cannot be written by user ${SOMEBODY}: run bendre as root`,
      ),
    ]);
  });

  asRoot(
    "made by root in another user's directory are that user's, and so are those in a directory it creates",
    () => {
      chmodSync(directory.path, 0o755);
      const home = join(directory.path, "home");
      mkdirSync(home, { mode: 0o700 });
      chownSync(home, SOMEBODY, SOMEBODY);
      const path = join(home, "data");
      const open = `await openStore(${JSON.stringify(path)}, systemClock).close();`;
      expect(runApart(open)).toEqual({ code: 0, said: "" });
      expect(existsSync(join(path, "bendre.db"))).toBe(true);
      for (const name of [".", ...readdirSync(path)]) {
        expect([name, statSync(join(path, name)).uid]).toEqual([name, SOMEBODY]);
      }
      expect(runApart(open, SOMEBODY)).toEqual({ code: 0, said: "" });
    },
  );
});
