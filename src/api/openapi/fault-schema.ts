/** What exactly is wrong with a request, a field at a time. */
import { Type as t } from "@sinclair/typebox";
import { templateName } from "../../intake/request-template.ts";

export const FieldFault = t.Object({
  path: t.String({ description: "JSON Pointer (RFC 6901).", examples: ["/recipients"] }),
  message: t.String({
    description: "What is wrong there.",
    examples: ["must hold 1 to 100000 items"],
  }),
  template: t.Optional(
    t.Union([t.Object(templateName), t.Null()], {
      description:
        "Of a body that WhatsApp cannot send: the template that it nearly is, or is the text of; null where the sender has none.",
    }),
  ),
  expected: t.Optional(
    t.Union([t.String(), t.Null()], {
      description: "Of the same: what the template says around the first difference.",
      examples: ["Bonjour {{nom}}, votre commande"],
    }),
  ),
  found: t.Optional(
    t.Union([t.String(), t.Null()], {
      description: "Of the same: what the body says there.",
      examples: ["Bonjour {{nom}}, ta commande"],
    }),
  ),
});
