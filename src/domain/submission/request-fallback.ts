import { Type as t } from "@sinclair/typebox";
import { describe } from "../../core/description.ts";
import { textFault } from "../../core/field-faults.ts";
import { type Field, isRecord } from "../../core/shape.ts";
import { phrase } from "../../i18n/phrase.ts";

/** How a client wants a batch of WhatsApp to go on (docs/behaviour.md#fallback). */
export type RequestedFallback = {
  readonly channel: "SMS";
  readonly after_seconds: number;
  readonly body?: string | null;
};

export const MIN_FALLBACK_SECONDS = 60;
export const MAX_FALLBACK_SECONDS = 43_200;
const MAX_BODY_LENGTH = 4000;

const schema = t.Object(
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
export const FALLBACK_FIELD: Field<typeof schema> = {
  schema,
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
