import { expect, test } from "vitest";
import { addFrenchSpaces } from "../../src/docs/site/layout.ts";

test("French text does not break before its punctuation, inside guillemets or within a number", () => {
  expect(addFrenchSpaces("<p>Au-dessus de 10 000 : « oui » ? 20 % ;</p>")).toBe(
    "<p>Au-dessus de 10\u00a0000\u00a0: «\u00a0oui\u00a0»\u00a0? 20\u00a0%\u00a0;</p>",
  );
});

test("code, fields and attributes stay as they are", () => {
  const kept =
    '<a title="a : b"><code>a : b</code></a><pre><code>10 000 ?</code></pre><textarea>x : 1</textarea>';
  expect(addFrenchSpaces(kept)).toBe(kept);
  expect(addFrenchSpaces("12 et 345, 1 2 3, 70 12 34 56")).toBe("12 et 345, 1 2 3, 70 12 34 56");
});
