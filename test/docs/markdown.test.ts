import { describe, expect, test } from "vitest";
import { renderPage, toAnchor, toServedPath } from "../../src/docs/site/markdown.ts";

const html = (markdown: string) => renderPage(markdown, "fr").html();

describe("a page of the guide", () => {
  test("shows blocks of code that follow each other as tabs, and one alone as it is", () => {
    const shown = html("```sh\nls\n```\n\n```python\nprint(1)\n```\n\nText.\n\n```sh\npwd\n```\n");
    expect(shown.match(/class="tabs"/g)).toHaveLength(1);
    expect(shown.match(/<label for="tab-0-\d">(curl|Python)<\/label>/g)).toHaveLength(2);
    expect(shown).toMatch(/<\/div>\n<p>Text\.<\/p>\n<pre[^>]*><code>.*pwd.*<\/code><\/pre>/);
  });

  test("keeps blocks that are no program apart, so that an answer is no tab", () => {
    expect(html("```json\n{}\n```\n\n```sh\nls\n```\n")).not.toContain("tabs");
  });

  test("shows what stands in code to the letter", () => {
    const shown = html('```sh\ncurl <a> & "b"\n```\n').replaceAll(/<\/?span[^>]*>/g, "");
    expect(shown).toContain("<code>curl &lt;a&gt; &amp; &quot;b&quot;</code>");
    expect(html("Write `<b>` and `{name}`.")).toContain("<code>&lt;b&gt;</code> and <code>{name}</code>");
  });

  test("leads to other pages where they are served, in its own language", () => {
    expect(toServedPath("money.md", "fr")).toBe("/docs/fr/money");
    expect(toServedPath("errors.md#not_found", "en")).toBe("/docs/en/errors#not-found");
    expect(toServedPath("index.md", "en")).toBe("/docs/en");
    expect(toServedPath("#on_this_page", "en")).toBe("#on-this-page");
    expect(html("[ici](tags.md#règles)")).toContain('<a href="/docs/fr/tags#règles">ici</a>');
    expect(html("![Une vie](../lifecycle.fr.svg)")).toContain(
      '<img src="/docs/lifecycle.fr.svg" alt="Une vie">',
    );
  });

  test("gives codes the anchors that errors point to, and words those of their letters", () => {
    expect(toAnchor("INSUFFICIENT_FUNDS")).toBe("insufficient-funds");
    expect(toAnchor("1. Mettre la clé là")).toBe("1-mettre-la-clé-là");
  });

  test("tells its title, its first paragraph and its sections as plain text", () => {
    const page = renderPage(
      "# Titre\n\nUn *mot* de `code`.\n\n## Suite & fin\n\n| a | b |\n|---|---|\n| `x` | y |\n",
      "fr",
    );
    expect([page.title, page.lead]).toEqual(["Titre", "Un mot de code."]);
    expect(page.sections.map(({ heading, depth, text }) => [heading, depth, text])).toEqual([
      ["Titre", 1, "Un mot de code."],
      ["Suite & fin", 2, "a b x y"],
    ]);
  });
});

test("a cell of a table brings the head of its column along, for where heads are not seen", () => {
  const html = renderPage("# T\n\n| what | `GSM7` |\n|---|---|\n| room | 160 |\n", "en").html();
  expect(html).toContain('<td>room</td><td data-head="GSM7">160</td>');
  expect(html).toContain("<th>what</th>");
});
