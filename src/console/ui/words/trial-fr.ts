import type { TRIAL_EN } from "./trial-en.ts";

/** Les mots d’un SMS d’essai par un opérateur. */
export const TRIAL_FR: typeof TRIAL_EN = {
  button: "Envoyer un SMS d’essai",
  title: (name) => `Envoyer un SMS d’essai par ${name} ?`,
  lead: "Un seul SMS part aussitôt, et ne coûte rien à aucun compte ; l’opérateur le facture comme un autre. 10 par heure au plus.",
  msisdn: "Téléphone qui le reçoit",
  msisdnHint: "Un numéro de cet opérateur, celui d’un téléphone que vous avez en main. 8 chiffres suffisent.",
  sender: "Expéditeur",
  senderHint:
    "Un nom que l’opérateur a déclaré pour vous, comme sa fiche le dit. Vide : Bendre, que certains opérateurs refusent.",
  send: "Envoyer",
  another: (told) =>
    `${told} : l’essai ne prouverait rien de la liaison. Saisissez un numéro de cet opérateur. Rien n’est parti.`,
  sendAnyway: (name) => `Il a été porté chez ${name} : envoyer quand même`,
  sendAgain: "En envoyer un autre",
  close: "Fermer",
  delivered: (time) => `Le téléphone l’a reçu le ${time} : l’opérateur est relié.`,
  sent: "L’opérateur l’a pris. Son accusé est attendu : cette page regarde d’elle-même. Rien ne vient ? Le téléphone est peut-être éteint, ou l’opérateur n’envoie pas d’accusés.",
  sentForGood: (name) => `${name} l’a pris, et n’envoie pas d’accusés : regardez le téléphone.`,
  submitted: (name) => `${name} l’a reçu et n’a pas encore répondu. Cette page regarde d’elle-même.`,
  queued: "Il attend une place sur la connexion. Cette page regarde d’elle-même.",
  todo: {
    SENDER_NOT_REGISTERED:
      "Réessayez avec un expéditeur que l’opérateur a déclaré pour vous, ou demandez-lui de déclarer celui-ci.",
    INVALID_DESTINATION: "Essayez un numéro de cet opérateur.",
    NOT_SENT: "Rien n’est parti : voyez l’état de la connexion, puis réessayez.",
    OTHER: "Demandez à l’opérateur ce que veut dire sa réponse.",
  },
  thenSenders: "Les clients envoient sous des noms que l’opérateur connaît :",
  toSenders: "déclarer les expéditeurs",
  thenSend: "Puis le texte d’un client :",
  toSend: "envoyer",
};
