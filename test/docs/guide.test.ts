import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { LANGUAGES } from "../../src/docs/site/language.ts";
import { renderPage } from "../../src/docs/site/markdown.ts";
import { GUIDE, INDEX } from "../../src/docs/site/pages.ts";
import { SCOPES } from "../../src/domain/accounts/api-keys.ts";
import { EVENT_TYPES } from "../../src/domain/events/outbox.ts";
import { MESSAGE_ERRORS } from "../../src/domain/messages/message-status.ts";
import { REJECTION_REASONS } from "../../src/domain/submission/rejections.ts";
import { WARNING_CODES } from "../../src/domain/submission/warnings.ts";
import { FEED_WARNING_CODES } from "../../src/ingress/api/feed-page.ts";
import { FAILURES } from "../../src/ingress/http/error-codes.ts";
import { errorAnchor } from "../../src/ingress/http/problem.ts";
import { REFUSALS } from "../../src/ingress/smpp/refusals.ts";

const FOLDER = join(import.meta.dirname, "../../src/docs/guide");
const textOf = (language: string, slug: string) => readFileSync(join(FOLDER, language, `${slug}.md`), "utf8");
const codeOf = (markdown: string) => markdown.match(/^```[\s\S]*?^```$/gm) ?? [];
/** What programs say to people: on a line of its own or behind code, or the first line of a function in Python. */
const COMMENT = /(?<=^\s*|\s)(?:#|\/\/) (?!\w+\.\w+$).*$|\/\*\*.*\*\/|"""[^"]*"""/gm;
const commentsOf = (markdown: string) => codeOf(markdown).flatMap((code) => code.match(COMMENT) ?? []);
const shapeOf = (markdown: string) =>
  markdown
    .replaceAll(/^```[\s\S]*?^```$/gm, "```")
    .split("\n")
    .flatMap((line) => /^(#+ |\||```|- )/.exec(line)?.[1] ?? []);

const NAMES = readdirSync(join(FOLDER, "en")).sort();

describe("the guide", () => {
  test("has the same pages in both languages, and each is served", () => {
    expect(readdirSync(join(FOLDER, "fr")).sort()).toEqual(NAMES);
    expect(["index", ...GUIDE.map(({ slug }) => slug)].map((slug) => `${slug}.md`).sort()).toEqual(NAMES);
  });

  test.each(NAMES)(
    "says the same in both languages: %s has the same code, headings, tables and lists, and comments in its own",
    (name) => {
      const [en, fr] = LANGUAGES.map((language) => textOf(language, name.replace(/\.md$/, "")));
      const bare = (markdown = "") => codeOf(markdown).map((code) => code.replaceAll(COMMENT, "…"));
      expect(bare(fr)).toEqual(bare(en));
      const theirs = new Set(commentsOf(en ?? ""));
      expect(commentsOf(fr ?? "").filter((comment) => theirs.has(comment))).toEqual([]);
      expect(shapeOf(fr ?? "")).toEqual(shapeOf(en ?? ""));
      expect(codesIn(fr ?? "")).toEqual(codesIn(en ?? ""));
    },
  );

  test("links to pages and headings that are there, in the page as it is served", () => {
    for (const language of LANGUAGES) {
      const rendered = new Map<string, string>(
        GUIDE.map((page) => [`/docs/${language}/${page.slug}`, renderPage(page[language], language).html()]),
      );
      rendered.set(`/docs/${language}`, renderPage(INDEX[language], language).html());
      for (const [address, html] of rendered) {
        for (const [, href = ""] of html.matchAll(/<a (?:class="anchor" )?href="([^"]*)"/g)) {
          const [path = "", anchor] = href.split("#");
          if (path.endsWith("/reference")) continue;
          const target = rendered.get(path === "" ? address : path);
          expect([address, href, target !== undefined]).toEqual([address, href, true]);
          if (anchor !== undefined) expect([href, target?.includes(`id="${anchor}"`)]).toEqual([href, true]);
        }
      }
    }
  });
});

/** Words in capitals between backticks: codes, states, headers' names are the same in every language. */
const codesIn = (markdown: string) => [...new Set(markdown.match(/`[A-Z][A-Z0-9_]+`/g))].sort();

test.each(LANGUAGES)("the page of limits has every scope that a key may have (%s)", (language) => {
  const rows = [...textOf(language, "limits").matchAll(/^\| `([A-Z]+_[A-Z_]+)` \|/gm)].map(
    ([, scope]) => scope,
  );
  expect(rows).toEqual([...SCOPES]);
});

test.each(LANGUAGES)(
  "the page of SMPP has every reason of a refusal, in order, with its status (%s)",
  (language) => {
    const rows = [
      ...textOf(language, "smpp").matchAll(/^\| ([A-Z0-9_ ,]+?)(?:\s?: .*)? \| (0x[0-9A-F]{2}) \|$/gm),
    ];
    const told = rows.flatMap(([, reasons = "", status]) =>
      reasons.split(", ").map((reason) => [reason, Number(status)]),
    );
    expect(told).toEqual(Object.entries(REFUSALS));
  },
);

describe.each(LANGUAGES)("the page of codes (%s)", (language) => {
  const page = textOf(language, "errors");
  const rowsOf = (heading: RegExp) => {
    const section = page.split(/^## /m).find((part) => heading.test(part)) ?? "";
    return [...section.matchAll(/^\| `([A-Z0-9_]+)` \|/gm)].map(([, code = ""]) => code);
  };

  test("has every error of a request where its type points to, with its status, and says whether to repeat it", () => {
    const html = renderPage(page, language).html();
    const never = language === "en" ? "do not repeat" : "ne pas réessayer";
    for (const [code, { status, retryable }] of Object.entries(FAILURES)) {
      expect(html).toContain(`id="${errorAnchor(code as keyof typeof FAILURES)}"`);
      const words = page.split(`\n### ${code}\n`)[1]?.trim().split("\n")[0] ?? "";
      expect([code, words]).toEqual([
        code,
        expect.stringMatching(new RegExp(`^HTTP ${status} · \`is_retryable\` ${retryable} · `)),
      ]);
      expect([code, words.includes(never)]).toEqual([code, !retryable]);
    }
  });

  test("has no error that there is not", () => {
    const named = [...page.matchAll(/^### ([A-Z_]+)$/gm)].map(([, code = ""]) => code);
    expect(named.filter((code) => !(code in FAILURES))).toEqual(["VALIDATION_TIMEOUT"]);
  });

  test("has every reason of rejection, in the order in which they are looked at", () => {
    expect(rowsOf(/^(Reasons|Raisons)/)).toEqual([...REJECTION_REASONS]);
  });

  test("has every error of a message", () => {
    expect(rowsOf(/^(Errors of messages|Erreurs des messages)/).sort()).toEqual(
      Object.keys(MESSAGE_ERRORS).sort(),
    );
  });

  test("has every warning, with its cause and what to do", () => {
    expect(rowsOf(/^(Warnings|Avertissements)/)).toEqual([...WARNING_CODES, ...FEED_WARNING_CODES]);
  });

  test("leaves no cell of a table empty: each code has its cause and what to do", () => {
    const rows = page.split("\n").filter((line) => /^\| `[A-Z]/.test(line));
    expect(rows.length).toBeGreaterThan(45);
    for (const row of rows) {
      const cells = row
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim());
      expect([row, cells.length, cells.every((cell) => cell.length > 1)]).toEqual([row, 3, true]);
    }
  });

  test("leads to every event", () => {
    const webhooks = textOf(language, "webhooks");
    for (const type of [...EVENT_TYPES, "WEBHOOK_TEST"]) expect(webhooks).toContain(`| \`${type}\` |`);
  });
});
