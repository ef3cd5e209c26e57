/** Those about operators, webhooks, the server, files and backups. */
export const SENTENCES_OF_UPKEEP: Readonly<Record<string, string>> = {
  "{} is there already: name a new file": "{1} existe déjà : donnez un nouveau fichier",
  "the description {}": "cette description ne convient pas ({1!})",
  "the URL {}": "cette URL ne convient pas ({1!})",
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
  "the backup {} could not be made: {}": "la sauvegarde {1} n'a pas pu être faite : {2!}",
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
  "the keys are left out: set [backup] passphrase, or keep the .key files of the data directory elsewhere; without them the signing secrets of endpoints and second factors of users are lost in a restore":
    "les clés n'y sont pas : réglez passphrase dans [backup], ou gardez ailleurs les fichiers .key du répertoire de données ; sans eux, une restauration perd les secrets de signature des webhooks et les seconds facteurs des utilisateurs",
  "this database was never restored from a backup: there is nothing to decide":
    "cette base n'a jamais été restaurée d'une sauvegarde : il n'y a rien à décider",
  "the old machine last ran between {}: --died-at {} is not":
    "l'ancienne machine a tourné pour la dernière fois entre {1} : --died-at {2} n'y est pas",
};
