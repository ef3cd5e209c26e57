/** Schemas of quotes, in the style of schemas.ts. */
import { Type as t } from "@sinclair/typebox";
import { type Description, describe } from "../../../core/request-shape.ts";
import { PAYMENT_REFUSALS } from "../../../domain/ledger/reservations.ts";
import { MAX_REJECTIONS } from "../../../domain/submission/quote.ts";
import { MAX_CHARACTERS, MAX_WARNINGS, WARNING_CODES } from "../../../domain/submission/warnings.ts";
import { phrase } from "../../../i18n/phrase.ts";
import { openEnum, QUOTED_STATUSES } from "./open-codes.ts";
import { count, currency, isSandbox, operatorCode, told, truth, xof } from "./schema-kinds.ts";

export const Warning = t.Object({
  code: openEnum(WARNING_CODES, "reference.Warning.code"),
  detail: t.String({
    description: describe("reference.Warning.detail"),
    examples: [
      '{Nom} has no value for 3 recipients: nothing would stand in its place; is the attribute "nom" meant?',
    ],
  }),
  tag: t.String({
    description: describe("reference.Warning.tag"),
    examples: ["Nom"],
  }),
  nearest: t.Union([t.String(), t.Null()], {
    description: describe("reference.Warning.nearest"),
    examples: ["nom"],
  }),
  recipients: count("reference.Warning.recipients"),
  segments: t.Optional(
    t.Integer({ minimum: 1, description: describe("reference.Warning.segments"), examples: [14] }),
  ),
});
const warningsOf = (description: Description) =>
  t.Array(t.Ref("#/components/schemas/Warning"), {
    maxItems: MAX_WARNINGS,
    description: describe(description),
  });
export const warnings = warningsOf("reference.Batch.warnings");

const xofOrNull = (description: Description) =>
  t.Union([t.Integer(), t.Null()], {
    description: describe("reference.xof_or_null", { what: phrase(description) }),
    examples: [1000],
  });

const DearCharacter = t.Object({
  character: t.String({ description: describe("reference.Quote.characters.character"), examples: ["ç"] }),
  code_point: t.String({
    description: describe("reference.Quote.characters.code_point"),
    pattern: "^U\\+[0-9A-F]{4,6}$",
    examples: ["U+00E7"],
  }),
  name: t.Union([t.String(), t.Null()], {
    description: describe("reference.Quote.characters.name"),
    examples: ["LATIN SMALL LETTER C WITH CEDILLA"],
  }),
  in: t.String({
    description: describe("reference.Quote.characters.in"),
    examples: ["attribute:nom"],
  }),
  messages: count("reference.Quote.characters.messages"),
  replacement: t.Union([t.String(), t.Null()], {
    description: describe("reference.Quote.characters.replacement"),
    examples: ["c"],
  }),
});

export const Quote = t.Object(
  {
    status: openEnum(QUOTED_STATUSES, "reference.Quote.status", "QUEUED"),
    accepted: count("reference.Quote.accepted"),
    rejected: count("reference.Quote.rejected"),
    rejections_by_reason: t.Object(
      {},
      {
        additionalProperties: t.Integer({ minimum: 1 }),
        description: describe("reference.rejections_by_reason"),
        examples: [{ INVALID_MSISDN: 1 }],
      },
    ),
    rejections: t.Array(t.Ref("#/components/schemas/Rejection"), {
      maxItems: MAX_REJECTIONS,
      description: describe("reference.Quote.rejections"),
    }),
    total_segments: count("reference.Quote.total_segments"),
    amount: xof("reference.Quote.amount"),
    currency,
    is_payable: truth("reference.Quote.is_payable", true),
    refusal: t.Union(
      [t.Object(told(PAYMENT_REFUSALS, "the batch costs 45 XOF, 30 XOF can be spent")), t.Null()],
      {
        description: describe("reference.Quote.refusal"),
      },
    ),
    spendable_before: xofOrNull("reference.Quote.spendable_before"),
    spendable_after: xofOrNull("reference.Quote.spendable_after"),
    starts_at: t.Union([t.String({ format: "date-time" }), t.Null()], {
      description: describe("reference.Quote.starts_at"),
      examples: ["2026-03-01T09:30:00.000Z"],
    }),
    by_operator: t.Array(
      t.Object({
        operator: operatorCode,
        price: xof("reference.Quote.by_operator.price"),
        messages: count("reference.Quote.by_operator.messages"),
        segments: count("reference.Quote.by_operator.segments"),
        amount: xof("reference.Quote.by_operator.amount"),
        fallback_amount: xof("reference.Quote.by_operator.fallback_amount"),
      }),
      { description: describe("reference.Quote.by_operator") },
    ),
    encodings: t.Object(
      {
        GSM7: t.Optional(count("reference.Quote.encodings.GSM7")),
        UCS2: t.Optional(count("reference.Quote.encodings.UCS2")),
        UTF8: t.Optional(count("reference.Quote.encodings.UTF8")),
      },
      { additionalProperties: t.Integer(), description: describe("reference.Quote.encodings") },
    ),
    characters: t.Array(DearCharacter, {
      maxItems: MAX_CHARACTERS,
      description: describe("reference.Quote.characters"),
    }),
    rewritten: t.Object(
      {
        total_segments: count("reference.Quote.rewritten.total_segments"),
        amount: xof("reference.Quote.rewritten.amount"),
        saved: xof("reference.Quote.rewritten.saved"),
        examples: t.Array(
          t.Object({
            before: t.String({
              description: describe("reference.Quote.rewritten.examples.before"),
              examples: ["Votre reçu – merci"],
            }),
            after: t.String({
              description: describe("reference.Quote.rewritten.examples.after"),
              examples: ["Votre recu - merci"],
            }),
          }),
          { maxItems: 3, description: describe("reference.Quote.rewritten.examples") },
        ),
      },
      { description: describe("reference.Quote.rewritten") },
    ),
    is_sandbox: isSandbox,
    warnings: warningsOf("reference.Quote.warnings"),
  },
  { description: describe("reference.Quote") },
);
