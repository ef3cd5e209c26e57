/** Heads and words of the files that people take away from the console, in their language. What programs read is `--csv` of the command line. */
import { ownValue } from "../base/own-value.ts";
import { isoInZone } from "../base/zoned-time.ts";
import type { UserLanguage } from "../users/role.ts";

const EN = {
  statement: "statement",
  delivery: "delivery",
  notSent: "not-sent",
  /** What is an identifier stands last. `zone`: whose clocks the times are of. */
  entry: (zone: string) => [
    ...[`When (${zone})`, "Entry", "Amount without its sign", "Change of the balance", "Balance after it"],
    ...["Your name for the batch", "Reference", "Note", "Id of the batch"],
  ],
  kinds: {
    TOPUP: "Paid in",
    ADJUSTMENT: "Corrected",
    RESERVE: "Set aside for a batch",
    CHARGE: "Charged",
    RELEASE: "Back in the balance",
  },
  keys: {
    ...{ day: "Day", operator: "Operator", sender: "Sender", class: "Class", error: "Error" },
    account: "Account",
  },
  accountId: "Id of the account",
  code: "Code",
  figures: [
    ...["Accepted", "Sent", "Delivered", "Failed", "Without receipt", "Delivered, of those sent"],
    ...[
      "Receipt: half take less (s)",
      "Receipt: nine in ten take less (s)",
      "Receipt: 99 in 100 take less (s)",
    ],
    ...["Number of SMS", "Charged (XOF)"],
  ],
  classes: { OTP: "OTP", TRANSACTIONAL: "Transactional", MARKETING: "Marketing" },
  noError: "No error",
  batchReport: {
    file: "batch-report",
    whole: "attempts",
    heads: [
      ...["Batch", "Your name for the batch", "Account", "Sender", "Class", "Sent"],
      ...["Operator", "Code of the operator", "What became of it"],
      ...["Why", "Code", "Texts", "Number of SMS", "Charged (XOF)"],
    ],
    text: "Text",
    states: {
      ...{ DELIVERED: "Delivered", NO_RECEIPT: "Sent, without a receipt", FAILED: "Failed" },
      ...{ CANCELLED: "Cancelled", UNDER_WAY: "On its way", WAITING: "Waiting" },
    },
    notSent: "Not sent",
  },
  people: {
    file: "people",
    heads: [...["Has the text", "State", "Why", "Code", "What helps"], ...["Line in the file", "Number"]],
    reference: "Your reference",
    of: ["Operator", "Batch", "Your name for the batch", "Sent"],
    yes: "Yes",
    open: "Not yet known",
    no: "No",
    states: {
      ...{ DELIVERED: "Delivered", SENT: "Sent, without a receipt", UNDER_WAY: "On its way" },
      ...{ FAILED: "Failed", CANCELLED: "Cancelled", NOT_SENT: "Not sent" },
    },
  },
};

const FR: typeof EN = {
  statement: "releve",
  delivery: "livraison",
  notSent: "non-envoyes",
  entry: (zone) => [
    ...[`Quand (${zone})`, "Écriture", "Montant sans signe", "Mouvement du solde", "Solde après"],
    ...["Votre nom pour le lot", "Référence", "Note", "Identifiant du lot"],
  ],
  kinds: {
    TOPUP: "Versement",
    ADJUSTMENT: "Correction",
    RESERVE: "Mis de côté pour un lot",
    CHARGE: "Débit",
    RELEASE: "Rendu au solde",
  },
  keys: {
    ...{ day: "Jour", operator: "Opérateur", sender: "Expéditeur", class: "Classe", error: "Erreur" },
    account: "Compte",
  },
  accountId: "Identifiant du compte",
  code: "Code",
  figures: [
    ...["Acceptés", "Partis", "Livrés", "Échoués", "Sans accusé", "Livrés, sur les partis"],
    ...[
      "Accusé : la moitié met moins (s)",
      "Accusé : neuf sur dix mettent moins (s)",
      "Accusé : 99 sur 100 mettent moins (s)",
    ],
    ...["Nombre de SMS", "Débité (F CFA)"],
  ],
  classes: { OTP: "OTP", TRANSACTIONAL: "Transactionnel", MARKETING: "Marketing" },
  noError: "Aucune erreur",
  batchReport: {
    file: "rapport-du-lot",
    whole: "essais",
    heads: [
      ...["Lot", "Votre nom pour le lot", "Compte", "Expéditeur", "Classe", "Envoyé le"],
      ...["Opérateur", "Code de l’opérateur", "État"],
      ...["Motif", "Code du motif", "Textes", "Nombre de SMS", "Débité (F CFA)"],
    ],
    text: "Texte",
    states: {
      ...{ DELIVERED: "Livré", NO_RECEIPT: "Parti, sans accusé", FAILED: "Échoué" },
      ...{ CANCELLED: "Annulé", UNDER_WAY: "En route", WAITING: "En attente" },
    },
    notSent: "Non envoyé",
  },
  people: {
    file: "personnes",
    heads: [
      ...["A le texte", "État", "Motif", "Code du motif", "Ce qui aide"],
      ...["Ligne du fichier", "Numéro"],
    ],
    reference: "Votre référence",
    of: ["Opérateur", "Lot", "Votre nom pour le lot", "Envoyé le"],
    yes: "Oui",
    open: "En cours",
    no: "Non",
    states: {
      ...{ DELIVERED: "Livré", SENT: "Parti, sans accusé", UNDER_WAY: "En route" },
      ...{ FAILED: "Échoué", CANCELLED: "Annulé", NOT_SENT: "Non envoyé" },
    },
  },
};

export const SHEET_WORDS = { en: EN, fr: FR } as const;

/** A word of one of the lists; what has none is shown as it is. */
export function sheetWord(words: Readonly<Record<string, string>>, key: string): string {
  return ownValue(words, key) ?? key;
}

/** A day, "2026-03-01", as spreadsheets in the language take it for one. */
export function sheetDay(language: UserLanguage, day: string): string {
  const [year, month, date] = day.split("-");
  return language === "fr" ? `${date}/${month}/${year}` : day;
}

const DAY_LENGTH = 10;
const TIME_LENGTH = 8;

/** An instant by the clocks of a zone, to the second. */
export function sheetTime(language: UserLanguage, timezone: string, instant: string): string {
  const wall = isoInZone(Date.parse(instant), timezone);
  const time = wall.slice(DAY_LENGTH + 1, DAY_LENGTH + 1 + TIME_LENGTH);
  return `${sheetDay(language, wall.slice(0, DAY_LENGTH))} ${time}`;
}
