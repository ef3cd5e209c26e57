import { expect, test } from "vitest";
import { withProgress } from "../../src/cli/progress.ts";
import { testClock } from "../kit/test-clock.ts";

/** What is written while some work lasts so long, on a terminal unless told otherwise. */
async function writtenWhile(ms: number, changes: Record<string, unknown> = {}): Promise<string> {
  const clock = testClock();
  let err = "";
  const print = (text: string) => {
    err += text;
  };
  const io = { out: () => {}, err: print, errIsTerminal: true, env: { NO_COLOR: "1" }, ...changes };
  const done = withProgress(io, clock, new Promise<number>((resolve) => clock.after(ms, () => resolve(7))));
  await clock.advance(ms);
  expect(await done).toBe(7);
  await clock.advance(10_000);
  return err;
}

const WIPE = "\r\u001b[K";

test("what lasts longer than a second says so second by second, and leaves nothing behind", async () => {
  expect(await writtenWhile(2500)).toBe(`${WIPE}working, 1 s${WIPE}working, 2 s${WIPE}`);
  expect(await writtenWhile(1500, { language: "fr" })).toBe(`${WIPE}en cours, 1 s${WIPE}`);
});

test("what is done at once says nothing, and nothing is said where no person looks", async () => {
  expect(await writtenWhile(900)).toBe("");
  expect(await writtenWhile(5000, { errIsTerminal: false })).toBe("");
  expect(await writtenWhile(5000, { env: { TERM: "dumb" } })).toBe("");
});

test("work that fails wipes it away too", async () => {
  const clock = testClock();
  let err = "";
  const print = (text: string) => {
    err += text;
  };
  const io = { out: print, err: print, errIsTerminal: true, env: {} };
  const broken = new Promise<never>((_, reject) => clock.after(1500, () => reject(new Error("broken"))));
  const done = withProgress(io, clock, broken);
  await Promise.all([clock.advance(1500), expect(done).rejects.toThrow("broken")]);
  expect(err.endsWith(WIPE)).toBe(true);
});
