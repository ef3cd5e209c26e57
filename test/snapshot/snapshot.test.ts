import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { ADMIN_COMMANDS } from "../../src/control/commands.ts";
import { FAILURES } from "../../src/http/failures.ts";
import { playSnapshot, SNAPSHOT_FILES, type Snapshot } from "./play.ts";
import { NOT_PLAYED } from "./refusals.ts";
import { COMMANDS } from "./typed.ts";

let played: Snapshot;
beforeAll(async () => {
  played = await playSnapshot();
}, 120_000);

describe("what clients and administrators rely on is what it was, or was changed on purpose (keep.ts)", () => {
  test.each(SNAPSHOT_FILES)("%s", (file) => {
    expect(played[file]).toBe(readFileSync(join(import.meta.dir, "kept", file), "utf8"));
  });

  test("every code of the public API is met, but for those that cannot be", () => {
    const isMet = (code: string) =>
      [played["answers.txt"], played["errors.txt"], played["restored.txt"]].some((text) =>
        text.includes(`"code": "${code}"`),
      );
    const missing = Object.keys(FAILURES).filter((code) => !isMet(code));
    expect(missing).toEqual(Object.keys(NOT_PLAYED));
  });

  test("every command of a running server is played", () => {
    const isPlayed = (name: string) => COMMANDS.some((line) => line === name || line.startsWith(`${name} `));
    expect(ADMIN_COMMANDS.map(({ name }) => name).filter((name) => !isPlayed(name))).toEqual([]);
  });
});
