import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { areasOf, PHRASES_FILE, paramsIn, phraseTypes } from "../../scripts/phrases/phrase-types.ts";
import { pageWords, WORDS_FILE, wordParams, wordTypes } from "../../scripts/phrases/word-types.ts";
import { EXACT_ENGLISH, type Phrase, phrase, said } from "../../src/i18n/phrase.ts";
import { english, t, withTexts } from "../../src/i18n/text.ts";
import { isForms, loadWords, type Value, type WordNode } from "../../src/i18n/words.ts";
import { filesBelow, textOf } from "../tidy/source.ts";

const EN = areasOf("en");
const FR = areasOf("fr");

describe("the catalogues", () => {
  test("say the same things in both languages, with the same parameters in the same formats", () => {
    const saying = (areas: typeof EN) =>
      [...areas].flatMap(([area, entries]) =>
        Object.entries(entries).map(([key, entry]) => [
          `${area}.${key}`,
          Object.fromEntries(paramsIn(entry)),
        ]),
      );
    expect(saying(FR)).toEqual(saying(EN));
  });

  test("are what the types of phrases were written from: `bun scripts/phrases.ts`", () => {
    expect(readFileSync(PHRASES_FILE, "utf8")).toBe(phraseTypes());
  });

  test("hold nothing that no program says: each code stands in one, or its beginning does", () => {
    const programs = filesBelow("src").filter((file) => /(?<!\.d)\.tsx?$/.test(file));
    const text = programs.map(textOf).join("\n");
    const beginnings = [...text.matchAll(/[`"]([a-z_]+\.[\w.]*)\$\{/g)].map(([, begin = ""]) => begin);
    const written = new Set([...text.matchAll(/["`]([\w.-]+)["`]/g)].map(([, literal]) => literal));
    const isSaid = (code: string) =>
      written.has(code) ||
      (code.startsWith("refusal.") && written.has(code.slice("refusal.".length))) ||
      beginnings.some((begin) => begin !== "refusal." && code.startsWith(begin));
    const codes = [...EN].flatMap(([area, entries]) =>
      Object.keys(entries).map((key) => (area === "common" ? key : `${area}.${key}`)),
    );
    // Those are looked up by names of commands, members and words.
    const ofNames = /^(help|simulator_help|label|place|value)\./;
    expect(codes.filter((code) => !ofNames.test(code) && !isSaid(code))).toEqual([]);
  });

  test("have every form that their language asks for", () => {
    for (const [locale, areas] of [
      ["en", EN],
      ["fr", FR],
    ] as const) {
      const forms = new Intl.PluralRules(locale)
        .resolvedOptions()
        .pluralCategories.filter((one) => one !== "many");
      for (const entries of areas.values()) {
        for (const [key, entry] of Object.entries(entries)) {
          if (typeof entry !== "string")
            expect([key, Object.keys(entry).sort()]).toEqual([key, [...forms].sort()]);
        }
      }
    }
  });

  test("have no blank before French punctuation at which a line could break", () => {
    for (const entries of FR.values()) {
      for (const entry of Object.values(entries))
        expect(JSON.stringify(entry)).not.toMatch(/ [:;?!»](\s|$|[.,)"])|« |['"]\S*" /);
    }
  });
});

describe("the words of the console's pages", () => {
  const EN = pageWords("en");
  const FR = pageWords("fr");

  /** Every place where words stand, with what they are filled in with. */
  const places = (node: WordNode, place: string): string[] =>
    typeof node === "string" || isForms(node)
      ? [`${place}(${[...wordParams(node)].sort().join()})${isForms(node) ? " by number" : ""}`]
      : Object.entries(node).flatMap(([name, one]) => places(one, `${place}.${name}`));
  const all = (pages: typeof EN) => [...pages].flatMap(([page, node]) => places(node, page));

  test("stand in the same places in both languages, filled in with the same", () => {
    expect(all(EN).length).toBeGreaterThan(2000);
    expect(all(FR)).toEqual(all(EN));
  });

  test("are what their types were written from: `bun scripts/phrases.ts`", () => {
    expect(readFileSync(WORDS_FILE, "utf8")).toBe(wordTypes());
  });

  test("leave out what is told of something that there is not, and follow the number and the name", () => {
    type Words = {
      readonly plain: string;
      readonly line: (params: { readonly by: Value; readonly why: Value }) => string;
      readonly forms: (count: number, params: { readonly who: Value }) => string;
      readonly of: (params: { readonly name: Value; readonly day: Value }) => string;
      readonly paid: (params: { readonly amount: number }) => string;
    };
    const page = {
      plain: "a {{tag}}",
      line: "paused[[, by {by}]]: {{{why}}}",
      forms: { one: "# for {who}", other: "# for all of {who}" },
      of: "{name:of}, {day:first}",
      paid: "paid {amount:money}",
    };
    const words = loadWords<Words>(page, {
      count: (value, { one, other }) => (value === 1 ? one : other).replace("#", String(value)),
      money: (francs) => `${francs} XOF`,
    });
    expect(words.plain).toBe("a {tag}");
    expect([words.line({ by: null, why: "x" }), words.line({ by: "Awa", why: "[[" })]).toEqual([
      "paused: {x}",
      "paused, by Awa: {[[}",
    ]);
    expect([1, 2].map((count) => words.forms(count, { who: "Moov" }))).toEqual([
      "1 for Moov",
      "2 for all of Moov",
    ]);
    expect(words.paid({ amount: 5 })).toBe("paid 5 XOF");
    const of = (name: string) => words.of({ name, day: "1 mars 2026" });
    expect(["Orange", "Étoile", "Moov", "Hello"].map(of)).toEqual([
      "d’Orange, 1er mars 2026",
      "d’Étoile, 1er mars 2026",
      "de Moov, 1er mars 2026",
      "de Hello, 1er mars 2026",
    ]);
    expect(words.of({ name: "x", day: "11 mars" })).toBe("de x, 11 mars");
  });
});

describe("a text", () => {
  const PARIS = { locale: "fr", timeZone: "Europe/Paris" } as const;
  const PEOPLE = { locale: "en", timeZone: "Africa/Ouagadougou" } as const;
  const shown = (phrase: Phrase, reader = EXACT_ENGLISH) => String(t(phrase, reader));

  test("has values as they are for scripts, and as people read them for people", () => {
    const since = Date.UTC(2026, 2, 1, 8, 30);
    const paused = phrase("health.operators.paused", { operator: "orange", since, reason: "why" });
    expect(shown(paused)).toBe("orange has been paused since 2026-03-01T08:30:00.000Z (why)");
    expect(String(t(paused, PARIS))).toBe("orange est en pause depuis 1 mars 2026, 09:30 (why)");
    const disk = phrase("health.disk", { free: 812 * 1_048_576, total: 2 ** 40 });
    expect(shown(disk)).toBe("812 MB of 1048576 MB free");
    expect(String(t(disk, PEOPLE))).toBe("851 MB of 1.1 TB free");
  });

  test("has values on a terminal as tables there have them", () => {
    const terminal = { ...EXACT_ENGLISH, isTerminal: true };
    const since = Date.UTC(2026, 2, 1, 8, 30);
    const paused = phrase("health.operators.paused", { operator: "orange", since, reason: "why" });
    expect(shown(paused, terminal)).toBe("orange has been paused since 2026-03-01 08:30:00 (why)");
    const holds = phrase("fault.closing.holds", { amount: 54_876 });
    expect(shown(holds, terminal)).toBe("its wallet holds 54\u00a0876 XOF");
    expect(shown(holds)).toBe("its wallet holds 54876 XOF");
  });

  test("holds others, one after the other, and what somebody else said as it was", () => {
    const ready = phrase("health.not_ready", { reasons: [phrase("readiness.starting"), said("a {b} {{c")] });
    expect(shown(ready)).toBe("submissions are not accepted: starting; a {b} {{c");
    expect(String(t(ready, PARIS))).toBe(
      "les envois ne sont pas acceptés\u00a0: démarrage en cours\u00a0; a {b} {{c",
    );
  });

  test("goes by how many there are", () => {
    const left = (count: number) => phrase("health.operators.left", { count, unconfigured: "x" });
    expect([shown(left(1)), shown(left(2))]).toEqual([
      "1 message waits for x, which is not configured",
      "2 messages wait for x, which is not configured",
    ]);
  });

  test("is good for nothing but being shown: it is no string to compare, match, join or store", () => {
    const text = t(phrase("health.ready"), EXACT_ENGLISH);
    // @ts-expect-error it is no string
    const stored: string = text;
    // @ts-expect-error nothing is the same as a text
    expect(text === "submissions are accepted").toBe(true);
    // @ts-expect-error nothing is found in it
    expect(text.includes("accepted")).toBe(true);
    expect(stored).toBe("submissions are accepted");
  });

  test("stands in the place of each phrase of an answer, and of nothing else that has a code", () => {
    const down = phrase("link.bind_refused.password", { status: "0x0E RINVPASWD" });
    const answer = {
      code: "INVALID_NUMBER",
      error: { code: "link.closed", detail: "beside it" },
      own: { code: "ACCOUNT.UNKNOWN" },
      rows: [{ last_error: down, none: null, count: 3 }, { last_error: phrase("link.closed") }],
    };
    expect(withTexts(answer, { locale: "fr", timeZone: null })).toEqual({
      ...answer,
      rows: [
        {
          last_error:
            "l’opérateur refuse le mot de passe\u00a0: vérifiez system_id et password (0x0E RINVPASWD)",
          none: null,
          count: 3,
        },
        { last_error: "la connexion a été fermée" },
      ],
    });
  });

  test("of a code or a parameter that this version does not have shows its name", () => {
    expect(shown({ code: "health.of_another_version" } as unknown as Phrase)).toBe(
      "health.of_another_version",
    );
    expect(shown({ code: "health.books", params: {} } as unknown as Phrase)).toBe("checked at at");
  });
});

test("an answer is told with a text for each phrase in it, and what clients call a code stays as they wrote it", () => {
  const answer = {
    checks: [
      { detail: phrase("line", { line: 3, why: said("no number") }) },
      { detail: phrase("health.ready") },
    ],
    recipients: [{ attributes: { code: "line" } }, { attributes: { code: "said" } }, { code: "A-17" }],
    error: { code: "EXPIRED_IN_QUEUE", detail: null },
    // Another version kept it.
    failure: { code: "alarm.of_another_version" },
  };
  expect(withTexts(answer, EXACT_ENGLISH)).toEqual({
    ...answer,
    checks: [{ detail: "line 3: no number" }, { detail: english(phrase("health.ready")) }],
    failure: "alarm.of_another_version",
  });
});

test("no catalogue says a key twice, of which readers would only see the last", () => {
  const files = [...new Bun.Glob("src/i18n/{en,fr}/**/*.json").scanSync()];
  expect(files.length).toBeGreaterThan(20);
  for (const file of files) {
    const keys = [...readFileSync(file, "utf8").matchAll(/^ {2}"([^"]+)":/gm)].map(([, key]) => key);
    expect([file, keys.filter((key, at) => keys.indexOf(key) !== at)]).toEqual([file, []]);
  }
});
