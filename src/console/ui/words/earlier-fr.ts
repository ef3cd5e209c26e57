import type { EARLIER_EN } from "./earlier-en.ts";

/** Les mots des lignes corrigées à côté de leurs lots, en français. */
export const EARLIER_FR: typeof EARLIER_EN = {
  compared: (first) => `Comparé au lot du ${first}.`,
  comparedAll: (first, others) => `Comparé au lot du ${first}, et à ses corrections : ${others}.`,
  forgotten: {
    one: "# texte de ces lots n’est plus conservé : personne ne peut dire si un de ces numéros l’a reçu.",
    other:
      "# textes de ces lots ne sont plus conservés : personne ne peut dire si ces numéros en ont reçu un.",
  },
  fresh: {
    one: "# ligne dont le numéro est nouveau : rien n’y a encore été envoyé",
    other: "# lignes dont le numéro est nouveau : rien n’y a encore été envoyé",
  },
  unlocked: {
    one: "# ligne que vous avez débloquée : elle est envoyée, même si son numéro a déjà un message",
    other:
      "# lignes que vous avez débloquées : elles sont envoyées, même si leurs numéros ont déjà un message",
  },
  served: {
    one: "# ligne porte un numéro déjà servi",
    other: "# lignes portent un numéro déjà servi",
  },
  servedLeft:
    "La personne a déjà un message, ou il est en route. Rien ne lui est envoyé, et rien n’est payé.",
  servedSent:
    "Vous avez choisi de l’envoyer quand même : la personne reçoit un second message, et il est payé.",
  servedCaption: "Lignes dont le numéro est déjà servi",
  servedFirst: (shown: string) =>
    `Les ${shown} premières sont affichées ici ; la liste à télécharger les a toutes.`,
  other: {
    one: "# de ces lignes dit autre chose que le texte déjà envoyé à son numéro : elle ne part pas.",
    other:
      "# de ces lignes disent autre chose que le texte déjà envoyé à leur numéro : elles ne partent pas.",
  },
  otherHelp:
    "Si la personne doit recevoir ce second texte, apportez un fichier qui n’a que cette ligne, et choisissez « Envoyer aussi ces lignes ».",
  otherHidden: "Le texte déjà envoyé n’est montré qu’aux utilisateurs du compte.",
  otherCaption: "Lignes qui disent autre chose que le texte déjà envoyé",
  otherSent: "Déjà envoyé",
  otherHere: "Cette ligne dirait",
  number: "Numéro",
  became: "Son message",
  inBatch: (state, time) => `${state} (lot du ${time})`,
  states: {
    DELIVERED: "livré",
    SENT: "parti, sans accusé de réception",
    UNDER_WAY: "en route",
  },
  sendServed: "Envoyer aussi ces lignes",
  leaveServed: "Ne pas envoyer ces lignes",
  failed: {
    one: "# ligne porte un numéro pour lequel l’envoi a échoué, et peut passer cette fois",
    other: "# lignes portent un numéro pour lequel l’envoi a échoué, et peut passer cette fois",
  },
  failedSent: "Le texte leur est renvoyé, et payé comme les autres.",
  failedLeft: "Vous avez choisi de ne pas les renvoyer : rien n’est payé pour elles.",
  lasting: {
    one: "# ligne porte un numéro pour lequel un nouvel envoi n’y changera rien",
    other: "# lignes portent un numéro pour lequel un nouvel envoi n’y changera rien",
  },
  lastingLeft: "Rien ne leur est envoyé, et rien n’est payé.",
  lastingSent: "Vous avez choisi de leur envoyer quand même : ces messages sont payés, même s’ils échouent.",
  cause: (cause: string, rows: string) => `${cause}\u00A0: ${rows}`,
  sendLasting: "Envoyer aussi à ceux-là",
  leaveLasting: "Ne pas leur envoyer",
  sendFailed: "Renvoyer ces lignes",
  leaveFailed: "Ne pas renvoyer ces lignes",
};
