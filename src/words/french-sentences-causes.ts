/** Why something could not be done or does not work: databases and directories, backups, links to operators. */
export const SENTENCES_OF_CAUSES: Readonly<Record<string, string>> = {
  ...causesOfTheServer(),
  ...causesOfBackups(),
  ...causesOfLinks(),
};

function causesOfTheServer(): Readonly<Record<string, string>> {
  return {
  };
}

function causesOfBackups(): Readonly<Record<string, string>> {
  return {
    "Error: {}": "{1!}",
    "there is no such file": "ce fichier n'existe pas",
    "it is no database of bendre": "ce n'est pas une base de bendre",
    "it is no backup, but a database or a copy made by hand":
      "ce n'est pas une sauvegarde, mais une base ou une copie faite à la main",
    "a newer bendre made it ({}, schema {}; this executable knows {})":
      "un bendre plus récent l'a faite ({1}, schéma {2} ; cet exécutable connaît {3})",
    "its keys are sealed, and [backup] passphrase is not set":
      "ses clés sont scellées, et passphrase n'est pas réglé dans [backup]",
    "its keys do not open with [backup] passphrase": "ses clés ne s'ouvrent pas avec passphrase de [backup]",
    "{}: name a key file with --keys": "{1!} : donnez un fichier de clé avec --keys",
    "signing secrets of {} endpoint(s) do not open with the keys":
      "les secrets de signature de {1} webhook(s) ne s'ouvrent pas avec les clés",
    "second factors of {} user(s) do not open with the keys":
      "les seconds facteurs de {1} utilisateur(s) ne s'ouvrent pas avec les clés",
    "{} fault(s): {}": "{1} faute(s) : {2!}",
    "a row of {} names one that is gone": "une ligne de {1} en désigne une qui n'existe plus",
    "a file is in the way": "un fichier est en travers du chemin",
    "{} has {} MB free, this takes {} MB, and {} MB are kept free: make room, or name another disk":
      "{1} a {2} Mo libres, il en faut {3} Mo, et {4} Mo restent libres : faites de la place, ou donnez un autre disque",
    "{} could not be folded into the database": "{1} n'a pas pu être versé dans la base",
    "{} is on a disk of its own, so what is there cannot be moved beside it: move it away by hand, and restore without --replace":
      "{1} est sur un disque à lui, on ne peut donc pas déplacer à côté ce qui s'y trouve : déplacez-le à la main, puis restaurez sans --replace",
    'start the server: it binds and takes receipts, and sends and accepts nothing until "backup resume --waiting ..." says what becomes of what may have left; "backup resume --list" shows it':
      "démarrez le serveur : il se lie et prend les accusés, mais n'envoie et n'accepte rien tant que « backup resume --waiting ... » n'a pas dit ce que devient ce qui a pu partir ; « backup resume --list » le montre",
    "what was taken away since the copy was made is there again: API keys, users of Kannel and Jasmin and users of the console that were revoked, accounts that were suspended or closed, opt-outs that came, data that was erased: take it away once more":
      "ce qui a été retiré depuis que la copie a été faite est revenu : clés d'API, utilisateurs de Kannel et de Jasmin et utilisateurs de la console révoqués, comptes suspendus ou fermés, oppositions reçues, données effacées : retirez-le de nouveau",
  };
}

function causesOfLinks(): Readonly<Record<string, string>> {
  return {
    "connection refused": "connexion refusée",
    "network unreachable": "réseau injoignable",
    "host unreachable": "machine injoignable",
    "connection timed out": "délai de connexion dépassé",
    "address not reachable from here": "adresse injoignable d'ici",
    "connection closed by the receiver": "connexion fermée par le destinataire",
    "certificate of an unknown authority": "certificat d'une autorité inconnue",
    "self-signed certificate": "certificat auto-signé",
    "certificate for another name": "certificat d'un autre nom",
    "certificate expired": "certificat expiré",
    "the TLS handshake failed": "l'échange TLS a échoué",
    "certificate not valid yet": "certificat pas encore valable",
    "the name does not resolve": "le nom n'a pas d'adresse connue",
    "the name does not resolve at the moment": "le nom ne peut pas être résolu en ce moment",
    "the name has no address": "le nom n'a pas d'adresse",
    "the answer was not HTTP": "la réponse n'était pas du HTTP",
    "the connection was closed": "la connexion a été fermée",
    "{} does not answer ({})": "{1} ne répond pas ({2})",
  };
}
