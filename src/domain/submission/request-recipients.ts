import { type Static, Type as t } from "@sinclair/typebox";
import { describe } from "../../core/description.ts";
import { type FaultList, isLongerThan, isSendable } from "../../core/field-faults.ts";
import { isItemList } from "../../core/item-list.ts";
import { REFERENCE, REFERENCE_WORDS, referenceFault, toReferenceText } from "../../core/reference.ts";
import { isRecord } from "../../core/shape.ts";
import { type Phrase, phrase } from "../../i18n/phrase.ts";
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
  /** Names of attributes that were left out; only of one that a tag has no value for. */
  readonly others?: readonly string[];
};

/** How recipients are gathered that are read one after the other, for the body of their batch. */
export type GatherRecipients<Recipients> = (body: string) => Gathering<Recipients>;

export type Gathering<Recipients> = {
  readonly add: (recipient: RequestRecipient) => void;
  /** Asked once, at the end. */
  readonly all: () => Recipients;
};

/** Reads recipients that are brought one after the other. */
export type RecipientReading<Recipients> = {
  readonly take: (item: unknown) => void;
  /** After the last: null when something is wrong with them. No recipients at all is not judged here. */
  readonly end: () => Recipients | null;
};

/** Begins to read the recipients of a submission, whose items are brought by whoever goes through the list. */
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
