/** The templates of the stand-in, as `GET /<WABA>/message_templates` lists them. */

export type SimTemplate = {
  readonly id: string;
  readonly name: string;
  readonly language: string;
  readonly status: string;
  readonly category: string;
  readonly parameter_format: "POSITIONAL" | "NAMED";
  readonly message_send_ttl_seconds?: number;
  readonly quality_score: { readonly score: string };
  readonly components: readonly TemplateComponent[];
};

type TemplateComponent = {
  readonly type: string;
  readonly text?: string;
  readonly [key: string]: unknown;
};

const QUALITY = { score: "GREEN" };

/** One approved template of each category, in French. */
export const BUILT_IN_TEMPLATES: readonly SimTemplate[] = [
  {
    id: "900000000000001",
    name: "code_de_verification",
    language: "fr",
    status: "APPROVED",
    category: "AUTHENTICATION",
    parameter_format: "POSITIONAL",
    message_send_ttl_seconds: 600,
    quality_score: QUALITY,
    components: [
      {
        type: "BODY",
        text: "*{{1}}* est votre code de vérification.",
        example: { body_text: [["123456"]] },
      },
      {
        type: "BUTTONS",
        buttons: [
          {
            type: "URL",
            text: "Copier le code",
            url: "https://www.whatsapp.com/otp/code/?otp_type=COPY_CODE&code=otp{{1}}",
            example: ["https://www.whatsapp.com/otp/code/?otp_type=COPY_CODE&code=otp123456"],
          },
        ],
      },
    ],
  },
  {
    id: "900000000000002",
    name: "commande_prete",
    language: "fr",
    status: "APPROVED",
    category: "UTILITY",
    parameter_format: "NAMED",
    quality_score: QUALITY,
    components: [
      {
        type: "BODY",
        text: "Bonjour {{nom}}, votre commande {{commande}} est prête.",
        example: {
          body_text_named_params: [
            { param_name: "nom", example: "Awa" },
            { param_name: "commande", example: "4521" },
          ],
        },
      },
    ],
  },
  {
    id: "900000000000003",
    name: "offre_du_jour",
    language: "fr",
    status: "APPROVED",
    category: "MARKETING",
    parameter_format: "POSITIONAL",
    quality_score: QUALITY,
    components: [
      {
        type: "BODY",
        text: "Bonjour {{1}}, profitez de {{2}} dès aujourd'hui chez nous.",
        example: { body_text: [["Awa", "20 % de remise"]] },
      },
    ],
  },
];

/** The text of a template's body; "" where it has none. */
export function bodyOf(template: SimTemplate): string {
  return template.components.find(({ type }) => type.toUpperCase() === "BODY")?.text ?? "";
}

/** The names in a template's body, each once, in their order. */
export function parametersOf(template: SimTemplate): readonly string[] {
  return [
    ...new Set([...bodyOf(template).matchAll(/\{\{([^{}]+)\}\}/g)].map(([, name = ""]) => name.trim())),
  ];
}

/** Whether the code is to be given for its button too. */
export function hasCopyCodeButton(template: SimTemplate): boolean {
  const buttons = template.components.find(({ type }) => type.toUpperCase() === "BUTTONS")?.buttons;
  return template.category === "AUTHENTICATION" && Array.isArray(buttons) && buttons.length > 0;
}

const MAX_ON_A_PAGE = 100;

/** One page of the list: of `limit` from where `after` stands. */
export function templatesPage(
  all: readonly SimTemplate[],
  query: URLSearchParams,
  ownAddress: string,
): { readonly data: readonly SimTemplate[]; readonly paging?: object } {
  const limit = Math.min(Math.max(1, Number(query.get("limit") ?? 25) || 25), MAX_ON_A_PAGE);
  const start = Math.max(0, Number(Buffer.from(query.get("after") ?? "", "base64url").toString()) || 0);
  const data = all.slice(start, start + limit);
  if (data.length === 0) return { data };
  const cursorAt = (place: number): string => Buffer.from(String(place)).toString("base64url");
  const cursors = { before: cursorAt(start), after: cursorAt(start + data.length) };
  if (start + data.length >= all.length) return { data, paging: { cursors } };
  const next = new URLSearchParams(query);
  next.set("limit", String(limit));
  next.set("after", cursors.after);
  return { data, paging: { cursors, next: `${ownAddress}?${next}` } };
}
