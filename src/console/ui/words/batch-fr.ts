import type { BATCH_EN } from "./batch-en.ts";
import { ofName } from "./elision.ts";

/** Les mots de la page d’un lot et de celle d’un message, en français. */
export const BATCH_FR: typeof BATCH_EN = {
  failures: "Ceux qui n’ont pas reçu le texte, et pourquoi",
  seeFailed: { one: "Voir le message échoué", other: "Voir les # messages échoués" },
  failed: { one: "# échoué", other: "# échoués" },
  passing: "Un nouvel envoi peut passer.",
  registerFirst:
    "Une fois l’expéditeur enregistré chez cet opérateur, « Renvoyer à ceux qui ont échoué » leur envoie le texte.",
  allReached: { one: "La personne l’a reçu depuis.", other: "Les # l’ont reçu depuis." },
  reached: { one: "# l’a reçu depuis.", other: "# l’ont reçu depuis." },
  pending: {
    one: "Pour #, un nouveau texte est en route, ou parti sans accusé de réception.",
    other: "Pour #, un nouveau texte est en route, ou parti sans accusé de réception.",
  },
  stillNothing: { one: "# n’a encore rien.", other: "# n’ont encore rien." },
  lasting: "Un nouvel envoi n’y changera rien.",
  costAll: "Payé quand même",
  paidInAll: (amount) => `Payé quand même, en tout : ${amount}.`,
  whyPaid:
    "Un texte que l’opérateur a accepté est payé, même si le téléphone ne le reçoit pas ensuite : l’opérateur le facture. Un texte que l’opérateur refuse d’emblée ne coûte rien.",
  whyPaidOne: (amount) =>
    `Ce texte a coûté ${amount} bien qu’il ne soit pas arrivé : l’opérateur l’avait accepté, et il facture ce qu’il accepte.`,
  againOne: "Renvoyer celui qui a échoué",
  again: (passing, failed) => `Renvoyer ${passing} des ${failed}`,
  notAgain: "Ne sont pas renvoyés :",
  againBalance: (account, before, after) => `Solde de ${account} : ${before}, et ${after} après.`,
  technical: "Détails techniques",
  advice: {
    UNKNOWN_SUBSCRIBER:
      "Le réseau ne connaît pas ce numéro : mal saisi, résilié, ou carte SIM désactivée. Le renvoyer ne sert à rien. Si la personne s’en sert encore, elle fait vérifier sa carte par son opérateur, ou donne un autre numéro.",
    INVALID_DESTINATION:
      "Ce numéro ne reçoit pas de textes chez cet opérateur. Vérifiez-le, ou demandez-en un autre.",
    ABSENT_SUBSCRIBER: "Le téléphone était éteint ou hors réseau. Un nouvel envoi plus tard peut passer.",
    HANDSET_ERROR:
      "Souvent, la mémoire du téléphone ou de la carte est pleine. Qu’on y fasse de la place, puis renvoyez.",
    EXPIRED_AT_OPERATOR:
      "Le plus souvent, le téléphone est resté éteint ou hors réseau jusqu’à la fin du délai : un nouvel envoi plus tard peut passer.",
    REJECTED_AT_OPERATOR:
      "L’opérateur avait pris le texte, puis l’a refusé sans le remettre : souvent un filtre sur l’expéditeur ou sur le contenu.",
    OPERATOR_REJECTED: "L’opérateur a refusé ce texte d’emblée.",
    DELETED_AT_OPERATOR: "L’opérateur a retiré le texte avant de le remettre.",
    UNDELIVERABLE: "L’opérateur n’en dit pas davantage.",
  },
  noCode: "aucun",
  askOperator: (operator, code) =>
    `Si cela se répète, demandez pourquoi à l’assistance ${ofName(operator)}, avec le numéro, l’heure et son code d’erreur (${code}).`,
  askUs: (id) =>
    `Si cela se répète, demandez pourquoi à qui gère la plateforme, en donnant l’identifiant ${id}.`,
  repeated: {
    one: "# ligne porte un numéro qui figure plus haut, ou qui a déjà eu son tour",
    other: "# lignes portent un numéro qui figure plus haut, ou qui a déjà eu son tour",
  },
  family: "Ce lot et ses corrections",
  corrects: (time) => `Corrige le lot du ${time}`,
  thisOne: "ce lot",
  firstOne: "le premier",
  sum: "Ensemble",
  howMany: "Combien de personnes n’ont encore rien, et pourquoi",
  stillUnsent: { one: "# personne", other: "# personnes" },
  sumHelp:
    "Une ligne laissée de côté parce que son numéro a déjà le texte compte comme non envoyée chaque fois qu’elle revient. La dernière ligne compte les personnes : celles à qui rien n’a jamais été envoyé, chacune une fois.",
  sentSince: {
    one: "# texte repris depuis par les corrections",
    other: "# textes repris depuis par les corrections",
  },
  againReached: {
    one: "# de ceux qui ont échoué a reçu le texte depuis par une correction, ou le recevra peut-être : rien ne lui est renvoyé.",
    other:
      "# de ceux qui ont échoué ont reçu le texte depuis par une correction, ou le recevront peut-être : rien ne leur est renvoyé.",
  },
  held: { one: "# texte attend", other: "# textes attendent" },
  paused: (waiting, operator, since) => `${waiting} : ${operator} est en pause depuis le ${since}`,
  pausedBy: (by, reason) => (by === null ? `. Motif : ${reason}` : `, par ${by}. Motif : ${reason}`),
  away: (waiting, operator, since) =>
    since === null
      ? `${waiting} : ${operator} n’est pas connecté`
      : `${waiting} : ${operator} n’est pas connecté depuis le ${since}`,
  valuesKept:
    "Si le texte a des {balises}, leurs colonnes sont dans le fichier ; leur contenu n’est gardé que pour les lignes illisibles ou en double, et pour les 1 000 premières lignes rejetées d’un fichier.",
  valuesHidden:
    "Ce que le texte dit à chacun n’est montré qu’aux utilisateurs du compte : les colonnes des {balises} sont vides ici. Demandez au client de télécharger ce fichier de son côté : il y est rempli.",
  missedFileHelp:
    "Corrigez les lignes et apportez le fichier par « Envoyer les lignes corrigées » : qui a déjà le texte ne le reçoit pas deux fois. Une ligne en double reste de côté. Pour l’envoyer quand même, videz sa case « reason_code ». Ne touchez pas à la colonne « bendre_row » : c’est par elle que chaque ligne est reconnue.",
};
