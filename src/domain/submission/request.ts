/**
 * The shape of a submission's body and its checks, with up to 20 faults by JSON Pointer, and the codes of refusals.
 * Unknown fields are refused, those of a recipient ignored.
 */
import { Type as t } from "@sinclair/typebox";
import { CHANNELS } from "../../core/channels.ts";
import { REFERENCE, REFERENCE_WORDS, toReferenceText } from "../../core/client-reference.ts";
import { nearest } from "../../core/edit-distance.ts";
import { isItemList } from "../../core/lazy-list.ts";
import {
  accepted,
  faultList,
  isLongerThan,
  type Outcome,
  type Refusal,
  refuse,
  refuseFaults,
  textFault,
  withFaults,
} from "../../core/refusals.ts";
import {
  defineShape,
  describe,
  type Field,
  flag,
  hasShape,
  isRecord,
  optional,
  refuseOthers,
  type ShapeValue,
  text,
  word,
} from "../../core/request-shape.ts";
import { MISSING_ATTRIBUTES, TEXT_POLICIES, type TextRules } from "../../core/text-rules.ts";
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import { compileTemplate } from "../../text/template.ts";
import { MESSAGE_CLASSES } from "../accounts/message-class.ts";
import type { PaymentRefusalCode } from "../ledger/reservations.ts";
import { MAX_RECIPIENTS } from "../messages/insert.ts";
import {
  type BraceTags,
  createBraceTags,
  type Gathering,
  type GatherRecipients,
  inArray,
  type RecipientList,
  recipientReading,
} from "./recipients.ts";

/** By which a client names a template of its sender. */
export type TemplateName = { readonly name: string; readonly language: string };

const MAX_NAME_LENGTH = 512;
const MAX_LANGUAGE_LENGTH = 16;

/** The fields of such a name, as the API shows them. */
export const templateName = {
  name: t.String({
    minLength: 1,
    maxLength: MAX_NAME_LENGTH,
    description: describe("reference.template.name"),
    examples: ["commande_prete"],
  }),
  language: t.String({
    minLength: 1,
    maxLength: MAX_LANGUAGE_LENGTH,
    description: describe("reference.template.language"),
    examples: ["fr"],
  }),
};

const TEMPLATE_SCHEMA = t.Object(templateName, { additionalProperties: false });

/** The `template` of a submission. */
const TEMPLATE_FIELD: Field<typeof TEMPLATE_SCHEMA> = {
  schema: TEMPLATE_SCHEMA,
  check: (value, tell) => {
    if (!isRecord(value)) tell(phrase("fault.template"));
    else {
      const { name, language, ...others } = value;
      const fault =
        wordFault("name", name, MAX_NAME_LENGTH) ?? wordFault("language", language, MAX_LANGUAGE_LENGTH);
      const [other] = Object.keys(others);
      if (fault !== null) tell(fault);
      else if (other !== undefined) tell(phrase("fault.template.others"));
    }
  },
};

function wordFault(field: string, value: unknown, most: number): Phrase | null {
  if (value === undefined) return phrase("fault.template.lacks", { field });
  if (typeof value !== "string" || value === "") return phrase("fault.template.no_text", { field });
  const fault = textFault(value, most);
  return fault === null ? null : phrase("fault.template.field", { field, fault });
}

/** How a client wants a batch of WhatsApp to go on (docs/behaviour.md#fallback). */
type RequestedFallback = {
  readonly channel: "SMS";
  readonly after_seconds: number;
  readonly body?: string | null;
};

export const MIN_FALLBACK_SECONDS = 60;
export const MAX_FALLBACK_SECONDS = 43_200;
const MAX_BODY_LENGTH = 4000;

const FALLBACK_SCHEMA = t.Object(
  {
    channel: t.Unsafe<"SMS">({
      type: "string",
      enum: ["SMS"],
      description: describe("reference.fallback.channel"),
    }),
    after_seconds: t.Integer({
      minimum: MIN_FALLBACK_SECONDS,
      maximum: MAX_FALLBACK_SECONDS,
      description: describe("reference.fallback.after_seconds"),
      examples: [300],
    }),
    body: t.Optional(
      t.Union([t.String({ minLength: 1, maxLength: MAX_BODY_LENGTH }), t.Null()], {
        description: describe("reference.fallback.body"),
        examples: ["ACME : votre commande {numero} est prete."],
      }),
    ),
  },
  { additionalProperties: false },
);

const FIELDS = ["channel", "after_seconds", "body"];

/** The `fallback` of a submission. */
const FALLBACK_FIELD: Field<typeof FALLBACK_SCHEMA> = {
  schema: FALLBACK_SCHEMA,
  check: (value, tell) => {
    if (!isRecord(value)) {
      tell(phrase("fault.fallback"));
      return;
    }
    const { channel, after_seconds: after, body } = value;
    const other = Object.keys(value).find((name) => !FIELDS.includes(name));
    if (channel !== "SMS") tell(phrase("fault.fallback.channel"));
    else if (!isSeconds(after)) {
      const bounds = { least: MIN_FALLBACK_SECONDS, most: MAX_FALLBACK_SECONDS };
      tell(phrase("fault.fallback.seconds", bounds));
    } else if (other !== undefined) tell(phrase("fault.fallback.others"));
    else if (body !== undefined && body !== null) {
      const isBlank = String(body).trim() === "";
      const fault =
        typeof body === "string"
          ? (textFault(body, MAX_BODY_LENGTH) ?? (isBlank ? phrase("fault.blank") : null))
          : phrase("fault.text");
      if (fault !== null) tell(phrase("fault.fallback.body", { fault }));
    }
  },
};

function isSeconds(value: unknown): boolean {
  return (
    Number.isInteger(value) && Number(value) >= MIN_FALLBACK_SECONDS && Number(value) <= MAX_FALLBACK_SECONDS
  );
}

function eitherOf([one, other]: readonly [string, string]): Phrase {
  return phrase("fault.either", { one, other });
}

/**
 * A submission as a client writes it (docs/public-api.md section 2.1; limits: section 8). The recipients are read by hand
 * (recipients.ts): 100,000 of them would take too long otherwise.
 */
export const SUBMISSION = defineShape(
  {
    sender: text(
      32,
      {
        minLength: 1,
        description: describe("reference.BatchSubmission.sender"),
        examples: ["ACME"],
      },
      (sender) => (sender.trim() === "" ? phrase("fault.blank") : null),
    ),
    body: text(4000, {
      minLength: 1,
      description: describe("reference.BatchSubmission.body"),
      examples: ["Bonjour {nom}, votre commande est prête."],
    }),
    message_class: word(MESSAGE_CLASSES, phrase("fault.message_class"), {
      description: describe("reference.message_class"),
    }),
    channel: optional(word(CHANNELS, eitherOf(CHANNELS)), {
      description: describe("reference.channel"),
      default: "SMS",
    }),
    template: optional(TEMPLATE_FIELD, {
      description: describe("reference.BatchSubmission.template"),
    }),
    fallback: optional(FALLBACK_FIELD, {
      description: describe("reference.BatchSubmission.fallback"),
    }),
    client_reference: optional(REFERENCE, REFERENCE_WORDS),
    recipients: {
      schema: t.Array(t.Ref("#/components/schemas/Recipient"), {
        minItems: 1,
        maxItems: MAX_RECIPIENTS,
        description: describe("reference.BatchSubmission.recipients"),
      }),
      check: () => {},
    },
    scheduled_at: optional(text(64), {
      description: describe("reference.BatchSubmission.scheduled_at"),
      examples: ["2026-03-01T09:30:00+00:00"],
    }),
    timezone: optional(text(64), {
      description: describe("reference.BatchSubmission.timezone"),
      examples: ["Africa/Ouagadougou"],
    }),
    text_policy: optional(word(TEXT_POLICIES, phrase("fault.words", { words: TEXT_POLICIES.join(", ") })), {
      description: describe("reference.BatchSubmission.text_policy"),
      examples: ["rewrite"],
    }),
    missing_attributes: optional(word(MISSING_ATTRIBUTES, eitherOf(MISSING_ATTRIBUTES)), {
      description: describe("reference.BatchSubmission.missing_attributes"),
      examples: ["reject"],
    }),
    is_test: optional(flag(), {
      default: false,
      examples: [false],
      description: describe("reference.BatchSubmission.is_test"),
    }),
  },
  { additionalProperties: false, description: describe("reference.BatchSubmission") },
);

type SubmissionShape = ShapeValue<typeof SUBMISSION>;

/** A submission whose shape is right; what it means is still to be checked. `Recipients`: how they were collected. */
export type RequestOf<Recipients> = {
  readonly sender: string;
  readonly body: string;
  readonly messageClass: SubmissionShape["message_class"];
  readonly channel: NonNullable<SubmissionShape["channel"]>;
  /** Which template is meant; null: whichever fits. */
  readonly template: TemplateName | null;
  /** How it goes on; null: not at all, undefined: as the account has it. */
  readonly fallback?: RequestedFallback | null;
  /** 1 to 100,000. */
  readonly recipients: Recipients;
  /** As the client wrote it; read by the schedule rules. */
  readonly scheduledAt: string | null;
  readonly timezone: string | null;
  /** Null: as the account has it. */
  readonly textPolicy: TextRules["textPolicy"] | null;
  readonly missingAttributes: TextRules["missingAttributes"] | null;
  readonly isTest: boolean;
  /** When the client gives it up, in a protocol that lets it say so: sooner than its class, never later. */
  readonly expiresBy?: number | null;
  readonly clientReference: string | null;
  /** What of its texts' braces is a tag although it is no plain name: a recipient has an attribute called so. */
  readonly otherTags: readonly string[];
};

/** The recipients of a large one may be packed. */
export type BatchRequest = RequestOf<RecipientList>;

/**
 * Reads a submission body. VALIDATION_FAILED names up to 20 faults; BATCH_EMPTY and BATCH_BODY_EMPTY are reported when nothing else is
 * wrong. Unknown fields are refused, those of a recipient ignored (docs/behaviour.md#unknown-fields).
 */
export function readBatchRequest(json: unknown): IntakeOutcome<BatchRequest> {
  const reading = requestReading(json, inArray);
  if (isRecord(json) && isItemList(json.recipients)) for (const item of json.recipients) reading.take(item);
  return reading.end();
}

/** What a client of a protocol without tags asks for: a text that goes as it is. */
type LiteralRequest = {
  readonly sender: string;
  readonly text: string;
  readonly messageClass: string;
  /** As the client wrote them. */
  readonly receivers: readonly string[];
  /** ISO 8601; null for at once. */
  readonly scheduledAt: string | null;
  /** What the client calls each recipient. */
  readonly clientReference?: string | null;
};

/** Reads a request whose text has no tags: one that seems to have some is passed as the value of one tag. */
export function readLiteralRequest({
  sender,
  text,
  messageClass,
  receivers,
  scheduledAt,
  clientReference = null,
}: LiteralRequest): IntakeOutcome<BatchRequest> {
  const isPlain = isLongerThan(text, MAX_BODY_LENGTH) || text.trim() === "" || !compileTemplate(text).hasTags;
  return readBatchRequest({
    sender,
    body: isPlain ? text : "{text}",
    message_class: messageClass,
    recipients: receivers.map((msisdn) => ({
      msisdn,
      ...(isPlain ? {} : { attributes: { text } }),
      ...(clientReference === null ? {} : { client_reference: clientReference }),
    })),
    ...(scheduledAt === null ? {} : { scheduled_at: scheduledAt }),
  });
}

/** A submission that is read while its recipients are passed in one by one. */
type RequestReading<Recipients> = {
  /** The next recipient. */
  readonly take: (item: unknown) => void;
  readonly end: () => IntakeOutcome<RequestOf<Recipients>>;
};

/** Begins to read a submission body; its recipients are collected as `gather` says. */
export function requestReading<Recipients extends { readonly length: number }>(
  json: unknown,
  gather: GatherRecipients<Recipients>,
): RequestReading<Recipients> {
  if (!isRecord(json)) return { take: () => {}, end: () => NO_OBJECT };
  const faults = faultList();
  refuseOthers(SUBMISSION, json, faults, (name) => {
    const meant = nearest(name.slice(0, 64), Object.keys(SUBMISSION.fields));
    return meant === null ? phrase("fault.unknown") : phrase("fault.unknown.near", { meant });
  });
  const fits = hasShape(SUBMISSION, json, faults);
  const braces = fits ? createBraceTags([json.body, json.fallback?.body ?? ""]) : null;
  const gathering = gather(fits ? json.body : "");
  const reading = recipientReading(json.recipients, faults, braces ? noting(braces, gathering) : gathering);
  const end = (): IntakeOutcome<RequestOf<Recipients>> => {
    const recipients = reading.end();
    if (!fits || recipients === null || faults.found.length > 0) return refuseFaults(faults.found);
    if (recipients.length === 0) return refuse("BATCH_EMPTY");
    if (json.body.trim() === "") return refuse("BATCH_BODY_EMPTY");
    return accepted({
      sender: json.sender,
      body: json.body,
      messageClass: json.message_class,
      channel: json.channel ?? "SMS",
      template: json.template ?? null,
      ...(json.fallback === undefined ? {} : { fallback: json.fallback }),
      recipients,
      scheduledAt: json.scheduled_at ?? null,
      timezone: json.timezone ?? null,
      textPolicy: json.text_policy ?? null,
      missingAttributes: json.missing_attributes ?? null,
      isTest: json.is_test ?? false,
      clientReference: referenceOrNull(json.client_reference),
      otherTags: braces?.otherTags() ?? [],
    });
  };
  return { take: reading.take, end };
}

function noting<Recipients>(braces: BraceTags, { add, all }: Gathering<Recipients>): Gathering<Recipients> {
  return {
    add: (recipient) => {
      braces.note(recipient);
      add(recipient);
    },
    all,
  };
}

const NO_OBJECT = withFaults(refuse("VALIDATION_FAILED.not_object"), [
  { path: "", message: phrase("fault.json_object") },
]);

function referenceOrNull(value: string | number | null | undefined): string | null {
  return value === undefined || value === null ? null : toReferenceText(value);
}

/** Why a submission is refused (docs/public-api.md section 7). Every caller has words for each. */
export type IntakeRefusalCode =
  | "VALIDATION_FAILED"
  | "BATCH_EMPTY"
  | "BATCH_BODY_EMPTY"
  | "SCHEDULE_INVALID"
  | "SENDER_NOT_APPROVED"
  | "ACCOUNT_SUSPENDED"
  | "CONFIGURATION_ERROR"
  | "SERVICE_UNAVAILABLE"
  | "STORAGE_FULL"
  | "RESTORING"
  | "RATE_LIMITED"
  | PaymentRefusalCode;

export type IntakeRefusal = Refusal<IntakeRefusalCode>;

export type IntakeOutcome<T> = Outcome<T, IntakeRefusalCode>;
