import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

export const ROOT = join(import.meta.dir, "../..");

/** Every file below a folder of the project, as paths from the project's root, in order. */
export function filesBelow(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
    .sort();
}

/** Whether a file is a program of ours, for the server or for browsers. */
export function isProgram(file: string): boolean {
  return /\.tsx?$/.test(file);
}

/** The table of src/README.md: which room may import which, as written. */
export const TABLE_OF_IMPORTS: ReadonlyMap<string, string> = tableOfImports();

function tableOfImports(): ReadonlyMap<string, string> {
  const table =
    /\| room \| may import \|\n\|---\|---\|\n((?:\|.*\|\n)+)/.exec(textOf("src/README.md"))?.[1] ?? "";
  return new Map(
    table
      .trim()
      .split("\n")
      .flatMap((row) => {
        const [, rooms = "", allowed = ""] = row.split("|").map((cell) => cell.trim());
        return rooms.split(", ").map((room): [string, string] => [room.replace(/\/$/, ""), allowed]);
      }),
  );
}

/** The inmost room of the table that a file is in; its folder where it is in none, the file itself at the top. */
export function roomOf(file: string): string {
  const rooms = [...TABLE_OF_IMPORTS.keys()].filter((room) => file.startsWith(`src/${room}/`));
  const inmost = rooms.sort((one, other) => other.length - one.length)[0];
  const folder = dirname(file).replace(/^src\/?/, "");
  return inmost ?? (folder === "" ? file.replace(/^src\/|\.ts$/g, "") : folder);
}

export function textOf(file: string): string {
  return readFileSync(join(ROOT, file), "utf8");
}

const STRING_OR_COMMENT = /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|\/\*[\s\S]*?\*\/|\/\/.*/g;

/** A program without its comments; with `strings` "emptied", without what its plain strings say either. */
export function codeOf(file: string, strings: "kept" | "emptied"): string {
  return textOf(file).replace(STRING_OR_COMMENT, (found) => {
    if (found.startsWith("/")) return " ";
    return strings === "kept" ? found : '""';
  });
}

/** What a file imports in any way, types and dynamic imports included, as written. */
export function specifiersOf(file: string): string[] {
  const found = codeOf(file, "kept").matchAll(/(?<!["/])\b(?:from|import|require)\s*\(?\s*"([^"]+)"/g);
  return [...found].map(([, specifier = ""]) => specifier);
}

/** The project's own files that a file imports, as paths from the root. */
export function localImportsOf(file: string): string[] {
  return specifiersOf(file)
    .filter((specifier) => specifier.startsWith("."))
    .map((specifier) => relative(ROOT, join(ROOT, dirname(file), specifier)));
}
