import { toTagName } from "../core/tag-name.ts";
import { MAX_TEXT_LENGTH, normalizeText } from "./segments.ts";

type AttributeValue = string | number | boolean | null;

/** A recipient's values for the tags of a template. */
export type Attributes = Readonly<Record<string, AttributeValue>>;

/** A body split into literal text and the names of its tags, in turn: text, tag, text, tag, …, text. */
export type Template = {
  readonly pieces: readonly string[];
  readonly hasTags: boolean;
  /** The names of its tags, each once. */
  readonly tags: readonly string[];
};

/** A text with tags, and which texts in its braces are tags although they are no plain names, each without the blanks at its edges. */
export type TemplateSource = { readonly body: string; readonly otherTags: readonly string[] };

/** `{name}`: letters, digits, `_`, `-`, `.` are a tag whatever recipients bring (docs/behaviour.md#tags). */
const TAGS = /\{([\p{L}\p{M}\p{N}_.-]+)\}/gu;
const PLAIN_NAME = /^[\p{L}\p{M}\p{N}_.-]+$/u;
/** A text in braces on one line. */
const BRACES = /\{([^{}\r\n\u2028\u2029]*)\}/gu;
/** The longest tag that is no plain name, in characters. */
const MAX_OTHER_TAG = 64;

export function compileTemplate(body: string, otherTags: readonly string[] = []): Template {
  const pieces = otherTags.length === 0 ? body.split(TAGS) : piecesWith(body, otherTags);
  const tags = pieces.length === 1 ? [] : [...new Set(pieces.filter((_, index) => index % 2 === 1))];
  return { pieces, hasTags: pieces.length > 1, tags };
}

function piecesWith(body: string, otherTags: readonly string[]): readonly string[] {
  const others = new Set(otherTags.map((tag) => tag.normalize("NFC")));
  const pieces: string[] = [];
  let from = 0;
  for (const { 0: whole, 1: text = "", index } of body.matchAll(BRACES)) {
    const name = nameIn(text, others);
    if (name === null) continue;
    pieces.push(body.slice(from, index), name);
    from = index + whole.length;
  }
  return [...pieces, body.slice(from)];
}

function nameIn(text: string, others: ReadonlySet<string>): string | null {
  if (PLAIN_NAME.test(text)) return text;
  const name = text.trim();
  return name !== "" && isOtherText(text) && others.has(name.normalize("NFC")) ? name : null;
}

/** The texts in braces that are no plain names, as written, each once: a tag where a recipient has an attribute of that name. */
export function findBracedTexts(body: string): readonly string[] {
  if (!body.includes("{")) return [];
  const texts = new Set<string>();
  for (const [, text = ""] of body.matchAll(BRACES)) if (isOtherText(text)) texts.add(text);
  return [...texts];
}

function isOtherText(text: string): boolean {
  if (PLAIN_NAME.test(text)) return false;
  return (
    text.length <= MAX_OTHER_TAG || (text.length <= 2 * MAX_OTHER_TAG && [...text].length <= MAX_OTHER_TAG)
  );
}

/** A text for a file: a column's heading in braces is replaced by the name of its tag. `columns`: those names. */
export function matchTagsToColumns(body: string, columns: readonly string[]): string {
  const known = new Set(columns);
  return body.replaceAll(BRACES, (whole, text: string) => {
    const name = isOtherText(text) ? toTagName(text.trim()) : "";
    return known.has(name) && name !== "" ? `{${name}}` : whole;
  });
}

/**
 * A recipient's value for a tag; undefined when there is none. Keyboards and spreadsheets write "é" as one character or as two,
 * so names that read the same are the same: the one written as the tag is, otherwise the first that has its normal form (NFC).
 * Those forms are only made for a tag without a name as it is written, once a recipient.
 */
export function attributeReader(attributes: Attributes): (tag: string) => AttributeValue | undefined {
  let composed: Map<string, AttributeValue> | null = null;
  return (tag) => {
    if (Object.hasOwn(attributes, tag)) return attributes[tag];
    composed ??= byNormalForm(attributes);
    return composed.get(tag.normalize("NFC"));
  };
}

function byNormalForm(attributes: Attributes): Map<string, AttributeValue> {
  const values = new Map<string, AttributeValue>();
  for (const [name, value] of Object.entries(attributes)) {
    const form = name.normalize("NFC");
    if (!values.has(form)) values.set(form, value);
  }
  return values;
}

/**
 * The text for one recipient, prepared for counting. A tag without a value, or with null, is empty; only the
 * recipient's own attributes count. Numbers are written as JSON writes them. Null for a text longer than any that can
 * be sent: a body of 4,000 characters may ask for an attribute of megabytes a thousand times.
 */
export function render(template: Template, attributes: Attributes | null): string | null {
  let text = "";
  const valueFor = attributes === null ? () => undefined : attributeReader(attributes);
  for (const [index, piece] of template.pieces.entries()) {
    if (text.length > MAX_TEXT_LENGTH) return null;
    if (index % 2 === 0) {
      text += piece;
      continue;
    }
    const value = valueFor(piece);
    if (value !== null && value !== undefined) text += String(value);
  }
  return text.length > MAX_TEXT_LENGTH ? null : normalizeText(text);
}
