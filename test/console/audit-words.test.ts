import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Glob } from "bun";
import { expect, test } from "vitest";
import { auditActions, auditWord, hasAuditWord } from "../../src/console/ui/words/audit-words.ts";

const SOURCE = join(import.meta.dir, "../../src");

/** Rooms that write down what was done. */
const ROOMS = "{admin,domain,webhooks,ops,console}/**/*.ts";

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
  expect(auditWord("fr", "details", "left_behind")).toBe("left behind");
  expect(auditWord("fr", "actions", "price set")).toBe("Prix fixé");
});

/** Names of details as the source writes them: `detail = { … }`, `detail: { … }`, and what goes to those that record. */
function detailsOfTheSource(): string[] {
  const found = new Set<string>();
  const literal =
    /(?:detail(?:: AuditDetail)?\s*[:=]\s*|record\(context, [^{}]*?|noted\(context, name, |"[a-z]+ [a-z]+", )\{([^{}]*)\}/g;
  for (const file of new Glob(ROOMS).scanSync(SOURCE)) {
    if (file.startsWith("console/ui/")) continue;
    const text = readFileSync(join(SOURCE, file), "utf8");
    if (!/recordAudit|audit[:,]|AuditDetail/.test(text)) continue;
    for (const [, inside = ""] of text.matchAll(literal))
      for (const field of inside.split(",")) {
        const [, name] = /^\s*([A-Za-z_]+)\s*(?::|$)/.exec(field) ?? [];
        if (name !== undefined) found.add(name);
      }
  }
  return [...found];
}

/** Handed on by names that a look at one object does not see: settings of an account, what closing did, a purge, a resume. */
const HANDED_ON = [
  ...["billing_mode", "short_name", "credit_limit", "timezone", "classes", "charge_on", "low_balance"],
  ...["recipients_per_minute", "recipients_per_day", "marketing_hours", "marketing_per_day"],
  ...["marketing_per_week", "text_policy", "missing_attributes", "fallback_seconds"],
  ...["keys_ended", "endpoints_disabled", "texts", "messages", "rejections", "inbound_texts"],
  ...["events", "audit_entries", "user_sessions", "bytes_before", "bytes", "writes_waited_ms"],
  ...["waiting", "messageClass", "operator", "diedAt", "source", "mode", "word", "origin", "is_taken"],
  ...[
    "class",
    "classes_by",
    "max_binds",
    "throughput",
    "window",
    "networks",
    "tls",
    "alphabet",
    "ids",
    "reasons",
  ],
  ...["receipt_text", "inbound"],
];

/** It stands in a column of its own. */
const NO_DETAILS = new Set(["address"]);

test("every detail of the audit has a name in both languages", () => {
  const names = [...new Set([...detailsOfTheSource(), ...HANDED_ON])].filter((name) => !NO_DETAILS.has(name));
  expect(names.length).toBeGreaterThan(60);
  for (const language of ["en", "fr"] as const)
    expect([language, names.filter((name) => !hasAuditWord(language, "details", name)).sort()]).toEqual([
      ...[language, []],
    ]);
});

test("steps and ways of signing in are words too", () => {
  for (const language of ["en", "fr"] as const)
    for (const value of [
      "asked",
      "accepted",
      "begun",
      "done",
      "password",
      "second factor",
      "code",
      "recovery code",
    ])
      expect([value, hasAuditWord(language, "values", value)]).toEqual([value, true]);
  for (const keys of ["none", "sealed", "left out"]) expect(auditWord("fr", "values", keys)).not.toBe(keys);
});
