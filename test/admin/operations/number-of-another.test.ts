/** A test text is to show that an operator is connected: a number of another shows nothing of it. */
import { expect, test } from "vitest";
import { checkNumberOwner } from "../../../src/admin/operations/msisdn.ts";
import { phrase } from "../../../src/i18n/phrase.ts";

const operators = {
  orange: { name: "Orange Burkina Faso", prefixes: ["22604", "22605"] },
  moov: { name: "Moov Africa", prefixes: ["22670"] },
};
const refusedAs = (code: string, typed: string, msisdn: string) =>
  checkNumberOwner({ operators }, code, { typed, msisdn })?.refusal.detail;

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
