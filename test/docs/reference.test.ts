import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LANGUAGES } from "../../src/docs/site/language.ts";
import { referencePage } from "../../src/docs/site/reference.ts";
import { documentInFrench, inFrench } from "../../src/docs/site/reference-french.ts";
import { type HttpFixture, httpFixture } from "../api/fixture.ts";

let fixture: HttpFixture;
let openApi: string;
beforeAll(async () => {
  fixture = await httpFixture();
  openApi = await (await fetch(`${fixture.http.url}/openapi.json`)).text();
});
afterAll(() => fixture.close());

describe("the reference", () => {
  test("has the French of every sentence that the document says", () => {
    const { tags, paths, components } = JSON.parse(openApi) as Record<string, Record<string, unknown>>;
    const missing = new Set<string>();
    documentInFrench({ tags, paths, schemas: components?.schemas }, (sentence) => missing.add(sentence));
    expect([...missing]).toEqual([]);
  });

  test("takes shared ends and lists of codes apart, and knows when it does not know", () => {
    expect(inFrench("Charged so far. Whole XOF.")).toBe("Débité jusqu’ici. XOF entiers.");
    expect(inFrench("The first that applies of A_B, C. Others may be added.")).toBe(
      "La première qui s’applique de A_B, C. D’autres peuvent s’ajouter.",
    );
    expect(inFrench("Nobody wrote this. Whole XOF.")).toBeNull();
  });

  test.each(LANGUAGES)(
    "has every operation with its path, scope, fields, example and errors (%s)",
    (language) => {
      const { html, sections } = referencePage(openApi, language);
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
        expect(html).toContain(`<td><code>${field}</code></td>`);
      }
      expect(html).toContain(
        `<a href="/docs/${language}/errors#insufficient-funds"><code>INSUFFICIENT_FUNDS</code></a>`,
      );
      expect(html).toContain("votre facture est prete");
    },
  );
});
