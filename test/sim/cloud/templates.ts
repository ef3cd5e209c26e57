/** The templates that Meta has approved in a run, and what a post of one says. */

export type CloudTemplate = {
  readonly name: string;
  readonly category: "AUTHENTICATION" | "UTILITY" | "MARKETING";
  readonly format: "NAMED" | "POSITIONAL";
  readonly body: string;
};

/** One of each category. Clients write their texts with tags in the places. */
export const TEMPLATES: readonly CloudTemplate[] = [
  { name: "code", category: "AUTHENTICATION", format: "POSITIONAL", body: "*{{1}}* est votre code." },
  {
    name: "commande_prete",
    category: "UTILITY",
    format: "NAMED",
    body: "Bonjour {{nom}}, votre commande {{commande}} est prête.",
  },
  {
    name: "offre",
    category: "MARKETING",
    format: "POSITIONAL",
    body: "Bonjour {{1}}, {{2}} chez nous. À bientôt, {{1}} !",
  },
];

/** An element of the list that Meta answers with. */
export function listed(
  { name, category: first, format, body }: CloudTemplate,
  {
    status,
    category,
    quality,
  }: { readonly status: string; readonly category: string; readonly quality: string },
): object {
  const button = { type: "URL", text: "Copier", url: "https://www.whatsapp.com/otp/code/?code=otp{{1}}" };
  return {
    id: name,
    name,
    language: "fr",
    status,
    category,
    parameter_format: format,
    quality_score: { score: quality },
    components: [
      { type: "BODY", text: body },
      ...(first === "AUTHENTICATION" ? [{ type: "BUTTONS", buttons: [button] }] : []),
    ],
  };
}

type Fields = Readonly<Record<string, unknown>>;

export type PostRead =
  /** `template`: null of text without one. `category`: what it is billed as, in lower case. */
  | { readonly text: string; readonly template: string | null; readonly category: string }
  /** Meta's code for what is wrong with it. */
  | { readonly code: number };

/** What a post says, filled in, or what is wrong with it. */
export function readPost(
  post: Fields,
  stateOf: (name: string) => { readonly status: string; readonly category: string },
): PostRead {
  return post.type === "text" ? readDirect(post) : readTemplatePost(post, stateOf);
}

/** How long Meta tries with text without a template, in seconds. */
const MIN_LIFE = 30;
const MAX_LIFE: Readonly<Record<string, number>> = { utility: 43_200, authentication: 900 };
const MAX_TEXT_LENGTH = 1024;

function readDirect({ text, category, ttl_seconds: ttl }: Fields): PostRead {
  const words = fieldsOf(text).body;
  const longest = typeof category === "string" ? MAX_LIFE[category] : undefined;
  if (typeof category !== "string" || longest === undefined) return { code: 100 };
  if (typeof ttl !== "number" || !Number.isInteger(ttl) || ttl < MIN_LIFE || ttl > longest)
    return { code: 100 };
  if (typeof words !== "string" || words.trim() === "" || words.length > MAX_TEXT_LENGTH)
    return { code: 131008 };
  return { text: words, template: null, category };
}

function readTemplatePost(
  post: Fields,
  stateOf: (name: string) => { readonly status: string; readonly category: string },
): PostRead {
  const asked = fieldsOf(post.template);
  const template = TEMPLATES.find(({ name }) => name === asked.name);
  if (post.type !== "template" || !template || fieldsOf(asked.language).code !== "fr")
    return { code: 132001 };
  const { status, category } = stateOf(template.name);
  if (status !== "APPROVED") return { code: status === "PAUSED" ? 132015 : 132016 };
  const components = Array.isArray(asked.components) ? asked.components.map(fieldsOf) : [];
  const values = parametersOf(components.find(({ type }) => type === "body"));
  const names = [...new Set([...template.body.matchAll(/\{\{(\w+)\}\}/g)].map(([, name = ""]) => name))];
  if (values.length !== names.length) return { code: 132000 };
  const filled = new Map<string, string>();
  for (const [place, { text, parameter_name: named }] of values.entries()) {
    if (typeof text !== "string" || text === "" || /[\n\r\t]| {5}/.test(text)) return { code: 132018 };
    filled.set(template.format === "NAMED" ? String(named) : (names[place] ?? ""), text);
  }
  if (names.some((name) => !filled.has(name))) return { code: 132012 };
  if (template.category === "AUTHENTICATION") {
    const [code] = parametersOf(components.find(({ type }) => type === "button"));
    if (code?.text !== filled.get("1") || String(code?.text).length > 15) return { code: 131008 };
  }
  const text = template.body.replace(/\{\{(\w+)\}\}/g, (_, name: string) => filled.get(name) ?? "");
  if (text.length > MAX_TEXT_LENGTH) return { code: 132005 };
  return { text, template: template.name, category: category.toLowerCase() };
}

function parametersOf(component: Fields | undefined): readonly Fields[] {
  return Array.isArray(component?.parameters) ? component.parameters.map(fieldsOf) : [];
}

export function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}
