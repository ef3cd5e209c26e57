import { LONGEST_TEXT, prepare } from "./segments.ts";

type AttributeValue = string | number | boolean | null;

/** What a recipient brings for the tags of a template. */
export type Attributes = Readonly<Record<string, AttributeValue>>;

/** A body cut into what stands as it is and the names of its tags, in turn: text, tag, text, tag, …, text. */
export type Template = {
  readonly pieces: readonly string[];
  readonly hasTags: boolean;
  /** The names of its tags, each once. */
  readonly tags: readonly string[];
};

/** `{name}`: letters, digits, `_`, `-`, `.`; other braces are text (docs/behaviour.md#tags). */
const TAGS = /\{([\p{L}\p{M}\p{N}_.-]+)\}/gu;

export function compileTemplate(body: string): Template {
  const pieces = body.split(TAGS);
  const tags = pieces.length === 1 ? [] : [...new Set(pieces.filter((_, index) => index % 2 === 1))];
  return { pieces, hasTags: pieces.length > 1, tags };
}

/**
 * What a recipient's attributes say for a tag; undefined when nothing. Keyboards and spreadsheets write "é" as one
 * character or as two, so names that read the same are the same: the one written as the tag is, else the first that has
 * its normal form (NFC). Those forms are only made for a tag without a name as it is written, once a recipient.
 */
export function valuesOf(attributes: Attributes): (tag: string) => AttributeValue | undefined {
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
  const valueFor = attributes === null ? () => undefined : valuesOf(attributes);
  for (const [index, piece] of template.pieces.entries()) {
    if (text.length > LONGEST_TEXT) return null;
    if (index % 2 === 0) {
      text += piece;
      continue;
    }
    const value = valueFor(piece);
    if (value !== null && value !== undefined) text += String(value);
  }
  return text.length > LONGEST_TEXT ? null : prepare(text);
}
