import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Glob } from "bun";
import { expect, test } from "vitest";
import { auditActions, auditWord } from "../../src/console/ui/words/audit-words.ts";

const SOURCE = join(import.meta.dir, "../../src");

/** Rooms that write down what was done. */
const ROOMS = "{operations,users,webhooks,inbound,reports,upkeep,console}/**/*.ts";

/** Actions as the source writes them beside `action:`, or hands them to whoever records them. */
function actionsOfTheSource(): string[] {
  const found = new Set<string>();
  for (const file of new Glob(ROOMS).scanSync(SOURCE)) {
    if (file.startsWith("console/ui/")) continue;
    const text = readFileSync(join(SOURCE, file), "utf8");
    if (!/audit/i.test(text)) continue;
    for (const [, action = ""] of text.matchAll(/action: "([a-z]+ [a-z]+(?: [a-z]+)?)"/g)) found.add(action);
    for (const [, action = ""] of text.matchAll(
      /(?:note|audit|change\w*|decide\w*)\([^;]*?"((?:sender|suppression|session|user|sign)[- ][a-z]+(?: [a-z]+)?)"/g,
    ))
      found.add(action);
  }
  return [...found].sort();
}

test("every action of the audit has words in both languages", () => {
  const actions = actionsOfTheSource();
  expect(actions.length).toBeGreaterThan(50);
  for (const language of ["en", "fr"] as const) {
    const known = auditActions(language).map(({ value }) => value);
    expect([language, actions.filter((action) => !known.includes(action))]).toEqual([language, []]);
  }
});

test("what has no word is shown as it is", () => {
  expect(auditWord("fr", "actions", "moon land")).toBe("moon land");
  expect(auditWord("fr", "details", "prices_kept")).toBe("prices kept");
  expect(auditWord("fr", "actions", "price set")).toBe("Prix fixé");
});
