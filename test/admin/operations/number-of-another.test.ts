/** A test text is to show that an operator is connected: a number of another shows nothing of it. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { checkNumberOwner } from "../../../src/admin/operations/msisdn.ts";
import type { Store } from "../../../src/db/store.ts";
import { setOverride } from "../../../src/domain/submission/ported-numbers.ts";
import { phrase } from "../../../src/i18n/phrase.ts";
import { openNewStore } from "../../kit/new-store.ts";
import { testClock } from "../../kit/test-clock.ts";

const operators = {
  orange: { name: "Orange Burkina Faso", prefixes: ["22604", "22605"] },
  moov: { name: "Moov Africa", prefixes: ["22670"] },
};
let directory: string;
let store: Store;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "bendre-another-"));
  store = openNewStore(directory, testClock());
});
afterAll(async () => {
  await store.close();
  rmSync(directory, { recursive: true });
});
const refusedAs = (code: string, typed: string, msisdn: string) =>
  checkNumberOwner({ operators }, code, { typed, msisdn }, store.read)?.refusal.detail;

test("a number of another operator is called by its owner's name", () => {
  expect(refusedAs("orange", "70 11 22 33", "+22670112233")).toEqual(
    phrase("refusal.NUMBER_OF_ANOTHER", {
      number: "70 11 22 33",
      owner: "Moov Africa",
      operator: "Orange Burkina Faso",
    }),
  );
});

test("a number that no operator here has is told too", () => {
  expect(refusedAs("orange", "76112233", "+22676112233")).toEqual(
    phrase("refusal.NUMBER_OF_ANOTHER.nobody", { number: "76112233", operator: "Orange Burkina Faso" }),
  );
});

test("a number of the operator's own, and a channel without prefixes, have nothing against them", () => {
  expect(refusedAs("orange", "05 11 22 33", "+22605112233")).toBeUndefined();
  expect(refusedAs("whatsapp:main", "70112233", "+22670112233")).toBeUndefined();
});

test("a ported number is its owner's, whoever has the prefix", async () => {
  const say = (digits: string, operator: string | null) =>
    store.write((tx) => setOverride(tx, { digits, isPrefix: false }, operator, 1));
  await say("22670112234", "orange");
  await say("22670112235", null);
  expect(refusedAs("orange", "70112234", "+22670112234")).toBeUndefined();
  expect(refusedAs("moov", "70112234", "+22670112234")).toEqual(
    phrase("refusal.NUMBER_OF_ANOTHER.ported", {
      number: "70112234",
      owner: "Orange Burkina Faso",
      operator: "Moov Africa",
    }),
  );
  expect(refusedAs("moov", "70112235", "+22670112235")).toEqual(
    phrase("refusal.NUMBER_OF_ANOTHER.ported_nobody", { number: "70112235", operator: "Moov Africa" }),
  );
});
