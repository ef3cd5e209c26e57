/** The executable itself, its configuration, storage, books and backups. */
export const HELP_OF_THE_APPLIANCE: Readonly<Record<string, string>> = {
  "run the appliance until it is told to stop":
    "fait tourner l'installation jusqu'à ce qu'on lui dise de s'arrêter",
  "log all that happens to these messages, whatever log.level is: claims, PDUs in words and hex (xx for texts and numbers), facts, webhook attempts":
    "journalise tout ce qui arrive à ces messages, quel que soit log.level : prises en charge, PDU en mots et en hexadécimal (xx pour les textes et les numéros), faits, tentatives des webhooks",
  "configuration; else $BENDRE_CONFIG, else ./config.toml":
    "la configuration ; sans cela $BENDRE_CONFIG, sinon ./config.toml",
  "print exactly one JSON document": "écrit exactement un document JSON",
  "what people read; else $BENDRE_LANGUAGE, else the locale":
    "la langue de ce qui est affiché ; sans cela $BENDRE_LANGUAGE, sinon celle du système",
  "say how this is called": "dit comment on s'en sert",
  "run everything in one process, with a simulated operator and a temporary database":
    "fait tout tourner en un seul processus, avec un opérateur simulé et une base temporaire",
  "send a batch, print what became of it, exit 0 if all arrived":
    "envoie un lot, dit ce qu'il est devenu, sort avec 0 si tout est arrivé",
  'run a simulated operator on its own; "bendre smsc --help" says how':
    "fait tourner seul un opérateur simulé ; « bendre smsc --help » dit comment",
  'run a stand-in for the Cloud API of WhatsApp; "bendre whatsapp-sim --help" says how':
    "fait tourner une doublure de la Cloud API de WhatsApp ; « bendre whatsapp-sim --help » dit comment",
  "install this executable as a service of systemd, or bring what is installed up to date":
    "installe cet exécutable comme service de systemd, ou met à jour ce qui est installé",
  "put all of it below this directory; makes no user, starts nothing":
    "met tout sous ce répertoire ; ne crée pas d'utilisateur, ne démarre rien",
  "whose service it is; bendre when left out": "l'utilisateur du service ; bendre si rien n'est dit",
  "take back all but configuration and data": "retire tout, sauf la configuration et les données",
  "print what this executable is built from, and under which licences":
    "dit de quoi cet exécutable est fait, et sous quelles licences",
  "print what completes commands and flags in bash; it belongs into /etc/bash_completion.d/bendre":
    "écrit ce qui complète commandes et options dans bash ; sa place est /etc/bash_completion.d/bendre",
  "print what completes commands and flags in zsh; it belongs into a directory of $fpath, as _bendre":
    "écrit ce qui complète commandes et options dans zsh ; sa place est un répertoire de $fpath, sous le nom _bendre",
  "print what completes commands and flags in fish; it belongs into ~/.config/fish/completions/bendre.fish":
    "écrit ce qui complète commandes et options dans fish ; sa place est ~/.config/fish/completions/bendre.fish",
  "check the configuration file, and what it meets in the data directory":
    "vérifie le fichier de configuration, et ce qu'il trouve dans le répertoire de données",
  "look at every part of the installation and say what to do; exit 1 on an error":
    "regarde chaque partie de l'installation et dit que faire ; sort avec 1 s'il y a une erreur",
  "exit 1 on a warning too": "sort avec 1 aussi pour un avertissement",
  "only warn of environment variables that are not set":
    "ne fait qu'avertir des variables d'environnement qui ne sont pas définies",
  "put a backup in the place of the data; nothing is sent until backup resume decides":
    "met une sauvegarde à la place des données ; rien ne part tant que backup resume n'a pas décidé",
  "the path of a backup": "le chemin d'une sauvegarde",
  "move what is there to DIRECTORY.replaced-TIME": "déplace ce qui s'y trouve vers DIRECTORY.replaced-TIME",
  "a key file of the old machine, or a directory with all of them, in place of those in the backup":
    "un fichier de clés de l'ancienne machine, ou un répertoire qui les contient tous, à la place de ceux de la sauvegarde",
  "print alert rules for Prometheus, a file in YAML": "écrit des règles d'alerte pour Prometheus, en YAML",
  "print a dashboard for Grafana, a file in JSON": "écrit un tableau de bord pour Grafana, en JSON",
  "show how large each table is, how much the database grows a day, and when the disk is full at that rate":
    "montre la taille de chaque table, ce que la base prend par jour, et quand le disque sera plein à ce rythme",
  "give what is free in the database back to the disk; whatever is written waits meanwhile":
    "rend au disque ce qui est libre dans la base ; pendant ce temps, toute écriture attend",
  "forget now what is over by [retention]; a running server does it every hour":
    "oublie dès maintenant ce que [retention] dit échu ; un serveur qui tourne le fait toutes les heures",
  "change nothing, and say how many messages it would be":
    "ne change rien, et dit de combien de messages il s'agirait",
  "show every setting that is in force; secrets are hidden, defaults marked":
    "montre tous les réglages en vigueur ; les secrets sont cachés, les valeurs par défaut marquées",
  "show what a reload would change, and what waits for operators that would go; exit 3 if anything":
    "montre ce qu'un rechargement changerait, et ce qui attend les opérateurs qui partiraient ; sort avec 3 s'il y a quelque chose",
  "put the file in force without a restart, as far as that can be; a file with a fault changes nothing":
    "met le fichier en vigueur sans redémarrage, autant que possible ; un fichier fautif ne change rien",
  "show what waits for each operator, and every connection: state, rate, receipts, last error":
    "montre ce qui attend chaque opérateur, et chaque connexion : état, débit, accusés, dernière erreur",
  "recompute every balance from its entries; exit 1 on any difference":
    "recalcule chaque solde à partir de ses écritures ; sort avec 1 au moindre écart",
  "believe what the machine's clock says, after it was set or stood still":
    "croit l'heure de la machine, après qu'elle a été réglée ou est restée arrêtée",
  "list who changed what and when, newest first": "liste qui a changé quoi et quand, le plus récent d'abord",
  "by this person; behind sudo it is the person, not root":
    "par cette personne ; derrière sudo c'est la personne, et non root",
  'of this command, or of all that begin with this word: "account"':
    "de cette commande, ou de toutes celles qui commencent par ce mot : « account »",
  "to this account, its keys, senders, batches and webhooks":
    "à ce compte, à ses clés, expéditeurs, lots et webhooks",
  "then or later: a date, a time, or how long ago: 2h, 3d":
    "à partir de cet instant : une date, une heure, ou il y a combien de temps : 2h, 3d",
  "before this": "avant cet instant",
  "list what is wrong, since when and what to do, by the rules of [alerts], and who was told":
    "liste ce qui ne va pas, depuis quand et que faire, selon les règles de [alerts], et qui a été prévenu",
  "tell every channel of [alerts] a test now; exit 1 where one does not take it":
    "envoie maintenant un essai par chaque voie de [alerts] ; sort avec 1 si l'une ne le prend pas",
  "tell nothing of a rule until a time; a time that is past ends it":
    "tait une règle jusqu'à un instant ; un instant passé y met fin",
  "the rule, as alert list names it": "la règle, telle que la nomme alert list",
  "a date or a date-time, in [defaults] timezone unless it says; or how long from now: 2h, 3d":
    "une date, ou une date et une heure, au fuseau horaire de [defaults] sauf mention ; ou dans combien de temps : 2h, 3d",
  "show all that is kept about one number, for the person whose it is; the audit list tells of it":
    "montre tout ce qui est conservé sur un numéro, pour la personne à qui il est ; le journal d'audit en garde trace",
  "take one number and its texts out of everything that is kept, but what they cost":
    "retire un numéro et ses textes de tout ce qui est conservé, sauf ce qu'ils ont coûté",
  "cancel first what is QUEUED or SCHEDULED": "annule d'abord ce qui est QUEUED ou SCHEDULED",
  "erased-numbers.key is lost: make another; suppressions of numbers erased before count no more":
    "la clé erased-numbers.key est perdue : en fait une autre ; pour les numéros effacés auparavant, les listes d'exclusion ne comptent plus",
  "make a copy of everything while sending goes on": "copie tout pendant que l'envoi continue",
  "a new file; without it one named by its time in the directory of backups":
    "un nouveau fichier ; sans cela, un fichier nommé par l'heure dans le répertoire des sauvegardes",
  "prove a backup: its pages, its books and its keys; exit 1 on a fault":
    "éprouve une sauvegarde : ses pages, ses comptes et ses clés ; sort avec 1 s'il y a une faute",
  "list the backups that there are, newest first":
    "liste les sauvegardes qui existent, les plus récentes d'abord",
  "restore the newest backup into a scratch directory and prove it there":
    "restaure la sauvegarde la plus récente dans un répertoire provisoire et l'y éprouve",
  "after a restore, say what becomes of what may have left, or list it":
    "après une restauration, dit ce que devient ce qui est peut-être parti, ou en donne la liste",
  "hold: it waits on; policy: as unanswered, by its class; send: once more, doubles accepted; give-up: FAILED and released":
    "hold : cela attend encore ; policy : comme sans réponse, selon la classe ; send : une fois de plus, doublons acceptés ; give-up : FAILED, et l'argent libéré",
  "of this class only": "de cette classe seulement",
  "when the old machine last ran, in [defaults] timezone unless it says, or how long ago: 2h; now without this. What was not due before simply waits on":
    "quand l'ancienne machine a tourné pour la dernière fois, au fuseau horaire de [defaults] sauf mention, ou il y a combien de temps : 2h ; sans cela, maintenant. Ce qui n'était pas dû avant attend simplement",
  "show what is held and change nothing": "montre ce qui est retenu, et ne change rien",
};
