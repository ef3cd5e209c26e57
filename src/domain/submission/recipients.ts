/**
 * The recipient list of a submission (docs/public-api.md section 2.1): the shape of a recipient, and its reading item by item, at most
 * 100,000.
 *
 * A small list stays an array (`inArray`); a large one is packed into bytes as it is read (`recipientPacker`), which can be transferred
 * between threads, and is unpacked a step at a time (`iterateSteps`). Which braces of the text are tags is decided over the same items
 * (docs/behaviour.md#tags). Whether a number may be written to is not asked here: expand-recipients.ts.
 */
import { type Static, Type as t } from "@sinclair/typebox";
import { assert } from "../../core/assert.ts";
import { REFERENCE, REFERENCE_WORDS, referenceFault, toReferenceText } from "../../core/client-reference.ts";
import { isItemList } from "../../core/lazy-list.ts";
import { type FaultList, isLongerThan, isSendable } from "../../core/refusals.ts";
import { describe, isRecord } from "../../core/request-shape.ts";
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import { attributeReader, compileTemplate, findBracedTexts, type Template } from "../../text/template.ts";
import { MAX_RECIPIENTS } from "../messages/insert.ts";

/** docs/public-api.md section 8. */
const MAX_MSISDN_LENGTH = 32;

const attributeValue = t.Union([t.String(), t.Number(), t.Boolean(), t.Null()]);

/** One recipient as a client writes it. What is checked of it below, and with which words, is this. */
export const recipientSchema = t.Object(
  {
    msisdn: t.String({
      maxLength: MAX_MSISDN_LENGTH,
      description: describe("reference.Recipient.msisdn"),
      examples: ["+22670123456"],
    }),
    attributes: t.Optional(
      t.Union([t.Object({}, { additionalProperties: attributeValue }), t.Null()], {
        description: describe("reference.Recipient.attributes"),
        examples: [{ name: "Awa" }],
      }),
    ),
    client_reference: t.Optional(t.Union([REFERENCE.schema, t.Null()], REFERENCE_WORDS)),
  },
  { description: describe("reference.Recipient") },
);

/** What a merge tag may be filled with (docs/behaviour.md#tags). */
export type AttributeValue = Static<typeof attributeValue>;

export type RequestRecipient = {
  /** As the client wrote it, at most 32 characters; not normalised. */
  readonly msisdn: string;
  /** Names are the client's own: look them up with Object.hasOwn. */
  readonly attributes: Readonly<Record<string, AttributeValue>> | null;
  /** What the client calls it; absent where it calls it nothing. */
  readonly clientReference?: string;
  /** Names of attributes that were left out; only of a recipient without a value for a tag. */
  readonly others?: readonly string[];
};

/** Collects recipients that are read one after the other, for the body of their batch. */
export type GatherRecipients<Recipients> = (body: string) => Gathering<Recipients>;

export type Gathering<Recipients> = {
  readonly add: (recipient: RequestRecipient) => void;
  /** Asked once, at the end. */
  readonly all: () => Recipients;
};

/** Reads recipients that are brought one after the other. */
type RecipientReading<Recipients> = {
  readonly take: (item: unknown) => void;
  /** After the last: null when something is wrong with them. No recipients at all is not judged here. */
  readonly end: () => Recipients | null;
};

/** Begins to read the recipients of a submission, whose items are passed in by whoever iterates the list. */
export function recipientReading<Recipients>(
  list: unknown,
  faults: FaultList,
  gathering: Gathering<Recipients>,
): RecipientReading<Recipients> {
  if (!isItemList(list)) {
    faults.add("/recipients", phrase(list === undefined ? "fault.required" : "fault.array"));
    return WRONG;
  }
  if (list.length > MAX_RECIPIENTS) {
    faults.add("/recipients", phrase("fault.recipients", { most: MAX_RECIPIENTS }));
    return WRONG;
  }
  let [brought, right] = [0, 0];
  return {
    take: (item) => {
      brought += 1;
      const recipient = faults.isFull() ? null : readRecipient(item, brought - 1, faults);
      if (recipient === null) return;
      right += 1;
      gathering.add(recipient);
    },
    end: () => (right === list.length ? gathering.all() : null),
  };
}

const WRONG: RecipientReading<never> = { take: () => {}, end: () => null };

function readRecipient(item: unknown, index: number, faults: FaultList): RequestRecipient | null {
  if (!isRecord(item)) {
    faults.at(["recipients", index], phrase("fault.recipient"));
    return null;
  }
  const msisdn = item.msisdn;
  if (typeof msisdn !== "string") {
    const fault = phrase(msisdn === undefined ? "fault.required" : "fault.string");
    faults.at(["recipients", index, "msisdn"], fault);
    return null;
  }
  // Of a number only the length is judged: what can't be parsed becomes a rejection (docs/public-api.md section 2.1).
  if (isLongerThan(msisdn, MAX_MSISDN_LENGTH)) {
    faults.at(["recipients", index, "msisdn"], phrase("fault.too_long", { most: MAX_MSISDN_LENGTH }));
    return null;
  }
  const reference = readReference(item.client_reference ?? null, index, faults);
  const attributes = item.attributes ?? null;
  const isRight = attributes === null || readAttributes(attributes, index, faults);
  if (!isRight || reference === "wrong") return null;
  return reference === null
    ? { msisdn, attributes }
    : { msisdn, attributes, clientReference: reference.text };
}

function readReference(
  value: unknown,
  index: number,
  faults: FaultList,
): { readonly text: string } | null | "wrong" {
  if (value === null) return null;
  const fault = referenceFault(value);
  if (fault === null && (typeof value === "string" || typeof value === "number")) {
    return { text: toReferenceText(value) };
  }
  faults.at(["recipients", index, "client_reference"], fault ?? phrase("fault.reference"));
  return "wrong";
}

function readAttributes(
  attributes: unknown,
  index: number,
  faults: FaultList,
): attributes is Readonly<Record<string, AttributeValue>> {
  if (!isRecord(attributes)) {
    faults.at(["recipients", index, "attributes"], phrase("fault.object"));
    return false;
  }
  let isRight = true;
  for (const name in attributes) {
    const fault = valueFault(attributes[name]);
    if (fault === null) continue;
    faults.at(["recipients", index, "attributes", name], fault);
    isRight = false;
    if (faults.isFull()) break;
  }
  return isRight;
}

function valueFault(value: unknown): Phrase | null {
  switch (typeof value) {
    case "string":
      return isSendable(value) ? null : phrase("fault.unsendable");
    case "number":
      return isExact(value) ? null : phrase("fault.inexact");
    case "boolean":
      return null;
    default:
      return value === null ? null : phrase("fault.value");
  }
}

/** A number past 2^53 would reach the handset with other digits than the client wrote (RFC 8259 section 6). */
function isExact(value: number): boolean {
  return Math.abs(value) <= Number.MAX_SAFE_INTEGER;
}

/** Recipients planned in one go. A batch of no more is written in one transaction; what is staged, in runs (expand-recipients.ts). */
export const RECIPIENTS_A_STEP = 250;

/**
 * The recipients of a submission. They may be an array; those of a large one stay packed, and only the step that is
 * worked on exists as objects: 100,000 at a time make the garbage collector hold the event loop.
 */
export type RecipientList = {
  readonly length: number;
  readonly slice: (start: number, end: number) => readonly RequestRecipient[];
  /** The same slice as JSON text, where that is cheaper to have. */
  readonly json?: (start: number, end: number) => string;
};

/** Collects them as they are. */
export const inArray: GatherRecipients<RecipientList> = () => {
  const recipients: RequestRecipient[] = [];
  return { add: (recipient) => recipients.push(recipient), all: () => recipients };
};

/** The steps of a list, in order. */
export function* iterateSteps(recipients: RecipientList): Generator<readonly RequestRecipient[]> {
  for (let at = 0; at < recipients.length; at += RECIPIENTS_A_STEP) {
    yield recipients.slice(at, at + RECIPIENTS_A_STEP);
  }
}

/** Recipients as the JSON text of one step after the other, in UTF-8: memory that threads hand over without copying. */
export type PackedRecipients = {
  readonly length: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Where each step's text ends. */
  readonly ends: readonly number[];
};

/**
 * A text of more UTF-16 units than this has more than 255 parts, whatever becomes of it: the normal form of a text is at
 * least a fourth as long, in UCS-2, and half as long in GSM 03.38.
 */
const MAX_VALUES_LENGTH = 80_000;

/**
 * Packs recipients for a template. Attributes it has no tag for are left out, but for their names where a tag has no value, and
 * so is what follows once the values of a recipient are longer than any text that can be sent.
 */
export const recipientPacker: GatherRecipients<PackedRecipients> = (body) => {
  // Which texts in braces are tags is known after the last recipient: until then each of them may be one.
  const template = compileTemplate(body, possibleTags(body));
  const encoder = new TextEncoder();
  const steps: Uint8Array[] = [];
  const ends: number[] = [];
  let step: RequestRecipient[] = [];
  let [length, size] = [0, 0];
  const pack = (): void => {
    if (step.length === 0) return;
    const bytes = encoder.encode(JSON.stringify(step));
    step = [];
    steps.push(bytes);
    size += bytes.byteLength;
    ends.push(size);
  };
  return {
    add: (recipient) => {
      step.push(needed(recipient, template));
      length += 1;
      if (step.length === RECIPIENTS_A_STEP) pack();
    },
    all: () => {
      pack();
      const bytes = new Uint8Array(size);
      for (const [index, packed] of steps.entries()) bytes.set(packed, ends[index - 1] ?? 0);
      return { length, bytes, ends };
    },
  };
};

function needed(recipient: RequestRecipient, template: Template): RequestRecipient {
  const { msisdn, attributes, clientReference } = recipient;
  const named = clientReference === undefined ? { msisdn } : { msisdn, clientReference };
  if (attributes === null) return { ...named, attributes };
  let left = MAX_VALUES_LENGTH;
  const kept: [string, AttributeValue][] = [];
  const valueFor = attributeReader(attributes);
  for (const tag of template.tags) {
    const value = valueFor(tag);
    if (value === undefined) continue;
    const short =
      typeof value === "string" && value.length > left ? value.slice(0, left).toWellFormed() : value;
    kept.push([tag, short]);
    if (typeof short === "string") left -= short.length;
  }
  const packed = { ...named, attributes: kept.length === 0 ? null : Object.fromEntries(kept) };
  if (missingTags(template, attributes).length === 0) return packed;
  const others = unusedNames(template, recipient);
  return others.length === 0 ? packed : { ...packed, others };
}

/** Reads packed recipients step by step: a slice begins where a step does and holds at most one. */
export function unpackRecipients({ length, bytes, ends }: PackedRecipients): RecipientList {
  const decoder = new TextDecoder();
  const json = (start: number, end: number): string => {
    const step = start / RECIPIENTS_A_STEP;
    assert(Number.isInteger(step) && end - start <= RECIPIENTS_A_STEP, "packed recipients are read in steps");
    return step < ends.length ? decoder.decode(bytes.subarray(ends[step - 1] ?? 0, ends[step])) : "[]";
  };
  const slice = (start: number, end: number): readonly RequestRecipient[] => {
    const recipients: unknown = JSON.parse(json(start, end));
    assert(Array.isArray(recipients), "a step is a list of recipients");
    return recipients;
  };
  return { length, slice, json };
}

// Attributes of a recipient that no tag asks for.

/** Of a recipient so many are looked at, and of names so many UTF-16 units at most: they only help to find a slip. */
const MAX_NAMES = 20;
export const MAX_NAME_LENGTH = 64;

/** The tags that a recipient has no value for: no such attribute, or null. */
export function missingTags(
  { tags }: Template,
  attributes: RequestRecipient["attributes"],
): readonly string[] {
  if (attributes === null) return tags;
  const valueFor = attributeReader(attributes);
  return tags.filter((tag) => (valueFor(tag) ?? null) === null);
}

/** The names among a recipient's attributes that no tag has, as they are written. */
export function unusedNames(
  { tags }: Template,
  { attributes, others = [] }: RequestRecipient,
): readonly string[] {
  const asked = new Set(tags.map((tag) => tag.normalize("NFC")));
  const found = new Set(others);
  for (const name in attributes) {
    if (found.size >= MAX_NAMES) break;
    if (name.length <= MAX_NAME_LENGTH && name !== "" && !asked.has(name.normalize("NFC"))) found.add(name);
  }
  return [...found];
}

// Which texts in the braces of a batch are tags: those that a recipient has an attribute for (docs/behaviour.md#tags).

/** Scans the recipients of a batch once, while they are read. */
export type BraceTags = {
  readonly note: (recipient: RequestRecipient) => void;
  /** Those that an attribute was met for, without the blanks at their edges, in the order in which they were met. */
  readonly otherTags: () => readonly string[];
};

/** What may be tags beside plain names, without the blanks at their edges. */
function possibleTags(body: string): readonly string[] {
  return findBracedTexts(body).flatMap((text) => text.trim() || []);
}

/** Tracks which braces are tags in these texts of a batch; null where only plain names stand in them. */
export function createBraceTags(bodies: readonly string[]): BraceTags | null {
  const open = new Set(bodies.flatMap(possibleTags).map((name) => name.normalize("NFC")));
  if (open.size === 0) return null;
  const met: string[] = [];
  return {
    note: ({ attributes }) => {
      if (open.size === 0) return;
      for (const name in attributes) {
        const form = name.normalize("NFC");
        if (open.delete(form)) met.push(form);
      }
    },
    otherTags: () => met,
  };
}

/** Texts in the braces of a batch that are no tags, as they are written, each once. */
export function plainTextsInBraces(
  bodies: readonly string[],
  otherTags: readonly string[],
): readonly string[] {
  const tags = new Set(otherTags.map((name) => name.normalize("NFC")));
  const texts = new Set(bodies.flatMap(findBracedTexts));
  return [...texts].filter((text) => !tags.has(text.trim().normalize("NFC")));
}
