/** What the checks of `GET /health` find, as the console shows it. */
export const SENTENCES_OF_HEALTH: Readonly<Record<string, string>> = {
  none: "aucune",
  "submissions are taken": "les envois sont acceptés",
  "the clock is believed": "l’horloge est tenue pour juste",
  "the database can be written": "la base de données s’écrit",
  "a commit has been under way for {} s": "une écriture est en cours depuis {1} s",
  "look at the disk: it is very slow or does not answer":
    "voyez le disque : il est très lent, ou ne répond pas",
  "make room on its disk, or give its files to the user that the server runs as":
    "faites de la place sur son disque, ou donnez ses fichiers à l’utilisateur du service",
  "{} MB of {} MB free": "{1} Mo libres sur {2} Mo",
  "{} MB of {} MB free: nothing new is accepted": "{1} Mo libres sur {2} Mo : plus rien n’est accepté",
  "{} MB of {} MB free: nothing new is accepted, and nothing is sent":
    "{1} Mo libres sur {2} Mo : plus rien n’est accepté, et rien ne part",
  "no operator is connected: every number is answered UNROUTABLE_PREFIX":
    "aucun opérateur n'est raccordé : tout numéro reçoit la réponse UNROUTABLE_PREFIX",
  'put a table [operators.CODE] into the configuration, then "config reload"':
    "mettez une table [operators.CODE] dans la configuration, puis « config reload »",
  "{} of {} connections to {} operators bound": "connexions en ligne : {1} sur {2}, opérateurs : {3}",
  "1 message waits for {}, which is not configured":
    "1 message attend {1}, qui n’est pas dans la configuration",
  "{} messages wait for {}, which is not configured":
    "{1} messages attendent {2}, qui n’est pas dans la configuration",
  "and {} more": "et {1} autres",
  "{} is paused since {} ({})": "{1} est en pause depuis {2} ({3})",
  "{} has {} of {} connections paused since {} ({})":
    "{1} a {2} connexions sur {3} en pause depuis {4} ({5})",
  "{} is away since {}": "{1} ne répond plus depuis {2}",
  "{} is away since {} ({})": "{1} ne répond plus depuis {2} ({3!})",
  "{} has {} of {} connections down since {}": "{1} a {2} connexions coupées sur {3} depuis {4}",
  "{} has {} of {} connections down since {} ({})": "{1} a {2} connexions coupées sur {3} depuis {4} ({5!})",
  '"operator status" tells the last error of each connection; "operator resume" ends a pause':
    "« operator status » donne la dernière erreur de chaque connexion ; « operator resume » met fin à une pause",
  'configure the operator again, or say "operator rename" or "operator retire"':
    "remettez l’opérateur dans la configuration, ou dites « operator rename » ou « operator retire »",
  "nothing urgent waits for long": "rien d’urgent n’attend longtemps",
  "the oldest {} waits for {} s, since {}": "le plus ancien {1} attend depuis {2} s, depuis {3}",
  '"operator status" tells which operator is away or slow':
    "« operator status » dit quel opérateur ne répond plus ou tarde",
  "{} endpoints, none failing": "webhooks : {1}, aucun en échec",
  "{} of {} endpoints fail again and again, {} among them":
    "webhooks qui échouent sans cesse : {1} sur {2}, dont {3}",
  '"webhook show {}" tells why': "« webhook show {1} » dit pourquoi",
  "not checked yet: they are every night": "pas encore vérifiés : ils le sont chaque nuit",
  "checked at {}": "vérifiés le {1}",
  "checked at {}: {} differences": "vérifiés le {1} : {2} écarts",
  "checked at {}: the check failed ({})": "vérifiés le {1} : la vérification a échoué ({2!})",
  "checked at {}: last night's check is missing": "vérifiés le {1} : la vérification de cette nuit manque",
  '"ledger check" names them': "« ledger check » les cite",
  'say "ledger check"': "dites « ledger check »",
  "the newest is of {}": "la plus récente est du {1}",
  "one was restored for a trial {}": "une a été restaurée pour essai le {1}",
  "none was made yet": "aucune n’a encore été faite",
  "last night's failed: {}": "celle de cette nuit a échoué : {1!}",
  "{}: last night's is missing": "{1!} : celle de cette nuit manque",
  "its trial {} failed: {}": "son essai du {1} a échoué : {2!}",
  'say "backup create": what it answers says what is in the way':
    "dites « backup create » : sa réponse dit ce qui l’empêche",
  'say "backup create" and "backup drill"': "dites « backup create » et « backup drill »",
  "none is configured": "aucun n’est configuré",
  "{} configured, the first ends {}": "{1} configurés, le premier finit le {2}",
  "{} names a file that holds no certificate that can be read":
    "{1} désigne un fichier où aucun certificat ne peut être lu",
  "the certificate of {} ended {}": "le certificat de {1} a fini le {2}",
  "the certificate of {} ends {}": "le certificat de {1} finit le {2}",
  'put a renewed certificate in its place, then "config reload"':
    "mettez un certificat renouvelé à sa place, puis « config reload »",
  '"alert list" says what to do about each': "« alert list » dit que faire pour chacune",
};
