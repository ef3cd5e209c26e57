/** What the page "Send" works out in the browser by itself. */
import { describe, expect, test } from "vitest";
import { monthSpan } from "../../../src/console/ui/pages/money/amounts.ts";
import { derivePriceStanding } from "../../../src/console/ui/pages/money/price-standing.ts";
import { toPastedFile } from "../../../src/console/ui/pages/send/pasted-numbers.ts";
import {
  blankTags,
  summarizeQuote,
  summarizeReach,
  withRepeats,
} from "../../../src/console/ui/pages/send/quote-summary.ts";
import {
  asSent,
  isReplaced,
  listReplaced,
  literalOf,
  measureText,
  templateRewritten,
  undoReplaced,
} from "../../../src/console/ui/pages/send/text-measure.ts";
import { compileTemplate } from "../../../src/text/template.ts";

describe("a text that is being written", () => {
  test("counts characters, segments and what is left, as the bill does", () => {
    expect(measureText("Bonjour")).toMatchObject({ characters: 7, segments: 1, encoding: "GSM7", left: 153 });
    expect(measureText("a".repeat(161))).toMatchObject({ segments: 2, left: 306 - 161, guilty: [] });
    expect(measureText("€")).toMatchObject({ characters: 1, units: 2, left: 158 });
  });

  test("names what makes it dear, most frequent first, and what it is without", () => {
    const { guilty, rewritten, ...weight } = measureText(`ç’ç ${"a".repeat(70)}`);
    expect(weight).toMatchObject({ encoding: "UCS2", segments: 2, costsMore: true });
    expect(guilty).toEqual([
      { character: "ç", times: 2, replacement: "c" },
      { character: "’", times: 1, replacement: "'" },
    ]);
    expect(rewritten).toEqual({ text: `c'c ${"a".repeat(70)}`, segments: 1 });
    const kept = measureText("ɛç😀");
    expect(kept.rewritten).toBeNull();
    // A short text takes one SMS in either alphabet.
    expect(kept.costsMore).toBe(false);
    expect(measureText(`ɛ${"a".repeat(70)}`).costsMore).toBe(true);
    expect(measureText(`ɛ${"a".repeat(69)}`).costsMore).toBe(false);
    expect(kept.guilty.map(({ replacement }) => replacement)).toEqual([null, "c", null]);
  });
});

describe("a text with tags", () => {
  test("is rewritten around them: their names are those of columns", () => {
    const rewritten = (text: string, others: readonly string[] = []) =>
      templateRewritten(compileTemplate(text, others));
    expect(rewritten("Ça… {garçon} « là »")).toBe('Ça... {garçon} " là "');
    expect(rewritten("{garçon}")).toBe("{garçon}");
    expect(rewritten("ɛ {garçon} ç")).toBeNull();
    expect(rewritten("ç {Garçon (âge)} ç", ["Garçon (âge)"])).toBe("c {Garçon (âge)} c");
    expect(literalOf(compileTemplate("Ça {garçon}, {nom} !"))).toBe("Ça ,  !");
  });
});

describe("as it is sent", () => {
  const cases = (text: string) => {
    const weight = measureText(text);
    return (["as_is", "rewrite", "gsm_only"] as const).map((rule) => [
      isReplaced(weight, rule),
      asSent(weight, rule).segments,
    ]);
  };
  test("a text with rare characters weighs what the rule makes of it", () => {
    expect(cases(`ç ${"a".repeat(70)}`)).toEqual([
      [false, 2],
      [true, 1],
      [true, 1],
    ]);
  });

  test("one that has nothing to replace, or what nothing stands in for, stays as it is", () => {
    for (const text of ["Bonjour", `ɛ ${"a".repeat(70)}`]) {
      expect(cases(text).map(([replaced]) => replaced)).toEqual([false, false, false]);
    }
  });
});

test("every row that was brought is in the sum", () => {
  const reasons = { DUPLICATE_IN_BATCH: 3, UNROUTABLE_PREFIX: 4 };
  const sum = summarizeQuote({ accepted: 10, rejected: 7, bad: 2, rejections_by_reason: reasons });
  expect(sum).toEqual({
    rows: 19,
    sent: 10,
    notSent: 9,
    unregistered: 0,
    other: 4,
    unreadable: 2,
    doubled: 3,
  });
  expect(sum.notSent).toBe(sum.other + sum.unreadable + sum.doubled);
  expect(withRepeats(reasons, 0)).toEqual(reasons);
  expect(withRepeats(reasons, 1)).toEqual({ ...reasons, TURN_BEFORE: 1 });
  // Texts whose operator does not know the sender stand with what is not sent.
  const lost = summarizeQuote({
    accepted: 10,
    rejected: 7,
    bad: 2,
    rejections_by_reason: reasons,
    lost: 4,
  });
  expect(lost).toEqual({ ...sum, sent: 6, notSent: 13, unregistered: 4 });
});

test("whom no operator that knows the sender can reach is neither sent nor paid, and what is set aside for them is told", () => {
  const share = { messages: 3, segments: 4, amount: 72 };
  const by_operator = [
    { ...share, is_registered: true },
    { ...share, messages: 2, is_registered: false },
  ];
  const quote = { accepted: 5, total_segments: 8, amount: 144, by_operator };
  expect(summarizeReach(quote)).toEqual({ sent: 3, segments: 4, amount: 72, lost: 2, held: 72 });
});

describe("what is pasted", () => {
  test.each([
    ["numbers in a row", "70 12 34 56, 70123457;+226 70 12 34 58", "70 12 34 56\n70123457\n+226 70 12 34 58"],
    ["numbers one a line", "70123456\r\n70123457\r\n", "70123456\n70123457"],
    ["rows of a spreadsheet", "tel\tnom\n70123456\tAwa", "tel\tnom\n70123456\tAwa"],
  ])("%s", (_, text, file) => {
    expect(toPastedFile(text)).toBe(file);
  });
});

describe("what was replaced in a text", () => {
  const from = "Ça coûte « 5 € »… François";
  const to = 'Ça coute " 5 € "... Francois';
  test.each([
    ["as it was", (text: string) => text],
    ["written on behind", (text: string) => `${text} vient`],
    ["written on before", (text: string) => `Oui. ${text}`],
    ["changed in the middle", (text: string) => text.replace("5", "12")],
    ["cut short", (text: string) => text.slice(0, 9)],
  ])("is taken back: %s", (_, change) => {
    expect(undoReplaced({ from, to }, change(to))).toBe(change(from));
  });

  test("is taken back around what was changed of it, which stays as it is", () => {
    expect(undoReplaced({ from, to }, to.replace("...", "!"))).toBe("Ça coûte « 5 € »! François");
    expect(undoReplaced({ from, to }, "Bonjour")).toBe("Bonjour");
    expect(undoReplaced({ from: "a\u00ADb ç", to: "ab c" }, "ab c d")).toBe("a\u00ADb ç d");
  });
});

test("what was replaced in a text is listed, each character once, but for names of tags", () => {
  expect(listReplaced({ from: "ç… {garçon} ç\u00AD", to: "c... {garçon} c" })).toEqual([
    { character: "ç", times: 2, replacement: "c" },
    { character: "…", times: 1, replacement: "..." },
    { character: "\u00AD", times: 1, replacement: "" },
  ]);
  expect(listReplaced({ from: "Bonjour", to: "Bonjour" })).toEqual([]);
});

describe("tags that a text would leave without", () => {
  const quote = {
    accepted: 3,
    rejected: 1,
    gaps: [
      { tag: "Nom", rows: 4 },
      { tag: "Montant", rows: 1 },
    ],
  };
  test("are asked about where nothing fills them in for anybody", () => {
    expect(blankTags(quote, "empty", false)).toEqual(["Nom"]);
  });
  test("are asked about for a single person, where corrected rows are sent", () => {
    expect(blankTags(quote, "empty", true)).toEqual(["Nom", "Montant"]);
  });
  test("are not where people without a value get nothing", () => {
    expect(blankTags(quote, "reject", true)).toEqual([]);
  });
});

describe("of several prices of an operator", () => {
  const CLASSES = ["OTP", "MARKETING"];
  const general = { operator: "orange", message_class: null, source: "operator" };
  const ofClass = { operator: "orange", message_class: "OTP", source: "account" };
  const agreed = { operator: "orange", message_class: null, source: "account" };
  const standings = (...prices: readonly (typeof general | typeof ofClass)[]) =>
    prices.map((price) => derivePriceStanding(prices, price, CLASSES));
  test("it is said which is paid", () => {
    expect(standings(general)).toEqual(["all"]);
    expect(standings(agreed, general)).toEqual(["all", "none"]);
    expect(standings(ofClass, general)).toEqual(["all", "others"]);
    expect(standings(ofClass, agreed, general)).toEqual(["all", "others", "none"]);
  });
});

test("a month is taken as it is written in either language", () => {
  expect(monthSpan("03/2026")).toEqual(monthSpan("2026-03"));
  expect(monthSpan("3/2026")).toEqual(monthSpan("2026-03"));
  expect(monthSpan("13/2026")).toBeNull();
});
