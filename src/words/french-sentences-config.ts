/** What `config check` finds, and what a change of the configuration does. */
export const SENTENCES_OF_THE_CONFIGURATION: Readonly<Record<string, string>> = {
  "{} is fine: no operator is in it, and every number is answered UNROUTABLE_PREFIX":
    "{1} est bon : aucun opérateur n'y figure, et tout numéro reçoit la réponse UNROUTABLE_PREFIX",
  "{} is fine: {} operator(s), {}": "{1} est bon : {2} opérateur(s), {3}",
  "{}: {}, no database to look at": "{1} : {2!}, pas de base à regarder",
  "{}: {}, database of schema {}": "{1} : {2!}, base au schéma {3}",
  "{}: {}, database of schema {}, which the next start brings to {}":
    "{1} : {2!}, base au schéma {3}, que le prochain démarrage porte au schéma {4}",
  "looked at": "regardé",
  "not there yet": "pas encore là",
  "cannot be read": "illisible",
  "{} warning(s), and --strict was given": "{1} avertissement(s), et --strict a été donnée",
  "{} asks for the environment variable {}, which is not set":
    "{1} demande la variable d'environnement {2}, qui n'est pas définie",
  "the database cannot be read: {}": "la base ne peut pas être lue : {1}",
  "{} is on a disk that is mounted read-only: the server could write nothing":
    "{1} est sur un disque monté en lecture seule : le serveur ne pourrait rien écrire",
  "{} cannot be written by this user: run this, and the server, as its owner (uid {})":
    "{1} n'est pas accessible en écriture à cet utilisateur : lancez ceci, et le serveur, sous son propriétaire (uid {2})",
  "{} is open to other users (mode {}): chmod 700":
    "{1} est ouvert à d'autres utilisateurs (mode {2}) : chmod 700",
  "{} can be read by other users: chmod 600; a start tightens them too":
    "{1} : lisibles par d'autres utilisateurs, chmod 600 ; un démarrage les resserre aussi",
  "{}: of another user than the directory (uid {}), whose server could not write: chown":
    "{1} : d'un autre utilisateur que le répertoire (uid {2}), dont le serveur ne pourrait pas écrire : chown",
  "{} does not exist, and this user cannot create it in {}":
    "{1} n'existe pas, et cet utilisateur ne peut pas le créer dans {2}",
  "{} cannot be read ({}): what is in it was not looked at; run this as its owner":
    "{1} ne peut pas être lu ({2}) : son contenu n'a pas été regardé ; lancez ceci sous son propriétaire",
  '{} message(s) wait for the operator {}, which is not configured: they leave when it is configured again, go on with "operator rename {} NEW", or are given up with "operator retire {}"':
    "{1} message(s) attendent l'opérateur {2}, qui n'est pas configuré : ils partent quand il l'est à nouveau, continuent avec « operator rename {3} NOUVEAU », ou sont abandonnés avec « operator retire {4} »",
  '{} sender registration(s) are with the operator {}, which is not configured: "operator rename {} NEW" moves them, "sender unregister" takes one away':
    "{1} enregistrement(s) d'expéditeur sont chez l'opérateur {2}, qui n'est pas configuré : « operator rename {3} NOUVEAU » les déplace, « sender unregister » en retire un",
  '{} account price(s) are for the operator {}, which is not configured: "operator rename {} NEW" moves them, "price unset" takes one away':
    "{1} prix de comptes sont pour l'opérateur {2}, qui n'est pas configuré : « operator rename {3} NOUVEAU » les déplace, « price unset » en retire un",
  "retention.message_days is {}: MARKETING messages are kept for {} days and others for {} all the same, because caps, guards and opt-outs look at them":
    "retention.message_days est à {1} : les messages MARKETING sont gardés {2} jours et les autres {3} malgré cela, car les plafonds, les protections et les désinscriptions les consultent",
  "retention.message_days is {}: MARKETING messages are kept for {} days all the same, because caps, guards and opt-outs look at them":
    "retention.message_days est à {1} : les messages MARKETING sont gardés {2} jours malgré cela, car les plafonds, les protections et les désinscriptions les consultent",
  "retention.event_days is {}: events are kept for {} days all the same, because endpoints may ask for them":
    "retention.event_days est à {1} : les événements sont gardés {2} jours malgré cela, car les webhooks peuvent les redemander",
  "Meta tries for up to {} hours with {} template(s) of {}, and receipt_timeout_hours is {}: what is delivered later is not charged":
    "Meta essaie jusqu'à {1} heures avec {2} modèle(s) de {3}, et receipt_timeout_hours est {4} : ce qui est distribué plus tard n'est pas facturé",
  "from now on": "à partir de maintenant",
  "waits for a restart: {}": "attend un redémarrage : {1!}",
  "no server is running": "aucun serveur ne tourne",
  "the server listens there": "le serveur y écoute",
  "the metrics are answered there": "les métriques y sont servies",
  "the database there is open": "la base qui s'y trouve est ouverte",
  "the steps that are told are chosen at the start": "les étapes journalisées sont choisies au démarrage",
  "the memory for bodies is divided by it": "la mémoire des requêtes est partagée d'après lui",
  "shown to new connections; those that stand end once they were answered":
    "montré aux nouvelles connexions ; celles qui durent finissent une fois servies",
  "for what comes from now on; accounts with a setting of their own keep it":
    "pour ce qui arrive à partir de maintenant ; les comptes qui ont leur propre réglage le gardent",
  "for the next attempts to tell endpoints": "pour les prochaines tentatives vers les webhooks",
  "for the next line": "pour la prochaine ligne",
  "for what is accepted from now on; accounts with a price of their own keep it":
    "pour ce qui est accepté à partir de maintenant ; les comptes qui ont leur propre prix le gardent",
  "for what is accepted from now on; what was accepted keeps its operator":
    "pour ce qui est accepté à partir de maintenant ; ce qui l'était garde son opérateur",
  "with the next bind: a connection that is up stays up, one that is down tries at once":
    "à la prochaine liaison : une connexion établie le reste, une connexion coupée essaie aussitôt",
  "the connection waits for its answers, unbinds and binds anew":
    "la connexion attend ses réponses, se délie et se lie à nouveau",
  "its connections bind, and messages to its prefixes are accepted from now on":
    "ses connexions se lient, et les messages vers ses préfixes sont acceptés à partir de maintenant",
  "it binds at once": "elle se lie aussitôt",
  "it sends nothing more, waits for the answers that are due, and unbinds":
    "elle n'envoie plus rien, attend les réponses dues et se délie",
  "{}; nothing more is sent or accepted for it, answers that are due are waited for, then its connections unbind":
    "{1!} ; plus rien n'est envoyé ni accepté pour lui, les réponses dues sont attendues, puis ses connexions se délient",
  "nothing waits for it": "rien ne l'attend",
  "{} message(s) wait, within their validity": "{1} message(s) attendent, dans leur validité",
};
