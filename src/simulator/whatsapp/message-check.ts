import { bodyOf, hasCopyCodeButton, parametersOf, type SimTemplate } from "./templates.ts";

/** A post as the stand-in understands it. */
export type PostedMessage = {
  readonly to: string;
  readonly opaque: string | null;
  /** Null: text without a template. */
  readonly template: SimTemplate | null;
  /** What it is billed as: authentication, utility, marketing, or service for text in the window. */
  readonly category: string;
  /** The text as the user reads it. */
  readonly text: string;
};

export type PostFault = { readonly code: number; readonly details: string };

const MOST_CHARACTERS = 1024;
const MOST_CODE_CHARACTERS = 15;
const MOST_TEXT_CHARACTERS = 4096;

type Fields = Readonly<Record<string, unknown>>;

/** Reads a post as Meta checks it, and says what is wrong with it by code. */
export function readPost(body: unknown, templates: readonly SimTemplate[]): PostedMessage | PostFault {
  const post = fieldsOf(body);
  if (post.messaging_product !== "whatsapp") return fault(100, "messaging_product must be whatsapp");
  const { to, biz_opaque_callback_data: opaque, type } = post;
  if (typeof to !== "string" || !/^\+?\d{6,15}$/.test(to)) return fault(131009, "to is no telephone number");
  if (opaque !== undefined && (typeof opaque !== "string" || opaque.length > 512)) {
    return fault(100, "biz_opaque_callback_data is text of at most 512 characters");
  }
  const told = { to: to.replace("+", ""), opaque: opaque ?? null };
  const said = type === "template" ? readTemplate(fieldsOf(post.template), templates) : readText(post);
  return "code" in said ? said : { ...told, ...said };
}

type Said = Pick<PostedMessage, "template" | "category" | "text">;

function readTemplate(posted: Fields, templates: readonly SimTemplate[]): Said | PostFault {
  const { name } = posted;
  const language = fieldsOf(posted.language).code;
  if (typeof name !== "string" || typeof language !== "string")
    return fault(131008, "template has no name or language");
  const template = templates.find((each) => each.name === name && each.language === language);
  if (template === undefined) return fault(132001, `template name (${name}) does not exist in ${language}`);
  if (template.status === "PAUSED") return fault(132015, "the template is paused");
  if (template.status === "DISABLED") return fault(132016, "the template is disabled");
  if (template.status !== "APPROVED") return fault(132001, `the template is ${template.status}`);
  const components = Array.isArray(posted.components) ? posted.components.map(fieldsOf) : [];
  const given = parametersIn(components.find(({ type }) => type === "body"));
  const wanted = parametersOf(template);
  if (given.length !== wanted.length) {
    return fault(
      132000,
      `number of localizable_params (${given.length}) does not match the expected number (${wanted.length})`,
    );
  }
  const values = new Map<string, string>();
  for (const [at, parameter] of given.entries()) {
    const wrong = parameterFault(parameter, template);
    if (wrong !== null) return wrong;
    const name = template.parameter_format === "NAMED" ? String(parameter.parameter_name) : String(at + 1);
    values.set(name, String(parameter.text));
  }
  if (wanted.some((each) => !values.has(each)))
    return fault(132012, "the names of the parameters do not match");
  if (hasCopyCodeButton(template)) {
    const button = components.find(({ type }) => type === "button");
    const [code] = parametersIn(button);
    if (button?.sub_type !== "url" || String(button.index) !== "0" || code?.text !== values.get("1")) {
      return fault(131008, "the code is missing at the button at index 0");
    }
  }
  const text = bodyOf(template).replace(
    /\{\{([^{}]+)\}\}/g,
    (_, each: string) => values.get(each.trim()) ?? "",
  );
  if ([...text].length > MOST_CHARACTERS) return fault(132005, "the text filled in is too long");
  return { template, category: template.category.toLowerCase(), text };
}

function parameterFault(parameter: Fields, template: SimTemplate): PostFault | null {
  const { type, text } = parameter;
  if (type !== "text") return fault(132012, "a parameter of the body is text");
  if (typeof text !== "string" || text === "") return fault(131008, "a parameter is empty");
  if (/[\n\r\t]| {5}/.test(text))
    return fault(132018, "a parameter has a line end, a tab or more than 4 spaces in a row");
  if (template.category === "AUTHENTICATION" && [...text].length > MOST_CODE_CHARACTERS) {
    return fault(132018, "a code has at most 15 characters");
  }
  return null;
}

/** Free text: sent directly when it says a category, else an answer to a user who wrote. */
function readText(post: Fields): Said | PostFault {
  if (post.type !== undefined && post.type !== "text") return fault(100, "type is template or text");
  const text = fieldsOf(post.text).body;
  if (typeof text !== "string" || text === "") return fault(131008, "text has no body");
  if ([...text].length > MOST_TEXT_CHARACTERS) return fault(131009, "the body is too long");
  const { category = "service", ttl_seconds: ttl } = post;
  const longest = category === "utility" ? 43_200 : category === "authentication" ? 900 : 0;
  if (typeof category !== "string" || (longest === 0 && category !== "service"))
    return fault(100, "no such category");
  if (ttl !== undefined && (typeof ttl !== "number" || ttl < 30 || ttl > longest))
    return fault(100, "ttl_seconds is out of bounds");
  return { template: null, category, text };
}

function parametersIn(component: Fields | undefined): readonly Fields[] {
  const parameters = component?.parameters;
  return Array.isArray(parameters) ? parameters.map(fieldsOf) : [];
}

function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}

function fault(code: number, details: string): PostFault {
  return { code, details };
}
