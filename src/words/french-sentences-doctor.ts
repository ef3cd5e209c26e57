/** What `doctor` says of each part, and what to do about it. */
export const SENTENCES_OF_THE_DOCTOR: Readonly<Record<string, string>> = {
  ok: "bon",
  warning: "avertissement",
  error: "erreur",
  configuration: "configuration",
  "configuration file": "fichier de configuration",
  "configuration in force": "configuration en vigueur",
  files: "fichiers",
  space: "place",
  database: "base de données",
  clock: "horloge",
  waiting: "attente",
  books: "livres",
  backup: "sauvegarde",
  "backup drill": "essai de sauvegarde",
  "backup keys": "clés de sauvegarde",
  "erased numbers": "numéros effacés",
  "webhook resolver": "noms des webhooks",
  certificates: "certificats",
  limits: "limites",
  memory: "mémoire",
  service: "service",
  server: "serveur",
  address: "adresse",
  "operator {}": "opérateur {1}",
  "{} checks, nothing is wrong": "{1} points regardés, tout va bien",
  "{} checks: {} error(s), {} warning(s)": "{1} points regardés : {2} erreur(s), {3} avertissement(s)",
  'mend the file: "config check" tells every fault':
    "corrigez le fichier : « config check » dit toutes ses fautes",
  "{} asks for variables that are not set here: {}":
    "{1} demande des variables qui ne sont pas définies ici : {2}",
  "set them for the server: of a service they stand in /etc/bendre/environment":
    "définissez-les pour le serveur : celles d'un service sont dans /etc/bendre/environment",
  "{} is fine: {} operator(s)": "{1} est bon : {2} opérateur(s)",
  "{} cannot be looked at": "{1} ne peut pas être regardé",
  "name the file with --config": "nommez le fichier par --config",
  "{} can be changed by other users (mode {})": "{1} peut être modifié par d'autres utilisateurs (mode {2})",
  "{} can be read by every user (mode {})": "{1} peut être lu par tous les utilisateurs (mode {2})",
  "chmod 640": "chmod 640",
  "{} is its owner's (mode {})": "{1} est à son propriétaire (mode {2})",
  "give the data to the user that the server runs as, and say this as that user":
    "donnez les données à l'utilisateur du serveur, et lancez ceci sous cet utilisateur",
  "chmod and chown as it says": "faites les chmod et chown indiqués",
  "{} is made at the first start": "{1} se crée au premier démarrage",
  "{} is its owner's alone": "{1} n'est ouvert qu'à son propriétaire",
  "make room, or move the data to a larger disk":
    "faites de la place, ou mettez les données sur un disque plus grand",
  "the disk of {} cannot be measured: {}": "le disque de {1} ne peut pas être mesuré : {2}",
  "look at the disk": "regardez le disque",
  "{} of {} MB are free for {}": "{1} Mo libres sur {2} pour {3}",
  "{} of {} MB are free for {}; the reserve is {} MB":
    "{1} Mo libres sur {2} pour {3} ; la réserve est de {4} Mo",
  "{} of {} MB are free for {}, which is below the reserve: nothing new is accepted":
    "{1} Mo libres sur {2} pour {3}, moins que la réserve : rien de nouveau n'est accepté",
  "this machine does not tell how many files may be open":
    "cette machine ne dit pas combien de fichiers peuvent être ouverts",
  "{} files may be open: each connection of a client is one":
    "{1} fichiers peuvent être ouverts : chaque connexion d'un client en est un",
  "set LimitNOFILE=65536 in the unit, or ulimit -n 65536 before the start":
    "réglez LimitNOFILE=65536 dans l'unité, ou ulimit -n 65536 avant le démarrage",
  "{} files may be open": "{1} fichiers peuvent être ouverts",
  "this machine does not tell how much memory is free":
    "cette machine ne dit pas combien de mémoire est libre",
  "give the machine more memory, or move other programs away":
    "donnez plus de mémoire à la machine, ou déplacez d'autres programmes",
  "{} MB of memory are available: the system may end the server any moment":
    "{1} Mo de mémoire disponibles : le système peut tuer le serveur à tout moment",
  "{} MB of memory are available: a large submission takes some hundred":
    "{1} Mo de mémoire disponibles : une grande soumission en prend quelques centaines",
  "{} MB of memory are available": "{1} Mo de mémoire disponibles",
  'set the clock right, or say "clock accept" if what it says is right':
    "mettez l'horloge à l'heure, ou dites « clock accept » si elle dit vrai",
  "the clock says {}, which is before the newest time that is stored ({})":
    "l'horloge dit {1}, avant le dernier instant enregistré ({2})",
  "the clock says {}, which is before the newest time that is stored":
    "l'horloge dit {1}, avant le dernier instant enregistré",
  "the clock says {}, more than 400 days after the newest time that is stored":
    "l'horloge dit {1}, plus de 400 jours après le dernier instant enregistré",
  "nothing is seen that sets the machine's clock by others":
    "rien ne semble régler l'horloge de la machine sur d'autres",
  "let systemd-timesyncd or chrony keep it": "confiez-la à systemd-timesyncd ou à chrony",
  "the clock says {}": "l'horloge dit {1}",
  "systemd does not run this machine: whoever starts the server keeps it":
    "systemd ne gère pas cette machine : qui démarre le serveur s'en occupe",
  "no service of systemd starts the server": "aucun service de systemd ne démarre le serveur",
  "sudo bendre install makes one": "sudo bendre install en fait un",
  "{} is {}: the server does not start with the machine":
    "{1} est « {2} » : le serveur ne démarre pas avec la machine",
  "sudo systemctl enable bendre": "sudo systemctl enable bendre",
  "{} is there, and no server answers": "{1} est là, et aucun serveur ne répond",
  "sudo systemctl start bendre; journalctl -u bendre says why it ended":
    "sudo systemctl start bendre ; journalctl -u bendre dit pourquoi il s'est arrêté",
  "{} starts it with the machine": "{1} le démarre avec la machine",
  "{} has no database yet: the first start makes it":
    "{1} n'a pas encore de base : le premier démarrage la crée",
  "say this as the owner of the data": "lancez ceci sous le propriétaire des données",
  "the database is damaged: {}": "la base est endommagée : {1}",
  'stop the server, keep a copy of the directory, and say "backup restore" of the newest backup':
    "arrêtez le serveur, gardez une copie du répertoire, et restaurez la dernière sauvegarde par « backup restore »",
  "name another storage.directory": "nommez un autre storage.directory",
  "the database was written by a newer bendre (schema {})":
    "la base a été écrite par un bendre plus récent (schéma {1})",
  "start the newer executable, or restore a backup of before the upgrade":
    "démarrez l'exécutable plus récent, ou restaurez une sauvegarde d'avant la mise à niveau",
  "the database has schema {}: the next start upgrades it":
    "la base a le schéma {1} : le prochain démarrage la met à niveau",
  "start the server": "démarrez le serveur",
  "{} MB of schema {}; its pages are read by each backup's drill":
    "{1} Mo au schéma {2} ; ses pages sont lues à chaque essai de sauvegarde",
  "{} MB of schema {}, its pages are sound": "{1} Mo au schéma {2}, ses pages sont bonnes",
  'say "backup create": what it answers says what is in the way':
    "dites « backup create » : sa réponse dit ce qui empêche la sauvegarde",
  "no backup was made yet": "aucune sauvegarde n'a encore été faite",
  "the newest backup is of {}, and its file {} is gone":
    "la dernière sauvegarde est du {1}, et son fichier {2} n'est plus là",
  "the newest backup is of {}: one of last night is missing":
    "la dernière sauvegarde est du {1} : il manque celle de la nuit dernière",
  "the newest backup is of {}: {}": "la dernière sauvegarde est du {1} : {2}",
  "no backup was restored for a trial yet": "aucune sauvegarde n'a encore été restaurée pour essai",
  "the trial of a backup {} failed: {}": "l'essai d'une sauvegarde le {1} a échoué : {2}",
  'say "backup create", then "backup drill"; keep older backups until one is sound':
    "dites « backup create », puis « backup drill » ; gardez les sauvegardes plus anciennes tant qu'aucune n'est bonne",
  "one was restored for a trial {} and is sound": "la dernière, restaurée pour essai le {1}, est bonne",
  "the keys go into each backup, sealed with the passphrase":
    "les clés vont dans chaque sauvegarde, scellées par la phrase secrète",
  "the keys are left out of backups: a restore loses the signing secrets of endpoints and second factors of users":
    "les clés ne vont pas dans les sauvegardes : une restauration perd les secrets de signature des webhooks et les seconds facteurs des utilisateurs",
  "set [backup] passphrase, or keep the .key files of the data directory elsewhere":
    "réglez passphrase dans [backup], ou gardez ailleurs les clés du répertoire de données (les fichiers .key)",
  "the key of erased numbers is missing: those that are suppressed are not recognised, and are sent to again":
    "la clé des numéros effacés manque : ceux qui sont sur une liste d'exclusion ne sont pas reconnus et reçoivent à nouveau des messages",
  "put erased-numbers.key back into the data directory, with the server stopped: backups hold it, sealed":
    "remettez la clé erased-numbers.key dans le répertoire de données, serveur arrêté : les sauvegardes la contiennent, scellée",
  "those that are suppressed are recognised": "ceux qui sont sur une liste d'exclusion sont reconnus",
  "the books were not checked yet: they are every night":
    "les livres n'ont pas encore été vérifiés : ils le sont chaque nuit",
  "the books agreed {}": "les livres étaient justes le {1}",
  "the books of {} have {} difference(s)": "les livres du {1} ont {2} différence(s)",
  '"ledger check" names them': "« ledger check » les nomme",
  "the check of the books of {} failed: {}": "la vérification des livres du {1} a échoué : {2}",
  'say "ledger check"': "dites « ledger check »",
  "the books were checked last {}: last night's check is missing":
    "les livres ont été vérifiés le {1} : il manque la vérification de la nuit dernière",
  "every code that something waits for is configured": "chaque code que quelque chose attend est configuré",
  'configure the operator again, or say "operator rename" or "operator retire"':
    "configurez à nouveau l'opérateur, ou dites « operator rename » ou « operator retire »",
  "{} of {} connection(s) bound": "{1} connexion(s) liée(s) sur {2}",
  "{} of {} connection(s) bound: {}": "{1} connexion(s) liée(s) sur {2} : {3!}",
  "{} of {} connection(s) reachable": "{1} connexion(s) joignable(s) sur {2}",
  "{} of {} connection(s) reachable: {}": "{1} connexion(s) joignable(s) sur {2} : {3!}",
  "{} of {} connection(s) bound; it is paused: {}":
    "{1} connexion(s) liée(s) sur {2} ; il est en pause : {3}",
  '"operator status" tells the last error of each connection; call the operator if it is not ours':
    "« operator status » dit la dernière erreur de chaque connexion ; appelez l'opérateur si elle n'est pas de notre fait",
  "check host and port, the way through firewalls and a VPN, and call the operator":
    "vérifiez host et port, le passage par les pare-feu et le VPN, et appelez l'opérateur",
  '"operator resume {}" lets it go on': "« operator resume {1} » le laisse reprendre",
  "no endpoint has a name to look up": "aucun webhook n'a de nom à chercher",
  "{} name(s) of endpoints resolve": "{1} nom(s) de webhooks se résolvent",
  "{} of {} name(s) of endpoints do not resolve: {}":
    "{1} nom(s) de webhooks sur {2} ne se résolvent pas : {3}",
  "check the resolver: /etc/resolv.conf": "vérifiez la résolution des noms : /etc/resolv.conf",
  "ask the clients whose endpoints these are": "demandez aux clients dont ce sont les webhooks",
  "no certificate is configured": "aucun certificat n'est configuré",
  'put a renewed certificate in its place, then say "config reload"':
    "mettez un certificat renouvelé à sa place, puis dites « config reload »",
  "{} names a file without a certificate that can be read": "{1} nomme un fichier sans certificat lisible",
  "{} ended {}": "{1} a pris fin le {2}",
  "{} ends {}": "{1} prend fin le {2}",
  "{} configured, the first ends {}": "{1} configuré(s), le premier prend fin le {2}",
  "{} is free": "{1} est libre",
  "{} cannot be listened on: {}": "{1} ne peut pas être écoutée : {2}",
  "end the program that has it, or name another server.listen":
    "arrêtez le programme qui la tient, ou nommez un autre server.listen",
  "no server runs on the data directory": "aucun serveur ne tourne sur le répertoire de données",
  'start it: "bendre serve", or the service': "démarrez-le : « bendre serve », ou le service",
  "say this as the owner of the data, with the executable that the server runs":
    "lancez ceci sous le propriétaire des données, avec l'exécutable du serveur",
  "submissions are not taken: {}": "les soumissions ne sont pas prises : {1}",
  "see the other checks and the log": "voyez les autres points et le journal",
  "{} runs and takes submissions": "{1} tourne et prend les soumissions",
  "{} runs, and this executable is {}": "{1} tourne, et cet exécutable est {2}",
  "restart the server: sudo systemctl restart bendre":
    "redémarrez le serveur : sudo systemctl restart bendre",
  "the file has faults: the server goes on with what it has":
    "le fichier a des fautes : le serveur continue avec ce qu'il a",
  'mend it: "config check"': "corrigez-le : « config check »",
  "the server runs with what the file says": "le serveur tourne avec ce que dit le fichier",
  "the file says otherwise than what is in force: {}":
    "le fichier dit autre chose que ce qui est en vigueur : {1}",
  "restart the server: these settings need it": "redémarrez le serveur : ces réglages le demandent",
  '"config diff" shows what would change, "config reload" puts it in force':
    "« config diff » montre ce qui changerait, « config reload » le met en vigueur",
};
