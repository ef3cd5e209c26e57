import { expect, test } from "vitest";
import type { MoneyWords } from "../../src/i18n/words.gen.d.ts";
import { wordsIn } from "../kit/page-words.ts";

const MONEY_EN = wordsIn<MoneyWords>("en", "money");
const MONEY_FR = wordsIn<MoneyWords>("fr", "money");

/** Every text in words of a page, also of those that are made with a value. */
function textsIn(words: unknown): string[] {
  if (typeof words === "string") return [words];
  if (typeof words === "function") return [1, 2].map((count) => String(words(count, {})));
  return typeof words === "object" && words !== null ? Object.values(words).flatMap(textsIn) : [];
}

/** Only papers that are certified may be called an invoice, in Burkina Faso since July 2026. */
test("what is printed about money calls itself a statement, and says that it is no invoice", () => {
  const said = (words: unknown) => textsIn(words).filter((text) => /invoice|\bbill|factur/iu.test(text));
  expect(said(MONEY_EN.money)).toEqual([MONEY_EN.money.noInvoicePaper]);
  expect(said(MONEY_FR.money)).toEqual([MONEY_FR.money.noInvoicePaper]);
  expect(MONEY_EN.money.noInvoicePaper).toContain("not an invoice");
  expect(MONEY_FR.money.noInvoicePaper).toContain("n’est pas une facture");
  expect([MONEY_EN.money.invoice, MONEY_FR.money.invoice]).toEqual([
    "Usage statement",
    "Relevé de consommation",
  ]);
});
