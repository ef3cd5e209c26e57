/**
 * Matches a body with the template that it is the text of, and where there is none, finds the nearest one and where
 * it first differs, in words that help (docs/behaviour.md#templates-of-whatsapp). What was found is noted with the
 * batch. Pure: the templates are those of the sender's number, as last read.
 */
import type { Reader } from "../../db/reader.ts";
import { channelNote } from "../../domain/messages/insert.ts";
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import {
  comparable,
  type ParameterFormat,
  type Pieces,
  piecesAsRead,
  signsOf,
  splitTemplate,
  tagsInFixedText,
} from "./template-text.ts";

/** Meta's category by message class. */
export const META_CATEGORIES = {
  OTP: "AUTHENTICATION",
  TRANSACTIONAL: "UTILITY",
  MARKETING: "MARKETING",
} as const;

export type KnownTemplate = {
  readonly name: string;
  readonly language: string;
  /** Meta's word; new ones may come. */
  readonly category: string;
  readonly body: string;
  readonly format: ParameterFormat;
  /** Why it cannot be sent; null for one that can. */
  readonly whyNot: Phrase | null;
  /** When it was first seen, epoch milliseconds. */
  readonly firstSeenMs: number;
};

/** The text that a client asks for. */
export type WantedText = {
  /** Text and placeholders in turn. */
  readonly pieces: Pieces;
  readonly messageClass: keyof typeof META_CATEGORIES;
  /** The one that was named among equal texts; null for none. */
  readonly named: { readonly name: string; readonly language: string } | null;
};

export type TemplateMatch<Template extends KnownTemplate> =
  | { readonly kind: "template"; readonly template: Template }
  /** Its text is a template's, and none of those may be used. */
  | { readonly kind: "unusable"; readonly template: Template; readonly why: Phrase }
  /** `expected` and `found`: at most 40 characters of each around the first difference. */
  | {
      readonly kind: "differs";
      readonly template: Template;
      readonly expected: string;
      readonly found: string;
    }
  | { readonly kind: "no templates" };

export type Matcher<Template extends KnownTemplate> = (wanted: WantedText) => TemplateMatch<Template>;

/** A template with its text in the form that is compared. */
type Form<Template> = { readonly template: Template; readonly form: string };

/**
 * Finds the template to send. Of several with the same text: the one that is named, else one of the class's category, the newest
 * first. A template of another category than the class's is never sent.
 */
export function templateMatcher<Template extends KnownTemplate>(
  templates: readonly Template[],
): Matcher<Template> {
  const forms: readonly Form<Template>[] = templates
    .map((template) => ({ template, form: formOf(template) }))
    .sort((one, other) => other.template.firstSeenMs - one.template.firstSeenMs);
  const byForm = Map.groupBy(forms, ({ template, form }) => keyOf(template.format, form));
  return (wanted) => {
    const body = {
      NAMED: comparable(wanted.pieces, "NAMED"),
      POSITIONAL: comparable(wanted.pieces, "POSITIONAL"),
    };
    const equal = (["NAMED", "POSITIONAL"] as const)
      .flatMap((format) => byForm.get(keyOf(format, body[format])) ?? [])
      .map(({ template }) => template)
      .sort((one, other) => other.firstSeenMs - one.firstSeenMs);
    return equal.length > 0 ? chosen(wanted, equal) : nearest(wanted, forms, body);
  };
}

function formOf({ body, format }: KnownTemplate): string {
  return comparable(piecesAsRead(splitTemplate(body)), format);
}

function keyOf(format: ParameterFormat, form: string): string {
  return `${format} ${form}`;
}

/** The template among those with the text that was asked for, newest first; there is one. */
function chosen<Template extends KnownTemplate>(
  { named, messageClass }: WantedText,
  equal: readonly Template[],
): TemplateMatch<Template> {
  const isMeant = ({ name, language }: KnownTemplate) =>
    named === null || (named.name === name && named.language === language);
  const category = META_CATEGORIES[messageClass];
  const candidates = equal.filter(isMeant);
  const ofCategory = candidates.filter((one) => one.category === category);
  const usable = ofCategory.find(({ whyNot }) => whyNot === null);
  if (usable) return { kind: "template", template: usable };
  const [template] = [...ofCategory, ...candidates, ...equal];
  if (template === undefined) return { kind: "no templates" };
  return { kind: "unusable", template, why: whyUnusable(template, category, isMeant(template)) };
}

function whyUnusable(
  { name, language, category: its, whyNot }: KnownTemplate,
  category: string,
  isMeant: boolean,
): Phrase {
  if (!isMeant) return phrase("template.other", { name, language });
  if (its !== category) return phrase("template.category", { category: its, needed: category });
  return whyNot ?? phrase("template.unusable");
}

/** Templates that a body is compared with at most, the newest. */
const MAX_COMPARED = 500;

/** The nearest of the one that was named, or of all. */
function nearest<Template extends KnownTemplate>(
  { named, pieces }: WantedText,
  forms: readonly Form<Template>[],
  body: Readonly<Record<ParameterFormat, string>>,
): TemplateMatch<Template> {
  const meant = forms.filter(
    ({ template }) => template.name === named?.name && template.language === named.language,
  );
  const words = { NAMED: wordsOf(body.NAMED), POSITIONAL: wordsOf(body.POSITIONAL) };
  let best: { readonly one: Form<Template>; readonly likeness: number } | null = null;
  for (const one of meant.length > 0 ? meant : forms.slice(0, MAX_COMPARED)) {
    const like = likeness(wordsOf(one.form), words[one.template.format]);
    if (best === null || like > best.likeness) best = { one, likeness: like };
  }
  if (best === null) return { kind: "no templates" };
  const { template } = best.one;
  const fixed = splitTemplate(template.body);
  const tags = tagsInFixedText(fixed);
  const its = signsOf(piecesAsRead(fixed), template.format, (place) =>
    tags.includes(place) ? `{${place}}` : `{{${place}}}`,
  );
  const own = signsOf(pieces, template.format, (place) => `{${place}}`);
  return { kind: "differs", template, ...aroundFirstDifference(its, own) };
}

function wordsOf(form: string): readonly string[] {
  return form.split(" ");
}

/** From 0 to 1: the share of words that two texts have in common, each as often as both have it. */
function likeness(one: readonly string[], other: readonly string[]): number {
  const counts = new Map<string, number>();
  for (const word of one) counts.set(word, (counts.get(word) ?? 0) + 1);
  let common = 0;
  for (const word of other) {
    const count = counts.get(word) ?? 0;
    if (count === 0) continue;
    counts.set(word, count - 1);
    common += 1;
  }
  return (2 * common) / (one.length + other.length);
}

/** Characters that are shown of a text, and how many of them stand before the difference. */
const AROUND = 40;
const BEFORE = 20;

type Signs = ReturnType<typeof signsOf>;

/** At most 40 characters of each text, from a few before the first sign that differs. */
function aroundFirstDifference(expected: Signs, found: Signs) {
  const shorter = Math.min(expected.length, found.length);
  let at = 0;
  while (at < shorter && expected[at]?.key === found[at]?.key) at += 1;
  const from = Math.max(0, at - BEFORE);
  const cut = (signs: Signs) => {
    const shown = signs.slice(from, from + AROUND).flatMap((sign) => Array.from(sign.shown));
    return shown.slice(0, AROUND).join("");
  };
  return { expected: cut(expected), found: cut(found) };
}

// The note that is stored with a batch: which template it uses, or that it goes without one.

export type BatchNote =
  /** `wabaId`: the account whose template was matched. */
  | {
      readonly kind: "template";
      readonly wabaId: string;
      readonly name: string;
      readonly language: string;
      /** Tags of the body that are no plain names; absent where there are none. */
      readonly otherTags?: readonly string[];
    }
  /** Free text, which Meta allows the account. `lifeSeconds`: the longest that Meta tries with it. */
  | { readonly kind: "direct"; readonly lifeSeconds: number };

/** Meta's category of free text by class, and the bounds of how long Meta tries with it, in seconds. */
export const DIRECT = {
  OTP: { category: "authentication", longest: 900 },
  TRANSACTIONAL: { category: "utility", longest: 43_200 },
} as const;

export function noteText(note: BatchNote): string {
  return JSON.stringify(note);
}

/** Reads what `noteText` wrote; null for a batch whose sender no number knew. */
export function readNote(text: string | null): BatchNote | null {
  return text === null ? null : (JSON.parse(text) as BatchNote);
}

export function readBatchNote(read: Reader, batchId: number): BatchNote | null {
  return readNote(channelNote(read, batchId));
}
