/** Schemas of the API's answers about WhatsApp templates. */
import { Type as t } from "@sinclair/typebox";
import { describe } from "../../../core/request-shape.ts";
import { instant, instantOrNull, isSandbox, truth } from "./schema-kinds.ts";

export const Template = t.Object({
  name: t.String({ description: describe("reference.Template.name"), examples: ["code"] }),
  language: t.String({ description: describe("reference.Template.language"), examples: ["fr"] }),
  status: t.String({
    description: describe("reference.Template.status"),
    examples: ["APPROVED"],
  }),
  category: t.String({
    description: describe("reference.Template.category"),
    examples: ["AUTHENTICATION"],
  }),
  body: t.String({
    description: describe("reference.Template.body"),
    examples: ["Votre code est {{1}}."],
  }),
  parameters: t.Array(t.String(), {
    description: describe("reference.Template.parameters"),
    examples: [["1"]],
  }),
  parameter_format: t.String({
    description: describe("reference.Template.parameter_format"),
    examples: ["POSITIONAL"],
  }),
  quality: t.Union([t.String(), t.Null()], {
    description: describe("reference.Template.quality"),
    examples: ["GREEN"],
  }),
  number: t.String({
    description: describe("reference.Template.number"),
    examples: ["whatsapp:main"],
  }),
  is_usable: truth("reference.Template.is_usable", true),
  why_not: t.Union([t.String(), t.Null()], {
    description: describe("reference.Template.why_not"),
    examples: ["it is PAUSED"],
  }),
  moves_to: t.Union([t.String(), t.Null()], {
    description: describe("reference.Template.moves_to"),
    examples: ["MARKETING"],
  }),
  moves_at: instantOrNull("reference.Template.moves_at"),
  synced_at: instant("reference.Template.synced_at"),
  is_sandbox: isSandbox,
});

export const TemplateList = t.Object({
  templates: t.Array(t.Ref("#/components/schemas/Template"), {
    description: describe("reference.TemplateList.templates"),
  }),
  is_sandbox: isSandbox,
});
