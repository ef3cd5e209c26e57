/**
 * Reads templates and fills them. Texts with placeholders, of a template or of a client's body, are compared in one
 * comparable form: white space collapsed, placeholders named alike. Pure.
 */
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import { normalizeText } from "../../text/segments.ts";
import { compileTemplate } from "../../text/template.ts";
import { type Fields, readFields, readList } from "./cloud-api.ts";

/** Text, placeholder, text, placeholder, …, text: as `compileTemplate` of domain/submission cuts a body. */
export type Pieces = readonly string[];

/** How the placeholders of a template are identified: by their names, or by the order in which they first appear. */
export type ParameterFormat = "NAMED" | "POSITIONAL";

/** `{{1}}` or `{{nom}}`, as Meta writes a parameter. */
const PARAMETERS = /\{\{\s*([\p{L}\p{M}\p{N}_]+)\s*\}\}/gu;

/** The text of a template's body cut at its parameters. */
export function splitTemplate(body: string): Pieces {
  return body.split(PARAMETERS);
}

/**
 * The same as a client reads it: what looks like a tag in the fixed text is a placeholder too, since whoever writes it into a body asks
 * for an attribute.
 */
export function piecesAsRead(pieces: Pieces): Pieces {
  return pieces.flatMap((piece, index) => (index % 2 === 0 ? compileTemplate(piece).pieces : [piece]));
}

/** What looks like tags in the fixed text of a template: no body can contain it as text. */
export function tagsInFixedText(pieces: Pieces): readonly string[] {
  return pieces.flatMap((piece, index) => (index % 2 === 0 ? compileTemplate(piece).tags : []));
}

/** The names of a text's placeholders, each once, in the order of their first appearance. */
export function listPlaceholders(pieces: Pieces): string[] {
  return [...new Set(pieces.filter((_, index) => index % 2 === 1))];
}

/** Stands for a placeholder in a comparable text: no collapsed text contains it. */
const MARK = "\u0000";

/**
 * The comparable form. Two texts are the same exactly when their forms are: every run of white space is one space, and none stands
 * at either end; a placeholder is its name, or the number of its first appearance.
 */
export function comparable(pieces: Pieces, format: ParameterFormat): string {
  const places = listPlaceholders(pieces);
  const joined = pieces
    .map((piece, index) => {
      if (index % 2 === 0) return piece.normalize("NFC").replaceAll(MARK, "\uFFFD");
      const name = format === "NAMED" ? piece.normalize("NFC") : String(places.indexOf(piece) + 1);
      return `${MARK}${name}${MARK}`;
    })
    .join("");
  return joined.replaceAll(/\s+/gu, " ").trim();
}

/** A character or a placeholder of a text: the key it is compared by, and how the author of the text reads it. */
type Sign = { readonly key: string; readonly shown: string };

/** How a placeholder is written: `{{nom}}` by Meta, `{nom}` by clients. */
type ShowPlace = (place: string) => string;

/** The signs of a text in its comparable form, its placeholders under the names they have in it. */
export function signsOf(pieces: Pieces, format: ParameterFormat, show: ShowPlace): Sign[] {
  const places = listPlaceholders(pieces);
  return comparable(pieces, format)
    .split(MARK)
    .flatMap((piece, index) => {
      if (index % 2 === 0) return Array.from(piece, (sign) => ({ key: sign, shown: sign }));
      const own = format === "NAMED" ? piece : (places[Number(piece) - 1] ?? piece);
      return [{ key: `${MARK}${piece}`, shown: show(own) }];
    });
}

// Fills a text's placeholders with values, and extracts the values again. A message is stored as the text its user reads, so the values
// for Meta's parameters are cut out of that. Where it can be cut in more than one way, each way reads the same. Pure.

/** Text and placeholders in turn, the text as it is counted. */
export function preparePieces(pieces: Pieces): Pieces {
  return pieces.map((piece, index) => (index % 2 === 0 ? normalizeText(piece) : piece));
}

/** The text with a value for each placeholder. `pieces`: prepared. */
export function filled(pieces: Pieces, valueAt: (place: string) => string): string {
  return pieces.map((piece, index) => (index % 2 === 0 ? piece : valueAt(piece))).join("");
}

/** Tries before a text is given up: one whose placeholders do not repeat takes a few for each of its characters. */
const MAX_TRIES = 60_000;

/** What a text must still contain from a piece of fixed text on. */
type Rest = { readonly fixed: number; readonly places: ReadonlyMap<string, number> };

/** The values that a text was filled with, in the order of their placeholders' first appearance; null where it was not filled so. */
export function extractValues(pieces: Pieces, text: string): readonly string[] | null {
  const rests = restsOf(pieces);
  const values = new Map<string, string>();
  // Positions where the rest was found not to fit, under the known values of repeated placeholders.
  let dead = new Set<string>();
  let tries = 0;

  /** Whether the text from `at` on can be cut by the pieces from `index` on, which begin with fixed text. */
  const fits = (index: number, at: number): boolean => {
    tries += 1;
    const key = `${index} ${at}`;
    if (tries > MAX_TRIES || dead.has(key)) return false;
    const isFit = fitsFrom(index, at);
    if (!isFit) dead.add(key);
    return isFit;
  };
  const fitsFrom = (index: number, at: number): boolean => {
    const fixed = pieces[index] ?? "";
    if (!text.startsWith(fixed, at)) return false;
    const from = at + fixed.length;
    const place = pieces[index + 1];
    if (place === undefined) return from === text.length;
    const known = values.get(place);
    if (known !== undefined) return text.startsWith(known, from) && fits(index + 2, from + known.length);
    const { shortest, longest } = roomOf(place, rests[index + 1], values, text.length - from);
    const comesAgain = rests[index + 2]?.places.has(place) === true;
    const next = pieces[index + 2] ?? "";
    const outer = dead;
    for (let end = from + shortest; end <= from + longest; end++) {
      end = text.indexOf(next, end);
      if (end === -1 || end > from + longest || tries > MAX_TRIES) break;
      values.set(place, text.slice(from, end));
      if (comesAgain) dead = new Set();
      const isFit = fits(index + 2, end);
      dead = outer;
      if (isFit) return true;
    }
    values.delete(place);
    return false;
  };
  return fits(0, 0) ? listPlaceholders(pieces).map((place) => values.get(place) ?? "") : null;
}

/** What follows from each piece on, a placeholder with its own. */
function restsOf(pieces: Pieces): readonly Rest[] {
  const rests: Rest[] = [];
  let rest: Rest = { fixed: 0, places: new Map() };
  for (let index = pieces.length - 1; index >= 0; index--) {
    const piece = pieces[index] ?? "";
    rest =
      index % 2 === 0
        ? { ...rest, fixed: rest.fixed + piece.length }
        : { ...rest, places: new Map(rest.places).set(piece, (rest.places.get(piece) ?? 0) + 1) };
    rests[index] = rest;
  }
  return rests;
}

/** How long the value of a placeholder may be for all of the rest to fit into so many characters: no value is empty. */
function roomOf(
  place: string,
  rest: Rest | undefined,
  values: ReadonlyMap<string, string>,
  characters: number,
): { readonly shortest: number; readonly longest: number } {
  const times = rest?.places.get(place) ?? 1;
  let left = characters - (rest?.fixed ?? 0);
  let isAlone = true;
  for (const [other, count] of rest?.places ?? []) {
    if (other === place) continue;
    const known = values.get(other);
    isAlone &&= known !== undefined;
    left -= count * (known?.length ?? 1);
  }
  const longest = Math.floor(left / times);
  return { shortest: isAlone ? Math.max(1, Math.ceil(left / times)) : 1, longest };
}

// Makes a recipient's values fit for a template: Meta takes no empty one, no line end, no tab and no run of spaces, and
// no text over 1,024 characters (docs/behaviour.md#values-of-whatsapp). Pure.

/** Characters of a body once its parameters are filled in; of the code of an authentication template. */
const MAX_BODY_LENGTH = 1024;
const MAX_CODE_LENGTH = 15;

type ValueFault = "RENDERED_VALUE_EMPTY" | "RENDERED_BODY_TOO_LONG";

/** A value as it is sent: without outer white space, every run inside as one space. */
export function normalizeValue(value: string): string {
  return value.replaceAll(/\s+/gu, " ").trim();
}

/**
 * Why values cannot be sent, null where they can. `pieces`: text and placeholders in turn; `valueAt`: the value of each, as
 * `normalizeValue` made it. `isCode`: of an authentication template.
 */
export function findValueFault(
  pieces: Pieces,
  valueAt: (place: string) => string,
  isCode: boolean,
): ValueFault | null {
  let length = 0;
  let longest = 0;
  for (const [index, piece] of pieces.entries()) {
    const isPlace = index % 2 === 1;
    const text = isPlace ? valueAt(piece) : piece;
    if (isPlace && text === "") return "RENDERED_VALUE_EMPTY";
    const characters = charactersOf(text);
    length += characters;
    if (isPlace) longest = Math.max(longest, characters);
  }
  const isTooLong = length > MAX_BODY_LENGTH || (isCode && longest > MAX_CODE_LENGTH);
  return isTooLong ? "RENDERED_BODY_TOO_LONG" : null;
}

/** Whether a text without a template is longer than Meta allows. */
export function isTooLong(text: string): boolean {
  return charactersOf(text) > MAX_BODY_LENGTH;
}

/** Counts code points; beyond the bound it is enough to know that there are more. */
function charactersOf(text: string): number {
  if (text.length > 2 * MAX_BODY_LENGTH) return text.length;
  return Array.from(text).length;
}

// Reads a template from Meta's list: its text, and why it cannot be sent where it cannot. Pure. Only a body is filled
// in, and the code of an authentication template for the button that copies it: for a parameter anywhere else, media,
// carousels, flows and lists a batch has no values (docs/behaviour.md#templates-of-whatsapp).

export type ReadTemplate = {
  readonly name: string;
  readonly language: string;
  /** Meta's words; new ones may come. */
  readonly status: string;
  readonly category: string;
  readonly body: string;
  readonly parameters: readonly string[];
  readonly format: ParameterFormat;
  readonly copiesCode: boolean;
  readonly quality: string | null;
  readonly ttlSeconds: number | null;
  /** Why it cannot be sent, for the client; null for one that can. */
  readonly whyNot: Phrase | null;
};

/** Longer texts are not from Meta: a body has at most 1,024 characters, a name 512. */
const MAX_TEXT_LENGTH = 4096;

/** Reads one element of the list; null where it is no template. */
export function readTemplate(json: unknown): ReadTemplate | null {
  const fields = readFields(json);
  const [name, language] = [textOf(fields.name), textOf(fields.language)];
  if (name === "" || language === "") return null;
  const components = readList(fields.components).map(readFields);
  const status = textOf(fields.status) || "UNKNOWN";
  const category = textOf(fields.category) || "UNKNOWN";
  const body = textOf(components.find((one) => kindOf(one) === "BODY")?.text);
  const copiesCode = category === "AUTHENTICATION" && components.some((one) => buttonsOf(one).length > 0);
  const ttl = fields.message_send_ttl_seconds;
  return {
    name,
    language,
    status,
    category,
    body,
    copiesCode,
    parameters: listPlaceholders(splitTemplate(body)),
    format: fields.parameter_format === "NAMED" ? "NAMED" : "POSITIONAL",
    quality: textOf(readFields(fields.quality_score).score) || null,
    ttlSeconds: Number.isSafeInteger(ttl) && Number(ttl) > 0 ? Number(ttl) : null,
    whyNot: statusFault(status) ?? shapeFault(category, body, components),
  };
}

function textOf(value: unknown): string {
  return typeof value === "string" && value.length <= MAX_TEXT_LENGTH ? value : "";
}

function kindOf(component: Fields): string {
  return textOf(component.type).toUpperCase();
}

function buttonsOf(component: Fields): readonly Fields[] {
  return kindOf(component) === "BUTTONS" ? readList(component.buttons).map(readFields) : [];
}

/** Why a template of a status cannot be sent; null for one that can. */
export function statusFault(status: string): Phrase | null {
  switch (status) {
    case "APPROVED":
      return null;
    case "PAUSED":
      return phrase("template.paused");
    case "PENDING":
    case "IN_APPEAL":
      return phrase("template.pending");
    case "REJECTED":
      return phrase("template.rejected");
    case "DISABLED":
      return phrase("template.disabled");
    case "DELETED":
    case "PENDING_DELETION":
      return phrase("template.deleted");
    default:
      return phrase("template.status", { status });
  }
}

const HAS_PARAMETER = /\{\{[^{}]+\}\}/;

/** The part of a template that a batch cannot fill in; null where there is none. */
function shapeFault(category: string, body: string, components: readonly Fields[]): Phrase | null {
  if (body === "") return phrase("template.no_text");
  const [tag] = tagsInFixedText(splitTemplate(body));
  if (tag !== undefined) return phrase("template.tag", { tag });
  for (const component of components) {
    const kind = kindOf(component);
    const fault =
      kind === "HEADER"
        ? headerFault(component)
        : kind === "BUTTONS"
          ? buttonFault(category, buttonsOf(component))
          : ["BODY", "FOOTER"].includes(kind)
            ? null
            : partFault(kind);
    if (fault !== null) return fault;
  }
  return null;
}

function partFault(kind: string): Phrase {
  return kind === "" ? phrase("template.part.unknown") : phrase("template.part", { kind });
}

function headerFault(header: Fields): Phrase | null {
  const format = textOf(header.format).toUpperCase();
  if (format !== "" && format !== "TEXT") return phrase("template.header.kind", { kind: format });
  return HAS_PARAMETER.test(textOf(header.text)) ? phrase("template.header.parameter") : null;
}

const PLAIN_BUTTONS = ["QUICK_REPLY", "PHONE_NUMBER", "URL"];

function buttonFault(category: string, buttons: readonly Fields[]): Phrase | null {
  // An authentication template has one button, and it copies the code.
  if (category === "AUTHENTICATION") return buttons.length > 1 ? phrase("template.buttons") : null;
  for (const button of buttons) {
    const kind = kindOf(button);
    if (!PLAIN_BUTTONS.includes(kind))
      return kind === "" ? phrase("template.button.unknown") : phrase("template.button.kind", { kind });
    if (HAS_PARAMETER.test(textOf(button.url))) return phrase("template.button.parameter");
  }
  return null;
}
