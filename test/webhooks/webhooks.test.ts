import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { systemPlatform } from "../../src/app/platform.ts";
import { settingsHolder } from "../../src/config/live-config.ts";
import { startWebhooks } from "../../src/webhooks/webhooks.ts";
import { configOf, document } from "../config/sample.ts";
import { openBooks } from "../kit/books.ts";
import { TEST_AUTHORITY } from "../kit/certificates.ts";
import { seededChance } from "../kit/test-chance.ts";
import { testLog } from "../kit/test-log.ts";

/** What the log says at the start, at the level of a warning. */
async function warnings(webhooks: Readonly<Record<string, unknown>>): Promise<unknown[]> {
  const books = openBooks();
  const log = testLog();
  const { dispatcher } = startWebhooks({
    settings: settingsHolder(configOf(document({ webhooks }))),
    store: books.store,
    clock: books.clock,
    watchClock: () => () => {},
    chance: seededChance(1),
    newId: books.newId,
    log,
    machine: systemPlatform,
  });
  await dispatcher.stop(0);
  await books.close();
  return log.lines.filter(({ level }) => level === "warn").map(({ setting }) => setting);
}

test("what loosens the rules for endpoints is said in the log at the start, and nothing otherwise", async () => {
  const directory = mkdtempSync(join(tmpdir(), "bendre-ca-"));
  const file = join(directory, "ca.pem");
  writeFileSync(file, TEST_AUTHORITY);
  expect(await warnings({})).toEqual([]);
  expect(await warnings({ allow_private_targets: true, ca_file: file })).toEqual([
    "webhooks.allow_private_targets",
    "webhooks.ca_file",
  ]);
  rmSync(directory, { recursive: true });
});
