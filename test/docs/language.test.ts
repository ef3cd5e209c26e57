import { expect, test } from "vitest";
import { preferredLanguage } from "../../src/docs/site/language.ts";

test.each([
  ["fr-BF,fr;q=0.9,en;q=0.5", "fr"],
  ["en-GB,en;q=0.9,fr;q=0.8", "en"],
  ["de,fr;q=0.4,en;q=0.7", "en"],
  ["FR", "fr"],
  ["fr;q=0,en;q=0.1", "en"],
  ["fr;q=nonsense", "en"],
  ["mos", "en"],
  ["", "en"],
  [null, "en"],
])("a reader whose browser asks for %j reads %s", (header, language) => {
  expect(preferredLanguage(header)).toBe(language);
});
