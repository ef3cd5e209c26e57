import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { ADMIN_COMMANDS } from "../../src/control/commands.ts";
import { playSnapshot, SNAPSHOT_FILES, type Snapshot } from "./play.ts";
import { COMMANDS } from "./typed.ts";

let played: Snapshot;
beforeAll(async () => {
  played = await playSnapshot();
}, 120_000);

describe("what clients and administrators rely on is what it was, or was changed on purpose (keep.ts)", () => {
  test.each(SNAPSHOT_FILES)("%s", (file) => {
    expect(played[file]).toBe(readFileSync(join(import.meta.dir, "kept", file), "utf8"));
  });

  test("every command of a running server is played", () => {
    const isPlayed = (name: string) => COMMANDS.some((line) => line === name || line.startsWith(`${name} `));
    expect(ADMIN_COMMANDS.map(({ name }) => name).filter((name) => !isPlayed(name))).toEqual([]);
  });
});
