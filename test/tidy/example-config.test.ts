import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Config } from "../../src/config/config.ts";
import { describeExpected } from "../../src/config/faults.ts";
import { parseConfig } from "../../src/config/parse-config.ts";
import { SETTINGS, type Setting } from "../../src/config/settings.ts";
import { parseToml } from "../../src/config/toml.ts";
import { english } from "../../src/i18n/text.ts";

const EXAMPLE = readFileSync(join(import.meta.dir, "../../config.example.toml"), "utf8");
const ENV = Object.fromEntries(
  [...EXAMPLE.matchAll(/= "\$\{(\w+)\}"/g)].map(([, name]) => [name, `${name}-x`]),
);

type Entry = { readonly value: string; readonly comment: string };

/** The first time each key occurs, commented out or not: what it is set to, and the words around it. */
function entriesOf(example: string): ReadonlyMap<string, Entry> {
  const entries = new Map<string, Entry>();
  let table = "";
  let above: string[] = [];
  for (const line of example.split("\n")) {
    const header = /^#?(\[{1,2})([\w.]+)\]{1,2}$/.exec(line);
    const setting = /^#?([\w.]+) = (.*?)(?: +# (.*))?$/.exec(line);
    if (header) {
      table = `${header[2]}${header[1] === "[[" ? "[]" : ""}`
        .replace("operators.orange", "operators.CODE")
        .replace("whatsapp.numbers.main", "whatsapp.numbers.CODE");
      if (!entries.has(table)) entries.set(table, { value: "", comment: above.join(" ") });
    } else if (setting) {
      const key = `${table}.${setting[1]}`;
      const comment = [...above, setting[3] ?? ""].join(" ");
      if (!entries.has(key)) entries.set(key, { value: setting[2] ?? "", comment });
    } else if (line.startsWith("# ")) above.push(line.slice(2));
    else if (line === "") above = [];
  }
  return entries;
}

const ENTRIES = entriesOf(EXAMPLE);

/** What stands there as an illustration: operators, numbers of WhatsApp and what they need. */
function isIllustrated({ table, key }: Setting): boolean {
  const isOfNumbers = table === "whatsapp" && (key === "app_secret" || key === "verify_token");
  return isOfNumbers || table.startsWith("operators.") || table.startsWith("whatsapp.numbers.");
}

function entryOf(setting: Setting): Entry | undefined {
  return ENTRIES.get(`${setting.table}.${setting.key}`);
}

function defaultText(setting: Setting): string {
  const value = setting.shape.default;
  if (setting.key === "responses") return "default: an empty table";
  if (setting.key === "price" || setting.table.endsWith(".price")) return "no default";
  if (value === undefined) return "required";
  return `default ${Array.isArray(value) ? `[${value.join(", ")}]` : JSON.stringify(value)}`;
}

function parsed(text: string): Config {
  const toml = parseToml(text);
  if (!toml.ok) throw new Error(toml.problem);
  const result = parseConfig(toml.document, ENV);
  if (!result.ok) throw new Error(JSON.stringify(result.faults, null, 2));
  return result.config;
}

describe("config.example.toml is the manual", () => {
  test("it is right as it stands, given its variables", () => {
    expect(Object.keys(parsed(EXAMPLE).operators)).toEqual(["orange", "moov", "telecel"]);
  });

  test("without its variables it names each of them", () => {
    const toml = parseToml(EXAMPLE);
    const result = parseConfig(toml.ok ? toml.document : null, {});
    const asked = Object.keys(ENV).filter((name) => !name.startsWith("WA_"));
    const told = result.ok ? "" : result.faults.map((fault) => english(fault.expected)).join();
    for (const name of asked) expect(told).toContain(name);
  });

  test("every line that is commented out is a known key with a permitted value", () => {
    const everything = parsed(EXAMPLE.replace(/^#(?=[\w"[])/gm, ""));
    const orange = everything.operators.orange!;
    expect(orange.responses).toEqual({ "0x45": "retry" });
    expect(everything.whatsapp).toEqual({
      ...parsed(EXAMPLE).whatsapp,
      app_secret: "WA_APP_SECRET-x",
      verify_token: "WA_VERIFY_TOKEN-x",
      numbers: {
        main: {
          phone_number_id: "1",
          waba_id: "2",
          token: "WA_TOKEN-x",
          price: { OTP: 6, TRANSACTIONAL: 5, MARKETING: 21 },
          throughput: 80,
          recipients_per_day: 0,
          portfolio: "",
          direct_send: false,
          countries: [],
          enabled: true,
        },
      },
    });
    expect({
      ...everything,
      whatsapp: parsed(EXAMPLE).whatsapp,
      operators: { ...everything.operators, orange: { ...orange, responses: {} } },
    }).toEqual(parsed(EXAMPLE));
  });

  for (const setting of SETTINGS) {
    test(`it explains ${setting.table}.${setting.key}: meaning, bounds and default`, () => {
      const comment = entryOf(setting)?.comment ?? "";
      expect(comment).toContain(setting.shape.description ?? "a description in the schema");
      expect(comment).toContain(english(describeExpected(setting.shape)));
      expect(comment).toContain(defaultText(setting));
    });
  }

  test("what it sets outside the operators is the default", () => {
    for (const setting of SETTINGS.filter((each) => !isIllustrated(each))) {
      const toml = parseToml(`value = ${entryOf(setting)?.value}`);
      expect([setting.key, toml]).toEqual([
        setting.key,
        { ok: true, document: { value: setting.shape.default } },
      ]);
    }
  });

  test("it lists the mobile ranges of Burkina Faso (docs/behaviour.md#9-burkina-faso-ranges), each under its operator", () => {
    const ranges = (...spans: [number, number][]) =>
      spans.flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, step) => from + step));
    const prefixes = (code: string) =>
      parsed(EXAMPLE).operators[code]?.prefixes.map((prefix) => Number(prefix) - 22_600);
    expect(prefixes("orange")).toEqual(ranges([4, 7], [44, 46], [54, 57], [64, 67], [74, 77]));
    expect(prefixes("moov")).toEqual(ranges([1, 3], [50, 53], [60, 63], [70, 73]));
    expect(prefixes("telecel")).toEqual(ranges([58, 58], [68, 69], [78, 79]));
  });
});
