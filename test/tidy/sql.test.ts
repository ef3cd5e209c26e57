import { describe, expect, test } from "vitest";
import { codeOf, filesBelow, roomOf, textOf } from "./source.ts";

const PROGRAMS = filesBelow("src").filter((file) => file.endsWith(".ts"));

/** SQL in a file: every text that has one of its words. */
function sqlIn(file: string): string[] {
  const texts = codeOf(file, "kept").matchAll(/`(?:[^`\\]|\\.)*`|"(?:[^"\\\n]|\\.)*"/g);
  return [...texts]
    .map(([text]) => text.slice(1, -1))
    .filter((text) => /\b(SELECT|INSERT|UPDATE|DELETE|FROM|JOIN|WHERE)\b/.test(text));
}

/** The tables that there are. */
const TABLES = [...textOf("src/db/schema.sql").matchAll(/CREATE TABLE "?(\w+)/g)].map(
  ([, name = ""]) => name,
);

/** The table of src/README.md: whose each table is. */
function owners(): ReadonlyMap<string, string> {
  const table =
    /\| room \| its tables \|\n\|---\|---\|\n((?:\|.*\|\n)+)/.exec(textOf("src/README.md"))?.[1] ?? "";
  return new Map(
    table
      .trim()
      .split("\n")
      .flatMap((row) => {
        const [, room = "", names = ""] = row.split("|").map((cell) => cell.trim());
        return names.split(", ").map((name): [string, string] => [name, room]);
      }),
  );
}

const OWNERS = owners();

/** The tables that a piece of SQL names: behind a word that a table follows, or where a piece begins with one. */
function tablesIn(sql: string): string[] {
  const named = sql.matchAll(/\b(?:FROM|JOIN|INTO|UPDATE|TABLE)\s+(\w+)|^(\w+) \w+ (?:WHERE|JOIN)\b/g);
  return [...named].map(([, name, first]) => name ?? first ?? "").filter((name) => TABLES.includes(name));
}

/** Statements that join another room's table for the sake of speed, and why. Take out what was mended; nothing is added. */
const JOINED: readonly (readonly [file: string, table: string, reason: string])[] = [
  [
    "src/domain/ledger/wallet.ts",
    "accounts",
    "what a wallet may spend is asked twice with each submission: one statement",
  ],
];

/** Values that are told apart by their order alone. */
const MAX_POSITIONAL = 5;

describe("the tables", () => {
  test("are each in one room of the table in src/README.md", () => {
    expect(TABLES.length).toBeGreaterThan(30);
    expect([...OWNERS.keys()].sort()).toEqual([...TABLES].sort());
  });

  test("are named in SQL by their own room alone, but for the joins on the list", () => {
    const crossings = PROGRAMS.flatMap((file) =>
      sqlIn(file)
        .flatMap(tablesIn)
        .filter((table) => OWNERS.get(table) !== roomOf(file))
        .map((table) => `${file} ${table}`),
    );
    expect([...new Set(crossings)]).toEqual(JOINED.map(([file, table]) => `${file} ${table}`));
  });

  test("are all named by somebody", () => {
    const named = new Set(PROGRAMS.flatMap((file) => sqlIn(file).flatMap(tablesIn)));
    expect(TABLES.filter((table) => !named.has(table))).toEqual([]);
  });
});

describe("a statement", () => {
  test(`of more than ${MAX_POSITIONAL} values names them`, () => {
    const counted = (sql: string) =>
      sql.replace(/\?\d+/g, "").split("?").length - 1 + new Set(sql.match(/\?\d+/g)).size;
    const long = PROGRAMS.flatMap((file) =>
      sqlIn(file)
        .filter((sql) => counted(sql) > MAX_POSITIONAL)
        .map((sql) => `${file}: ${sql.slice(0, 60)}`),
    );
    expect(long).toEqual([]);
  });
});
