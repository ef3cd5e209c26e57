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
  const found = codeOf(file, "kept").matchAll(/(?<!["/])\b(?:from|import)\s*\(?\s*"([^"]+)"/g);
  return [...found].map(([, specifier = ""]) => specifier);
}

/** The project's own files that a file imports, as paths from the root. */
export function localImportsOf(file: string): string[] {
  return specifiersOf(file)
    .filter((specifier) => specifier.startsWith("."))
    .map((specifier) => relative(ROOT, join(ROOT, dirname(file), specifier)));
}
