/** Those about operators, webhooks, the server, files and backups. */
export const SENTENCES_OF_UPKEEP: Readonly<Record<string, string>> = {
  "the configuration has no operator {}; known: {}":
    "la configuration n'a pas d'opérateur {1} ; elle connaît : {2}",
  "the configuration has no operator {}; did you mean {}?":
    "la configuration n'a pas d'opérateur {1} ; vouliez-vous dire {2} ?",
  "the operator {} goes by {} since it was renamed":
    "l'opérateur {1} porte le code {2} depuis qu'il a été renommé",
  'the operator {} is in the configuration: take it out there and say "config reload" before this':
    "l'opérateur {1} est dans la configuration : retirez-le, puis dites « config reload » avant cela",
  "nothing waits for, is registered with, priced for or was ever sent through an operator {}":
    "rien n'attend un opérateur {1} : aucun enregistrement, aucun prix, et rien n'est jamais parti par lui",
  'all of {} is paused: "operator resume {}" lets it go on':
    "{1} est tout entier en pause : « operator resume {2} » le laisse reprendre",
  "{} has no connections: only operators of SMS have them":
    "{1} n’a pas de connexions : seuls les opérateurs SMS en ont",
  "{} and {} are not of one channel: what waits for one cannot leave by the other":
    "{1} et {2} ne sont pas du même canal : ce qui attend l’un ne peut pas partir par l’autre",
  "{} has the connections 1 to {}, not {}": "{1} a les connexions 1 à {2}, et non {3}",
  "its secrets cannot be opened with this data directory: rotate them":
    "ses secrets ne s'ouvrent pas avec ce répertoire de données : remplacez-les",
  "the webhook is {}: enable it, then replay": "le webhook est {1} : activez-le, puis recommencez",
  "the configuration names no channel for alarms: set webhook, email or sms in [alerts]":
    "la configuration ne nomme aucune voie pour les alarmes : réglez webhook, email ou sms dans [alerts]",
  "no operator works": "aucun opérateur ne fonctionne",
  "{}: unanswered": "{1} : pas de réponse",
  "{}: refused": "{1} : refusé",
  "{}: not sent": "{1} : non envoyé",
  "it is not configured any more": "ce destinataire n’est plus dans la configuration",
  "it had as many as [alerts] sms_per_hour allows: the next may be at {}":
    "ce numéro a reçu autant de SMS que le permet [alerts] sms_per_hour : le prochain pourra partir à {1}",
  "{} is past, and {} is not silenced: say a time to come, or how long from now, such as 2h":
    "{1} est passé, et {2} n'est pas en silence : donnez un moment à venir, ou une durée à partir de maintenant, comme 2h",
  "there is no rule {}; known: {}": "il n'y a pas de règle {1} ; connues : {2}",
  "the server is stopping, nothing was done: give the command again once it is back":
    "le serveur s'arrête, rien n'a été fait : redonnez la commande une fois qu'il est revenu",
  'the server is stopping and broke this off; "audit list" shows whether it was done, else give it again':
    "le serveur s'arrête et a interrompu cela ; « audit list » montre si c'était fait, sinon redonnez la commande",
  "the command could not be read: is it of another version?":
    "la commande n'a pas pu être lue : est-elle d'une autre version ?",
  "the server could not do this: its log says why":
    "le serveur n'a pas pu le faire : son journal dit pourquoi",
  "this server knows no command {}: is it of an older version?":
    "ce serveur ne connaît pas de commande {1} : est-il d'une version plus ancienne ?",
  "the server that runs knows no --{}: it is of another version":
    "le serveur qui tourne ne connaît pas --{1} : il est d'une autre version",
  'no server answers in the data directory {}: start it with "bendre serve", or wait until it says ready':
    "aucun serveur ne répond dans le répertoire de données {1} : démarrez-le avec « bendre serve », ou attendez qu'il soit prêt",
  "another bendre has the data directory {} and its control socket does not answer: wait for it to start or stop, then try again":
    "un autre bendre tient le répertoire de données {1} et son socket de commande ne répond pas : attendez qu'il ait démarré ou se soit arrêté, puis réessayez",
  "compacting needs {} MB of the disk for a while, and {} MB are free":
    "compacter demande {1} Mo du disque pendant un moment, et {2} Mo sont libres",
  "nothing was changed: the file has faults": "rien n'a été changé : le fichier a des fautes",
  "{} holds the database of another program": "{1} contient la base d'un autre programme",
  "the database in {} was written by a newer bendre (schema {}; this executable knows {}): start the newer executable":
    "la base dans {1} a été écrite par un bendre plus récent (schéma {2} ; cet exécutable connaît {3}) : démarrez l'exécutable plus récent",
  "the database in {} is damaged ({}): restore a backup":
    "la base dans {1} est abîmée ({2}) : restaurez une sauvegarde",
  "{} is there already: name a new file": "{1} existe déjà : donnez un nouveau fichier",
  "{} cannot be written ({})": "{1} ne peut pas être écrit ({2})",
  "{} cannot be read ({})": "{1} ne peut pas être lu ({2})",
  "{} cannot be read": "{1} ne peut pas être lu",
  "{} is larger than {} bytes: split it": "{1} dépasse {2} octets : partagez-le",
  "the backup {} could not be made: {}": "la sauvegarde {1} n'a pas pu être faite : {2!}",
  '"{}" goes on: wait until it is done': "« {1} » est en cours : attendez la fin",
  "there is no backup {}": "il n'y a pas de sauvegarde {1}",
  'there is no backup to try: make one with "backup create"':
    "il n'y a pas de sauvegarde à éprouver : faites-en une avec « backup create »",
  "the backup {} {}: {}": "la sauvegarde {1} n'est pas bonne : {3!}",
  "{} holds data already: --replace moves it to a directory beside it, and takes the backup in its place":
    "{1} contient déjà des données : --replace les déplace dans un répertoire voisin et met la sauvegarde à leur place",
  "a server or a command uses {}: stop it first":
    "un serveur ou une commande utilise {1} : arrêtez-le d'abord",
  "nothing was restored: {}": "rien n'a été restauré : {1!}",
  "nothing was restored from {}: {}": "rien n'a été restauré de {1} : {2!}",
  "only root installs: sudo bendre install. --root DIR puts it below a directory of your own instead":
    "seul root installe : sudo bendre install. --root RÉPERTOIRE met tout sous un répertoire à vous",
  "a package brought Bendre here ({}): install, upgrade and remove it with apt or dpkg":
    "un paquet a apporté Bendre ici ({1}) : installez-le, mettez-le à jour et retirez-le avec apt ou dpkg",
  "{} is no name of a system user: a-z, 0-9, _ and -":
    "{1} n'est pas un nom d'utilisateur du système : a-z, 0-9, _ et -",
  "the installation is not whole: {}": "l'installation est incomplète : {1!}",
  "not all of it was taken back: {}": "tout n'a pas été repris : {1!}",
  "this runs from source: build it (bun run build), and let the executable install itself":
    "ceci tourne depuis les sources : construisez-le (bun run build), et laissez l'exécutable s'installer lui-même",
  "the keys are left out: set [backup] passphrase, or keep the .key files of the data directory elsewhere; without them the signing secrets of endpoints and second factors of users are lost in a restore":
    "les clés n'y sont pas : réglez passphrase dans [backup], ou gardez ailleurs les fichiers .key du répertoire de données ; sans eux, une restauration perd les secrets de signature des webhooks et les seconds facteurs des utilisateurs",
  "this database was never restored from a backup: there is nothing to decide":
    "cette base n'a jamais été restaurée d'une sauvegarde : il n'y a rien à décider",
  "the old machine last ran between {}: --died-at {} is not":
    "l'ancienne machine a tourné pour la dernière fois entre {1} : --died-at {2} n'y est pas",
};
