import type { DATES_EN } from "./dates-en.ts";

/** Les mots des dates qu’un fichier n’écrit pas toutes de la même façon, et des nombres qui ne partent pas comme le classeur les affiche, en français. */
export const DATES_FR: typeof DATES_EN = {
  title: (tag) => `Les dates de la colonne ${tag} ne sont pas toutes écrites de la même façon`,
  are: (usual, line, other, otherLine) =>
    `« ${usual} » à la ligne ${line}, « ${other} » à la ligne ${otherLine}. Chaque texte reprend la date telle qu’elle est dans le fichier.`,
  help: "Un tableur en a peut-être réécrit quelques-unes en enregistrant le fichier. Pour les écrire toutes pareil, donnez à la colonne le format Texte, saisissez-les de nouveau, enregistrez, puis apportez le fichier.",
  formatTitle: (tag) => `Les nombres de la colonne ${tag} ne partent pas comme le classeur les affiche`,
  formatRows: { one: "# ligne", other: "# lignes" },
  formatFirst: (line, sent, format, rows) =>
    `À la ligne ${line}, c’est « ${sent} » qui part ; le format de la cellule est ${format}. En tout : ${rows}.`,
  formatHelp:
    "Les zéros, les décimales, les pourcentages, les durées et les dates entières partent comme ils sont affichés ; les noms de mois, les monnaies et les espaces entre les milliers, non. Pour envoyer autre chose, donnez à la colonne le format Texte, saisissez les valeurs de nouveau, enregistrez, puis apportez le fichier.",
};
