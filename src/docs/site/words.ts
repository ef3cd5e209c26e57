import type { GuideLanguage } from "./language.ts";

/** What stands around the text of a page. */
const en = {
  home: "Documentation",
  menu: "All pages",
  search: "Search",
  searchFor: "Search these pages",
  found: (query: string) => `Results for “${query}”`,
  nothing: "Nothing was found. Try one word, or its beginning.",
  skip: "To the text",
  other: "Français",
  previous: "Before",
  next: "Next",
  contents: "On this page",
  copy: "Copy",
  copied: "Copied",
  groups: { start: "Begin", guides: "Guides", reference: "Reference" },
  reference: "Reference of the API",
  referenceLead:
    "Every operation, what it takes and what it answers. The same as a document for programs: openapi.json. To try an operation with a key:",
  tryIt: "the page to try them on",
  name: "name",
  type: "type",
  meaning: "meaning",
  required: "required",
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

export type SiteWords = typeof en;

const fr: SiteWords = {
  home: "Documentation",
  menu: "Toutes les pages",
  search: "Chercher",
  searchFor: "Chercher dans ces pages",
  found: (query) => `Résultats pour « ${query} »`,
  nothing: "Rien n’a été trouvé. Essayez un seul mot, ou son début.",
  skip: "Aller au texte",
  other: "English",
  previous: "Avant",
  next: "Ensuite",
  contents: "Sur cette page",
  copy: "Copier",
  copied: "Copié",
  groups: { start: "Commencer", guides: "Guides", reference: "Référence" },
  reference: "Référence de l’API",
  referenceLead:
    "Chaque opération, ce qu’elle prend et ce qu’elle répond. La même chose pour les programmes : openapi.json. Pour essayer une opération avec une clé :",
  tryIt: "la page d’essai",
  name: "nom",
  type: "type",
  meaning: "sens",
  required: "obligatoire",
  takes: "Prend",
  body: "Corps",
  example: "Exemple",
  answers: "Répond",
  errors: "Erreurs",
  scope: "Droit de la clé :",
  colon: " :",
  where: { path: "dans le chemin", query: "dans l’adresse", header: "en-tête" },
};

export const WORDS: Readonly<Record<GuideLanguage, SiteWords>> = { en, fr };
