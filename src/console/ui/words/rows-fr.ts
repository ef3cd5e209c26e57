import type { ROWS_EN } from "./rows-en.ts";

/** Les mots des lignes d’un fichier qui n’ont pas été envoyées, là où l’on en cherche une, en français. */
export const ROWS_FR: typeof ROWS_EN = {
  title: "Retrouver une ligne non envoyée",
  help: "Par le numéro tel qu’il est dans le fichier, entier ou non.",
  helpValues:
    "Par le numéro tel qu’il est dans le fichier, entier ou non, ou par un nom que le texte devait reprendre.",
  hidden:
    "Les noms ne sont montrés et cherchés que pour les utilisateurs du compte. Demandez le numéro tel qu’il est dans le fichier.",
  sought: "Numéro ou nom",
  soughtNumber: "Numéro",
  none: "Aucune ligne non envoyée ne correspond.",
  noneOfNumbers: "Aucun numéro non envoyé ne correspond ; les noms ne sont pas cherchés ici.",
  line: "Ligne du fichier",
  number: "Numéro du fichier",
  values: "Ce que le texte devait reprendre",
  why: "Motif",
  more: (shown) =>
    `Les ${shown} premières sont affichées. Cherchez un numéro ou un nom pour en voir d’autres.`,
  holding: (typed) => `Les lignes non envoyées où figure ${typed}`,
  holdingHelp: (days) =>
    `Dans les fichiers des ${days} derniers jours. Rien n’a été envoyé ni débité pour ces lignes.`,
  holdingNone: (days) => `Aucune ligne non envoyée des ${days} derniers jours ne le contient.`,
  part: (typed) => `Les messages dont le numéro contient ${typed}`,
  partHelp: (looked) => `Cherché parmi les ${looked} derniers messages, les plus récents d’abord.`,
  partHelpAll: (looked) => `Cherché parmi tous les messages (${looked}), les plus récents d’abord.`,
  partNone: "Aucun n’est allé à un tel numéro.",
  partMore: (shown) => `Les ${shown} plus récents sont affichés. Tapez plus de chiffres pour en voir moins.`,
  corrected: (msisdn, state, time) => `Corrigé depuis : ${msisdn}, ${state}, ${time}`,
  nearly: "À un chiffre près, ou abrégé par Excel",
  batch: "Lot du",
  toBatches: "Voir les lots des dernières 24 heures",
};
