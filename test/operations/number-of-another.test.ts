/** A test text is to show that an operator is connected: a number of another shows nothing of it. */
import { expect, test } from "vitest";
import { notOf } from "../../src/operations/msisdn.ts";
import { inFrench } from "../../src/words/in-french.ts";

const operators = {
  orange: { name: "Orange Burkina Faso", prefixes: ["22604", "22605"] },
  moov: { name: "Moov Africa", prefixes: ["22670"] },
};
const said = (code: string, typed: string, msisdn: string) => notOf({ operators }, code, { typed, msisdn });

test("a number of another operator is called by its owner's name", () => {
  const told = said("orange", "70 11 22 33", "+22670112233") ?? "";
  expect(told).toBe(
    '"70 11 22 33" is a number of Moov Africa, by its prefix, and not of Orange Burkina Faso',
  );
  expect(inFrench(told)).toContain("appartient à Moov Africa, d’après son préfixe");
});

test("a number that no operator here has is told too", () => {
  const told = said("orange", "76112233", "+22676112233") ?? "";
  expect(told).toBe('"76112233" begins with none of the prefixes of Orange Burkina Faso');
  expect(inFrench(told)).toContain("aucun des préfixes");
});

test("a number of the operator's own, and a channel without prefixes, have nothing against them", () => {
  expect(said("orange", "05 11 22 33", "+22605112233")).toBeNull();
  expect(said("whatsapp:main", "70112233", "+22670112233")).toBeNull();
});
