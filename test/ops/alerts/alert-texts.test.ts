import { expect, test } from "vitest";
import { areasOf } from "../../../scripts/phrases/phrase-types.ts";
import { type Locale, type Phrase, phrase, said } from "../../../src/i18n/phrase.ts";
import { renderIn } from "../../../src/i18n/text.ts";
import { renderAlert } from "../../../src/ops/alerts/alert-texts.ts";
import { type AlertFacts, RULE_NAMES, type RuleName } from "../../../src/ops/alerts/rules.ts";

const RULES = [...RULE_NAMES, "test"] as const;
const PARTS = ["title", "detail", "action"] as const;
const detailIn = (locale: Locale, rule: RuleName, facts: AlertFacts): string =>
  renderIn(locale, renderAlert(rule, facts).detail);
const templateOf = (locale: Locale, { code }: Phrase): string =>
  String(areasOf(locale).get("alarm")?.[code.slice("alarm.".length)]);

test("both languages have words for every rule, and whole sentences but for its title", () => {
  for (const rule of RULES) {
    for (const part of PARTS) {
      const [english, french] = (["en", "fr"] as const).map((locale) =>
        templateOf(locale, renderAlert(rule, { error: said("x") })[part]),
      );
      expect([rule, english]).not.toEqual([rule, french]);
      for (const words of [english, french]) expect(words).toMatch(part === "title" ? /[^.]$/ : /[.?}]$/);
    }
  }
});

test("facts stand in their places, and a cause that is not known leaves nothing behind", () => {
  for (const error of [{}, { error: "" }]) {
    const facts = { operator: "orange", connection: 2, ...error };
    expect(detailIn("en", "link_down", facts)).toBe("Connection 2 to orange is down.");
    expect(detailIn("fr", "link_down", facts)).toBe("La connexion 2 vers orange est coupée.");
  }
});

test("a fact that is a phrase is told in the language of the alarm, and a name as it is", () => {
  const error = phrase("link.bind_refused.password", { status: "0x0E RINVPASWD" });
  expect(detailIn("fr", "operator_down", { operator: "failed orange", error })).toBe(
    "Plus aucune connexion vers failed orange\u00a0: rien ne part vers ses numéros. " +
      "L’opérateur refuse le mot de passe\u00a0: vérifiez system_id et password (0x0E RINVPASWD)",
  );
  expect(renderAlert("books", { standing: "differs" }).detail).toEqual(
    phrase("alarm.books.detail", { standing: phrase("alarm.books.differs") }),
  );
});

test("of an earlier version, whose facts are sentences and days as they were written, they are shown as they are", () => {
  const error = "the connection was closed";
  expect(detailIn("fr", "operator_down", { operator: "orange", error })).toBe(
    `Plus aucune connexion vers orange\u00a0: rien ne part vers ses numéros. The connection was closed`,
  );
  const at = "2026-03-02T09:00:00.000Z";
  const moves = { template: "t (fr)", category: "MARKETING" };
  expect(detailIn("en", "template_moves", { ...moves, at })).toBe(
    detailIn("en", "template_moves", { ...moves, at: Date.parse(at) }),
  );
});

test("an amount and a size are as their reader has them", () => {
  expect(renderAlert("wallet_low", { account: "Ado", spendable: 12_500 }).title).toEqual(
    phrase("alarm.wallet_low.title", { account: "Ado", spendable: 12_500 }),
  );
  expect(detailIn("en", "disk", { free: 812, reserve: 500 })).toBe(
    "812 MB are free on the data disk; 500 MB of that are the reserve.",
  );
});
