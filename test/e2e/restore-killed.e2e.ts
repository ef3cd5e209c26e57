/** A restore that is killed at any moment leaves the old data or the new, and never a part of either. */
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Json } from "./api.ts";
import { configOf } from "./appliance.ts";
import { run, scratch, start } from "./executable.ts";
import { IS_NIGHT } from "./night.ts";

/** Spread evenly over the time that a whole restore takes; the night has three times as many. */
const KILLS = IS_NIGHT ? 12 : 4;

const place = scratch();
const config = join(place.path, "config.toml");
const copy = join(place.path, "copy.db");
const directory = join(place.path, "data");
beforeAll(() => {
  writeFileSync(config, configOf(directory, { orange: 1 }));
  command("account", "create", "--name", "New", "--billing", "prepaid");
  command("backup", "create", copy);
});
afterAll(() => place.remove());

function command(...words: string[]): Json {
  const done = run(...words, "--config", config, "--json");
  expect([words.join(" "), done.exitCode, done.stderr]).toEqual([words.join(" "), 0, ""]);
  return (JSON.parse(done.stdout) as { data: Json }).data;
}
const RESTORE = ["backup", "restore", copy, "--replace", "--config", config];
const names = () => (command("account", "list").accounts as Json[]).map(({ name }) => name);
/** Data of its own, which the restore takes the place of. */
const old = () => {
  for (const name of readdirSync(place.path).filter((each) => each.startsWith("data"))) {
    rmSync(join(place.path, name), { recursive: true });
  }
  command("account", "create", "--name", "Old", "--billing", "prepaid");
};

test(`killed ${KILLS} times on its way, it leaves one of the two whole, and the next is done`, async () => {
  old();
  const began = performance.now();
  expect(await start(...RESTORE).ended).toBe(0);
  const wholeMs = performance.now() - began;
  for (let kill = 1; kill <= KILLS; kill++) {
    old();
    const restoring = start(...RESTORE);
    await Promise.race([Bun.sleep((wholeMs * kill) / KILLS), restoring.ended]);
    restoring.signal("SIGKILL");
    await restoring.ended;
    expect([["Old"], ["New"]]).toContainEqual(names());
    expect(command("ledger", "check")).toMatchObject({ accounts: 1 });
  }
  old();
  expect(await start(...RESTORE).ended).toBe(0);
  expect(names()).toEqual(["New"]);
});
