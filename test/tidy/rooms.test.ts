import { describe, expect, test } from "vitest";
import {
  filesBelow,
  isProgram,
  localImportsOf,
  roomOf,
  specifiersOf,
  TABLE_OF_IMPORTS,
  textOf,
} from "./source.ts";

const PROGRAMS = filesBelow("src").filter(isProgram);

/** What runs in browsers. */
const INNER = ["console/ui/pages/send", "console/ui/pages", "console/ui"];

const ROOMS = [...new Set(PROGRAMS.map(roomOf))].sort();

/** "base, store", "nothing", "any" or "every room but a, b", as the rooms it allows. */
function readAllowed(words: string): string[] {
  if (words === "nothing") return [];
  if (words === "any") return ROOMS;
  const names = words
    .replace(/^every room but /, "")
    .replaceAll(/\/(?=,|$)/g, "")
    .split(", ");
  return words.startsWith("every room but ") ? ROOMS.filter((room) => !names.includes(room)) : names;
}

/** Whatever a room says is a phrase of this one. */
const SPEAKING = "i18n";

const TABLE: ReadonlyMap<string, readonly string[]> = new Map(
  [...TABLE_OF_IMPORTS].map(([room, allowed]) => [room, readAllowed(allowed)]),
);

/** Imports from one room to another, types included: `file → room`. */
function crossings(): { file: string; from: string; to: string }[] {
  return PROGRAMS.flatMap((file) =>
    localImportsOf(file)
      .filter((target) => target.startsWith("src/"))
      .map((target) => ({ file, from: roomOf(file), to: roomOf(target) })),
  ).filter(({ from, to }) => from !== to && to !== SPEAKING);
}

/** Files that import something and may not. */
function importersOf(specifier: RegExp, allowed: RegExp): string[] {
  return PROGRAMS.filter(
    (file) => !allowed.test(file) && specifiersOf(file).some((one) => specifier.test(one)),
  );
}

describe("the rooms", () => {
  test("every room is in the table of src/README.md", () => {
    expect(ROOMS.length).toBeGreaterThan(12);
    expect(ROOMS.filter((room) => !TABLE.has(room))).toEqual([]);
  });

  test("no room imports one that the table does not allow, not even a type", () => {
    const wrong = crossings().filter(({ from, to }) => !TABLE.get(from)?.includes(to));
    expect(wrong.map(({ file, to }) => `${file} → ${to}`)).toEqual([]);
  });

  test("the table itself keeps what the plan stands on", () => {
    expect(TABLE.get("i18n")).toEqual([]);
    expect(TABLE.get("core")).toEqual(["i18n"]);
    for (const room of ["text", "config", "db"]) expect(TABLE.get(room)).toEqual(["core"]);
    for (const room of ["db", "domain/ledger", "domain/messages"])
      expect(TABLE.get("smpp")).not.toContain(room);
    for (const room of ["domain/submission", "ingress/http", "ingress/api", "webhooks", "domain/ledger"])
      for (const sender of ["dispatch", "channels/sms", "domain/inbound"])
        expect(TABLE.get(sender)).not.toContain(room);
    for (const room of ["channels/sms", "smpp", "domain/inbound"])
      expect(TABLE.get("dispatch")).not.toContain(room);
    for (const room of ["dispatch", "channels/sms"]) expect(TABLE.get("domain/inbound")).not.toContain(room);
    for (const room of ["dispatch", "channels/sms", "webhooks", "ingress/http", "ingress/api", "smpp"])
      expect(TABLE.get("domain/submission")).not.toContain(room);
    expect(TABLE.get("ingress/http")).toEqual(["core", "config"]);
    for (const room of ["smpp", "dispatch", "channels/sms"])
      expect(TABLE.get("ingress/api")).not.toContain(room);
    for (const room of [
      "domain/submission",
      "dispatch",
      "channels/sms",
      "smpp",
      "ingress/http",
      "ingress/api",
      "domain/ledger",
    ])
      expect(TABLE.get("webhooks")).not.toContain(room);
    for (const room of ["admin/operations", "admin/reports", "ops", "admin"])
      for (const door of ["ingress/http", "ingress/api", "console/server"])
        expect(TABLE.get(room)).not.toContain(door);
    expect(TABLE.get("admin/operations")).not.toContain("admin/reports");
  });

  test("no room holds more than a tenth of the code", () => {
    const linesOf = (file: string): number => textOf(file).split("\n").length - 1;
    const total = PROGRAMS.reduce((sum, file) => sum + linesOf(file), 0);
    const large = ROOMS.map((room) => {
      const lines = PROGRAMS.filter((file) => roomOf(file) === room).reduce(
        (sum, file) => sum + linesOf(file),
        0,
      );
      return { room, share: lines / total };
    }).filter(({ share }) => share > 0.1);
    expect(large).toEqual([]);
  });

  test("nothing in src reaches outside it, but for the project's own description", () => {
    const outside = PROGRAMS.flatMap((file) =>
      localImportsOf(file).map((target) => ({ file, target })),
    ).filter(
      ({ target }) => !target.startsWith("src/") && !["package.json", "config.example.toml"].includes(target),
    );
    expect(outside).toEqual([]);
  });

  test("what runs in browsers imports no package but those that are made for them", () => {
    const packages = PROGRAMS.filter((file) => INNER.includes(roomOf(file)))
      .flatMap(specifiersOf)
      .filter((specifier) => !specifier.startsWith("."))
      .map((specifier) =>
        specifier
          .split("/")
          .slice(0, specifier.startsWith("@") ? 2 : 1)
          .join("/"),
      );
    expect([...new Set(packages)].sort()).toEqual(["@preact/signals", "preact", "qrcode", "uplot"]);
  });

  test("what a thread starts with is an entry point of the build", () => {
    const asked = PROGRAMS.flatMap((file) =>
      [...textOf(file).matchAll(/(?:ask|start)Thread\("([^"]+)"/g)].map(([, path = ""]) => `"./src/${path}"`),
    );
    expect(asked.length).toBeGreaterThan(0);
    expect(asked.filter((entry) => !textOf("build.ts").includes(entry))).toEqual([]);
  });

  test("only db touches SQLite", () => {
    expect(importersOf(/^bun:sqlite$/, /^src\/db\//)).toEqual([]);
  });

  test("only ingress and console know Elysia", () => {
    expect(importersOf(/^(elysia|@elysiajs\/.*)(\/|$)/, /^src\/(ingress|console)\//)).toEqual([]);
  });

  test("every file is reached from an entry point of the build; a file that nothing imports is dead", () => {
    const entries = [...textOf("build.ts").matchAll(/"\.\/(src\/[\w/-]+\.ts)"/g)].map(
      ([, file = ""]) => file,
    );
    expect(entries).toContain("src/main.ts");
    // What the bundle for browsers begins with (src/console/server/ui-bundle.ts).
    entries.push("src/console/ui/main.tsx");
    const reached = new Set(entries);
    for (const file of reached) {
      for (const target of isProgram(file) ? localImportsOf(file) : []) reached.add(target);
    }
    // Catalogues are read as folders; that each of their texts is said is a test of theirs (test/i18n/catalogues.test.ts).
    const notPrograms = /\.d\.ts$|\.md$|\/tsconfig\.json$|^src\/i18n\/(?:en|fr)\/\w+\.json$/;
    expect(filesBelow("src").filter((file) => !reached.has(file) && !notPrograms.test(file))).toEqual([]);
  });
});
