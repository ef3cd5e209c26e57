/** The languages of the pages, and which of them a reader gets who named none in the address. */
export const LANGUAGES = ["en", "fr"] as const;
export type GuideLanguage = (typeof LANGUAGES)[number];

/**
 * The reader's language by `Accept-Language` (RFC 9110 section 12.5.4): the one with the highest weight, of equal weights
 * the first, English where neither is asked for.
 */
export function preferredLanguage(header: string | null): GuideLanguage {
  const asked = (header ?? "").split(",").flatMap((range) => {
    const [tag = "", ...parameters] = range.split(";").map((word) => word.trim().toLowerCase());
    const language = LANGUAGES.find((one) => tag === one || tag.startsWith(`${one}-`));
    const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2);
    const quality = weight === undefined ? 1 : Number(weight);
    return language && quality > 0 ? [{ language, quality }] : [];
  });
  const best = Math.max(...asked.map(({ quality }) => quality));
  return asked.find(({ quality }) => quality === best)?.language ?? "en";
}

export const otherLanguage = (language: GuideLanguage): GuideLanguage => (language === "en" ? "fr" : "en");

/** The words around the text of a page. */
const en = {
  home: "Documentation",
  menu: "All pages",
  search: "Search",
  searchFor: "Search these pages",
  found: (query: string) => `Results for “${query}”`,
  nothing: "Nothing was found. Try one word, or its beginning.",
  missing: {
    title: "No such page",
    lead: (address: string) =>
      `There is no page at ${address}. <a href="#menu">All pages</a> are listed here, and the field at the top searches in them.`,
    perhaps: "Perhaps you mean",
  },
  skip: "To the text",
  other: "Français",
  previous: "Previous",
  next: "Next",
  contents: "On this page",
  copy: "Copy",
  copied: "Copied",
  served: { operator: "operator", begin: "numbers that begin with" },
  groups: { start: "Begin", guides: "Guides", reference: "Reference" },
  reference: "Reference of the API",
  referenceLead:
    "Every operation, what it takes and what it answers. The same as a document for programs: openapi.json. To try an operation with a key:",
  headers: "Headers of the answers",
  headersLead:
    "Every answer to a request with a valid key has these. `Retry-After` comes with errors after which the same request may succeed by waiting.",
  tryIt: "the page to try them on",
  trial: {
    title: "Try operations",
    lead: "Each request goes to this appliance with the key that you give. With a test key nothing is paid and nobody gets a text. With a live key everything is real. The key stays in this page and is gone when you leave it.",
    key: "Your API key",
    send: "Send",
    fields: "its fields and errors",
    noScript: "This page needs JavaScript. The quick start does the same with curl.",
    broken: "No answer came.",
  },
  name: "name",
  type: "type",
  meaning: "meaning",
  required: "required",
  sometimes: "not always there",
  usually: (value: string) => `${value} where it is left out`,
  takes: "Takes",
  body: "Body",
  example: "Example",
  answers: "Answers",
  errors: "Errors",
  scope: "Scope of the key:",
  colon: ":",
  where: { path: "in the path", query: "in the query string", header: "header" } as Readonly<
    Record<string, string>
  >,
};

export type SiteTexts = typeof en;

const fr: SiteTexts = {
  home: "Documentation",
  menu: "Toutes les pages",
  search: "Chercher",
  searchFor: "Chercher dans ces pages",
  found: (query) => `Résultats pour « ${query} »`,
  nothing: "Rien n’a été trouvé. Essayez un seul mot, ou son début.",
  missing: {
    title: "Cette page n’existe pas",
    lead: (address) =>
      `Il n’y a pas de page à l’adresse ${address}. <a href="#menu">Toutes les pages</a> sont listées ici, et le champ en haut cherche dedans.`,
    perhaps: "Vous cherchez peut-être",
  },
  skip: "Aller au texte",
  other: "English",
  previous: "Avant",
  next: "Ensuite",
  contents: "Sur cette page",
  copy: "Copier",
  copied: "Copié",
  served: { operator: "opérateur", begin: "numéros qui commencent par" },
  groups: { start: "Commencer", guides: "Guides", reference: "Référence" },
  reference: "Référence de l’API",
  referenceLead:
    "Chaque opération, ce qu’elle prend et ce qu’elle répond. La même chose pour les programmes : openapi.json. Pour essayer une opération avec une clé :",
  headers: "En-têtes des réponses",
  headersLead:
    "Toute réponse à une requête avec une clé valable les porte. `Retry-After` vient avec les erreurs après lesquelles il suffit d’attendre pour que la même requête réussisse.",
  tryIt: "la page d’essai",
  trial: {
    title: "Essayer les opérations",
    lead: "Chaque requête part vers ce serveur avec la clé que vous donnez. Avec une clé d’essai, rien n’est payé et personne ne reçoit de SMS. Avec une clé réelle, tout est vrai. La clé reste dans cette page et disparaît quand vous la quittez.",
    key: "Votre clé d’API",
    send: "Envoyer",
    fields: "ses champs et ses erreurs",
    noScript: "Cette page a besoin de JavaScript. Les premiers pas font la même chose avec curl.",
    broken: "Aucune réponse n’est venue.",
  },
  name: "nom",
  type: "type",
  meaning: "sens",
  required: "obligatoire",
  sometimes: "pas toujours là",
  usually: (value) => `${value} si rien n’est dit`,
  takes: "Prend",
  body: "Corps",
  example: "Exemple",
  answers: "Répond",
  errors: "Erreurs",
  scope: "Droit de la clé :",
  colon: " :",
  where: { path: "dans le chemin", query: "dans l’adresse", header: "en-tête" },
};

export const WORDS: Readonly<Record<GuideLanguage, SiteTexts>> = { en, fr };
