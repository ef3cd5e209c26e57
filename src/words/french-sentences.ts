import { SENTENCES_OF_CAUSES } from "./french-sentences-causes.ts";
import { SENTENCES_OF_THE_CONFIGURATION } from "./french-sentences-config.ts";
import { SENTENCES_OF_FAULTS } from "./french-sentences-faults.ts";
import { SENTENCES_OF_MESSAGES } from "./french-sentences-messages.ts";
import { SENTENCES_OF_OPERATOR_TESTS } from "./french-sentences-operators.ts";
import { SENTENCES_OF_REQUESTS } from "./french-sentences-requests.ts";
import { SENTENCES_OF_SENDING } from "./french-sentences-sending.ts";
import { SENTENCES_OF_TRAFFIC } from "./french-sentences-traffic.ts";
import { SENTENCES_OF_UPKEEP } from "./french-sentences-upkeep.ts";

/** What refusals and warnings say; see sentences.ts. */
export const SENTENCES_IN_FRENCH: Readonly<Record<string, string>> = {
  ...SENTENCES_OF_THE_CONFIGURATION,
  ...SENTENCES_OF_OPERATOR_TESTS,
  ...SENTENCES_OF_UPKEEP,
  ...SENTENCES_OF_FAULTS,
  ...SENTENCES_OF_CAUSES,
  ...SENTENCES_OF_TRAFFIC,
  ...SENTENCES_OF_SENDING,
  ...SENTENCES_OF_MESSAGES,
  ...SENTENCES_OF_REQUESTS,
  "no setting was given": "aucun réglage n'a été donné",
  'the account {} would begin {} XOF below zero (its balance is {} XOF, {} XOF of which are set aside): enter what it pays with "wallet topup", or say --force; then nothing more is accepted until it has paid':
    "le compte {1} commencerait {2} XOF au-dessous de zéro (son solde est de {3} XOF, dont {4} XOF mis de côté) : entrez ce qu'il paie avec « wallet topup », ou dites --force ; rien d'autre n'est alors accepté tant qu'il n'a pas payé",
  "a prepaid account has no credit limit": "un compte prépayé n'a pas de plafond de crédit",
  "{} is not an IANA timezone": "{1} n'est pas un fuseau horaire IANA",
  "an account needs at least one message class": "il faut à un compte au moins une classe de message",
  "{} is no instant: a date (2026-03-22, 22/03/2026), a date and a time (2026-03-22T09:30, 22/03/2026 09:30), or how long ago (30m, 2h, 3d)":
    "{1} n'est pas un moment : une date (22/03/2026), une date et une heure (22/03/2026 09:30), ou il y a combien de temps (30m, 2h, 3d)",
  "the clocks of {} never show {}: they were put forward over it":
    "les horloges de {1} ne montrent jamais {2} : elles ont été avancées par-dessus",
  "--from {} is after --to {}: nothing lies between them":
    "--from {1} vient après --to {2} : il n'y a rien entre les deux",
  "{} is not a phone number": "{1} n'est pas un numéro de téléphone",
  "the batch is {}: there is nothing to cancel": "le lot est {1} : il n'y a rien à annuler",
  "nothing was erased: {} that waited are cancelled, and this is not final yet: {}; wait until it is":
    "rien n'a été effacé : ce qui attendait est annulé ({1}), et ceci n'est pas encore terminé : {2} ; attendez que ce le soit",
  "nothing was erased: {}; put erased-numbers.key back into the data directory, or say --new-key where it is lost: they are never recognised again then":
    "rien n'a été effacé : {1} ; remettez la clé erased-numbers.key dans le répertoire de données, ou ajoutez --new-key si elle est perdue : ils ne seront alors plus jamais reconnus",
  "nothing was erased: this is not final yet: {}; --cancel cancels what is QUEUED or SCHEDULED, and the rest is to be waited for":
    "rien n'a été effacé : ceci n'est pas encore terminé : {1} ; --cancel annule ce qui est QUEUED ou SCHEDULED, et il faut attendre le reste",
  "there is no batch {}": "il n'y a pas de lot {1}",
  "the account has no batch {}": "le compte n'a pas de lot {1}",
  "the batch {} is of another account": "le lot {1} est à un autre compte",
  "there is no message {}": "il n'y a pas de message {1}",
  "there is no message {} to be followed": "il n'y a pas de message {1} à suivre",
  "there is no key {}": "il n'y a pas de clé {1}",
  "there is no user {}": "il n'y a pas d'utilisateur {1}",
  "{} cannot be made a user here: ask whoever runs the appliance":
    "{1} ne peut pas devenir un utilisateur ici : demandez à qui exploite le serveur",
  "there is an operator {} already: choose another short name":
    "il y a déjà un opérateur {1} : choisissez un autre nom court",
  "the file has an operator {} already, which is not in force yet: reload the file on the page State":
    "le fichier a déjà un opérateur {1}, qui n'est pas encore en vigueur : rechargez le fichier à la page État",
  "{} ({}) has {} already: take them out here, or out of its prefixes in the file first":
    "{1} ({2}) a déjà {3} : retirez-les ici, ou d'abord de ses préfixes dans le fichier",
  "it took too long: begin again": "cela a pris trop de temps : recommencez",
  "there is a user {} already": "il y a déjà un utilisateur {1}",
  'there is a user {} already, of {}, who never came in: "user link" makes them a link, "user delete" frees the login':
    "il y a déjà un utilisateur {1}, de {2}, qui n’est jamais entré : « user link » lui fait un lien, « user delete » libère l’adresse",
  "the user {} is disabled: enable them first": "l'utilisateur {1} est désactivé : réactivez-le d'abord",
  'the user {} is the last OWNER who can sign in: make another first, with "user create" or "user role", who uses the link':
    "l'utilisateur {1} est le dernier OWNER qui puisse se connecter : faites-en d'abord un autre, avec « user create » ou « user role », qui se serve de son lien",
  "{} is not an e-mail address": "{1} n'est pas une adresse électronique",
  "{} is not a language: fr or en": "{1} n'est pas une langue d'ici : fr ou en",
  "{} is not a role: {}": "{1} n'est pas un rôle : {2}",
  "the role {} belongs to an account: name it with --account":
    "le rôle {1} dépend d'un compte : nommez-le par --account",
  "the role {} belongs to the appliance: it takes no account":
    "le rôle {1} est celui de l'appareil entier : il ne prend pas de compte",
  "sign in first": "connectez-vous d'abord",
  "your role may not do this": "votre rôle ne le permet pas",
  "this asks for the second factor again": "cela demande de nouveau le second facteur",
  "the request does not come from a page of this appliance":
    "la demande ne vient pas d'une page de cet appareil",
  "the console is served over TLS, or to this machine alone":
    "la console n'est servie que par TLS, ou sur cette machine même",
  "no such resource": "il n'y a rien de tel",
  "the request is not as it must be": "la demande n'est pas comme il faut",
  "the sign-in was refused: look at what you typed, and try again":
    "la connexion est refusée : vérifiez ce que vous avez tapé, puis réessayez",
  "that was not right, or was used already": "ce n'est pas juste, ou cela a déjà servi",
  "the link was used, is too old, or was replaced by a newer one":
    "ce lien a déjà servi, il est trop ancien, ou un plus récent le remplace",
  "the password needs 12 to 200 characters, and may not be the login":
    "le mot de passe doit avoir de 12 à 200 signes et ne peut pas être l'adresse",
  "the login must be an e-mail address": "l'identifiant doit être une adresse électronique",
  "too many attempts: wait, then try again": "trop d'essais : attendez, puis réessayez",
  "too many requests at once: wait, then try again": "trop de demandes à la fois : attendez, puis réessayez",
  "{} recipients of the account were rejected today: its submissions are taken again tomorrow":
    "{1} destinataires du compte ont été rejetés aujourd’hui : ses envois sont repris demain",
  "a webhook is tested at most {} times a minute": "un webhook se teste au plus {1} fois par minute",
  "at most 50 people are let in a day: wait, or ask whoever runs the appliance":
    "50 personnes au plus sont ajoutées par jour : attendez, ou demandez à qui exploite le service",
  "Nobody can sign in to the console yet. This link makes its owner, once and within 30 minutes:":
    "Personne ne peut encore se connecter à la console. Ce lien en désigne le propriétaire, une seule fois et pendant 30 minutes :",
  "When it has run out, start again, or make the owner by their address:":
    "Quand il n'est plus valable, redémarrez, ou créez le propriétaire par son adresse :",
  "user must have 1 to 16 letters, digits, dots, dashes or underscores":
    "user doit avoir de 1 à 16 lettres, chiffres, points, tirets ou tirets bas",
  "the account may send {}": "le compte peut envoyer {1}",
  "the account has no sender {}": "le compte n'a pas d'expéditeur {1}",
  "{} is not a class: {}": "{1} n'est pas une classe : {2}",
  "there is no webhook {}": "il n'y a pas de webhook {1}",
  '{}; "account list" shows all': "{1!} ; « account list » les montre tous",
  '{}; "user list" shows all': "{1!} ; « user list » les montre tous",
  '{}; "batch find" finds any, "batch list ACCOUNT" shows those of an account':
    "{1!} ; « batch find » les trouve tous, « batch list COMPTE » montre ceux d'un compte",
  '{}; "message find" finds any': "{1!} ; « message find » les trouve tous",
  '{}; "inbound list" shows what came in': "{1!} ; « inbound list » montre ce qui est arrivé",
  '{}; "key list ACCOUNT" shows those of an account': "{1!} ; « key list COMPTE » montre celles d'un compte",
  '{}; "webhook list ACCOUNT" shows those of an account':
    "{1!} ; « webhook list COMPTE » montre ceux d'un compte",
  '{}; "sender list ACCOUNT" shows those of an account':
    "{1!} ; « sender list COMPTE » montre ceux d'un compte",
  '{}; "compat list ACCOUNT" shows those of an account':
    "{1!} ; « compat list COMPTE » montre ceux d'un compte",
  "who reads texts is recorded first, and the data directory {} cannot be written: no text is shown":
    "la lecture des textes est d'abord notée, et le répertoire de données {1} n'est pas accessible en écriture : aucun texte n'est montré",
  "storage.directory {} cannot be written ({}): is its disk mounted read-only?":
    "storage.directory {1} n'est pas accessible en écriture ({2}) : son disque est-il monté en lecture seule ?",
  "there is no account {}": "il n'y a pas de compte {1}",
  "there is no account {}; did you mean {}?": "il n'y a pas de compte {1} ; vouliez-vous dire {2} ?",
  'there is no account {}; "account list" shows all':
    "il n'y a pas de compte {1} ; « account list » les montre tous",
  "{} fits {} accounts: {}; say the id": "{1} convient à {2} comptes : {3} ; donnez l'identifiant",
  "{} fits {} accounts: {} and {} more; say the id":
    "{1} convient à {2} comptes : {3} et {4} autres ; donnez l'identifiant",
  "{} must be 2 to 20 of the letters a to z, digits and -":
    "{1} doit avoir 2 à 20 signes parmi les lettres a à z, les chiffres et -",
  "{} is how the id of {} ends": "l'identifiant de {2} se termine par {1}",
  "{} is what the account {} is called": "le compte {2} s'appelle déjà {1}",
  '{} is what the closed account {} is called; "account rename" gives that one another name':
    "le compte fermé {2} s'appelle déjà {1} ; « account rename » lui donne un autre nom",
  "{} must be {}, or default": "{1} doit être {2!}, ou default",
  'the account {} ({}) cannot be closed: {}. Settle it with "batch cancel" and "wallet topup" or "wallet adjust", or say --force: it cancels what waits, gives back what that held, and enters the rest of the wallet as {}; messages on their way are still decided by their receipts':
    "le compte {1} ({2}) ne peut pas être fermé : {3!}. Soldez-le avec « batch cancel » et « wallet topup » ou « wallet adjust », ou dites --force : ce qui attend est annulé, ce qu'il retenait est rendu, et le reste du portefeuille est soldé par une écriture {4} ; les messages en route sont encore décidés par leurs accusés",
  "1 message waits to be sent": "1 message attend de partir",
  "{} messages of 1 batch wait to be sent": "{1} messages d'un lot attendent de partir",
  "{} messages of {} batches wait to be sent": "{1} messages de {2} lots attendent de partir",
  "a batch was accepted just now": "un lot vient d'être accepté",
  "{} XOF are set aside for messages that have no end yet":
    "{1} XOF sont mis de côté pour des messages qui n'ont pas encore de fin",
  "its wallet holds {} XOF": "son portefeuille contient {1} XOF",
  "it owes {} XOF": "il doit {1} XOF",
  "the account {} ({}) was closed": "le compte {1} ({2}) a été fermé",
  "the account {} ({}) was closed on {}": "le compte {1} ({2}) a été fermé le {3}",
  "a price must be whole XOF from 0 to {}": "un prix doit être un nombre entier de XOF, de 0 à {1}",
  "the account has no such price of its own: see price list":
    "le compte n'a pas de tel prix à lui : voyez « price list »",
  "messages to {} cost this account nothing now": "les messages vers {1} ne coûtent plus rien à ce compte",
  "the reference {} stands for a top-up of another amount: {} XOF to {}, counted on {}":
    "la référence {1} est celle d'un versement d'un autre montant : {2} XOF à {3}, compté le {4}",
  "this adjustment was made on {} with another amount: {} XOF":
    "cette correction a été faite le {1} avec un autre montant : {2} XOF",
  "there is no inbound text {}": "il n'y a pas de texto reçu {1}",
  "an adjustment of 0 XOF changes nothing": "une correction de 0 XOF ne change rien",
  "{} is not an amount: whole XOF, digits only, at most {}":
    "{1} n'est pas un montant : un nombre entier de XOF, en chiffres seulement, {2} au plus",
  "{} must be whole XOF from {} to {}": "{1!} doit être un nombre entier de XOF, de {2} à {3}",
  "the amount": "le montant",
  "the low balance": "le seuil de solde bas",
  "the credit limit": "le plafond de crédit",
  "{} is not a whole number": "{1} n'est pas un nombre entier",
  "the limit must be a whole number from 1 to {}": "la limite doit être un nombre entier de 1 à {1}",
  '--{}: {}, nor "{}"': "--{1} : {2!}, ni « {3} »",
  "the {} must not be blank": "{1!} ne doit pas être vide",
  "the {} must have at most {} characters": "{1!} doit avoir {2} caractères au plus",
  "the {} must not hold control characters": "{1!} ne doit pas contenir de caractères de commande",
  name: "le nom",
  reason: "le motif",
  note: "la remarque",
  reference: "la référence",
  "no line of the file holds a phone number": "aucune ligne du fichier ne contient de numéro de téléphone",
  "nothing was imported, because {} line(s) cannot be read; correct them, or leave them out with --skip-invalid: {}":
    "rien n'a été importé, car {1} ligne(s) sont illisibles ; corrigez-les, ou sautez-les avec --skip-invalid : {2}",
  "a key needs at least one scope": "il faut à une clé au moins un droit",
  "{} is not in the future": "{1} n'est pas dans l'avenir",
  "{} is in the future": "{1} est dans l'avenir",
  "the account has not requested a sender {}": "le compte n'a pas demandé d'expéditeur {1}",
  "{} is not a date or a time: 2026-03-22, 22/03/2026, 2026-03-22T09:30":
    "{1} n'est ni une date ni une heure : 22/03/2026, 22/03/2026 09:30",
  "{} is not a message class: {}": "{1} n'est pas une classe de message : {2}",
  "{} is not a message class: {} or {}": "{1} n'est pas une classe de message : {2} ou {3}",
  "{} is not a source: {}": "{1} n'est pas une origine : {2}",
  "the fallback takes from {} to {} seconds": "le repli par SMS demande de {1} à {2} secondes",
  "{} is not a message class": "{1} n'est pas une classe de message",
  "{} is no mode: live or test": "{1} n'est pas un mode : live ou test",
  "the appliance-wide list does not count in sandboxes":
    "la liste commune à tous les comptes ne vaut pas dans les bacs à sable",
  "the account {} has no test key yet": "le compte {1} n'a pas encore de clé d'essai",
  "the batch {} was not sent with a test key": "le lot {1} n'a pas été envoyé avec une clé d'essai",
  "the batch {} was sent with a test key: add --mode test":
    "le lot {1} a été envoyé avec une clé d'essai : ajoutez --mode test",
  "{} is not a scope: {}": "{1} n'est pas un droit : {2}",
  "{} is not an event type: {}": "{1} n'est pas un type d'événement : {2}",
  "{} is not a status: {}": "{1} n'est pas un état : {2}",
  "{} is not the id of a message": "{1} n'est pas l'identifiant d'un message",
  "{} is not the id of a text": "{1} n'est pas l'identifiant d'un texte",
  "--by is one of {}": "--by n'accepte que : {1}",
  'more than {} batches: the newest {} are those after {}: name that as --from; "wallet invoice" adds up any number':
    "plus de {1} lots : les {2} plus récents sont ceux d'après {3} : donnez cela à --from ; « wallet invoice » en totalise autant que l'on veut",
  'more than {} entries: ask for the first of them with --to {}, for the next with --from {}, or for all with --csv; "wallet invoice" adds up any number of batches':
    "plus de {1} écritures : demandez les premières avec --to {2}, les suivantes avec --from {3}, ou toutes avec --csv ; « wallet invoice » totalise autant de lots que l'on veut",
  "entries by when they were posted: what a batch is charged or given back later is in a later stretch":
    "les écritures, par la date où elles ont été passées : ce qu'un lot se voit facturer ou rendre plus tard est dans une période ultérieure",
  "batches by when they were accepted, with what was charged and released for them until now":
    "les lots, par la date où ils ont été acceptés, avec ce qui a été facturé et rendu pour eux jusqu'à maintenant",
  "batches by when they were accepted, with what was charged and released for them until now; a statement of consumption, and no invoice: it has no number, no tax and no certification":
    "les lots, par la date où ils ont été acceptés, avec ce qui a été débité et rendu pour eux jusqu'à maintenant ; un relevé de consommation, et non une facture : il n'a ni numéro, ni taxe, ni certification",
  'batches by when they were accepted, with what was charged and released for them until now; by operator and price: "wallet invoice"':
    "les lots, par la date où ils ont été acceptés, avec ce qui a été facturé et rendu pour eux jusqu'à maintenant ; par opérateur et par prix : « wallet invoice »",
  "{} difference(s): {}": "{1} écart(s) : {2!}",
  "a sender must not be blank": "un expéditeur ne doit pas être vide",
  "a sender must not begin or end with a space": "un expéditeur ne doit ni commencer ni finir par un espace",
  "a sender of digits is a short code of 3 to 8 digits or a number of at most 15 digits":
    "un expéditeur en chiffres est un numéro court de 3 à 8 chiffres, ou un numéro de 15 chiffres au plus",
  "an alphanumeric sender must not hold accents or other characters outside plain ASCII: no SMS can carry them":
    "un expéditeur en lettres ne doit contenir ni accents ni autres signes hors de l'ASCII : aucun SMS ne peut les porter",
  "an alphanumeric sender holds at most {} characters on SMS; this one has {}":
    "un expéditeur en lettres a {1} caractères au plus par SMS ; celui-ci en a {2}",
  "an alphanumeric sender needs at least one letter":
    "il faut au moins une lettre à un expéditeur en lettres",
  "an alphanumeric sender may hold letters, digits, spaces and . & ' _ - only":
    "un expéditeur en lettres n'admet que lettres, chiffres, espaces et . & ' _ -",
  "must have at most {} characters": "{1} caractères au plus",
  "must not hold spaces, control characters or backslashes":
    "pas d'espaces, de caractères de commande ni de barres inverses",
  "must be a URL": "il faut une URL",
  "must be an https: URL": "il faut une URL en https:",
  "must not hold a user name or password": "ni identifiant ni mot de passe",
  "must begin with https:// and a host": "il faut commencer par https:// et un hôte",
  "must name a host that DNS can hold": "l'hôte doit être un nom que le DNS admet",
};
