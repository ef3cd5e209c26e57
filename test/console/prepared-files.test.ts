/** Files that are written whole and kept small: one after the other, so many of a user, and let go of when nobody takes them. */
import { expect, test } from "vitest";
import { done, refuse } from "../../src/admin/operations/refusal.ts";
import { Spool } from "../../src/console/server/prepared-files.ts";
import { createMetricsRegistry, LIMITED } from "../../src/core/metrics-registry.ts";
import { testClock } from "../kit/test-clock.ts";

const LINES = 300;
const tally = createMetricsRegistry();
/** A user, while so many files may be there. */
const of = (user: number, prepared_files = 4, all_prepared_files = 64) => ({
  user,
  context: { config: { console: { prepared_files, all_prepared_files } }, store: { tally } },
});

/** A file of lines of its own, and how many are being written. */
function files() {
  const open = { now: 0, most: 0 };
  const make = (name: string) => async () => {
    open.now += 1;
    open.most = Math.max(open.most, open.now);
    async function* lines() {
      try {
        for (let line = 0; line < LINES; line += 1) {
          if (line % 50 === 0) await new Promise(setImmediate);
          yield `${name} ${line} é\r\n`;
        }
      } finally {
        open.now -= 1;
      }
    }
    return done(lines());
  };
  return { open, make };
}
const whole = (name: string) => Array.from({ length: LINES }, (_, line) => `${name} ${line} é\r\n`).join("");

/** The pieces of a file that was written; the code of a refusal. */
const piecesOf = async (writing: ReturnType<Spool["write"]>) => {
  const written = await writing;
  if (!written.ok) throw new Error(written.refusal.code);
  return written.value[Symbol.iterator]();
};

test("what files are made of is held by one of them at a time, however slowly they are taken", async () => {
  const { open, make } = files();
  const { write } = new Spool(testClock());
  const names = ["a", "b", "c", "d", "e"];
  const written = await Promise.all(names.map((name, user) => write(of(user), make(name))));
  expect(open).toEqual({ now: 0, most: 1 });
  expect(written.map((file) => (file.ok ? [...file.value].join("") : file.refusal.code))).toEqual(
    names.map(whole),
  );
});

test("a user has four, and has room again for each that was taken or broken off", async () => {
  const { make } = files();
  const { write } = new Spool(testClock());
  const taken = await piecesOf(write(of(1), make("a")));
  const broken = await piecesOf(write(of(1), make("b")));
  await Promise.all([write(of(1), make("c")), write(of(1), make("d"))]);
  const refused = { ok: false, refusal: { code: "RATE_LIMITED" } };
  expect(await write(of(1), make("e"))).toMatchObject(refused);
  expect(await write(of(2), make("e"))).toMatchObject({ ok: true });
  while (!taken.next().done);
  broken.next();
  broken.return?.();
  expect(broken.next()).toEqual({ done: true, value: undefined });
  expect(await Promise.all([write(of(1), make("f")), write(of(1), make("g"))])).toMatchObject([
    { ok: true },
    { ok: true },
  ]);
  expect(await write(of(1), make("h"))).toMatchObject(refused);
});

test("one user and all together have as many as is said at the time, and who is refused is told how long to wait", async () => {
  const { make } = files();
  const { write } = new Spool(testClock());
  const refused = () => tally.counters(LIMITED).of("console files at once").value;
  const before = refused();
  const busy = { ok: false, refusal: { code: "RATE_LIMITED", retrySeconds: 5 } };
  expect(await write(of(1, 1, 3), make("a"))).toMatchObject({ ok: true });
  expect(await write(of(1, 1, 3), make("b"))).toMatchObject(busy);
  expect(await write(of(1, 2, 3), make("b"))).toMatchObject({ ok: true });
  expect(await write(of(2, 2, 2), make("c"))).toMatchObject(busy);
  expect(await write(of(2, 2, 3), make("c"))).toMatchObject({ ok: true });
  expect(refused() - before).toBe(2);
});

test("one that nobody takes makes room after two minutes, and never ends as if it were whole", async () => {
  const clock = testClock();
  const { make } = files();
  const { write } = new Spool(clock);
  const left = await piecesOf(write(of(1), make("a")));
  left.next();
  for (const name of ["b", "c", "d"]) await write(of(1), make(name));
  await clock.advance(120_000);
  expect(await write(of(1), make("e"))).toMatchObject({ ok: true });
  expect(() => left.next()).toThrow("not taken for too long");
});

test("all together have so much, and what is refused or fails keeps no room", async () => {
  const { make } = files();
  const { write } = new Spool(testClock(), 3000);
  expect(await write(of(1), make("a"))).toMatchObject({ refusal: { code: "RATE_LIMITED" } });
  for (let times = 0; times < 6; times += 1) {
    expect(await write(of(1), async () => refuse("BATCH_NOT_FOUND", { id: "none" }))).toMatchObject({
      refusal: { code: "BATCH_NOT_FOUND" },
    });
    const failing = write(of(1), () => Promise.reject(new Error("no database")));
    await expect(failing).rejects.toThrow("no database");
  }
  const few = await piecesOf(write(of(1), async () => done(["a", "b"])));
  expect([few.next().value, few.next().value, few.next().done]).toEqual(["a", "b", true]);
});
