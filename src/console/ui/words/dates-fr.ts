import type { DATES_EN } from "./dates-en.ts";

/** Les mots des dates qu’un fichier n’écrit pas toutes de la même façon, en français. */
export const DATES_FR: typeof DATES_EN = {
  title: (tag) => `Les dates de la colonne ${tag} ne sont pas toutes écrites de la même façon`,
  are: (usual, line, other, otherLine) =>
    `« ${usual} » à la ligne ${line}, « ${other} » à la ligne ${otherLine}. Chaque texte reprend la date telle qu’elle est dans le fichier.`,
  help: "Un tableur en a peut-être réécrit quelques-unes en enregistrant le fichier. Pour les écrire toutes pareil, donnez à la colonne le format Texte, saisissez-les de nouveau, enregistrez, puis apportez le fichier.",
};
