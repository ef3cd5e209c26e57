import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Config } from "../../src/config/config.ts";
import { describeExpected } from "../../src/config/faults.ts";
import {
  findSettings,
  listManual,
  listNames,
  renderExample,
  renderManual,
  renderManualOf,
} from "../../src/config/manual.ts";
import { parseConfig } from "../../src/config/parse-config.ts";
import { SETTINGS, type Setting } from "../../src/config/settings.ts";
import { parseToml } from "../../src/config/toml.ts";
import { english } from "../../src/i18n/text.ts";

const FILE = readFileSync(join(import.meta.dir, "../../config.example.toml"), "utf8");
/** The manual below the first lines, with every line that it holds back. */
const EXAMPLE = renderManual("en").replaceAll(/^#(?=[\w"[\]])/gm, "");
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
        .replace("routes.direct", "routes.CODE")
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
  if (/\.(price|cost|price\.\w+|routes\.CODE\.receipts)$/.test(`${setting.table}.${setting.key}`))
    return "no default";
  if (value === undefined) return "required";
  return `default ${Array.isArray(value) ? `[${value.map((one) => JSON.stringify(one)).join(", ")}]` : JSON.stringify(value)}`;
}

function parsed(text: string): Config {
  const toml = parseToml(text);
  if (!toml.ok) throw new Error(toml.problem);
  const result = parseConfig(toml.document, ENV);
  if (!result.ok) throw new Error(JSON.stringify(result.faults, null, 2));
  return result.config;
}

describe("config.example.toml is the manual", () => {
  test("it is made of the schema and the texts: bun scripts/config-example.ts", () => {
    expect(FILE).toBe(renderExample("en"));
  });

  test("it begins with the 15 lines that most need, and starts as it stands, without an operator", () => {
    const lines = FILE.split("\n").filter((line) => line !== "" && !line.startsWith("# "));
    const head = FILE.slice(0, FILE.indexOf(renderManual("en")));
    const first = head.split("\n").filter((line) => line !== "" && !line.startsWith("# "));
    expect(first).toEqual(lines.slice(0, 15));
    expect(parsed(FILE).operators).toEqual({});
    expect(parsed(FILE)).toEqual(parsed(""));
    const all = parsed(head.replaceAll(/^#(?=[\w"[])/gm, ""));
    expect(all.server.public_url).toBe("https://sms.example.bf");
    const { connections, ...shown } = parsed(EXAMPLE).operators.orange!;
    const withoutRoutes = connections.map((connection) => ({ ...connection, route: "" }));
    const inManual = { ...shown, responses: {}, routes: {}, connections: withoutRoutes };
    expect(all.operators).toEqual({ orange: inManual });
  });

  test.each(["en", "fr"] as const)("what it holds back is right, given its variables (%s)", (locale) => {
    const manual = renderManual(locale).replaceAll(/^#(?=[\w"[\]])/gm, "");
    expect(parsed(manual)).toEqual(parsed(EXAMPLE));
    expect(Object.keys(parsed(manual).operators)).toEqual(["orange", "moov", "telecel"]);
  });

  test("without its variables it names each of them", () => {
    const toml = parseToml(EXAMPLE);
    const result = parseConfig(toml.ok ? toml.document : null, {});
    const told = result.ok ? "" : result.faults.map((fault) => english(fault.expected)).join();
    for (const name of Object.keys(ENV)) expect(told).toContain(name);
  });

  test("what it shows of operators and numbers is permitted", () => {
    const everything = parsed(EXAMPLE);
    expect(everything.operators.orange!.responses).toEqual({ "0x45": "retry" });
    expect(everything.whatsapp).toEqual({
      ...parsed("").whatsapp,
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
    expect({ ...everything, whatsapp: parsed("").whatsapp, operators: {} }).toEqual(parsed(""));
  });

  for (const setting of SETTINGS) {
    test(`it explains ${setting.table}.${setting.key}: meaning, bounds and default`, () => {
      const comment = entryOf(setting)?.comment ?? "";
      const { means } = setting.shape;
      expect(comment).toContain(means ? english(means) : "a meaning in the schema");
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

describe("a part of the manual", () => {
  test.each([
    ["server.listen", ["server.listen"]],
    ["billing", ["billing.charge_on"]],
    [
      "[alerts.smtp]",
      ["host", "port", "tls", "user", "password", "from", "ca_file"].map((key) => `alerts.smtp.${key}`),
    ],
    ["operators.orange.price", ["operators.CODE.price"]],
    ["operators.orange.connections[1].port", ["operators.CODE.connections[].port"]],
    ["operators.CODE.connections[].priority.OTP", ["operators.CODE.connections[].priority.OTP"]],
    ["operators.connections.host", ["operators.CODE.connections[].host"]],
    ["whatsapp.numbers.main.token", ["whatsapp.numbers.CODE.token"]],
    ["public_url", ["server.public_url"]],
    ["listen", ["server.listen", "compat.listen", "smpp_server.listen", "console.listen", "metrics.listen"]],
    ["nothing", []],
  ])("is found by %s", (text, keys) => {
    expect(listManual(findSettings(text)).map(({ key }) => key)).toEqual(keys);
  });

  test("is found by every name there is", () => {
    expect(listNames().filter((name) => findSettings(name).length === 0)).toEqual([]);
  });

  test("stands below the head of its table, in both languages", () => {
    for (const locale of ["en", "fr"] as const) {
      const lines = renderManualOf(locale, "operators.orange.connections[0].window")?.split("\n") ?? [];
      expect(lines).toContain("#[[operators.orange.connections]]");
      expect(lines.at(-2)).toBe("#window = 10");
    }
    expect(renderManualOf("en", "nothing")).toBeNull();
  });
});
