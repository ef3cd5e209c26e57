import type { EARLIER_EN } from "./earlier-en.ts";

/** Les mots des lignes corrigées à côté de leur lot, en français. */
export const EARLIER_FR: typeof EARLIER_EN = {
  fresh: {
    one: "# ligne dont le numéro n’a rien reçu de ce lot",
    other: "# lignes dont le numéro n’a rien reçu de ce lot",
  },
  served: {
    one: "# ligne porte un numéro que ce lot a déjà servi",
    other: "# lignes portent un numéro que ce lot a déjà servi",
  },
  servedLeft:
    "La personne a déjà un message de ce lot, ou il est en route. Rien ne lui est envoyé, et rien n’est payé.",
  servedSent:
    "Vous avez choisi de l’envoyer quand même : la personne reçoit un second message, et il est payé.",
  servedCaption: "Lignes dont le numéro est déjà servi",
  servedFirst: (shown: string) =>
    `Les ${shown} premières sont affichées ici ; la liste à télécharger les a toutes.`,
  number: "Numéro",
  became: "Son premier message",
  states: {
    DELIVERED: "livré",
    SENT: "parti, sans accusé de réception",
    UNDER_WAY: "en route",
  },
  sendServed: "Envoyer aussi ces lignes",
  leaveServed: "Ne pas envoyer ces lignes",
  failed: {
    one: "# ligne porte un numéro pour lequel ce lot a échoué",
    other: "# lignes portent un numéro pour lequel ce lot a échoué",
  },
  failedSent: "Elles sont renvoyées et payées comme les autres.",
  failedLeft: "Vous avez choisi de ne pas les renvoyer : rien n’est payé pour elles.",
  cause: (cause: string, rows: string, passing: string) => `${cause}\u00A0: ${rows}. ${passing}`,
  sendFailed: "Renvoyer ces lignes",
  leaveFailed: "Ne pas renvoyer ces lignes",
};
