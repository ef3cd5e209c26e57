/** Accounts, keys, wallets, senders, lists of numbers and prices. */
export const HELP_OF_ACCOUNTS: Readonly<Record<string, string>> = {
  "create a client account with an empty wallet": "crée le compte d'un client, au portefeuille vide",
  "what people call it": "le nom sous lequel on le connaît",
  "paid before sending, or after": "payé avant l'envoi (prepaid) ou après (postpaid)",
  "what may be typed in place of its id: 2 to 20 of a to z, 0 to 9 and -":
    "ce que l'on peut taper à la place de son identifiant : 2 à 20 signes parmi a à z, 0 à 9 et -",
  "how far below zero a postpaid account may go":
    "jusqu'où un compte postpayé peut descendre au-dessous de zéro",
  "IANA timezone, such as Africa/Ouagadougou": "fuseau horaire IANA, par exemple Africa/Ouagadougou",
  "list all accounts": "liste tous les comptes",
  "show an account's settings, status and wallet":
    "montre les réglages, l'état et le portefeuille d'un compte",
  "the account: its id, short name or name, or the last 4 or more characters of its id":
    "le compte : son identifiant, son nom court ou son nom, ou au moins les 4 derniers caractères de son identifiant",
  "change settings of an account": "change des réglages d'un compte",
  "most recipients in any 60 seconds; 0: no ceiling; default: as the configuration says":
    "nombre maximal de destinataires par 60 secondes ; 0 : sans plafond ; default : selon la configuration",
  "most recipients in a calendar day; 0: no ceiling; default: as the configuration says":
    "nombre maximal de destinataires par jour civil ; 0 : sans plafond ; default : selon la configuration",
  "when MARKETING may be sent, in the account's timezone; default: as the configuration says":
    "heures où MARKETING peut partir, dans le fuseau horaire du compte ; default : selon la configuration",
  "most MARKETING to one number in a calendar day; 0: no cap; default: as the configuration says":
    "nombre maximal de MARKETING vers un même numéro par jour civil ; 0 : sans limite ; default : selon la configuration",
  "most MARKETING to one number in an ISO week; 0: no cap; default: as the configuration says":
    "nombre maximal de MARKETING vers un même numéro par semaine ISO ; 0 : sans limite ; default : selon la configuration",
  "what it may send: OTP, TRANSACTIONAL, MARKETING, or all":
    "ce qu'il peut envoyer : OTP, TRANSACTIONAL, MARKETING, ou all pour tout",
  "when a message is charged; default: as the configuration says":
    "quand un message est facturé ; default : selon la configuration",
  "below this much to spend the account is told; default: never":
    "le compte est prévenu quand il lui reste moins que cela à dépenser ; default : jamais",
  "whether texts are rewritten so that they fit GSM-7, where a batch does not say":
    "si les textes sont réécrits pour tenir en GSM-7, quand un lot n'en dit rien",
  "what becomes of a tag without a value, where a batch does not say":
    "ce que devient une balise sans valeur, quand un lot n'en dit rien",
  "what is sent by WhatsApp goes on as SMS after so many seconds of silence, where a batch does not say; off: never":
    "ce qui part par WhatsApp repart par SMS après ce nombre de secondes de silence, quand un lot n'en dit rien ; off : jamais",
  "make it prepaid although it owes something": "le passe en prépayé bien qu'il doive quelque chose",
  "bar an account from the API and hold its waiting messages back":
    "ferme l'API à un compte et retient ses messages en attente",
  "why, for the audit list": "le motif, pour le journal d'audit",
  "let a suspended account in again": "rouvre l'API à un compte suspendu",
  "give an account another name": "donne un autre nom à un compte",
  "the new name; no other account may have it": "le nouveau nom ; aucun autre compte ne doit le porter",
  "end an account for good: its keys, endpoints and senders":
    "ferme un compte pour toujours : ses clés, ses webhooks et ses expéditeurs",
  "cancel what waits, and enter what the wallet holds or owes as CLOSING":
    "annule ce qui attend et solde le portefeuille par une écriture CLOSING",
  "create an API key; its secret is shown this once":
    "crée une clé d'API ; son secret n'est montré que cette fois",
  "what the key is for": "à quoi sert la clé",
  "MESSAGES_SEND, MESSAGES_READ, ACCOUNT_READ, SENDER_IDS_READ, WEBHOOKS_MANAGE, or all":
    "MESSAGES_SEND, MESSAGES_READ, ACCOUNT_READ, SENDER_IDS_READ, WEBHOOKS_MANAGE, ou all pour tout",
  "when it ends; never without this": "la fin de sa validité ; sans cela, elle n'expire pas",
  "list an account's keys, without secrets": "liste les clés d'un compte, sans leurs secrets",
  "end a key at once and for good": "révoque une clé, aussitôt et pour toujours",
  "the e-mail address that the user signs in with":
    "l'adresse électronique avec laquelle l'utilisateur se connecte",
  "what the user may do": "ce que l'utilisateur peut faire",
  "add a user of the console, and print the link that sets the password":
    "ajoute un utilisateur de la console et affiche le lien qui fixe le mot de passe",
  "the account of a role that belongs to one": "le compte, pour un rôle qui en dépend",
  "what the user reads": "la langue de l'utilisateur",
  "list the users of the console": "liste les utilisateurs de la console",
  "those of one account": "ceux d'un seul compte",
  "print a link that sets a new password and second factor, once and within 30 minutes":
    "affiche un lien qui fixe un nouveau mot de passe et un second facteur, une seule fois et pendant 30 minutes",
  "give a user another role; sessions end":
    "donne un autre rôle à un utilisateur ; ses sessions prennent fin",
  "end a user's sessions, and let nobody in by that login":
    "ferme les sessions d'un utilisateur et ne laisse plus entrer personne sous cette adresse",
  "take a user away, so that the login is free for somebody else":
    "supprime un utilisateur ; son adresse redevient libre pour quelqu’un d’autre",
  "let a disabled user in again": "laisse de nouveau entrer un utilisateur désactivé",
  "take a user's password, second factor and sessions away, and print a link for new ones":
    "retire à un utilisateur mot de passe, second facteur et sessions, et affiche un lien pour en fixer de nouveaux",
  "the 12 characters after bdr_ or bdr_test_": "les 12 caractères qui suivent bdr_ ou bdr_test_",
  "test: opens the account's sandbox, from which nothing leaves; live without this":
    "test : ouvre le bac à sable du compte, d'où rien ne part ; sans cela, live",
  "test: the list of the account's sandbox; live without this":
    "test : la liste du bac à sable du compte ; sans cela, live",
  "test: the endpoints of the account's sandbox; live without this":
    "test : les webhooks du bac à sable du compte ; sans cela, live",
  "test: what was sent with test keys; live without this":
    "test : ce qui a été envoyé avec des clés d'essai ; sans cela, live",
  "pay money into a wallet; a reference counts once":
    "verse de l'argent dans un portefeuille ; une référence ne compte qu'une fois",
  "whole XOF": "en francs CFA (XOF), sans décimales",
  "create a user for clients of Kannel and Jasmin; the password is shown this once":
    "crée un utilisateur pour les clients de Kannel et de Jasmin ; le mot de passe n'est montré que cette fois",
  "list an account's users for clients of Kannel and Jasmin, without passwords":
    "liste les utilisateurs d'un compte pour les clients de Kannel et de Jasmin, sans mot de passe",
  "end such a user at once and for good": "met fin à un tel utilisateur, tout de suite et pour toujours",
  "the user name": "le nom de l'utilisateur",
  "the user name that the client sends": "le nom d'utilisateur que le client envoie",
  "the class of all that the user sends; TRANSACTIONAL unless given":
    "la classe de tout ce que l'utilisateur envoie ; TRANSACTIONAL par défaut",
  "the sender where a request names none": "l'expéditeur quand la demande n'en nomme pas",
  "the payment's own reference": "la référence du paiement",
  "correct a wallet by hand, up or down": "corrige un portefeuille à la main, en plus ou en moins",
  "whole XOF, with a sign: -500": "en francs CFA (XOF), sans décimales, avec son signe : -500",
  "why, for the statement": "le motif, pour le relevé",
  "show what an account has and may spend": "montre ce qu'un compte possède et peut dépenser",
  "list the entries of a wallet with cause and running balance, or what its batches cost":
    "liste les écritures d'un portefeuille, avec leur cause et le solde après chacune, ou ce que ses lots coûtent",
  "entries at or after this; a date alone is UTC":
    "les écritures à partir de cet instant ; une date seule est en UTC",
  "entries before this; a date alone includes that day":
    "les écritures avant cet instant ; une date seule comprend ce jour",
  "what this batch costs, by operator and price": "ce que coûte ce lot, par opérateur et par prix",
  'what each batch accepted in that time costs; by operator and price: "wallet invoice"':
    "ce que coûte chaque lot accepté pendant ce temps ; par opérateur et par prix : « wallet invoice »",
  "as comma-separated values": "en CSV : valeurs séparées par des virgules",
  "add up what an account sent by operator, message class and price: a statement of consumption, not an invoice":
    "totalise ce qu'un compte a envoyé, par opérateur, classe de message et prix : un relevé de consommation, pas une facture",
  "batches accepted at or after this; a date alone is UTC":
    "les lots acceptés à partir de cet instant ; une date seule est en UTC",
  "batches accepted before this; a date alone includes that day":
    "les lots acceptés avant cet instant ; une date seule comprend ce jour",
  "ask for a sender in the name of an account": "demande un expéditeur au nom d'un compte",
  "the sender, exactly as recipients see it": "l'expéditeur, exactement tel que le voient les destinataires",
  "let an account use a sender": "autorise un compte à utiliser un expéditeur",
  "refuse a sender, or take its approval back": "refuse un expéditeur, ou lui retire son autorisation",
  "why, for the account": "le motif, pour le compte",
  "note that an operator has registered a sender": "note qu'un opérateur a enregistré un expéditeur",
  "the operator's code in the configuration": "le code de l'opérateur dans la configuration",
  "the operator's code in the configuration, or all of it":
    "le code de l'opérateur dans la configuration, ou all pour tous ceux qu'elle a",
  "note that an operator does not know a sender any more":
    "note qu'un opérateur ne connaît plus un expéditeur",
  "list an account's senders and their registrations":
    "liste les expéditeurs d'un compte et leurs enregistrements",
  "list the senders of all accounts that wait for an approval or a first registration":
    "liste les expéditeurs, tous comptes confondus, qui attendent une autorisation ou un premier enregistrement",
  "send a number nothing of a class any more": "n'envoie plus rien d'une classe à un numéro",
  "the number, in local or international form": "le numéro, sous sa forme locale ou internationale",
  "the appliance-wide list, which counts for every account":
    "la liste de toute l'installation, qui vaut pour chaque compte",
  "OTP, TRANSACTIONAL, MARKETING or all": "OTP, TRANSACTIONAL, MARKETING, ou all pour toutes",
  "why, for the list": "le motif, pour la liste",
  "take a number off a list": "retire un numéro d'une liste",
  "put the numbers of a file on a list: all of them, or none when a line is wrong":
    "met les numéros d'un fichier sur une liste : tous, ou aucun si une ligne est fausse",
  "CSV: number, class, note; a first line with msisdn in it names the columns":
    "CSV : numéro, classe, remarque ; une première ligne où figure msisdn nomme les colonnes",
  "of lines that name none; MARKETING without this":
    "celle des lignes qui n'en nomment pas ; sans cela, MARKETING",
  "leave out lines that cannot be read, and list them": "saute les lignes illisibles et en donne la liste",
  "list the numbers that are sent nothing of a class":
    "liste les numéros à qui rien d'une classe n'est envoyé",
  "numbers after this one: next_after of the page before":
    "les numéros après celui-ci : next_after de la page précédente",
  "how many numbers; 1000 without this": "combien de numéros ; sans cela, 1000",
  "as comma-separated values, which an import reads back":
    "en CSV : valeurs séparées par des virgules, telles qu'un import les relit",
  "set what a segment costs an account, in place of the operator's price":
    "fixe ce qu'un segment coûte à un compte, à la place du prix de l'opérateur",
  "whole XOF per segment": "en francs CFA (XOF) par segment, sans décimales",
  "only what came so: ADMIN, IMPORT, KEYWORD, META; all of it without this":
    "seulement ce qui vient de là : ADMIN, IMPORT, KEYWORD ou META ; sans cela, tout",
  "only for OTP, TRANSACTIONAL, MARKETING; all classes without this":
    "pour OTP, TRANSACTIONAL ou MARKETING seulement ; sans cela, pour toutes les classes",
  "take a price of an account's own away, so that the one behind it counts":
    "retire à un compte un prix qui lui est propre : celui qui se trouve derrière compte à nouveau",
  "the operator's code": "le code de l'opérateur",
  "the price for this class; without it, the one for all classes":
    "le prix de cette classe ; sans cela, celui de toutes les classes",
  "list what an account pays: the operators' prices and its own":
    "liste ce que paie un compte : les prix des opérateurs et les siens",
  "list the prices that were ever set for an account, newest first":
    "liste tous les prix fixés un jour pour un compte, les plus récents d'abord",
};
