/** Why something could not be done or does not work: databases and directories, backups, links to operators. */
export const SENTENCES_OF_CAUSES: Readonly<Record<string, string>> = {
  ...causesOfTheStore(),
  ...causesOfBackups(),
  ...causesOfLinks(),
};

function causesOfTheStore(): Readonly<Record<string, string>> {
  return {
    "storage.directory {} cannot be created: {}": "storage.directory {1} ne peut pas être créé : {2}",
    "storage.directory {} cannot be written: {}":
      "storage.directory {1} n'est pas accessible en écriture : {2}",
    "storage.directory {} cannot be read by {}: {}": "{2} ne peut pas lire storage.directory {1} : {3}",
    "the database in {} cannot be read: {}": "la base dans {1} ne peut pas être lue : {2}",
    "the database in {} was left by a process that died, and what it wrote last can only be read where the directory can be written: start the server there, or copy the directory elsewhere ({})":
      "la base dans {1} a été laissée par un processus mort, et ce qu'il a écrit en dernier ne se lit que là où l'on peut écrire : démarrez-y le serveur, ou copiez le répertoire ailleurs ({2})",
    "the data directory {} cannot be written: it was opened to be read alone":
      "le répertoire de données {1} n'est pas accessible en écriture : il n'a été ouvert que pour lire",
    "the data directory {} cannot be written: {}":
      "le répertoire de données {1} n'est pas accessible en écriture : {2}",
    "storage.directory {} is everybody's: name a directory of its own below it":
      "storage.directory {1} est à tout le monde : donnez-lui un répertoire à part, au-dessous",
    '{} belongs to {} and cannot be written by {}: run bendre as {}, or as root give everything to the right user with "chown -R USER {}"':
      "{1} est à {2} et {3} ne peut pas y écrire : lancez bendre sous {4}, ou donnez tout au bon utilisateur, en root, avec « chown -R UTILISATEUR {5} »",
    "storage.directory {} belongs to {}, and this process may not act as that user ({}): run bendre as {}":
      "storage.directory {1} est à {2}, et ce processus ne peut pas agir en son nom ({3}) : lancez bendre sous {4}",
    "another bendre is using the data directory {}": "un autre bendre tient le répertoire de données {1}",
    "the data directory {} is another user's: run this as that user, or as root":
      "le répertoire de données {1} est à un autre utilisateur : lancez ceci sous cet utilisateur, ou en root",
    "the database {} cannot be opened: {}": "la base {1} ne peut pas être ouverte : {2}",
    "the database {} cannot be written: {}: is its disk full, or mounted read-only?":
      "la base {1} n'est pas accessible en écriture : {2} : son disque est-il plein, ou monté en lecture seule ?",
    "the database in {} cannot be used: {}": "la base dans {1} est inutilisable : {2}",
    "the upgrade of {} failed and was undone; its backup is {}: {}":
      "la mise à niveau de {1} a échoué et a été défaite ; sa sauvegarde est {2} : {3}",
    "{} is a database of another program": "{1} est la base d'un autre programme",
    "{} is a backup: move it elsewhere and say {}, which holds what may have left":
      "{1} est une sauvegarde : déplacez-la, puis dites {2}, qui retient ce qui a pu partir",
    "{} was written by {} (schema {}; this executable knows {}): start that one, or restore the backup {}, which it made before":
      "{1} a été écrite par {2!} (schéma {3} ; cet exécutable connaît {4}) : démarrez celui-là, ou restaurez la sauvegarde {5}, qu'il a faite avant",
    "{} was written by {} (schema {}; this executable knows {}): start that one, or restore a backup made before the upgrade":
      "{1} a été écrite par {2!} (schéma {3} ; cet exécutable connaît {4}) : démarrez celui-là, ou restaurez une sauvegarde d'avant la mise à niveau",
    "a newer bendre": "un bendre plus récent",
    'the server went away before it answered ({}): "audit list" shows what was done':
      "le serveur est parti avant de répondre ({1}) : « audit list » montre ce qui a été fait",
    "the server answered in a way this command does not understand":
      "le serveur a répondu d'une façon que cette commande ne comprend pas",
    "server.listen {} is in use by another program": "server.listen {1} est pris par un autre programme",
    "server.listen {} may not be listened on by this user: take a port from 1024 on":
      "server.listen {1} n'est pas permis à cet utilisateur : prenez un port à partir de 1024",
  };
}

function causesOfBackups(): Readonly<Record<string, string>> {
  return {
    "Error: {}": "{1!}",
    "entries or batches name the account {}, which does not exist":
      "des écritures ou des lots désignent le compte {1}, qui n'existe pas",
    "account {} has no wallet": "le compte {1} n'a pas de portefeuille",
    "account {}: {} is {} XOF, its entries make {}": "compte {1} : {2!} vaut {3} XOF, ses écritures font {4}",
    "batch {}: {} is {}, {} {}": "lot {1} : {2!} vaut {3}, {4!} {5}",
    funds: "le solde",
    reserved: "le réservé",
    charged: "le facturé",
    released: "le libéré",
    "reserved by batches": "le réservé des lots",
    "charged by batches": "le facturé des lots",
    "released by batches": "le libéré des lots",
    "charged into the ledger": "le facturé au grand livre",
    "released into the ledger": "le libéré au grand livre",
    "there are": "il y en a",
    "its messages make": "ses messages font",
    "its ledger entries make": "ses écritures au grand livre font",
    "its entries make": "ses écritures font",
    "the user {} could not be made": "l'utilisateur {1} n'a pas pu être créé",
    "{} ended with {}": "{1} s'est terminé avec {2}",
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
