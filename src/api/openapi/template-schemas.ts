/** What the API answers of templates of WhatsApp. */
import { Type as t } from "@sinclair/typebox";
import { instant, instantOrNull, isSandbox, truth } from "./schema-kinds.ts";

export const Template = t.Object({
  name: t.String({ description: "What it is called at Meta.", examples: ["code"] }),
  language: t.String({ description: "Its language, as Meta writes it.", examples: ["fr"] }),
  status: t.String({
    description: "Meta's word: APPROVED, PAUSED, REJECTED, DELETED and others. Others may be added.",
    examples: ["APPROVED"],
  }),
  category: t.String({
    description:
      "AUTHENTICATION is sent by class OTP, UTILITY by TRANSACTIONAL, MARKETING by MARKETING. Others may be added.",
    examples: ["AUTHENTICATION"],
  }),
  body: t.String({
    description: "Its text. The body of a batch is this text, with tags in the places of the parameters.",
    examples: ["Votre code est {{1}}."],
  }),
  parameters: t.Array(t.String(), {
    description: "Names, or numbers, of its parameters in the order they first stand in the text.",
    examples: [["1"]],
  }),
  parameter_format: t.String({
    description:
      "POSITIONAL: tags count in the order they first stand in the body. NAMED: they are called as the parameters. Others may be added.",
    examples: ["POSITIONAL"],
  }),
  quality: t.Union([t.String(), t.Null()], {
    description: "What Meta thinks of it; null where it says nothing.",
    examples: ["GREEN"],
  }),
  number: t.String({
    description: "The operator code of the number that sends it.",
    examples: ["whatsapp:main"],
  }),
  is_usable: truth("Whether a batch may be sent with it.", true),
  why_not: t.Union([t.String(), t.Null()], {
    description: "Why it cannot be used; null where it can.",
    examples: ["it is PAUSED"],
  }),
  moves_to: t.Union([t.String(), t.Null()], {
    description:
      "The category that Meta has announced for it: batches of the present class are refused from `moves_at` on. Null where none is announced.",
    examples: ["MARKETING"],
  }),
  moves_at: instantOrNull("From when on it has the category `moves_to`, once Meta has announced that."),
  synced_at: instant("When it was read from Meta last."),
  is_sandbox: isSandbox,
});

export const TemplateList = t.Object({
  templates: t.Array(t.Ref("#/components/schemas/Template"), {
    description: "By number, name and language.",
  }),
  is_sandbox: isSandbox,
});
