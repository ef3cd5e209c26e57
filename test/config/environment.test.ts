import { describe, expect, test } from "vitest";
import { expandEnvironment } from "../../src/config/environment.ts";
import { phrase, said } from "../../src/i18n/phrase.ts";

describe("expandEnvironment", () => {
  test("any text may come from the environment, at any depth", () => {
    const { document, faults } = expandEnvironment(
      { a: `\${ONE}`, list: [{ b: `\${TWO}` }, "plain"], n: 5, yes: true },
      { ONE: "1", TWO: "" },
    );
    expect(document).toEqual({ a: "1", list: [{ b: "" }, "plain"], n: 5, yes: true });
    expect(faults).toEqual([]);
  });

  test("a missing variable is named with the key that asks for it", () => {
    expect(expandEnvironment({ a: [{ "b c": `\${GONE}` }] }, {}).faults).toEqual([
      {
        key: 'a[0]."b c"',
        found: said(`"\${GONE}"`),
        expected: phrase("config.expects.variable_set", { variable: "GONE" }),
      },
    ]);
  });

  test("a variable that holds a placeholder is taken as it is", () => {
    const { document, faults } = expandEnvironment({ a: `\${ONE}` }, { ONE: `\${TWO}` });
    expect(document).toEqual({ a: `\${TWO}` });
    expect(faults).toEqual([]);
  });

  test("a placeholder inside a longer text is refused, without showing the text", () => {
    for (const text of [`smsc.\${DOMAIN}`, `\${}`, `\${1A}`, `\${A`, ` \${A} `]) {
      const { faults } = expandEnvironment({ host: text }, { DOMAIN: "x", A: "y" });
      expect(faults).toHaveLength(1);
      expect(faults[0]).toMatchObject({ key: "host", found: phrase("config.found.within_text") });
    }
  });

  test("a dollar sign alone is text", () => {
    expect(expandEnvironment({ a: "$5 {x}" }, {})).toMatchObject({ document: { a: "$5 {x}" }, faults: [] });
  });

  test("origins tell which keys came from which variable", () => {
    const { origins } = expandEnvironment({ a: { b: `\${ONE}` }, c: "two" }, { ONE: "1" });
    expect([...origins]).toEqual([["a.b", "ONE"]]);
  });
});
