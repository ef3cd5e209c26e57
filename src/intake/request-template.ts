import { Type as t } from "@sinclair/typebox";
import { textFault } from "../base/field-faults.ts";
import { type Field, isRecord } from "../base/shape.ts";

/** By which a client names a template of its sender. */
export type TemplateName = { readonly name: string; readonly language: string };

const LONGEST_NAME = 512;
const LONGEST_LANGUAGE = 16;

/** The fields of such a name, as the API shows them. */
export const templateName = {
  name: t.String({
    minLength: 1,
    maxLength: LONGEST_NAME,
    description: "Its name with Meta.",
    examples: ["commande_prete"],
  }),
  language: t.String({
    minLength: 1,
    maxLength: LONGEST_LANGUAGE,
    description: "The code of its language.",
    examples: ["fr"],
  }),
};

const schema = t.Object(templateName, { additionalProperties: false });

/** The `template` of a submission. */
export const TEMPLATE_FIELD: Field<typeof schema> = {
  schema,
  check: (value, tell) => {
    if (!isRecord(value)) tell("must be an object with name and language");
    else {
      const { name, language, ...others } = value;
      const fault =
        wordFault("name", name, LONGEST_NAME) ?? wordFault("language", language, LONGEST_LANGUAGE);
      const [other] = Object.keys(others);
      if (fault !== null) tell(fault);
      else if (other !== undefined) tell("holds name and language, and nothing else");
    }
  },
};

function wordFault(field: string, value: unknown, most: number): string | null {
  if (value === undefined) return `lacks its ${field}`;
  if (typeof value !== "string" || value === "") return `has a ${field} that is no text`;
  const fault = textFault(value, most);
  return fault === null ? null : `has a ${field} that ${fault}`;
}
