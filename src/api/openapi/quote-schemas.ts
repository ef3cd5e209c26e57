/** What a client is told before it pays: the bodies of the API as schemas.ts has the others. */
import { Type as t } from "@sinclair/typebox";
import { MOST_CHARACTERS } from "../../intake/dear-characters.ts";
import { MOST_REJECTIONS } from "../../intake/quote-sums.ts";
import { MOST_WARNINGS, WARNING_CODES } from "../../intake/warnings.ts";
import { PAYMENT_REFUSALS } from "../../wallet/reserve.ts";
import { openCode, QUOTED_STATUSES } from "./open-codes.ts";
import { count, currency, isSandbox, operatorCode, told, truth, xof } from "./schema-kinds.ts";

export const Warning = t.Object({
  code: openCode(
    WARNING_CODES,
    "MISSING_ATTRIBUTE: a tag has no value. UNUSED_ATTRIBUTE: of recipients with a missing one, an attribute that no tag asks for. TEXT_IN_BRACES: what stands in braces is sent as it stands, for no attribute is called so; of batches with attributes. LONG_TEXT: texts take more than 10 segments. TEMPLATE_MOVES: Meta has announced another category for the template, which this class cannot be sent by.",
  ),
  detail: t.String({
    description: "What is the matter, in words.",
    examples: [
      '{Nom} has no value for 3 recipients: nothing would stand in its place; is the attribute "nom" meant?',
    ],
  }),
  tag: t.String({
    description:
      "The tag without a value, the attribute that no tag asks for, or the text in braces; empty where it is about none of them.",
    examples: ["Nom"],
  }),
  nearest: t.Union([t.String(), t.Null()], {
    description:
      "What may be meant: the attribute or the tag whose name is nearest, without case and accents; null where none is near.",
    examples: ["nom"],
  }),
  recipients: count("How many recipients with a routable number it is about."),
  segments: t.Optional(
    t.Integer({ minimum: 1, description: "Only of LONG_TEXT: how many the longest takes.", examples: [14] }),
  ),
});
const warningsOf = (description: string) =>
  t.Array(t.Ref("#/components/schemas/Warning"), { maxItems: MOST_WARNINGS, description });
export const warnings = warningsOf(
  "What its client should know, such as a slip in the tags, never an error; empty while `status` is VALIDATING.",
);

const xofOrNull = (description: string) =>
  t.Union([t.Integer(), t.Null()], {
    description: `${description} Whole XOF; null for a key without ACCOUNT_READ.`,
    examples: [1000],
  });

const DearCharacter = t.Object({
  character: t.String({ description: "The character itself.", examples: ["ç"] }),
  code_point: t.String({
    description: "As Unicode writes it.",
    pattern: "^U\\+[0-9A-F]{4,6}$",
    examples: ["U+00E7"],
  }),
  name: t.Union([t.String(), t.Null()], {
    description:
      "In Unicode; null for what is neither Latin, punctuation, a space, a currency sign, an arrow nor an emoji.",
    examples: ["LATIN SMALL LETTER C WITH CEDILLA"],
  }),
  in: t.String({
    description:
      "Where it comes from: `body`, `fallback.body` of a message that may go on as an SMS, or `attribute:` and the name of the tag.",
    examples: ["attribute:nom"],
  }),
  messages: count("In how many messages."),
  replacement: t.Union([t.String(), t.Null()], {
    description:
      "What rewriting puts in its place where it rewrites the text at all, which may be nothing; null where nothing replaces it.",
    examples: ["c"],
  }),
});

export const Quote = t.Object(
  {
    status: openCode(
      QUOTED_STATUSES,
      "What the 202 would say: VALIDATING above 10000 recipients, else QUEUED, SCHEDULED or REJECTED.",
      "QUEUED",
    ),
    accepted: count("Recipients that would be accepted."),
    rejected: count("Recipients that would be filtered out."),
    rejections_by_reason: t.Object(
      {},
      {
        additionalProperties: t.Integer({ minimum: 1 }),
        description: "How many for each reason.",
        examples: [{ INVALID_MSISDN: 1 }],
      },
    ),
    rejections: t.Array(t.Ref("#/components/schemas/Rejection"), {
      maxItems: MOST_REJECTIONS,
      description: "The first 1000.",
    }),
    total_segments: count("Message segments of the accepted."),
    amount: xof("What would be reserved."),
    currency,
    is_payable: truth("Whether the account can pay it at this moment.", true),
    refusal: t.Union(
      [t.Object(told(PAYMENT_REFUSALS, "the batch costs 45 XOF, 30 XOF can be spent")), t.Null()],
      {
        description: "The error of 402 that the submission would be; null when it can be paid.",
      },
    ),
    spendable_before: xofOrNull("What can be spent, as the balance shows it."),
    spendable_after: xofOrNull("`spendable_before` less `amount`; may be negative."),
    starts_at: t.Union([t.String({ format: "date-time" }), t.Null()], {
      description: "When it would leave, in UTC; null when nobody is accepted.",
      examples: ["2026-03-01T09:30:00.000Z"],
    }),
    by_operator: t.Array(
      t.Object({
        operator: operatorCode,
        price: xof("Of one segment."),
        messages: count("Accepted recipients."),
        segments: count("Their segments."),
        amount: xof(
          "What would be reserved for all of them: `segments` times `price`, and `fallback_amount`.",
        ),
        fallback_amount: xof(
          "What is reserved beyond the price of the segments, for messages whose SMS of `fallback` is dearer. Else 0.",
        ),
      }),
      { description: "The accepted recipients by the operator that they belong to." },
    ),
    encodings: t.Object(
      {
        GSM7: t.Optional(count("Messages.")),
        UCS2: t.Optional(count("Messages, with half the room.")),
        UTF8: t.Optional(count("Messages by WhatsApp.")),
      },
      { additionalProperties: t.Integer(), description: "Messages by encoding." },
    ),
    characters: t.Array(DearCharacter, {
      maxItems: MOST_CHARACTERS,
      description:
        "What makes messages UCS-2, a row for each character and place; the 50 of the most messages.",
    }),
    rewritten: t.Object(
      {
        total_segments: count("Message segments then."),
        amount: xof("What they cost then."),
        saved: xof("How much less that is than as they are written."),
        examples: t.Array(
          t.Object({
            before: t.String({ description: "As it is written.", examples: ["Votre reçu – merci"] }),
            after: t.String({ description: "As it would be sent.", examples: ["Votre recu - merci"] }),
          }),
          { maxItems: 3, description: "Texts that rewriting changes." },
        ),
      },
      { description: "What the accepted come to with `text_policy: rewrite`, whatever was asked for." },
    ),
    is_sandbox: isSandbox,
    warnings: warningsOf("What its client should know, such as a slip in the tags, never an error."),
  },
  { description: "Nothing is held: what is accepted in between may change it." },
);
