/**
 * The words of a page: a tree of texts, which the page takes by name. A text with parameters is a function of them, and one that depends
 * on a number is a function of that number first: it has a form for each kind of number, with `#` in its place.
 *
 * `words.gen.d.ts` has the types, written from the English words by `bun scripts/phrases.ts`.
 */
import { inFrenchType } from "./french-spaces.ts";
import { fill } from "./phrase.ts";

/** What a parameter may be; null or empty leaves out the part in double brackets that it stands in. */
export type Value = string | number | null;

export type Forms = { readonly one: string; readonly other: string };

/** How the reader of a page has figures, by the name of their format, as in `{amount:money}`. */
type Figures = {
  readonly number: (value: number) => string;
  readonly money: (francs: number) => string;
  readonly time: (instant: string | null) => string;
  readonly clock: (instant: string | null) => string;
  readonly day: (day: string) => string;
  readonly share: (share: number | null) => string;
  readonly delay: (seconds: number | null) => string;
  /** The form that a number asks for, with the number in it. */
  readonly count: (value: number, forms: Forms) => string;
};

/** Words by a code that there may be none for. */
export type Table = Readonly<Record<string, string>>;

/** The words of a page as its catalogue has them. */
export type WordNode = string | { readonly [name: string]: WordNode };

/** Whether these are the forms of one text. */
export function isForms(node: WordNode): node is Forms {
  return typeof node === "object" && Object.keys(node).join() === "one,other";
}

/**
 * The words of a page, with a function for each text that has parameters. The type is that of the English words. Words without
 * figures need none.
 */
export function loadWords<Words>(page: WordNode, figures: Partial<Figures> = {}): Words {
  const { count = (_, { other }) => other, ...formats } = figures;
  return spoken(page, count, { ...formats, of: ofName, first: firstOf }) as Words;
}

/** French words as they are printed: catalogues of pages are written with plain blanks. */
export function inPrint<Node extends WordNode>(words: Node): Node {
  return printed(words) as Node;
}

function printed(node: WordNode): WordNode {
  if (typeof node === "string") return inFrenchType(node);
  return Object.fromEntries(Object.entries(node).map(([name, one]) => [name, printed(one)]));
}

type Params = Readonly<Record<string, Value>>;
/** How values are written, by the name behind the colon. */
type Formats = Readonly<Record<string, (value: never) => string>>;

function spoken(node: WordNode, count: Figures["count"], formats: Formats): unknown {
  if (typeof node === "string")
    return hasParams(node) ? (params: Params) => fillIn(node, params, formats) : fillIn(node, {}, formats);
  if (isForms(node)) {
    const { one, other } = node;
    return (value: number, params: Params = {}) =>
      count(value, { one: fillIn(one, params, formats), other: fillIn(other, params, formats) });
  }
  return Object.fromEntries(Object.entries(node).map(([name, one]) => [name, spoken(one, count, formats)]));
}

/** A brace that is no brace of its own (`{{`) begins a parameter. */
function hasParams(template: string): boolean {
  return /\{/.test(template.replaceAll(/\{\{|\}\}/g, ""));
}

function fillIn(template: string, params: Params, formats: Formats): string {
  return fill(withOptionalParts(template, params), (name, format = "") => {
    const value = params[name] ?? null;
    const shown = Object.hasOwn(formats, format) ? formats[format] : undefined;
    return shown ? shown(value as never) : toText(value);
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
function ofName(value: Value): string {
  const name = toText(value);
  const first = name.normalize("NFD").charAt(0).toLowerCase();
  return "aeiou".includes(first) && first !== "" ? `d’${name}` : `de ${name}`;
}

/** « 1er mars », et non « 1 mars ». */
function firstOf(day: Value): string {
  return toText(day).replace(/^1 /, "1er ");
}

function toText(value: Value): string {
  return String(value ?? "");
}
