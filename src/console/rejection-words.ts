/** Why somebody gets no message, in words: on pages, and in the files that people take away. */
const EN = {
  UNREADABLE_ROW: "The row cannot be read",
  INVALID_MSISDN: "The number cannot be read, or cannot exist",
  DUPLICATE_IN_BATCH: "The number stands earlier in the same list",
  DUPLICATE_OF_REFUSED: "The number stands earlier in the same list, in a row that gets nothing either",
  TURN_BEFORE: "The number has had its turn before this file",
  SERVED_BEFORE: "The batch that is corrected reached the number already, or a message of it is on its way",
  FAILED_BEFORE: "The batch that is corrected failed for the number, and it is not sent again",
  SENDER_NOT_REGISTERED:
    "The number's operator does not know the sender: its text fails, and can be sent again once it does",
  UNROUTABLE_PREFIX: "No operator here serves the number",
  MISSING_ATTRIBUTE: "A tag of the text has no value",
  RENDERED_VALUE_EMPTY: "A tag of the text has nothing to be filled with",
  RENDERED_BODY_TOO_LONG: "The text is longer than WhatsApp takes",
  RENDERED_BODY_EMPTY: "The text is empty once filled in",
  NOT_GSM7: "A letter of the text has no cheaper form",
  TOO_MANY_SEGMENTS: "The text is too long once filled in",
  SUPPRESSED: "The person opted out",
  QUIET_HOURS: "Outside the hours for marketing",
  FREQUENCY_CAP_DAILY: "Had the day's most marketing already",
  FREQUENCY_CAP_WEEKLY: "Had the week's most marketing already",
  DUPLICATE_RECENT_BODY: "Had the same text within 24 hours",
  RATE_LIMIT_PER_DAY: "The account's ceiling for the day is reached",
  RATE_LIMIT_PER_MINUTE: "The account's ceiling for a minute is reached",
};

const FR: Readonly<Record<keyof typeof EN, string>> = {
  UNREADABLE_ROW: "La ligne est illisible",
  INVALID_MSISDN: "Le numéro est illisible ou ne peut pas exister",
  DUPLICATE_IN_BATCH: "Le numéro est déjà plus haut dans la liste",
  DUPLICATE_OF_REFUSED:
    "Le numéro est déjà plus haut dans la liste, sur une ligne qui ne reçoit rien non plus",
  TURN_BEFORE: "Le numéro a déjà eu son tour, avant ce fichier",
  SERVED_BEFORE: "Le lot corrigé a déjà servi ce numéro, ou un message est en route",
  FAILED_BEFORE: "Le lot corrigé a échoué pour ce numéro, et rien ne lui est renvoyé",
  SENDER_NOT_REGISTERED:
    "L’opérateur du numéro ne connaît pas l’expéditeur : le texte échoue, et peut être renvoyé dès qu’il le connaît",
  UNROUTABLE_PREFIX: "Aucun opérateur d’ici ne dessert ce numéro",
  MISSING_ATTRIBUTE: "Une balise du texte n’a pas de valeur",
  RENDERED_VALUE_EMPTY: "Une balise du texte n’a rien pour la remplir",
  RENDERED_BODY_TOO_LONG: "Le texte est plus long que WhatsApp ne le permet",
  RENDERED_BODY_EMPTY: "Le texte est vide une fois rempli",
  NOT_GSM7: "Une lettre du texte n’a pas de forme moins chère",
  TOO_MANY_SEGMENTS: "Le texte est trop long une fois rempli",
  SUPPRESSED: "La personne s’est désinscrite",
  QUIET_HOURS: "Hors des heures de marketing",
  FREQUENCY_CAP_DAILY: "A déjà reçu son maximum de marketing du jour",
  FREQUENCY_CAP_WEEKLY: "A déjà reçu son maximum de marketing de la semaine",
  DUPLICATE_RECENT_BODY: "A reçu le même texte dans les 24 heures",
  RATE_LIMIT_PER_DAY: "Le plafond du jour du compte est atteint",
  RATE_LIMIT_PER_MINUTE: "Le plafond par minute du compte est atteint",
};

export const REJECTION_WORDS = { en: EN, fr: FR } as const;
