import type { TROUBLES_EN } from "./troubles-en.ts";

/** Ce qui peut ne pas aller, en mots, et ce que la console permet d’y faire. */
export const TROUBLES_FR: typeof TROUBLES_EN = {
  setUp: {
    notUrgent: "Rien ne presse, mais tout n’est pas encore en place.",
    title: "À faire avant d’ouvrir",
    missing: {
      FIRST_STEPS: "Les premiers pas ne sont pas tous faits",
      BACKUP: "Aucune sauvegarde n’a encore été faite",
      ALARMS: "Personne n’est prévenu des alarmes",
      PUBLIC_URL: "Le serveur n’a pas d’adresse publique",
    },
    todo: {
      FIRST_STEPS: "Reliez un opérateur, créez un compte et envoyez un premier message.",
      BACKUP: "Il s’en fait une chaque nuit. Faites la première maintenant, et vérifiez qu’elle se restaure.",
      ALARMS: "Indiquez dans le fichier de configuration qui est prévenu, et par quelle voie.",
      PUBLIC_URL:
        "Les liens d’invitation ne s’ouvrent que sur cette machine. Mettez l’adresse par laquelle on l’atteint sous [server] dans le fichier de configuration, puis rechargez-le :",
    },
    go: { FIRST_STEPS: "Que faire ensuite", BACKUP: "Aux sauvegardes", ALARMS: "Le texte à copier" },
  },
  rules: {
    link_down: "Une connexion est coupée",
    operator_down: "Un opérateur est hors d’atteinte",
    not_taken: "Un opérateur ne prend aucun message",
    number_stopped: "Un numéro WhatsApp est arrêté",
    template_stopped: "Un modèle est arrêté",
    direct_text_stopped: "Des textes sans modèle ne partent plus",
    template_moves: "Meta change un modèle de catégorie",
    templates_unread: "Des modèles sont illisibles",
    country_refused: "Meta refuse un pays",
    otp_waits: "Des OTP attendent",
    transactional_waits: "Des messages transactionnels attendent",
    delivered_share: "Il arrive moins de messages que d’habitude",
    receipts_unmatched: "Des accusés ne correspondent à aucun message",
    throttled: "Un opérateur demande sans cesse de ralentir",
    disk: "Peu de place sur le disque",
    clock: "L’horloge est mise en doute",
    books: "Les livres de comptes",
    backup: "Pas de sauvegarde récente",
    drill: "Une sauvegarde n’a pas pu être restaurée",
    certificate: "Un certificat expire",
    endpoint: "Un webhook échoue sans arrêt",
    wallet_low: "Un portefeuille est presque vide",
    test: "Un essai",
  },
  advice: {
    link_down: "Sa dernière erreur est à la page des opérateurs. Le trafic passe par les autres connexions.",
    operator_down:
      "Les dernières erreurs sont à la page des opérateurs. Si elles ne viennent pas de nous, appelez l’opérateur.",
    number_stopped:
      "Voyez chez Meta le numéro, son jeton et sa facture. Puis reprenez l’envoi, à la page des opérateurs.",
    template_stopped: "Voyez-le dans le gestionnaire WhatsApp de Meta.",
    direct_text_stopped:
      "Voyez ce qui a été envoyé, et faites approuver ces textes comme modèles. Puis relancez-les, à la page des modèles.",
    templates_unread:
      "La lecture est retentée d’elle-même. Vérifiez dans la configuration le jeton du numéro et son waba_id.",
    otp_waits: "La file dit pour quel opérateur ils attendent, et les opérateurs pourquoi.",
    transactional_waits: "La file dit pour quel opérateur ils attendent, et les opérateurs pourquoi.",
    delivered_share:
      "Les rapports disent avec quelles erreurs les messages échouent. Demandez à l’opérateur ce qu’elles veulent dire.",
    receipts_unmatched: "En voici la liste. L’opérateur a-t-il changé la forme de ses identifiants ?",
    clock: "Mettez la machine à l’heure, ou dites que son horloge est à croire si elle a raison.",
    books: "Ce qui a été trouvé est à la page de l’argent. Un nouveau contrôle est fait chaque nuit.",
    backup: "Faites-en une maintenant : la page des sauvegardes s’en charge, ou dit ce qui l’en empêche.",
    drill: "Faites une sauvegarde, et restaurez-la pour essai. Gardez les anciennes en attendant.",
    endpoint: "Ses derniers essais et leurs causes sont à sa page. Prévenez le client.",
  },
  checks: {
    ready: "Envois",
    database: "Base de données",
    disk: "Disque",
    clock: "Horloge",
    operators: "Opérateurs",
    queue: "Ce qui attend",
    webhooks: "Webhooks",
    books: "Livres de comptes",
    backup: "Sauvegarde",
    certificates: "Certificats",
    alarms: "Alarmes",
  },
  checkAdvice: {
    operators:
      "La page des opérateurs donne la dernière erreur de chaque connexion, et met fin à une pause. Ce qui attend un opérateur absent de la configuration repart quand il y est de nouveau.",
    queue: "La page des opérateurs montre lequel ne répond plus ou tarde.",
    webhooks: "La page du webhook dit pourquoi. Prévenez le client.",
    books: "Ce qui a été trouvé est à la page de l’argent. Un nouveau contrôle est fait chaque nuit.",
    backup: "Faites-en une à la page des sauvegardes : elle s’en charge, ou dit ce qui l’en empêche.",
    certificates:
      "Mettez un certificat renouvelé à sa place, puis faites recharger le fichier à la page de l’état.",
    clock: "Mettez la machine à l’heure, ou dites à la page de l’état que son horloge est à croire.",
    alarms: "La page des alarmes dit que faire pour chacune.",
  },
  connection: (operator, place) => `${operator}, connexion ${place}`,
  paused: (who) => `${who} est en pause : aucun message ne lui est envoyé`,
  pausedTodo: "Reprenez l’envoi à la page des opérateurs, une fois passé le motif de la pause.",
  down: (who) => `${who} est hors d’atteinte : aucun message ne lui est envoyé`,
  downAgain: (time) =>
    `La connexion est retentée d’elle-même${time === null ? "" : ` (prochain essai à ${time})`}.`,
  downTodo: {
    NOBODY_LISTENS:
      "Rien ne répond à cette adresse et à ce port. Si cela marchait avant, l’opérateur a une panne : appelez-le. Sinon, comparez adresse et port avec sa fiche.",
    NO_WAY:
      "Le réseau jusqu’à lui est coupé : vérifiez la liaison ou le VPN, et qu’il laisse entrer l’adresse de ce serveur.",
    NO_NAME: "Vérifiez le nom dans la configuration, et que ce serveur peut résoudre les noms (DNS).",
    CREDENTIALS: "Vérifiez system_id et mot de passe avec l’opérateur.",
    BOUND_ALREADY:
      "Une autre session tient la place : attendez qu’elle finisse chez l’opérateur, ou demandez-lui d’en permettre une de plus.",
    CERTIFICATE: "Vérifiez les certificats avec l’opérateur : tls_ca_file et tls_server_name.",
    CUT: "L’opérateur coupe la connexion. Si cela dure, appelez-le.",
    OTHER: "Si cela dure, appelez l’opérateur.",
  },
  refusing: (who) => `${who} ne prend aucun message`,
  refusingTodo:
    "Demandez à l’opérateur ce que veut dire sa réponse. Ce qu’il remet à plus tard est retenté jusqu’à la fin de la validité du message ; ce qu’il refuse a échoué.",
  putOff: (who) => ({
    one: `# message attend, car ${who} l’a remis à plus tard`,
    other: `# messages attendent, car ${who} les a remis à plus tard`,
  }),
  putOffTodo:
    "Chacun est retenté jusqu’à la fin de sa validité. La dernière réponse de l’opérateur est à la page du message.",
  stray: (who) => ({
    one: `# message attend pour ${who}, absent de la configuration`,
    other: `# messages attendent pour ${who}, absent de la configuration`,
  }),
  strayTodo:
    "Remettez l’opérateur dans la configuration, ou dites qu’il a maintenant un autre code, ou qu’il ne revient pas :",
  lookInto: (page) => `Voir de plus près : ${page}`,
};
