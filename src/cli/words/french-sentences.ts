import { SENTENCES_OF_THE_CONFIGURATION } from "./french-sentences-config.ts";
import { SENTENCES_OF_UPKEEP } from "./french-sentences-upkeep.ts";

/** What refusals and warnings say; see sentences.ts. */
export const SENTENCES_IN_FRENCH: Readonly<Record<string, string>> = {
  ...SENTENCES_OF_THE_CONFIGURATION,
  ...SENTENCES_OF_UPKEEP,
  "no setting was given": "aucun réglage n'a été donné",
  'the account {} would begin {} XOF below zero (its balance is {} XOF, {} XOF of which are set aside): enter what it pays with "wallet topup", or say --force; then nothing more is accepted until it has paid':
    "le compte {1} commencerait {2} XOF au-dessous de zéro (son solde est de {3} XOF, dont {4} XOF mis de côté) : entrez ce qu'il paie avec « wallet topup », ou dites --force ; rien d'autre n'est alors accepté tant qu'il n'a pas payé",
  "a prepaid account has no credit limit": "un compte prépayé n'a pas de plafond de crédit",
  "{} is not an IANA timezone": "{1} n'est pas un fuseau horaire IANA",
  "an account needs at least one message class": "il faut à un compte au moins une classe de message",
  "{} is no instant: a date, a date-time (2026-03-01T09:30), or how long ago (30m, 2h, 3d)":
    "{1} n'est pas un instant : donnez une date, une date et une heure (2026-03-01T09:30), ou il y a combien de temps (30m, 2h, 3d)",
  "the clocks of {} never show {}: they were put forward over it":
    "les horloges de {1} ne montrent jamais {2} : elles ont été avancées par-dessus",
  "--from {} is after --to {}: nothing lies between them":
    "--from {1} vient après --to {2} : il n'y a rien entre les deux",
  "{} is not a phone number": "{1} n'est pas un numéro de téléphone",
  "the batch is {}: there is nothing to cancel": "le lot est {1} : il n'y a rien à annuler",
  "there is no batch {}": "il n'y a pas de lot {1}",
  "the account has no batch {}": "le compte n'a pas de lot {1}",
  "the batch {} is of another account": "le lot {1} est à un autre compte",
  "there is no message {}": "il n'y a pas de message {1}",
  "there is no key {}": "il n'y a pas de clé {1}",
  "there is no webhook {}": "il n'y a pas de webhook {1}",
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
  "{} must be {}, or default": "{1} doit être {2}, ou default",
  'the account {} ({}) cannot be closed: {}. Settle it with "batch cancel" and "wallet topup" or "wallet adjust", or say --force: it cancels what waits, gives back what that held, and enters the rest of the wallet as {}; messages on their way are still decided by their receipts':
    "le compte {1} ({2}) ne peut pas être fermé : {3!}. Soldez-le avec « batch cancel » et « wallet topup » ou « wallet adjust », ou dites --force : ce qui attend est annulé, ce qu'il retenait est rendu, et le reste du portefeuille est soldé par une écriture {4} ; les messages en route sont encore décidés par leurs accusés",
  "{} messages of {} batches wait to be sent": "{1} messages de {2} lots attendent de partir",
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
  "{} is not an ISO 8601 date or date-time": "{1} n'est ni une date ni un instant au format ISO 8601",
  "{} is not a message class: {}": "{1} n'est pas une classe de message : {2}",
  "{} is not a message class: {} or {}": "{1} n'est pas une classe de message : {2} ou {3}",
  "{} is not a message class": "{1} n'est pas une classe de message",
  "{} is no class: {}": "{1} n'est pas une classe : {2}",
  "{} is not a scope: {}": "{1} n'est pas un droit : {2}",
  "{} is not an event type: {}": "{1} n'est pas un type d'événement : {2}",
  "{} is not a status: {}": "{1} n'est pas un état : {2}",
  "{} is not the id of a text": "{1} n'est pas l'identifiant d'un texte",
  "--by is one of {}": "--by n'accepte que : {1}",
  'more than {} batches: the newest {} are those after {}: name that as --from; "wallet invoice" adds up any number':
    "plus de {1} lots : les {2} plus récents sont ceux d'après {3} : donnez cela à --from ; « wallet invoice » en totalise autant que l'on veut",
  'more than {} entries: ask for the first of them with --to {}, for the next with --from {}, or for all with --csv; "wallet invoice" adds up any number of batches':
    "plus de {1} écritures : demandez les premières avec --to {2}, les suivantes avec --from {3}, ou toutes avec --csv ; « wallet invoice » totalise autant de lots que l'on veut",
  "entries by when they were posted: what a batch is charged or given back later is in a later stretch":
    "les écritures, par la date où elles ont été passées : ce qu'un lot se voit facturer ou rendre plus tard est dans une période ultérieure",
  "{} difference(s): {}": "{1} écart(s) : {2}",
};
