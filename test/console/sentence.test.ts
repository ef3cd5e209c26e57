import { expect, test } from "vitest";
import { inItsMarks, plural, sentence } from "../../src/console/ui/format.ts";

const ZONE = "Africa/Ouagadougou";

test("what the server words has its times, amounts and sizes as the reader writes them", () => {
  const away = "moov ne répond plus depuis 2026-03-02T08:00:00.000Z (délai dépassé)";
  expect(sentence("fr", ZONE, away)).toBe("moov ne répond plus depuis 2 mars 2026, 08:00 (délai dépassé)");
  expect(sentence("fr", ZONE, "en attente ; 12500 XOF réservés")).toBe(
    "en attente ; 12\u202f500\u00a0F\u00a0CFA réservés",
  );
  expect(sentence("en", ZONE, "queued; 12500 XOF reserved")).toBe("queued; 12,500\u00a0XOF reserved");
  expect(sentence("en", ZONE, "2000 MB of 4000 MB free")).toBe(
    "2.1\u00a0GB of 4.2\u00a0GB free".replaceAll("\u00a0", " "),
  );
});

test("a sentence that follows another begins with a capital, and names stay as they are", () => {
  expect(sentence("en", ZONE, "No connection to moov is up. nothing listens at 127.0.0.1 on port 1")).toBe(
    "No connection to moov is up. Nothing listens at 127.0.0.1 on port 1",
  );
  expect(sentence("fr", ZONE, "Plus rien. état inconnu")).toBe("Plus rien. État inconnu");
});

test("a refusal in French has the marks of French, and values between them stay as they are", () => {
  expect(inItsMarks("fr", "l'expéditeur \"AC-ME\" n'est pas approuvé")).toBe(
    "l’expéditeur «\u00a0AC-ME\u00a0» n’est pas approuvé",
  );
  expect(inItsMarks("fr", 'il manque un chiffre à "5211"; "')).toBe(
    'il manque un chiffre à «\u00a05211\u00a0»; "',
  );
  expect(inItsMarks("en", 'the sender "AC-ME" isn\'t approved')).toBe('the sender "AC-ME" isn\'t approved');
});

test("none and one are singular in French, and one alone is in English", () => {
  const rows = { one: "# ligne", other: "# lignes" };
  expect([0, 1, 2].map((count) => plural("fr", count, rows))).toEqual(["0 ligne", "1 ligne", "2 lignes"]);
  const forms = { one: "# row", other: "# rows" };
  expect([0, 1, 2].map((count) => plural("en", count, forms))).toEqual(["0 rows", "1 row", "2 rows"]);
});
