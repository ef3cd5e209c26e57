import type { BATCH_EN } from "./batch-en.ts";

/** Les mots de la page d’un lot et de celle d’un message, en français. */
export const BATCH_FR: typeof BATCH_EN = {
  repeated: {
    one: "# ligne répète un numéro qui figure plus haut",
    other: "# lignes répètent un numéro qui figure plus haut",
  },
  missedFileHelp:
    "Si le texte a des {balises}, leurs colonnes sont dans le fichier ; leur contenu n’est gardé que pour les lignes illisibles ou en double. Remplissez ce qui est vide, corrigez les lignes, puis apportez le fichier à la page « Envoyer ». Une ligne au code DUPLICATE_IN_BATCH porte un numéro qui a déjà reçu le texte par une autre ligne : elle n’est pas envoyée quand le fichier revient. Pour l’envoyer quand même, videz sa case « Code du motif ».",
};
