import { deepStrictEqual, ok } from "node:assert";
import { type Fault, faultLine } from "../../../src/config/faults.ts";
import { renderManual } from "../../../src/config/manual.ts";
import { parseConfig } from "../../../src/config/parse-config.ts";
import { SETTINGS } from "../../../src/config/settings.ts";
import { findLine, keyLines, parseToml } from "../../../src/config/toml.ts";
import { english } from "../../../src/i18n/text.ts";
import type { Dice } from "../dice.ts";
import { kindOf, textTarget } from "../target.ts";

const SECRET = "hunter2-9f8e";
const ENV = { PASSWORD: SECRET, PRICE: "15" };
const EXAMPLE = renderManual("en")
  .replaceAll(/^#(?=[\w"[])/gm, "")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"));
const LEAST = `[operators.orange]
prefixes = ["22605"]
price = 15
[[operators.orange.connections]]
host = "127.0.0.1"
system_id = "bendre"
password = "${SECRET}"
`;
/** A text that stands for what a variable holds. */
const variable = (name: string): string => `"\${${name}}"`;
const VALUES = [
  '""',
  "0",
  "-1",
  "1.5",
  "true",
  "[]",
  "{}",
  '["a"]',
  "2026-03-02",
  "9223372036854775807",
  "nan",
  "1_0",
];
/** Passwords that no operator takes. */
const BAD_SECRETS = [`"${SECRET}é"`, `"${SECRET.repeat(9)}"`, `["${SECRET}"]`, `"${SECRET}\\u0001"`];
const KEYS = SETTINGS.map(({ key }) => key);
const TABLES = [...new Set(SETTINGS.map(({ table }) => table))].map((table) =>
  table.includes("[]")
    ? `[[${table.replace("CODE", "orange").replace("[]", "")}]]`
    : `[${table.replace("CODE", "orange")}]`,
);

export const toml = textTarget({
  name: "toml",
  promise:
    "a configuration is read or its faults are named with key, found and expected, whatever the order of its keys, and no secret is shown",
  words: [
    ...[
      ...KEYS,
      ...TABLES,
      ...VALUES,
      variable("PASSWORD"),
      variable("NOWHERE"),
      '"${',
      variable("PASSWORD").slice(1, -1),
      "=",
      "\n",
      '"""',
      "'''",
    ],
    ...[
      "#",
      ".",
      "[",
      "]",
      "[[",
      "]]",
      "{",
      "}",
      '"',
      "operators",
      "orange",
      "moov",
      "\\u0000",
      `password = "${SECRET}"`,
      `password = "${SECRET}é"`,
    ],
    ...['"__proto__"', "__proto__", "constructor", '""', '"a b"', '"0x45"', '"retry"', "responses"],
  ],
  draw: drawn,
  change: changedLines,
  isPumped: false,
  run: (text) => {
    const read = parseToml(text);
    const lines = keyLines(text);
    for (const line of lines.values()) ok(line >= 1 && line <= text.split(/\r?\n/).length);
    if (!read.ok) {
      ok(read.problem.length > 0);
      return `no TOML: ${kindOf(read.problem)
        .replace(/[^\w ].*$/s, "")
        .slice(0, 30)}`;
    }
    const parsed = parseConfig(read.document, ENV);
    if (parsed.ok) {
      const again = parseConfig(turned(read.document), ENV);
      ok(again.ok, "good in any order");
      deepStrictEqual(again.config, parsed.config);
      return `good, ${Object.keys(parsed.config.operators).length} operators`;
    }
    const { faults } = parsed;
    ok(faults.length >= 1 && faults.length <= 20, "one fault, at most twenty");
    deepStrictEqual(new Set(faults.map(({ key }) => key)).size, faults.length, "one a key");
    for (const fault of faults) isTold(fault, findLine(lines, fault.key), text);
    const [{ expected, found }] = faults as [Fault];
    return `${found.code}: ${expected.code}`;
  },
});

/** A fault says where, what and what instead, on one line, and shows no password. */
function isTold(fault: Fault, line: number | null, text: string): void {
  for (const part of [fault.found, fault.expected])
    ok(!["", "undefined"].includes(english(part)), JSON.stringify(fault));
  const told = english(faultLine("config.toml", fault, line));
  ok(!/[\n\r]/.test(told), "on one line");
  // A password under a key that is no secret is the writer's own.
  const places = text.split("\n").filter((each) => each.includes(SECRET));
  if (places.every((each) => /^password = \[?"[^"]*"\]?$/.test(each)))
    ok(!told.includes(SECRET), "no secret is shown");
}

/** The same document with the names of every table in the other order. */
function turned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(turned);
  if (typeof value !== "object" || value === null || value.constructor !== Object) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, turned(member)]),
  );
}

function drawn({ below, pick }: Dice): string {
  if (below(3) === 0) return EXAMPLE.join("\n");
  const lines = below(4) === 0 ? [] : [LEAST];
  for (let settings = below(4); settings > 0; settings--) {
    lines.push(pick(TABLES), `${pick(KEYS)} = ${pick(VALUES)}`);
  }
  return lines.join("\n");
}

/** Lines taken out, doubled, moved, and given other values and names. */
function changedLines(text: string, other: string, { below, pick }: Dice): string {
  const lines = text.split("\n");
  const at = below(lines.length);
  const line = lines[at] ?? "";
  const [name = "", value] = line.split(/ ?= ?/);
  switch (below(7)) {
    case 0:
      lines.splice(at, 1);
      break;
    case 1:
      lines.splice(below(lines.length), 0, line);
      break;
    case 2:
      lines.splice(at, 0, pick(other.split("\n")));
      break;
    case 3:
      lines.splice(at, 0, pick(TABLES));
      break;
    case 4:
      lines[at] = value === undefined ? line : `${pick(KEYS)} = ${value}`;
      break;
    case 5:
      lines.splice(at, 0, `${pick(KEYS)} = ${pick(VALUES)}`);
      break;
    default:
      lines[at] =
        value === undefined
          ? line
          : `${name} = ${pick([...(name === "password" ? BAD_SECRETS : VALUES), variable("PASSWORD"), variable("PRICE")])}`;
  }
  return lines.join("\n");
}
