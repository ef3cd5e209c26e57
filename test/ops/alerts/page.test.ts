import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { areasOf } from "../../../scripts/phrases/phrase-types.ts";
import { said } from "../../../src/i18n/phrase.ts";
import { renderAlert } from "../../../src/ops/alerts/alert-texts.ts";
import { RULE_NAMES, type RuleName } from "../../../src/ops/alerts/rules.ts";
import { configOf, document } from "../../config/sample.ts";

const PAGE = readFileSync(join(import.meta.dir, "../../../src/docs/alarms.md"), "utf8");
const SECTIONS = new Map(
  PAGE.split(/^## /m)
    .slice(1)
    .map((section): [string, string] => [section.slice(0, section.indexOf("\n")), section]),
);

/** The texts of an alarm whose cause is known: they stand in the catalogue, and not on the page. */
const textsOf = (locale: "en" | "fr", rule: RuleName) =>
  Object.values(renderAlert(rule, { error: said("x") })).map(
    ({ code }) => areasOf(locale).get("alarm")?.[code.slice("alarm.".length)],
  );

test("the page of alarms has each rule, in its order, and no other", () => {
  expect([...SECTIONS.keys()]).toEqual([...RULE_NAMES]);
});

test.each(RULE_NAMES.map((rule) => [rule] as const))(
  "of %s it says when it starts and ends, and its thresholds",
  (rule) => {
    const section = SECTIONS.get(rule) ?? "";
    expect(section).toMatch(/^Starts: .+\nEnds: .+/m);
    const { enabled, ...thresholds } = configOf(document()).alerts.rules[rule];
    expect(enabled).toBe(true);
    for (const [name, value] of Object.entries(thresholds))
      expect(section).toContain(`\`${name}\` (${value})`);
  },
);

test.each(RULE_NAMES.map((rule) => [rule] as const))(
  "%s has a title, a detail and what to do in both languages, as the page says",
  (rule) => {
    for (const locale of ["en", "fr"] as const)
      for (const text of textsOf(locale, rule)) expect(text).toMatch(/./);
  },
);
