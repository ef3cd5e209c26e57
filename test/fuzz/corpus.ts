import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Target } from "./target.ts";

/** An input that is kept in a file. */
export type Kept = { readonly file: string; readonly input: Uint8Array };

/** Inputs that reached what no other did, and those that once failed. */
export type Shelf = "corpus" | "failures";

type Shelved = Pick<Target, "name" | "form">;

const FOLDER = import.meta.dirname;
const ROOT = join(FOLDER, "../..");
const DIGITS_A_LINE = 64;

/** The kept inputs of a target, in the order of their names. */
export function keptInputs(target: Shelved, shelf: Shelf): Kept[] {
  const folder = join(FOLDER, shelf, target.name);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .sort()
    .map((name) => ({ file: name, input: readInput(target, join(folder, name)) }));
}

/** An input from its file. */
export function readInput({ form }: Shelved, path: string): Uint8Array {
  const octets = readFileSync(path);
  return form === "hex"
    ? new Uint8Array(Buffer.from(octets.toString("latin1").replace(/\s/g, ""), "hex"))
    : new Uint8Array(octets);
}

/** Keeps an input under a name that says what it does; the file's path from the project's root. */
export function keepInput(target: Shelved, shelf: Shelf, input: Uint8Array, what: string): string {
  const folder = join(FOLDER, shelf, target.name);
  mkdirSync(folder, { recursive: true });
  const path = join(folder, nameOf(target, input, what));
  const digits = Buffer.from(input)
    .toString("hex")
    .replace(new RegExp(`.{${DIGITS_A_LINE}}(?=.)`, "g"), "$&\n");
  writeFileSync(path, target.form === "hex" ? `${digits}\n` : input);
  return path.slice(ROOT.length + 1);
}

/** What it does in small letters, and enough of its digest that no two are alike. */
function nameOf({ form }: Shelved, input: Uint8Array, what: string): string {
  const words = what
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, 60)
    .replace(/^-|-$/g, "");
  const digest = createHash("sha256").update(input).digest("hex").slice(0, 6);
  return `${words}-${digest}.${form === "hex" ? "hex" : "txt"}`;
}
