import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { countOccurrences } from "../../src/db/count-octets.ts";

const MEGABYTE = 1024 * 1024;

/** How often a text is found in a file of so many octets in which it stands at these places. */
function found(text: string, octets: number, places: readonly number[]): number {
  const directory = mkdtempSync(join(tmpdir(), "bendre-octets-"));
  const path = join(directory, "file");
  const content = Buffer.alloc(octets);
  for (const place of places) content.write(text, place);
  writeFileSync(path, content);
  const file = openSync(path, "r");
  try {
    return countOccurrences(file, Buffer.from(text));
  } finally {
    closeSync(file);
    rmSync(directory, { recursive: true });
  }
}

test.each([
  ["nowhere", 3 * MEGABYTE, []],
  ["in a file of nothing", 0, []],
  ["at its beginning and its end", 100, [0, 89]],
  [
    "across what is read in one go",
    3 * MEGABYTE,
    [MEGABYTE - 1, MEGABYTE + 50, 2 * MEGABYTE - 30, 2 * MEGABYTE - 15],
  ],
  ["wherever a piece ends", 2 * MEGABYTE, [MEGABYTE - 11]],
  ["just behind it", 2 * MEGABYTE, [MEGABYTE - 10]],
])("octets are found %s", (_, octets, places) => {
  expect(found("22670123456", octets, places)).toBe(places.length);
});
