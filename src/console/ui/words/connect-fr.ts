import type { CONNECT_EN } from "./connect-en.ts";

/** Les mots pour relier un opérateur. */
export const CONNECT_FR: typeof CONNECT_EN = {
  title: "Comment relier un autre opérateur ?",
  help: "Remplissez ce que l’opérateur vous a donné. Le texte qui en résulte va dans le fichier de configuration ; le serveur le vérifie ici, et ne change rien.",
  code: "Code court",
  codeHint: "En minuscules ; il figure dans les rapports : orange, moov, telecel.",
  name: "Nom",
  host: "Adresse du SMSC",
  port: "Port",
  systemId: "system_id",
  prefixes: "Préfixes",
  prefixesHint: "Comme l’opérateur les dit, 05 06 07, ou avec l’indicatif du pays : 22605 22606",
  price: "Prix d’un segment, en francs entiers",
  check: "Vérifier",
  bad: "Le serveur ne l’accepterait pas :",
  text: "Pour le fichier de configuration",
  copy: "Copier le texte",
  good: "Le serveur l’accepte. Ensuite :",
  priceMissing:
    "Il manque le prix : un propriétaire du serveur le fixe, à la place de la ligne qui commence par #. Jusque-là, seuls les comptes qui ont leur propre prix envoient par cet opérateur.",
  put: (file) => `Mettez le texte à la fin de ${file}.`,
  putUnknown: "Mettez le texte à la fin du fichier de configuration.",
  passwordWays: "Donnez le mot de passe, de l’une de ces deux façons :",
  passwordInFile:
    "Dans le fichier, à la place de sa dernière ligne. Personne d’autre que le service et root ne doit pouvoir lire ce fichier :",
  passwordInEnvironment: "Ou hors du fichier, dans l’environnement, sous ce nom :",
  serviceEnvironment: (file) => `Une ligne de ${file}, qui est lu au démarrage du service :`,
  ownEnvironment: "À définir dans le terminal qui démarre le serveur :",
  isSet: (variable) => `Le mot de passe est déjà dans l’environnement, sous le nom ${variable}.`,
  restart: "Puis redémarrez :",
  load: "Faites relire le fichier : ci-dessous, ou par",
  changes: "Ce que le fichier changerait maintenant",
  changesHint: "Une fois le texte dans le fichier, il apparaît ici. Rien n’en est encore en vigueur.",
  lookAgain: "Regarder à nouveau",
  loaded: "C’est en vigueur.",
  toOperators: "Voir si la connexion s’établit",
};
