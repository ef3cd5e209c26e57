/** Why something could not be done or does not work: databases and directories, backups, links to operators. */
export const SENTENCES_OF_CAUSES: Readonly<Record<string, string>> = {
  ...causesOfTheServer(),
  ...causesOfBackups(),
  ...causesOfLinks(),
};

function causesOfTheServer(): Readonly<Record<string, string>> {
  return {};
}

function causesOfBackups(): Readonly<Record<string, string>> {
  return {
    "Error: {}": "{1!}",
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
