/** What a page shows of a code is a word, in either language. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { MESSAGE_CLASSES } from "../../src/domain/accounts/message-class.ts";
import { LISTED_STATUSES } from "../../src/domain/messages/batches.ts";
import { STATUSES } from "../../src/domain/messages/message-status.ts";
import type { CommonWords, MoneyWords } from "../../src/i18n/words.gen.d.ts";
import { wordsIn } from "../kit/page-words.ts";

const EN = wordsIn<CommonWords>("en", "common");
const FR = wordsIn<CommonWords>("fr", "common");
const MONEY_EN = wordsIn<MoneyWords>("en", "money");
const MONEY_FR = wordsIn<MoneyWords>("fr", "money");

const UI = join(import.meta.dir, "../../src/console/ui");
const LANGUAGES = [
  ["English", EN, MONEY_EN],
  ["French", FR, MONEY_FR],
] as const;
const states = [
  ...[...STATUSES, ...LISTED_STATUSES, "VALIDATING", "REJECTED", "FAILED"],
  ...["CONNECTING", "BINDING", "BOUND", "UNBINDING", "WAITING", "STOPPED"],
  ...["ACTIVE", "SUSPENDED", "CLOSED", "REQUESTED", "APPROVED", "REGISTERED"],
  // Of receipts.
  ...["EXPIRED", "DELETED", "UNDELIVERABLE", "SKIPPED", "PENDING"],
];

test.each(LANGUAGES)("states, classes and movements have words in %s", (_, words, money) => {
  expect(states.filter((state) => !words.states[state])).toEqual([]);
  expect(MESSAGE_CLASSES.filter((name) => !words.classes[name])).toEqual([]);
  expect(
    ["TOPUP", "ADJUSTMENT", "RESERVE", "CHARGE", "RELEASE"].filter((kind) => !money.money.entries[kind]),
  ).toEqual([]);
});

test("why somebody got nothing is told in words alone", () => {
  const missed = readFileSync(join(UI, "pages/traffic/batch.tsx"), "utf8");
  expect(missed).toContain("rejectionWord(why)");
  expect(missed).not.toContain(">{why}<");
});

test.each(LANGUAGES)(
  "help explains what a newcomer asked about, in two sentences of %s at most",
  (_, words) => {
    const asked = ["webhook", "key", "otp", "tag", "receipt", "batch", "reserved", "books", "segment"];
    const kept = ["passphrase", "environment", "publicUrl"];
    const glossary: Readonly<Record<string, string>> = words.glossary;
    expect(Object.keys(words.help.terms)).toEqual(expect.arrayContaining([...asked, ...kept]));
    expect(Object.keys(words.help.terms).filter((term) => !glossary[term])).toEqual([]);
    for (const says of Object.values(glossary)) expect(says.match(/[.](?=\s|$)/g)?.length).toBeLessThan(3);
  },
);

test.each(["en", "fr"] as const)("a person reads SMS and not segment: %s", (language) => {
  const texts = readdirSync(join(UI, "words"))
    .filter((file) => file.endsWith(`-${language}.ts`) || file === `${language}.ts`)
    .filter((file) => !file.startsWith("glossary"))
    .flatMap((file) => readFileSync(join(UI, "words", file), "utf8").match(/["`][^"`\n]*["`]/g) ?? []);
  const spoken = texts.map((text) => text.replaceAll(/\$\{[^}]*\}/g, ""));
  expect(spoken.filter((text) => /segment/i.test(text) && !/^"segment"$/.test(text))).toEqual([]);
});
