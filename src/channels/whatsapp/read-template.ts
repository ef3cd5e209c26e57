/**
 * Reads a template from Meta's list: its text, and why it cannot be sent where it cannot. Pure.
 *
 * Only a body is filled in, and the code of an authentication template for the button that copies it: for a parameter anywhere else,
 * media, carousels, flows and lists a batch has no values (docs/behaviour.md#templates-of-whatsapp).
 */
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import { type Fields, readFields, readList } from "./meta-json.ts";
import { listPlaceholders, type ParameterFormat, splitTemplate, tagsInFixedText } from "./template-text.ts";

export type ReadTemplate = {
  readonly name: string;
  readonly language: string;
  /** Meta's words; new ones may come. */
  readonly status: string;
  readonly category: string;
  readonly body: string;
  readonly parameters: readonly string[];
  readonly format: ParameterFormat;
  readonly copiesCode: boolean;
  readonly quality: string | null;
  readonly ttlSeconds: number | null;
  /** Why it cannot be sent, for the client; null for one that can. */
  readonly whyNot: Phrase | null;
};

/** Longer texts are not from Meta: a body has at most 1,024 characters, a name 512. */
const MAX_TEXT_LENGTH = 4096;

/** Reads one element of the list; null where it is no template. */
export function readTemplate(told: unknown): ReadTemplate | null {
  const fields = readFields(told);
  const [name, language] = [textOf(fields.name), textOf(fields.language)];
  if (name === "" || language === "") return null;
  const components = readList(fields.components).map(readFields);
  const status = textOf(fields.status) || "UNKNOWN";
  const category = textOf(fields.category) || "UNKNOWN";
  const body = textOf(components.find((one) => kindOf(one) === "BODY")?.text);
  const copiesCode = category === "AUTHENTICATION" && components.some((one) => buttonsOf(one).length > 0);
  const ttl = fields.message_send_ttl_seconds;
  return {
    name,
    language,
    status,
    category,
    body,
    copiesCode,
    parameters: listPlaceholders(splitTemplate(body)),
    format: fields.parameter_format === "NAMED" ? "NAMED" : "POSITIONAL",
    quality: textOf(readFields(fields.quality_score).score) || null,
    ttlSeconds: Number.isSafeInteger(ttl) && Number(ttl) > 0 ? Number(ttl) : null,
    whyNot: statusFault(status) ?? shapeFault(category, body, components),
  };
}

function textOf(value: unknown): string {
  return typeof value === "string" && value.length <= MAX_TEXT_LENGTH ? value : "";
}

function kindOf(component: Fields): string {
  return textOf(component.type).toUpperCase();
}

function buttonsOf(component: Fields): readonly Fields[] {
  return kindOf(component) === "BUTTONS" ? readList(component.buttons).map(readFields) : [];
}

/** Why a template of a status cannot be sent; null for one that can. */
export function statusFault(status: string): Phrase | null {
  switch (status) {
    case "APPROVED":
      return null;
    case "PAUSED":
      return phrase("template.paused");
    case "PENDING":
    case "IN_APPEAL":
      return phrase("template.pending");
    case "REJECTED":
      return phrase("template.rejected");
    case "DISABLED":
      return phrase("template.disabled");
    case "DELETED":
    case "PENDING_DELETION":
      return phrase("template.deleted");
    default:
      return phrase("template.status", { status });
  }
}

const HAS_PARAMETER = /\{\{[^{}]+\}\}/;

/** The part of a template that a batch cannot fill in; null where there is none. */
function shapeFault(category: string, body: string, components: readonly Fields[]): Phrase | null {
  if (body === "") return phrase("template.no_text");
  const [tag] = tagsInFixedText(splitTemplate(body));
  if (tag !== undefined) return phrase("template.tag", { tag });
  for (const component of components) {
    const kind = kindOf(component);
    const fault =
      kind === "HEADER"
        ? headerFault(component)
        : kind === "BUTTONS"
          ? buttonFault(category, buttonsOf(component))
          : ["BODY", "FOOTER"].includes(kind)
            ? null
            : partFault(kind);
    if (fault !== null) return fault;
  }
  return null;
}

function partFault(kind: string): Phrase {
  return kind === "" ? phrase("template.part.unknown") : phrase("template.part", { kind });
}

function headerFault(header: Fields): Phrase | null {
  const format = textOf(header.format).toUpperCase();
  if (format !== "" && format !== "TEXT") return phrase("template.header.kind", { kind: format });
  return HAS_PARAMETER.test(textOf(header.text)) ? phrase("template.header.parameter") : null;
}

const PLAIN_BUTTONS = ["QUICK_REPLY", "PHONE_NUMBER", "URL"];

function buttonFault(category: string, buttons: readonly Fields[]): Phrase | null {
  // An authentication template has one button, and it copies the code.
  if (category === "AUTHENTICATION") return buttons.length > 1 ? phrase("template.buttons") : null;
  for (const button of buttons) {
    const kind = kindOf(button);
    if (!PLAIN_BUTTONS.includes(kind))
      return kind === "" ? phrase("template.button.unknown") : phrase("template.button.kind", { kind });
    if (HAS_PARAMETER.test(textOf(button.url))) return phrase("template.button.parameter");
  }
  return null;
}
