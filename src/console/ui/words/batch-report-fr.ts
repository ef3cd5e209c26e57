import type { BATCH_REPORT_EN } from "./batch-report-en.ts";

/** Les mots du rapport d’un lot, en français. */
export const BATCH_REPORT_FR: typeof BATCH_REPORT_EN = {
  title: "Comment ce lot s’est-il passé ?",
  link: "Rapport de ce lot",
  toBatch: "Vers le lot",
  print: "Imprimer",
  csv: "Télécharger (CSV)",
  accepted: "Acceptés",
  delivered: "Livrés",
  failed: "Échoués",
  noReceipt: "Sans accusé",
  open: "Pas encore terminés",
  cancelled: "Annulés",
  notSent: "Non envoyés",
  charged: "Débité",
  segments: "SMS",
  operator: "Opérateur",
  share: "Part livrée",
  byOperator: "Par opérateur",
  failures: "Pourquoi des messages ont échoué",
  missed: "Ce qui n’a pas été envoyé, et pourquoi",
  why: "Motif",
  texts: "Textes",
  course: "En combien de temps ils sont arrivés",
  courseHelp: (first, last) =>
    `Le premier texte est parti le ${first} ; le dernier accusé de livraison est du ${last}.`,
  within: "Après le départ du premier texte",
  upTo: (time) => `en ${time} au plus`,
  soFar: "Des messages de ce lot sont encore en cours : ces chiffres sont ceux de cet instant.",
  gone: {
    one: "# message de ce lot n’est plus conservé, et ne compte dans aucun de ces chiffres.",
    other: "# messages de ce lot ne sont plus conservés, et ne comptent dans aucun de ces chiffres.",
  },
  none: "Rien de ce lot n’a été accepté.",
};
