import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parseConfig } from "../../src/config/parse-config.ts";
import { parseToml } from "../../src/config/toml.ts";
import { normaliseNumber } from "../../src/intake/numbers.ts";
import { prefixTable } from "../../src/intake/prefixes.ts";
import { readBatchRequest } from "../../src/intake/request.ts";

const ROOT = join(import.meta.dir, "../..");
const README = readFileSync(join(ROOT, "README.md"), "utf8");
const EXAMPLE = readFileSync(join(ROOT, "config.example.toml"), "utf8").replaceAll(/\$\{\w+\}/g, "secret");

function exampleConfig() {
  const toml = parseToml(EXAMPLE);
  const result = parseConfig(toml.ok ? toml.document : null, {});
  if (!result.ok) throw new Error("the example configuration is wrong");
  return result.config;
}

describe("the first message of the README", () => {
  const body = /-d '(\{[^']*\})'/.exec(README)?.[1] ?? "";
  const request = readBatchRequest(JSON.parse(body));

  test("is a submission whose shape is right", () => {
    expect(request.ok).toBe(true);
  });

  test("goes to an operator that its sender was registered with, in the example configuration", () => {
    const { operators, defaults } = exampleConfig();
    const registered = [...README.matchAll(/sender register \S+ \S+ --operator (\w+)/g)].map(
      ([, code]) => code,
    );
    const numbers = request.ok ? request.value.recipients.map(({ msisdn }) => msisdn) : [];
    expect(numbers).not.toEqual([]);
    for (const msisdn of numbers) {
      const number = normaliseNumber(msisdn, defaults.region, prefixTable(operators));
      expect(registered).toContain(number.kind === "routable" ? number.operator : number.kind);
    }
  });
});
