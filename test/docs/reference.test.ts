import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type GuideLanguage, LANGUAGES } from "../../src/docs/site/language.ts";
import { renderOperationPage, renderPage } from "../../src/docs/site/markdown.ts";
import { REFERENCE, writeReference } from "../../src/docs/site/reference.ts";
import { search } from "../../src/docs/site/search.ts";
import { renderTryItPage } from "../../src/docs/site/try-it.ts";
import { openApiText, renderDescription } from "../../src/ingress/api/openapi/document.ts";
import { listedEnum } from "../../src/ingress/api/openapi/open-codes.ts";
import { xof } from "../../src/ingress/api/openapi/schema-kinds.ts";
import { type HttpFixture, httpFixture } from "../ingress/api/fixture.ts";

let fixture: HttpFixture;
let openApi: string;
let documents: Readonly<Record<"en" | "fr", string>>;
beforeAll(async () => {
  fixture = await httpFixture();
  openApi = await (await fetch(`${fixture.http.url}/openapi.json`)).text();
  documents = { en: openApi, fr: await openApiText(fixture.http.sets, "", "fr") };
});
afterAll(() => fixture.close());

/** The pages of the operations of a document as they are shown, by the id of the operation, and the index of them. */
function pagesOf(language: GuideLanguage) {
  const [index, ...pages] = writeReference(documents[language], language);
  return {
    index: renderPage(index?.markdown ?? "", language).html(),
    operations: new Map(
      pages.map(({ slug, markdown }) => {
        const rendered = renderOperationPage(markdown, language);
        const html = rendered.html().replaceAll("<wbr>", "");
        return [slug.replace(`${REFERENCE}/`, ""), { html, rendered }];
      }),
    ),
  };
}

/** Every sentence of a document, in its order. */
function sentencesOf(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(sentencesOf);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]: [string, unknown]) => {
    if (name === "example") return [];
    const isSentence = typeof member === "string" && ["description", "summary"].includes(name);
    return isSentence ? [member] : sentencesOf(member);
  });
}

describe("the reference", () => {
  test("has the French of every sentence that the document says", () => {
    const english = sentencesOf(JSON.parse(documents.en));
    const french = sentencesOf(JSON.parse(documents.fr));
    expect(french.length).toBe(english.length);
    const isListOfCodes = (text: string) => /^[A-Z][A-Z0-9_]*(?:, [A-Z][A-Z0-9_]*)*$/.test(text);
    const same = english.filter((text, place) => text === french[place] && !isListOfCodes(text));
    expect([...new Set(same)].sort()).toEqual(["E.164.", "Messages.", "`Authorization: Bearer <API_KEY>`"]);
    const { tags } = JSON.parse(documents.fr) as { readonly tags: readonly { readonly name: string }[] };
    expect(tags.map(({ name }) => name)).toEqual(["Lots", "Messages", "Compte", "Webhooks", "Santé"]);
    for (const document of Object.values(documents))
      expect(document).not.toMatch(/"reference\.|\{\\"code\\"/);
  });

  test("says shared ends and lists of codes in French, and what is no code as it is", () => {
    const inFrench = (description = "") => renderDescription("fr", description);
    expect(inFrench(xof("reference.charged_amount").description)).toBe("Débité jusqu’ici. XOF entiers.");
    expect(inFrench(listedEnum("reference.Rejection.reason_code", ["A_B", "C"]).description)).toBe(
      "La première qui s’applique parmi A_B, C. D’autres peuvent s’ajouter.",
    );
    expect(inFrench("Nobody wrote this. Whole XOF.")).toBe("Nobody wrote this. Whole XOF.");
  });

  test.each(LANGUAGES)(
    "has every operation with its path, scope, fields, example and errors (%s)",
    (language) => {
      const { index, operations } = pagesOf(language);
      const { paths } = JSON.parse(openApi) as {
        paths: Record<string, Record<string, { operationId?: string }>>;
      };
      const ids = Object.values(paths).flatMap((methods) =>
        Object.values(methods).flatMap(({ operationId }) => operationId ?? []),
      );
      expect(ids.length).toBeGreaterThan(12);
      expect([...operations.keys()].sort()).toEqual(ids.sort());
      for (const id of ids) expect(index).toContain(`<a href="/docs/${language}/reference/${id}">`);
      const htmlOf = (id: string) => operations.get(id)?.html ?? "";
      expect(htmlOf("submitBatch")).toContain('<span class="method">POST</span> /public/v1/batches</code>');
      expect(htmlOf("getLiveness")).toContain('<span class="method">GET</span> /health/live</code>');
      expect(htmlOf("submitBatch")).toContain("<code>MESSAGES_SEND</code>");
      for (const [id, field] of [
        ["submitBatch", "recipients[].msisdn"],
        ["getBatch", "data.counts.delivered"],
        ["listMessageChanges", "data.messages[].status_changed_at"],
      ] as const)
        expect(htmlOf(id)).toContain(`<td><code>${field}</code></td>`);
      for (const { html } of operations.values())
        expect(html.match(/<td>/g)?.length ?? 0).toBe(html.match(/<tr><td>/g)?.length ?? 0);
    },
  );

  test("shows beside the text of an operation what is asked, for a shell, and what is answered", () => {
    const [, beside = ""] = (pagesOf("en").operations.get("submitBatch")?.html ?? "").split("<aside>");
    const text = beside
      .replaceAll(/<[^>]*>/g, "")
      .replaceAll("&quot;", '"')
      .replaceAll("&#x27;", "'");
    expect(text).toContain("curl -sS 'https://sms.example.bf/public/v1/batches' \\\n");
    expect(text).toContain('-H "Authorization: Bearer $BENDRE_KEY"');
    expect(text).toMatch(/-H 'Idempotency-Key: [^']+'/);
    expect(text).toContain('"body": "');
    expect(text).toContain('"batch_id": "');
    expect(beside).toContain('<span class="hljs-attr">');
  });

  test("shows what is inside of a field that may be null, what a query leaves out, and what an answer may", () => {
    const { operations } = pagesOf("en");
    const behind = (operation: string, field: string) =>
      (operations.get(operation)?.html ?? "").split(`<td><code>${field}</code></td>`)[1] ?? "";
    const meaningOf = (operation: string, field: string) =>
      /<td data-head="meaning">(.*?)<\/td>/.exec(behind(operation, field))?.[1];
    const typeOf = (operation: string, field: string) =>
      />([^<]*)</.exec(behind(operation, field).slice(0, 60))?.[1];
    expect(typeOf("submitBatch", "recipients")).toBe("object[], 1–100000");
    expect(typeOf("listSenderIds", "data.sender_ids[].operators")).toBe("string[]");
    expect(typeOf("getBatch", "batch_id")).toBe("string, 26, in the path");
    expect(typeOf("createWebhook", "events")).toBe("array: ");
    expect(meaningOf("getBatch", "data.failure.code")).toMatch(
      /^For programs: INSUFFICIENT_FUNDS, .*Others may be added\.$/,
    );
    expect(meaningOf("listMessageChanges", "data.messages[].error.is_permanent")).toContain("pointless");
    expect(meaningOf("listMessageChanges", "limit")).toBe(
      "How many items a page has at most. <code>100</code> where it is left out.",
    );
    expect(meaningOf("submitBatch", "sender")).toMatch(/^<strong>required</);
    expect(meaningOf("submitBatch", "data.batch_id")).toBe("The batch.");
    expect(meaningOf("getHealth", "data.checks")).toMatch(/^<strong>not always there</);
  });
});

test.each(LANGUAGES)("the reference has every header of the answers, where it comes (%s)", (language) => {
  const { index, operations } = pagesOf(language);
  const { components } = JSON.parse(openApi) as { components: { headers: Record<string, object> } };
  const submitting = operations.get("submitBatch")?.html ?? "";
  for (const name of Object.keys(components.headers))
    expect(index + submitting).toContain(`<td><code>${name}</code></td>`);
  expect(submitting).toContain("<td><code>Idempotency-Replayed</code></td>");
  expect(submitting).not.toContain("<td><code>X-Request-Id</code></td>");
  expect(submitting).toMatch(/<li>429 ?: .*RATE_LIMITED.* · <code>Retry-After<\/code><\/li>/);
  expect(submitting).toMatch(/<li>422 ?: (?!.*Retry-After).*<\/li>/);
});

test.each([
  ["spendable_after", "quoteBatch"],
  ["consecutive_failures", "createWebhook"],
  ["idempotency-replayed", "submitBatch"],
])("a search for the field %s finds the operation that has it", (field, operation) => {
  const pages = [...pagesOf("en").operations].map(([slug, { rendered }]) => ({ slug, rendered }));
  const found = search(pages, field, "en");
  expect(found.map(({ slug }) => slug)).toContain(operation);
  const { excerpt = "" } = found.find(({ slug }) => slug === operation) ?? {};
  expect(excerpt.toLowerCase()).toContain(field);
  expect(excerpt).not.toMatch(/[<>]/);
});

describe.each(LANGUAGES)("the page to try operations (%s)", (language) => {
  test("has a form for every operation, filled in with its example and the sender of test keys", () => {
    const html = renderTryItPage(documents[language], language).html();
    const { paths } = JSON.parse(openApi) as {
      paths: Record<string, Record<string, { operationId?: string }>>;
    };
    const ids = Object.values(paths).flatMap((methods) =>
      Object.values(methods).flatMap(({ operationId }) => operationId ?? []),
    );
    const shown = [...html.matchAll(/<details class="trial" id="([^"]+)">/g)].map(([, id]) => id);
    expect(shown.sort()).toEqual(ids.sort());
    expect(html).toContain('data-method="POST" data-path="/public/v1/batches/quote"');
    expect(html).toContain("&quot;sender&quot;: &quot;TEST&quot;");
    expect(html).not.toContain("BENDRE");
    // A batch of somebody else is shown, not asked for.
    expect(html).toMatch(/name="batch_id" data-in="path" value="" placeholder="[0-9A-Z]{26}"[^>]* required>/);
  });
});
