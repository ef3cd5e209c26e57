/**
 * The words of a page: a tree of texts, which the page takes by name. A text with parameters is a function of them, and one that depends
 * on a number has a form for each kind of number, with `#` in its place.
 *
 * `words.gen.d.ts` has the types, written from the English words by `bun scripts/phrases.ts`.
 */
import { fill } from "./phrase.ts";

/** What a parameter may be; null or empty leaves out the part in double brackets that it stands in. */
export type Value = string | number | null;

export type Forms = { readonly one: string; readonly other: string };

/** Words by a code that there may be none for. */
export type Table = Readonly<Record<string, string>>;

/** The words of a page as its catalogue has them. */
export type WordNode = string | { readonly [name: string]: WordNode };

/** Whether these are the forms of one text. */
export function isForms(node: WordNode): node is Forms {
  return typeof node === "object" && Object.keys(node).join() === "one,other";
}

/** The words of a page, with a function for each text that has parameters. The type is that of the English words. */
export function loadWords<Words>(page: WordNode): Words {
  return spoken(page) as Words;
}

type Params = Readonly<Record<string, Value>>;

function spoken(node: WordNode): unknown {
  if (typeof node === "string")
    return hasParams(node) ? (params: Params) => fillIn(node, params) : fillIn(node, {});
  if (isForms(node)) {
    const forms = (params: Params): Forms => ({
      one: fillIn(node.one, params),
      other: fillIn(node.other, params),
    });
    return hasParams(node.one) || hasParams(node.other) ? forms : forms({});
  }
  return Object.fromEntries(Object.entries(node).map(([name, one]) => [name, spoken(one)]));
}

/** A brace that is no brace of its own (`{{`) begins a parameter. */
function hasParams(template: string): boolean {
  return /\{/.test(template.replaceAll(/\{\{|\}\}/g, ""));
}

function fillIn(template: string, params: Params): string {
  return fill(withOptionalParts(template, params), (name, format) => {
    const value = String(params[name] ?? "");
    if (format === "of") return ofName(value);
    return format === "first" ? firstOf(value) : value;
  });
}

/** A template with those of its optional parts, `[[, by {by}]]`, of which every parameter is there. */
function withOptionalParts(template: string, params: Params): string {
  const [before = "", ...parts] = template.split("[[");
  const rest = parts.map((each) => {
    const [part = "", behind = ""] = each.split("]]");
    const isLeftOut = [...part.matchAll(/\{(\w+)/g)].some(([, name = ""]) => isMissing(params[name]));
    return isLeftOut ? behind : part + behind;
  });
  return before + rest.join("");
}

function isMissing(value: Value | undefined): boolean {
  return value === null || value === undefined || value === "";
}

/** "de" before a name: "d’Orange", "de Moov". An H is left alone, since nobody can tell whether it is mute. */
function ofName(name: string): string {
  const first = name.normalize("NFD").charAt(0).toLowerCase();
  return "aeiou".includes(first) && first !== "" ? `d’${name}` : `de ${name}`;
}

/** « 1er mars », et non « 1 mars ». */
function firstOf(day: string): string {
  return day.replace(/^1 /, "1er ");
}
