/** What exactly is wrong with a request, a field at a time. */
import { Type as t } from "@sinclair/typebox";
import { describe } from "../../../core/description.ts";
import { templateName } from "../../../domain/submission/request-template.ts";

export const FieldFault = t.Object({
  path: t.String({ description: describe("reference.FieldFault.path"), examples: ["/recipients"] }),
  message: t.String({
    description: describe("reference.FieldFault.message"),
    examples: ["must hold 1 to 100000 items"],
  }),
  template: t.Optional(
    t.Union([t.Object(templateName), t.Null()], {
      description: describe("reference.FieldFault.template"),
    }),
  ),
  expected: t.Optional(
    t.Union([t.String(), t.Null()], {
      description: describe("reference.FieldFault.expected"),
      examples: ["Bonjour {{nom}}, votre commande"],
    }),
  ),
  found: t.Optional(
    t.Union([t.String(), t.Null()], {
      description: describe("reference.FieldFault.found"),
      examples: ["Bonjour {{nom}}, ta commande"],
    }),
  ),
});
