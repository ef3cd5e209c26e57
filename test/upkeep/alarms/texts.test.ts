import { expect, test } from "vitest";
import { dictionaryOf } from "../../../src/cli/words/speak.ts";
import { phrase } from "../../../src/i18n/phrase.ts";
import { english } from "../../../src/i18n/text.ts";
import { RULE_NAMES } from "../../../src/upkeep/alarms/rules.ts";
import { ALARM_WORDS, alarmSentences, alarmWords } from "../../../src/upkeep/alarms/texts.ts";

const placesIn = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();

test("both languages have words for every rule, over the same facts", () => {
  const { en, fr } = ALARM_WORDS;
  expect(Object.keys(fr).sort()).toEqual(Object.keys(en).sort());
  for (const rule of [...RULE_NAMES, "test"] as const) {
    for (const part of ["detail", "action"] as const) {
      expect([rule, placesIn(fr[rule][part])]).toEqual([rule, placesIn(en[rule][part])]);
      expect(fr[rule][part]).not.toBe(en[rule][part]);
      for (const words of [en, fr]) expect(words[rule][part]).toMatch(/[.?}]$/);
    }
  }
});

test("facts stand in their places, and what is not known leaves nothing behind", () => {
  const facts = { operator: "orange", connection: 2, error: "" };
  expect(alarmWords("en", "link_down", facts).detail).toBe("Connection 2 to orange is down.");
  expect(alarmWords("fr", "link_down", facts).detail).toBe("La connexion 2 vers orange est coupée.");
});

test("a fact that is a sentence of ours is told in the language of the alarm, and a name as it is", () => {
  const error = phrase("link.bind_refused.password", { status: "0x0E RINVPASWD" });
  expect(alarmWords("fr", "operator_down", { operator: "failed orange", error }).detail).toBe(
    "Plus aucune connexion vers failed orange : rien ne part vers ses numéros. " +
      "l’opérateur refuse le mot de passe\u00a0: vérifiez system_id et password (0x0E RINVPASWD)",
  );
  expect(alarmWords("en", "operator_down", { operator: "orange", error }).detail).toContain(english(error));
  expect(alarmWords("fr", "books", { standing: "differs" }).detail).toContain("il y a des écarts");
});

test("what alert list says in English the terminal says in French, with or without its last fact", () => {
  const { sentence } = dictionaryOf("fr");
  const names = Object.values(ALARM_WORDS.en).flatMap(({ detail, action }) => placesIn(detail + action));
  const facts: Record<string, string> = Object.fromEntries(names.map((name) => [String(name), `a ${name}`]));
  facts.error = "the connection was closed";
  facts.standing = "overdue";
  for (const rule of [...RULE_NAMES, "test"] as const) {
    for (const told of [facts, { ...facts, error: "" }]) {
      const [english, french] = [alarmWords("en", rule, told), alarmWords("fr", rule, told)];
      const plain = (text: string) => text.replaceAll("\u00a0", " ");
      expect([rule, plain(sentence(english.detail))]).toEqual([rule, plain(french.detail)]);
      expect([rule, plain(sentence(english.action))]).toEqual([rule, plain(french.action)]);
    }
  }
  expect(Object.keys(alarmSentences()).length).toBeGreaterThan(RULE_NAMES.length);
});
