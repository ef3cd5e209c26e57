import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { RULE_NAMES } from "../../../src/upkeep/alarms/rules.ts";
import { ALARM_WORDS } from "../../../src/upkeep/alarms/texts.ts";
import { configOf, document } from "../../config/sample.ts";

const PAGE = readFileSync(join(import.meta.dir, "../../../src/docs/alarms.md"), "utf8");
const SECTIONS = new Map(
  PAGE.split(/^## /m)
    .slice(1)
    .map((section): [string, string] => [section.slice(0, section.indexOf("\n")), section]),
);

test("the page of alarms has each rule, in its order, and no other", () => {
  expect([...SECTIONS.keys()]).toEqual([...RULE_NAMES]);
});

test.each(RULE_NAMES.map((rule) => [rule] as const))(
  "of %s it says what is told, in both languages, when it starts and ends, and its thresholds",
  (rule) => {
    const section = SECTIONS.get(rule) ?? "";
    for (const words of [ALARM_WORDS.en[rule], ALARM_WORDS.fr[rule]])
      for (const text of Object.values(words)) expect(section).toContain(`| ${text} |`);
    expect(section).toMatch(/^Starts: .+\nEnds: .+/m);
    const { enabled, ...thresholds } = configOf(document()).alerts.rules[rule];
    expect(enabled).toBe(true);
    for (const [name, value] of Object.entries(thresholds))
      expect(section).toContain(`\`${name}\` (${value})`);
  },
);
