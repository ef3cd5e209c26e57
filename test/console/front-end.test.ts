import { describe, expect, test } from "vitest";
import { frontEnd } from "../../src/console/server/front-end.ts";

const MAX_FIRST_BYTES = 100_000;

describe("the front end", () => {
  test("is less than 100 KB compressed for the first page, with all that it loads", async () => {
    const { html, assets } = await frontEnd();
    const page = html("fr", null);
    const named = [...page.matchAll(/\/console\/assets\/([\w.-]+)"/g)].map(([, name = ""]) => name);
    expect(named.map((name) => name.split(".").at(-1)).sort()).toEqual(["css", "js"]);
    // What the first piece imports by itself is loaded with it; what it imports when it is needed is not.
    for (const name of named) {
      const imports = [
        ...(assets.get(name)?.content ?? "").matchAll(/import[^(]*?"\/console\/assets\/([\w.-]+)"/g),
      ];
      named.push(...imports.map(([, other = ""]) => other).filter((other) => !named.includes(other)));
    }
    const bytes = named.reduce(
      (sum, name) => sum + (assets.get(name)?.gzip.length ?? Number.NaN),
      page.length,
    );
    expect(bytes).toBeGreaterThan(10_000);
    expect(bytes).toBeLessThan(MAX_FIRST_BYTES);
  });

  test("names its files by what is in them, the same each time, and names nothing that is elsewhere", async () => {
    const [first, second] = await Promise.all([frontEnd(), frontEnd()]);
    expect([...first.assets.keys()]).toEqual([...second.assets.keys()]);
    for (const [name, { content }] of first.assets) {
      expect(name).toMatch(/^[\w.]+-[a-z0-9]{8}\.(js|css)$/);
      const outside = content.match(/https?:\/\/[\w./-]*/g) ?? [];
      expect([name, outside.filter((url) => !url.startsWith("http://www.w3.org/"))]).toEqual([name, []]);
    }
    expect(first.html("en", null)).not.toMatch(/:\/\/|<style|style=|<script(?! type="module" src=)/);
  });
});

test("the page says who sells, before anybody is signed in, and nothing else where nobody is named", async () => {
  const { html } = await frontEnd();
  const page = html("fr", { name: 'Faso "SMS" <SARL>', colour: "#0a7d4f", hasLogo: true });
  expect(page).toContain(
    '<div id="console" data-seller="Faso &quot;SMS&quot; &lt;SARL&gt;" data-colour="#0a7d4f" data-logo="/seller-logo">',
  );
  expect(html("fr", null)).toContain('<div id="console"></div>');
});
