import { join, resolve } from "node:path";
import { readByLanguage } from "../../src/i18n/carried-texts.ts";
import { type Area, type Locale, PLACEHOLDER } from "../../src/i18n/phrase.ts";

const ROOM = resolve(import.meta.dir, "../../src/i18n");
export const PHRASES_FILE = join(ROOM, "phrases.gen.d.ts");

/** The areas of a language, by name. */
export function areasOf(locale: Locale): ReadonlyMap<string, Area> {
  return new Map(Object.entries(readByLanguage<Area>(ROOM, JSON.parse)[locale]));
}

/** Parameters by name, each with the formats that it is shown in. */
export type Params = ReadonlyMap<string, string>;

/** What an entry is filled in with; one that has forms is told how many there are. @throws when it shows one in two formats. */
export function paramsIn(entry: Area[string]): Params {
  const params = new Map<string, string>();
  if (typeof entry !== "string") params.set("count", "");
  for (const template of typeof entry === "string" ? [entry] : Object.values(entry)) {
    for (const [, name, format = ""] of template.matchAll(PLACEHOLDER)) {
      if (name === undefined) continue;
      const before = params.get(name);
      if (before !== undefined && before !== format && name !== "count")
        throw new Error(`"${template}" shows ${name} in two ways`);
      params.set(name, format);
    }
  }
  return params;
}

/** The text of the file: a type with every code of the English catalogue and what it takes. */
export function phraseTypes(): string {
  const lines = [...areasOf("en")].flatMap(([area, entries]) =>
    Object.entries(entries).map(([key, entry]) => {
      const code = area === "common" ? key : `${area}.${key}`;
      const params = [...paramsIn(entry)].map(
        ([name, format]) => `readonly ${name}: ${typeFor(name, format)}`,
      );
      return `  "${code}": ${params.length === 0 ? "NoParams" : `{ ${params.join("; ")} }`};\n`;
    }),
  );
  return (
    "/** Every phrase with its parameters, written from the English catalogue by `bun scripts/phrases.ts`. */\n" +
    "type NoParams = Record<never, never>;\n\n" +
    `export type Phrases<Phrase> = {\n${lines.join("")}};\n`
  );
}

function typeFor(name: string, format: string): string {
  switch (format) {
    case "":
      return name === "count" ? "number" : "string | number";
    case "phrase":
    case "sentence":
      return "Phrase";
    case "quoted":
      return "string";
    case "list":
    case "lines":
      return "readonly Phrase[]";
    default:
      return "number";
  }
}
