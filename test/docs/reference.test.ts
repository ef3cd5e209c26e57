import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LANGUAGES } from "../../src/docs/site/language.ts";
import { renderReferencePage, renderTryItPage } from "../../src/docs/site/reference.ts";
import { search } from "../../src/docs/site/search.ts";
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
      "La première qui s’applique de A_B, C. D’autres peuvent s’ajouter.",
    );
    expect(inFrench("Nobody wrote this. Whole XOF.")).toBe("Nobody wrote this. Whole XOF.");
  });

  test.each(LANGUAGES)(
    "has every operation with its path, scope, fields, example and errors (%s)",
    (language) => {
      const { html, sections } = renderReferencePage(documents[language], language);
      const { paths } = JSON.parse(openApi) as {
        paths: Record<string, Record<string, { operationId?: string }>>;
      };
      const ids = Object.values(paths).flatMap((methods) =>
        Object.values(methods).flatMap(({ operationId }) => operationId ?? []),
      );
      expect(ids.length).toBeGreaterThan(12);
      for (const id of ids) expect(html).toContain(`<h3 id="${id}">`);
      expect(
        sections
          .filter(({ depth }) => depth === 3)
          .map(({ anchor }) => anchor)
          .sort(),
      ).toEqual(ids.sort());
      expect(html).toContain('<span class="method">POST</span> /public/v1/batches</code>');
      expect(html).toContain('<span class="method">GET</span> /health/live</code>');
      expect(html).toContain("<code>MESSAGES_SEND</code>");
      for (const field of [
        "recipients[].msisdn",
        "data.counts.delivered",
        "data.messages[].status_changed_at",
      ]) {
        expect(html.replaceAll("<wbr>", "")).toContain(`<td><code>${field}</code></td>`);
      }
      expect(html).toContain(
        `<a href="/docs/${language}/errors#insufficient-funds"><code>INSUFFICIENT_FUNDS</code></a>`,
      );
      expect(html).toContain("votre facture est prete");
      expect(html.match(/<td>/g)?.length).toBe(html.match(/<tr><td>/g)?.length);
    },
  );

  test("shows what is inside of a field that may be null, what a query leaves out, and what an answer may", () => {
    const html = renderReferencePage(openApi, "en").html.replaceAll("<wbr>", "");
    const meaningOf = (field: string) => {
      const cells = html.split(`<td><code>${field}</code></td>`)[1] ?? "";
      return /<td data-head="meaning">(.*?)<\/td>/.exec(cells)?.[1];
    };
    const typeOf = (field: string) =>
      />([^<]*)</.exec((html.split(`<td><code>${field}</code></td>`)[1] ?? "").slice(0, 60))?.[1];
    expect(typeOf("recipients")).toBe("object[], 1–100000");
    expect(typeOf("data.sender_ids[].operators")).toBe("string[]");
    expect(typeOf("batch_id")).toBe("string, 26, in the path");
    expect(typeOf("events")).toBe("array: ");
    expect(meaningOf("data.failure.code")).toMatch(
      /^For programs: INSUFFICIENT_FUNDS, .*Others may be added\.$/,
    );
    expect(meaningOf("data.messages[].error.is_permanent")).toContain("pointless");
    expect(meaningOf("limit")).toBe("How many a page has at most. <code>100</code> where it is left out.");
    expect(meaningOf("sender")).toMatch(/^<strong>required</);
    expect(meaningOf("data.batch_id")).toBe("The batch.");
    expect(meaningOf("data.checks")).toMatch(/^<strong>not always there</);
  });
});

test.each(LANGUAGES)("the reference has every header of the answers, where it comes (%s)", (language) => {
  const html = renderReferencePage(documents[language], language).html.replaceAll("<wbr>", "");
  const { components } = JSON.parse(openApi) as { components: { headers: Record<string, object> } };
  for (const name of Object.keys(components.headers)) expect(html).toContain(`<td><code>${name}</code></td>`);
  const [, submitting = ""] = html.split('<h3 id="submitBatch">');
  const [of = ""] = submitting.split("</section>");
  expect(of).toContain("<td><code>Idempotency-Replayed</code></td>");
  expect(of).not.toContain("<td><code>X-Request-Id</code></td>");
  expect(of).toMatch(/<li>429 ?: .*RATE_LIMITED.* · <code>Retry-After<\/code><\/li>/);
  expect(of).toMatch(/<li>422 ?: (?!.*Retry-After).*<\/li>/);
});

test.each([
  ["spendable_after", "quoteBatch"],
  ["consecutive_failures", "createWebhook"],
  ["idempotency-replayed", "submitBatch"],
])("a search for the field %s finds the operation that has it", (field, operation) => {
  const pages = [{ slug: "reference", rendered: renderReferencePage(openApi, "en") }];
  const found = search(pages, field, "en");
  expect(found.map(({ anchor }) => anchor)).toContain(operation);
  const { excerpt = "" } = found.find(({ anchor }) => anchor === operation) ?? {};
  expect(excerpt.toLowerCase()).toContain(field);
  expect(excerpt).not.toMatch(/[<>]/);
});

describe.each(LANGUAGES)("the page to try operations (%s)", (language) => {
  test("has a form for every operation, filled in with its example and the sender of test keys", () => {
    const { html } = renderTryItPage(documents[language], language);
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
