import type { CONNECT_EN } from "./connect-en.ts";

/** Les mots pour relier un opérateur. */
export const CONNECT_FR: typeof CONNECT_EN = {
  title: "Comment relier un autre opérateur ?",
  help: "Prenez la fiche de l’opérateur et recopiez ce qu’elle dit. La page en fait un texte que vous mettez dans le fichier de configuration ; rien ne change avant cela. Ce qui n’a pas de case ici, comme le protocole (SMPP 3.4), votre tarif d’achat et les expéditeurs, ne va pas dans ce texte.",
  code: "Nom court de l’opérateur",
  name: "Nom de l’opérateur",
  host: "Adresse du centre SMS (SMSC)",
  port: "Port",
  systemId: "Identifiant (system_id)",
  prefixes: "Préfixes",
  throughput: "Débit accordé, par seconde",
  window: "Fenêtre",
  price: "Prix de vente par défaut d’un SMS, en francs entiers",
  hints: {
    name: "Comme vous l’appelez : Orange Burkina Faso. Il figure sur les pages et dans les rapports.",
    code: "Pour le fichier et les commandes. Proposé d’après le nom ; sans espace ni accent : orange, moov, telecel.",
    host: "La machine de l’opérateur qui prend les SMS. Sur la fiche : « adresse du centre SMS », « SMSC », « host » ou « IP ». Une adresse IP ou un nom, sans le port. Si elle manque, demandez-la à l’opérateur : sans elle, rien ne part.",
    port: "Sur la fiche : « port », ou le nombre après les deux-points de l’adresse. Si elle n’en dit rien, prenez 2775, le port habituel de SMPP.",
    systemId:
      "Le nom sous lequel l’opérateur vous connaît. Sur la fiche : « system_id », « identifiant », « login » ou « utilisateur ». Les majuscules comptent. S’il manque, demandez-le à l’opérateur.",
    throughput:
      "Combien de SMS l’opérateur prend au plus par seconde. Sur la fiche : « débit », « TPS », « SMS/s » ou « throughput ». Si elle n’en dit rien, laissez 30 : si c’est trop vite pour lui, l’envoi ralentit de lui-même.",
    window:
      "Combien de SMS peuvent attendre la réponse de l’opérateur à la fois. Sur la fiche : « fenêtre », « window » ou « windowing ». Si elle n’en dit rien, laissez 10.",
    prefixes:
      "Les premiers chiffres de ses numéros : c’est par eux que chaque SMS trouve son opérateur. Sur la fiche : « numéros du réseau », « préfixes » ou « tranches ». Recopiez-les tels quels : 04 à 07, 44 45 46, ou +226 54. S’ils manquent, demandez-les à l’opérateur.",
    price:
      "Ce que vous facturez à un client qui n’a pas de prix à lui. Ce n’est pas le tarif de la fiche, que l’opérateur vous facture à vous. Un texte long compte pour plusieurs SMS.",
  },
  password: "Mot de passe",
  passwordHint:
    "Il ne se tape pas ici. La page marque la ligne où il va, et aucune page ne le montre jamais. Où doit-il être ?",
  passwords: {
    file: { label: "Dans le fichier de configuration", help: "Le plus simple : rien à redémarrer." },
    environment: {
      label: "Dans l’environnement du serveur",
      help: "Hors du fichier, dans une variable. Il faut redémarrer le serveur.",
    },
  },
  bind: "Type de session (bind)",
  bindHint:
    "Comment le serveur s’identifie auprès du centre SMS. Sur la fiche : « session », « bind » ou « mode ». Si elle n’en dit rien, prenez TRX. Si elle permet plusieurs sessions, une suffit pour commencer.",
  binds: {
    transceiver: { label: "TRX : une session, dans les deux sens", help: "Appelée aussi transceiver." },
    separate: {
      label: "TX et RX : deux sessions, l’une pour envoyer, l’autre pour recevoir",
      help: "Appelées aussi transmitter et receiver.",
    },
  },
  receipts: "Accusés de réception",
  receiptsHint:
    "L’opérateur dit-il pour chaque SMS s’il est arrivé sur le téléphone ? Sur la fiche : « accusés de réception », « rapports de livraison » ou « DLR ». Si elle n’en dit rien, laissez oui.",
  receiptsTold: {
    yes: { label: "Oui" },
    no: {
      label: "Non",
      help: "Un SMS que l’opérateur a pris compte alors comme envoyé, jamais comme livré.",
    },
  },
  understood: { one: "Compris : # préfixe", other: "Compris : # préfixes" },
  misread: {
    UNCLEAR: (piece) =>
      `« ${piece} » n’est pas compris : ce n’est ni un début de numéro, ni une suite comme 04 à 07. Corrigez-le ou effacez-le.`,
    HALF: (piece) => `« ${piece} » n’a qu’un bout : écrivez d’où à où, comme 04 à 07.`,
    BACKWARDS: (piece) => `« ${piece} » va à l’envers : le plus petit vient d’abord.`,
    LENGTHS: (piece) => `« ${piece} » : il faut autant de chiffres aux deux bouts, comme 04 à 07.`,
    TOO_MANY: (piece) => `« ${piece} » fait plus de 100 préfixes : écrivez-en de plus courts.`,
    TOO_LONG: (piece) =>
      `« ${piece} » est plus long qu’un numéro de téléphone : n’écrivez que ses premiers chiffres.`,
  },
  faults: {
    EMPTY: "Il manque quelque chose ici.",
    CODE: "Il faut une lettre d’abord, puis des lettres, des chiffres, - ou _, sans espace ni accent.",
    HOST: "L’adresse seule, en chiffres (IP) ou par son nom ; le port a sa propre case.",
    PORT: "Un nombre entier de 1 à 65535.",
    SYSTEM_ID: "15 caractères au plus, sans accent.",
    THROUGHPUT: "Un nombre entier de 1 à 100000.",
    WINDOW: "Un nombre entier de 1 à 1000.",
    PRICE: "Un nombre entier de francs, de 0 à 1000000.",
    TOO_MANY_PREFIXES: "100 au plus : écrivez-en de plus courts, comme 5 pour 50 à 59.",
  },
  check: "Vérifier",
  bad: "Le serveur ne l’accepterait pas :",
  good: "Le serveur l’accepte. Il reste quatre étapes :",
  text: "Pour le fichier de configuration",
  copy: "Copier le texte",
  priceMissing:
    "Il manque le prix : un propriétaire du serveur le fixe, à la place de la ligne qui commence par #. Jusque-là, seuls les comptes qui ont leur propre prix envoient par cet opérateur.",
  put: (file) =>
    `Sur le serveur, ouvrez ${file} et collez le texte à la fin. N’effacez rien de ce qui s’y trouve.`,
  putNew: (file) =>
    `Il n’y a pas encore de fichier de configuration. Sur le serveur, créez le fichier ${file}, collez-y le texte et ne le laissez lire à personne d’autre (chmod 600). Le serveur a démarré sans fichier et suit celui-ci dès l’étape suivante.`,
  putUnknown:
    "Sur le serveur, ouvrez le fichier de configuration et collez le texte à la fin. N’effacez rien de ce qui s’y trouve.",
  passwordInFile: {
    one: "Dans la ligne marquée, tapez le mot de passe de la fiche entre les guillemets, à la place des trois points :",
    other:
      "Dans les # lignes marquées, tapez le mot de passe de la fiche entre les guillemets, à la place des trois points :",
  },
  passwordKept:
    "Qui peut lire ce fichier peut lire le mot de passe : ne le laissez lire qu’à root et au service. La console montre « (masqué) » à sa place.",
  passwordInEnvironment: (variable) =>
    `Laissez ce qui est marqué tel quel : le mot de passe y vient de la variable ${variable}.`,
  serviceEnvironment: (file) =>
    `Ajoutez cette ligne à ${file}, avec le mot de passe de la fiche à la place des trois points :`,
  ownEnvironment:
    "Dans le terminal qui démarre le serveur, avec le mot de passe de la fiche à la place des trois points :",
  isSet: (variable) =>
    `Le mot de passe est déjà dans l’environnement, sous le nom ${variable} : rien à faire.`,
  restart: "Puis redémarrez le serveur, qui lit aussi le fichier :",
  loadFile:
    "Enregistrez le fichier. Ci-dessous, cliquez sur « Regarder à nouveau » : ce qui est nouveau apparaît. Cliquez alors sur « Recharger le fichier ». Ou, dans un terminal :",
  afterRestart: "Une fois qu’il tourne à nouveau, cliquez ci-dessous sur « Regarder à nouveau ».",
  thenTest: "La page dit ensuite si la connexion est ouverte, et envoie un SMS d’essai.",
  changes: "Ce que le fichier changerait maintenant",
  changesHint: "Une fois le texte dans le fichier, il apparaît ici. Rien n’en est encore en vigueur.",
  passwordLeft:
    "Le mot de passe manque encore : tapez-le dans la ligne marquée, entre les guillemets, à la place des trois points.",
  lookAgain: "Regarder à nouveau",
  loaded: "C’est en vigueur.",
  next: {
    title: (name) => `${name} est-il relié ?`,
    bound: "La connexion est ouverte.",
    underWay: "Elle s’établit ; cette page regarde d’elle-même.",
    paused: "Elle est en pause : rien ne part tant que personne ne la reprend à la page Opérateurs.",
    nextTry: (time) => `Nouvel essai dans ${time}.`,
    open: "Envoyez maintenant un SMS d’essai à un téléphone que vous avez en main.",
    again: "Essayer maintenant",
    toOperators: "Tous les opérateurs",
    todo: {
      CREDENTIALS:
        "Comparez system_id et mot de passe avec la fiche : majuscules, 0 et O, espaces. Corrigez la ligne dans le fichier, enregistrez, puis cliquez ci-dessus sur « Regarder à nouveau » et « Recharger le fichier » : un nouvel essai suit aussitôt. Les deux sont justes ? Demandez à l’opérateur s’il admet ce type de session, et l’adresse de ce serveur.",
      BOUND_ALREADY:
        "L’opérateur n’admet pas d’autre session sous ce system_id. Fermez l’autre, par exemple celle d’un ancien serveur, puis cliquez sur « Essayer maintenant ». Ou demandez à l’opérateur d’en permettre une de plus.",
      NOBODY_LISTENS:
        "Rien ne répond à cette adresse et à ce port. Comparez-les avec la fiche. Ils sont justes ? Demandez à l’opérateur si son SMSC tourne, et s’il laisse entrer l’adresse de ce serveur. Puis cliquez sur « Essayer maintenant ».",
      NO_WAY:
        "Le réseau n’y mène pas. Vérifiez le VPN ou la liaison vers l’opérateur, et demandez-lui s’il laisse entrer l’adresse de ce serveur. Puis cliquez sur « Essayer maintenant ».",
      NO_NAME:
        "Ce nom est inconnu. Comparez l’adresse avec la fiche ; si elle est juste, mettez à sa place l’adresse IP dans le fichier, enregistrez, puis « Regarder à nouveau » et « Recharger le fichier » ci-dessus.",
      CERTIFICATE:
        "Le certificat de l’opérateur n’est pas admis : demandez-lui le fichier de son autorité, et nommez-le comme tls_ca_file dans le fichier.",
      CUT: "L’opérateur coupe la connexion. Demandez-lui s’il laisse entrer l’adresse de ce serveur, et s’il veut TLS. Puis cliquez sur « Essayer maintenant ».",
      OTHER: "Cliquez sur « Essayer maintenant ». Si cela reste, dites cette phrase à l’opérateur.",
    },
  },
};
