/** The French of commands that find things by what somebody remembers of them. */
export const HELP_OF_LOOKUPS: Readonly<Record<string, string>> = {
  "find accounts by a part of their name, their short name or the end of their id":
    "cherche des comptes par une partie de leur nom, par leur nom court ou par la fin de leur identifiant",
  "find batches by account, status, their client's own name or time, newest first":
    "cherche des lots par compte, par état, par le nom que leur client leur a donné ou par moment, les plus récents d'abord",
  "list the recipients of a batch that were rejected, in the order of submission":
    "liste les destinataires d'un lot qui ont été rejetés, dans l'ordre de l'envoi",
  "find messages by the name that their client gave them or their batch, newest first":
    "cherche des messages par le nom que leur client a donné au message ou à son lot, les plus récents d'abord",
  "show the text of a message; who read it and why is in the audit list":
    "montre le texte d'un message ; le journal d'audit garde qui l'a lu et pourquoi",
  "show a text that a subscriber sent in; who read it and why is in the audit list":
    "montre un texte envoyé par un abonné ; le journal d'audit garde qui l'a lu et pourquoi",
  "show every list that a number stands on": "montre toutes les listes où figure un numéro",
  "show what a wallet would hold after a movement, and change nothing":
    "montre ce qu'un portefeuille contiendrait après un mouvement, sans rien changer",
  "show what the last check of the books said": "montre ce que le dernier contrôle des comptes a dit",
  "add a webhook endpoint of an account; its secret is shown this once":
    "ajoute un webhook à un compte ; son secret n'est montré que cette fois",
  "give an endpoint a new secret, shown this once; the one before counts for 24 hours more":
    "donne à un webhook un nouveau secret, montré cette seule fois ; le précédent vaut encore 24 heures",
  "what is remembered; all accounts without it": "ce dont on se souvient ; sans lui, tous les comptes",
  "the client's own name for it": "le nom que le client lui a donné",
  "its inbound_id": "son inbound_id",
  "ACTIVE, SUSPENDED or CLOSED": "ACTIVE, SUSPENDED ou CLOSED",
  "accounts after this one: next of the page before":
    "les comptes après celui-ci : next de la page précédente",
  "of this account only": "de ce compte seulement",
  "one status, or several by comma": "un état, ou plusieurs séparés par des virgules",
  "called so by their client": "que leur client appelle ainsi",
  "accepted then or later: a date or time in the configuration's timezone, ISO 8601, or how long ago: 30m, 2h, 3d":
    "acceptés à partir de cet instant : une date ou une heure dans le fuseau horaire de la configuration, ISO 8601, ou il y a combien de temps : 30m, 2h, 3d",
  "from this place in the submission on: next_from of the page before":
    "à partir de cette place dans l'envoi : next_from de la page précédente",
  "the list of this account, and the appliance-wide one":
    "la liste de ce compte, et celle de toute l'installation",
  "of a top-up; a correction by hand without this": "d'un versement ; sans elle, une correction à la main",
};
