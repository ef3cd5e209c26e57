import { SENTENCES_OF_CAUSES } from "./french-sentences-causes.ts";
import { SENTENCES_OF_THE_DOCTOR } from "./french-sentences-doctor.ts";
import { SENTENCES_OF_MESSAGES } from "./french-sentences-messages.ts";
import { SENTENCES_OF_OPERATOR_TESTS } from "./french-sentences-operators.ts";
import { SENTENCES_OF_REQUESTS } from "./french-sentences-requests.ts";
import { SENTENCES_OF_SENDING } from "./french-sentences-sending.ts";
import { SENTENCES_OF_TRAFFIC } from "./french-sentences-traffic.ts";
import { SENTENCES_OF_UPKEEP } from "./french-sentences-upkeep.ts";

/** What refusals and warnings say; see sentences.ts. */
export const SENTENCES_IN_FRENCH: Readonly<Record<string, string>> = {
  ...SENTENCES_OF_THE_DOCTOR,
  ...SENTENCES_OF_OPERATOR_TESTS,
  ...SENTENCES_OF_UPKEEP,
  ...SENTENCES_OF_CAUSES,
  ...SENTENCES_OF_TRAFFIC,
  ...SENTENCES_OF_SENDING,
  ...SENTENCES_OF_MESSAGES,
  ...SENTENCES_OF_REQUESTS,
  "{} must be {}, or default": "{1} doit être {2!}, ou default",
  "{} is not a phone number": "{1} n'est pas un numéro de téléphone",
  "there is no message {} to be followed": "il n'y a pas de message {1} à suivre",
  "{} cannot be made a user here: ask whoever runs the appliance":
    "{1} ne peut pas devenir un utilisateur ici : demandez à qui exploite le serveur",
  "it took too long: begin again": "cela a pris trop de temps : recommencez",
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
  "{} is not the id of a message": "{1} n'est pas l'identifiant d'un message",
  "must have at most {} characters": "{1} caractères au plus",
  "must not hold spaces, control characters or backslashes":
    "pas d'espaces, de caractères de commande ni de barres inverses",
  "must be a URL": "il faut une URL",
  "must be an https: URL": "il faut une URL en https:",
  "must not hold a user name or password": "ni identifiant ni mot de passe",
  "must begin with https:// and a host": "il faut commencer par https:// et un hôte",
  "must name a host that DNS can hold": "l'hôte doit être un nom que le DNS admet",
};
