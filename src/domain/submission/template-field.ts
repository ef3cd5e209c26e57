import { Type as t } from "@sinclair/typebox";
import { textFault } from "../../core/refusals.ts";
import { describe, type Field, isRecord } from "../../core/request-shape.ts";
import { type Phrase, phrase } from "../../i18n/phrase.ts";

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

const schema = t.Object(templateName, { additionalProperties: false });

/** The `template` of a submission. */
export const TEMPLATE_FIELD: Field<typeof schema> = {
  schema,
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
