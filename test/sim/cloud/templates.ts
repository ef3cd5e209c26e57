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
    ...{ name: "commande_prete", category: "UTILITY", format: "NAMED" },
    body: "Bonjour {{nom}}, votre commande {{commande}} est prête.",
  },
  {
    ...{ name: "offre", category: "MARKETING", format: "POSITIONAL" },
    body: "Bonjour {{1}}, {{2}} chez nous. À bientôt, {{1}} !",
  },
];

/** An element of the list that Meta answers with. */
export function listed({ name, category, format, body }: CloudTemplate, status: string): object {
  const button = { type: "URL", text: "Copier", url: "https://www.whatsapp.com/otp/code/?code=otp{{1}}" };
  return {
    ...{ id: name, name, language: "fr", status, category, parameter_format: format },
    components: [
      { type: "BODY", text: body },
      ...(category === "AUTHENTICATION" ? [{ type: "BUTTONS", buttons: [button] }] : []),
    ],
  };
}

type Fields = Readonly<Record<string, unknown>>;

export type PostRead =
  | { readonly text: string; readonly template: CloudTemplate }
  /** Meta's code for what is wrong with it. */
  | { readonly code: number };

/** What a post of a template says, filled in, or what is wrong with it. */
export function readTemplatePost(post: Fields, statusOf: (name: string) => string): PostRead {
  const asked = fieldsOf(post.template);
  const template = TEMPLATES.find(({ name }) => name === asked.name);
  if (post.type !== "template" || !template || fieldsOf(asked.language).code !== "fr")
    return { code: 132001 };
  const status = statusOf(template.name);
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
  return text.length > 1024 ? { code: 132005 } : { text, template };
}

function parametersOf(component: Fields | undefined): readonly Fields[] {
  return Array.isArray(component?.parameters) ? component.parameters.map(fieldsOf) : [];
}

export function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}
