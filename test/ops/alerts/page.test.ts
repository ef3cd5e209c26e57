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

/** What an alarm tells when its cause is known, with the names of what was found. */
const wordsOf = (locale: string, rule: RuleName) =>
  Object.values(renderAlert(rule, { error: said("x") })).map(({ code }) =>
    String(areasOf(locale).get("alarm")?.[code.slice("alarm.".length)])
      .replaceAll(/\{(\w+):\w+\}/g, "{$1}")
      .replaceAll("\u00a0", " "),
  );

test("the page of alarms has each rule, in its order, and no other", () => {
  expect([...SECTIONS.keys()]).toEqual([...RULE_NAMES]);
});

test.each(RULE_NAMES.map((rule) => [rule] as const))(
  "of %s it says what is told, in both languages, when it starts and ends, and its thresholds",
  (rule) => {
    const section = SECTIONS.get(rule) ?? "";
    for (const locale of ["en", "fr"] as const)
      for (const text of wordsOf(locale, rule)) expect(section).toContain(`| ${text} |`);
    expect(section).toMatch(/^Starts: .+\nEnds: .+/m);
    const { enabled, ...thresholds } = configOf(document()).alerts.rules[rule];
    expect(enabled).toBe(true);
    for (const [name, value] of Object.entries(thresholds))
      expect(section).toContain(`\`${name}\` (${value})`);
  },
);
