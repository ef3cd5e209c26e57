import { expect, test } from "vitest";
import { RULE_NAMES } from "../../../src/upkeep/alarms/rules.ts";
import { ALARM_WORDS, alarmWords } from "../../../src/upkeep/alarms/texts.ts";

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
