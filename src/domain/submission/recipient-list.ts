import { assert } from "../../core/assert.ts";
import { compileTemplate, type Template, attributeReader } from "../../text/template.ts";
import { possibleTags } from "./braces.ts";
import type { AttributeValue, GatherRecipients, RequestRecipient } from "./request-recipients.ts";
import { missingTags, unusedNames } from "./unused-names.ts";

/** Recipients planned in one go. A batch of no more is written in one transaction; what is staged, in runs (plan.ts). */
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

/** Gathers them as they are. */
export const inArray: GatherRecipients<RecipientList> = () => {
  const recipients: RequestRecipient[] = [];
  return { add: (recipient) => recipients.push(recipient), all: () => recipients };
};

/** The steps of a list, in order. */
export function* stepsOf(recipients: RecipientList): Generator<readonly RequestRecipient[]> {
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
