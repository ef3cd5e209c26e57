/**
 * What the product says to people. Where something is known it is a code with parameters; a surface makes a text of it for whoever reads
 * there, by the catalogue of their language: `en/*.json` and `fr/*.json`, a file an area.
 *
 * The codes and their parameters are those of the English catalogue: `phrases.gen.d.ts` is written from it by `bun scripts/phrases.ts`, so that a
 * code or a parameter that is missing does not compile. A text is good for being shown and for nothing else: nobody can compare, take
 * apart or store it.
 */
import type { Phrases } from "./phrases.gen.d.ts";

export type Locale = "en" | "fr";

/** Every code there is. */
export type Code = keyof Phrases<never>;

/**
 * A code with its parameters; `phrase` makes one and checks that they are those of the code. Parameters with a format are what it renders:
 * epoch milliseconds, octets, whole XOF, other phrases. (A union of a thousand codes with their parameters is more than the compiler takes.)
 */
export type Phrase = { readonly code: Code; readonly params?: Readonly<Record<string, Param>> };

/** The cases of an area: what stands behind its name and a dot. */
export type CaseOf<Area extends string> = Code extends infer C
  ? C extends `${Area}.${infer Case}`
    ? Case
    : never
  : never;

/** What a phrase is given besides its code: nothing where it takes no parameters. */
export type ParamsOf<C extends Code> = keyof Phrases<never>[C] extends never
  ? []
  : [params: Phrases<Phrase>[C]];

export type Param = string | number | Phrase | readonly Phrase[];

declare const SHOWN: unique symbol;
/** A text for people. It is a string where it is written out, and none to the program. */
export type Text = { readonly [SHOWN]: true };

/** For whom a text is made. */
export type Reader = {
  readonly locale: Locale;
  /** The zone of instants; null for scripts, logs and terminals, which are told instants in UTC. */
  readonly timeZone: string | null;
  /** Where there is no zone: digits in groups and instants without their `T`, as tables of a terminal have them; else values as they are. */
  readonly isTerminal?: boolean;
};

/** Scripts and logs: what commands answer as JSON, and the public API. */
export const EXACT_ENGLISH: Reader = { locale: "en", timeZone: null };

/** A view as somebody is told it: with a text in the place of each phrase in it, however deep. */
export type Told<View> = View extends Phrase
  ? string
  : View extends object
    ? { readonly [Name in keyof View]: Told<View[Name]> }
    : View;

/** A phrase in brief: `phrase("health.ready")`, `phrase("health.clock.behind", { wall: doubt.wallMs })`. */
export function phrase<C extends Code>(code: C, ...[params]: ParamsOf<C>): Phrase {
  return params === undefined ? { code } : { code, params };
}

/** The parameters of a phrase that has this code; null where it has another. */
export function paramsIn<C extends Code>(phrase: Phrase, code: C): Phrases<Phrase>[C] | null {
  return phrase.code === code ? ((phrase.params ?? {}) as Phrases<Phrase>[C]) : null;
}

/** What somebody else said, or what was said before there were codes: shown as it is. */
export function said(text: string): Phrase {
  return phrase("said", { text });
}

/** A phrase as it is kept in a column of text. */
export function written(phrase: Phrase): string {
  return JSON.stringify(phrase);
}

/** What `written` kept; a text of before there were codes is shown as it is, whatever it looks like. */
export function readPhrase(text: string): Phrase {
  if (!text.startsWith('{"code":"')) return said(text);
  try {
    return JSON.parse(text) as Phrase;
  } catch {
    return said(text);
  }
}

/** The entries of an area: a text, or its forms by how many there are (`count`). */
export type Area = Readonly<Record<string, string | Readonly<Record<string, string>>>>;

/** The areas of a language by name: the area `health` has the codes that begin with `health.`. */
type Catalogue = Readonly<Record<string, Area>>;

/** How values are shown to people; see `values.ts`. */
export type Values = {
  readonly instant: (reader: Reader, epochMs: number) => string;
  readonly bytes: (reader: Reader, octets: number) => string;
  readonly money: (reader: Reader, xof: number) => string;
  readonly number: (reader: Reader, value: number) => string;
};

/** Renders phrases by catalogues, whoever has them. */
type Render = (phrase: Phrase, reader: Reader) => Text;

/**
 * What a catalogue does not have is shown as its code, and a parameter that is missing as its name: the page of a browser may be older than
 * the server. Of one version a test compares all catalogues, and types the rest.
 */
export function renderer(catalogues: Readonly<Record<Locale, Catalogue>>, values: Values): Render {
  const render = (phrase: Phrase, reader: Reader): string => {
    const { code, params = {} } = phrase;
    const entry = findEntry(catalogues[reader.locale], code);
    if (entry === undefined) return code;
    return fill(formOf(entry, params, reader.locale), (name, format) =>
      shown(params[name] ?? name, format, reader),
    );
  };
  const shown = (value: Param, format: string | undefined, reader: Reader): string => {
    if (typeof value === "string") return format === "quoted" ? quoted(value, reader.locale) : value;
    if (typeof value === "number")
      return isFormat(values, format) ? values[format](reader, value) : String(value);
    if (!("code" in value)) {
      const between = format === "lines" ? "\n" : SEPARATORS[reader.locale];
      return value.map((one) => render(one, reader)).join(between);
    }
    const text = render(value, reader);
    return format === "sentence" ? text.charAt(0).toUpperCase() + text.slice(1) : text;
  };
  return (phrase, reader) => render(phrase, reader) as unknown as Text;
}

/** A text as it begins where it stands by itself. */
export function capitalised(text: Text): Text {
  const written = text as unknown as string;
  return (written.charAt(0).toUpperCase() + written.slice(1)) as unknown as Text;
}

/** `{name}`, `{name:format}`; `{{` and `}}` stand for a brace. */
export const PLACEHOLDER = /\{\{|\}\}|\{(\w+)(?::(\w+))?\}/g;

/** A template with the value of each placeholder in its place. */
export function fill(
  template: string,
  valueFor: (name: string, format: string | undefined) => string,
): string {
  return template.replaceAll(PLACEHOLDER, (whole, name: string | undefined, format: string | undefined) =>
    name === undefined ? whole.charAt(0) : valueFor(name, format),
  );
}

/** What somebody wrote, between quotes, and with what a terminal would obey written out. */
function quoted(text: string, locale: Locale): string {
  const json = JSON.stringify(text);
  return locale === "fr" ? `«\u00a0${json.slice(1, -1).replaceAll('\\"', '"')}\u00a0»` : json;
}

/** Between things that are told one after the other. French has a blank before a semicolon, at which no line breaks. */
const SEPARATORS = { en: "; ", fr: "\u00a0; " } as const;

function isFormat(values: Values, format: string | undefined): format is keyof Values {
  return format !== undefined && Object.hasOwn(values, format);
}

/** Whether a catalogue says a code. */
export function hasCode(catalogue: Catalogue, code: string): boolean {
  return findEntry(catalogue, code) !== undefined;
}

function findEntry(catalogue: Catalogue, code: string): Area[string] | undefined {
  const dot = code.indexOf(".");
  const [area, key] = dot < 0 ? ["common", code] : [code.slice(0, dot), code.slice(dot + 1)];
  const entries = Object.hasOwn(catalogue, area) ? catalogue[area] : undefined;
  return entries !== undefined && Object.hasOwn(entries, key) ? entries[key] : undefined;
}

/** By language, kept: each takes 10 ms to make, a tenth of what a command takes. */
const PLURALS: Partial<Record<Locale, Intl.PluralRules>> = {};

/** The form that a count asks for in a language (Unicode plural rules). */
function formOf(entry: Area[string], params: Readonly<Record<string, Param>>, locale: Locale): string {
  if (typeof entry === "string") return entry;
  PLURALS[locale] ??= new Intl.PluralRules(locale);
  const form = PLURALS[locale].select(Number(params.count));
  return entry[form] ?? entry.other ?? "";
}
