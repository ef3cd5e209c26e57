/** What happens to messages on their way, as traces and lists of the traffic tell it. */
export const SENTENCES_OF_TRAFFIC: Readonly<Record<string, string>> = {
  ...eventsOfMessages(),
  ...detailsOfEvents(),
  ...detailsOfPosts(),
  ...meaningsOfStatuses(),
};

/** What happened: one column of a trace. */
function eventsOfMessages(): Readonly<Record<string, string>> {
  return {
    accepted: "accepté",
    claimed: "pris en charge",
    squared: "soldé",
    receipt: "accusé",
    unanswered: "sans réponse",
    "accepted by the operator": "accepté par l'opérateur",
    "no answer": "pas de réponse",
    "put off": "remis à plus tard",
    "named by a receipt": "désigné par un accusé",
    "late response": "réponse tardive",
    "late refusal": "refus tardif",
    "accepted again": "accepté à nouveau",
    "contradictory receipt": "accusé contradictoire",
    "arrived after all": "arrivé malgré tout",
    "receipt after the end": "accusé après la fin",
    "restored from a backup": "restauré d'une sauvegarde",
    "more of it": "la suite",
    "second way": "repli par SMS",
    "first way": "première voie",
  };
}

function detailsOfPosts(): Readonly<Record<string, string>> {
  return {
    "Meta has it": "Meta l'a",
    "by the recipient": "par le destinataire",
    "the message is {}": "le message est {1}",
    "{} by {}: its answer is due": "{1} par {2} : sa réponse est attendue",
    "{} by {}: its answer is due; id {}; told since: {}":
      "{1} par {2} : sa réponse est attendue ; id {3} ; annoncé depuis : {4}",
    "{} by {}: Meta took it; id {}": "{1} par {2} : Meta l'a pris ; id {3}",
    "{} by {}: Meta took it; id {}; told since: {}":
      "{1} par {2} : Meta l'a pris ; id {3} ; annoncé depuis : {4}",
    "{} by {}: Meta took it; code {}; id {}; told since: {}":
      "{1} par {2} : Meta l'a pris ; code {3} ; id {4} ; annoncé depuis : {5}",
    // The ids of a number that is erased go.
    "{} by {}: Meta took it": "{1} par {2} : Meta l'a pris",
    "{} by {}: Meta took it; told since: {}": "{1} par {2} : Meta l'a pris ; annoncé depuis : {3}",
    "{} by {}: Meta took it; code {}; told since: {}":
      "{1} par {2} : Meta l'a pris ; code {3} ; annoncé depuis : {4}",
    "{} by {}: Meta holds it back to look at its template; id {}":
      "{1} par {2} : Meta le retient pour regarder son modèle ; id {3}",
    "{} by {}: Meta holds it back to look at its template; id {}; told since: {}":
      "{1} par {2} : Meta le retient pour regarder son modèle ; id {3} ; annoncé depuis : {4}",
    "{} by {}: Meta holds it back to look at its template":
      "{1} par {2} : Meta le retient pour regarder son modèle",
    "{} by {}: Meta refused it; code {}": "{1} par {2} : Meta l'a refusé ; code {3}",
    "{} by {}: no answer, Meta may have it": "{1} par {2} : pas de réponse, Meta l'a peut-être",
    "{} by {}: no answer, Meta may have it; id {}; told since: {}":
      "{1} par {2} : pas de réponse, Meta l'a peut-être ; id {3} ; annoncé depuis : {4}",
    "{} by {}: no answer, Meta may have it; code {}; id {}; told since: {}":
      "{1} par {2} : pas de réponse, Meta l'a peut-être ; code {3} ; id {4} ; annoncé depuis : {5}",
    "{} by {}: no answer, Meta may have it; told since: {}":
      "{1} par {2} : pas de réponse, Meta l'a peut-être ; annoncé depuis : {3}",
  };
}

function detailsOfEvents(): Readonly<Record<string, string>> {
  return {
    "({} characters; --show-text shows them)": "({1} caractères ; --show-text les montre)",
    "queued; {} XOF reserved": "en attente ; {1} XOF réservés",
    "claim {}": "prise {1}",
    "claim {}, the last": "prise {1}, la dernière",
    "the operator has every SMS of it": "l'opérateur en a tous les SMS",
    final: "définitif",
    "final: {}": "définitif : {1}",
    "{} XOF charged": "{1} XOF facturés",
    "{} XOF charged, {} XOF released": "{1} XOF facturés, {2} XOF libérés",
    "#{} {} ({}/{}) to {} ({}/{}), esm_class {}, data_coding {}, registered_delivery {}":
      "n° {1} {2} ({3}/{4}) vers {5} ({6}/{7}), esm_class {8}, data_coding {9}, registered_delivery {10}",
    "{}: accepted, id {}": "{1} : accepté, identifiant {2}",
    "id {}": "identifiant {1}",
    "{}: the SMS is {}": "{1} : le SMS est {2}",
    "{}; {} times, last at {}": "{1!} ; {2} fois, la dernière le {3}",
    "the operator may have it": "l'opérateur l'a peut-être",
    "settled since": "éclairci depuis",
    "nothing was heard of the first": "rien n'est venu de la première voie",
    "delivered while the second was under way": "distribué alors que le SMS était en route",
    "{}: {}; refused for good": "{1} : {2!} ; refusé pour de bon",
    "{}: {}; put off": "{1} : {2!} ; remis à plus tard",
    "{}: {}; put off, {} times by then": "{1} : {2!} ; remis à plus tard, {3} fois jusque-là",
    waiting: "en attente",
    "resend {}": "renvoi {1}",
    "part {} as {}": "SMS {1}, identifiant {2}",
    "part {} {}": "SMS {1} {2}",
    "notes that are not told apart": "d'autres remarques, non détaillées",
    "it may have left before: it goes by the rule of its class":
      "il a pu partir avant : la règle de sa classe décide",
    "it may have left before: it is sent once more": "il a pu partir avant : il est renvoyé une fois",
    "it may have left before: it was given up": "il a pu partir avant : il est abandonné",
    "is sent again, ahead of its class (resend {} of {})":
      "repart avant les autres de sa classe (renvoi {1} sur {2})",
    "was sent again (resend {} of {}): its answer is due":
      "est reparti (renvoi {1} sur {2}) : sa réponse est attendue",
    "waits for a status, then is FAILED and its money released; it is never posted again":
      "attend un état, puis devient FAILED et son argent est libéré ; il n'est jamais renvoyé",
    "waits for an answer or a receipt, then is FAILED and its money released":
      "attend une réponse ou un accusé, puis passe à FAILED et son argent est libéré",
    "not known yet: {} of {} unmarked": "pas encore connu : {1} sur {2} sans marque",
    "as in the responses": "comme dans les réponses",
    "padded, or in other letters, than in the responses":
      "complétés, ou en d'autres lettres, que dans les réponses",
    "in decimal, those of the responses in hexadecimal": "en décimal, ceux des réponses en hexadécimal",
    "in hexadecimal, those of the responses in decimal": "en hexadécimal, ceux des réponses en décimal",
    "{}, without an answer to it": "{1!}, sans réponse à cela",
    "stopped, without an answer to its unbind": "arrêté, sans réponse à son unbind",
    unbound: "délié",
    stopped: "arrêté",
  };
}

/** What an answer of an operator means, by its command_status. */
function meaningsOfStatuses(): Readonly<Record<string, string>> {
  return {
    "the message length is invalid": "la longueur du message est incorrecte",
    "the command length is invalid": "la longueur de la commande est incorrecte",
    "the operator does not support this command": "l'opérateur ne connaît pas cette commande",
    "the command does not fit the kind of bind": "la commande ne va pas avec cette sorte de liaison",
    "already bound: the operator allows no further bind for this system_id":
      "déjà lié : l'opérateur ne permet pas d'autre liaison de ce system_id",
    "the priority is invalid": "la priorité est incorrecte",
    "the request for a receipt is invalid": "la demande d'accusé est incorrecte",
    "the operator's system has an error": "le système de l'opérateur a une erreur",
    "the sender is not accepted, probably not registered with this operator":
      "l'expéditeur n'est pas accepté, sans doute pas enregistré chez cet opérateur",
    "the recipient's number is not accepted": "le numéro du destinataire n'est pas accepté",
    "the message id is unknown": "l'identifiant du message est inconnu",
    "the bind was refused": "la liaison a été refusée",
    "the password is wrong": "le mot de passe est faux",
    "the system_id is wrong": "le system_id est faux",
    "cancelling failed": "l'annulation a échoué",
    "replacing failed": "le remplacement a échoué",
    "the operator's queue is full": "la file de l'opérateur est pleine",
    "the service type is invalid": "le type de service est incorrect",
    "the number of destinations is invalid": "le nombre de destinataires est incorrect",
    "the distribution list is invalid": "la liste de diffusion est incorrecte",
    "the destination flag is invalid": "l'indicateur de destinataire est incorrect",
    "submitting with replacement is invalid": "la remise avec remplacement est incorrecte",
    "the esm_class is invalid": "esm_class est incorrect",
    "submitting to the distribution list is impossible": "la remise à la liste de diffusion est impossible",
    "the operator refused the message without saying why":
      "l'opérateur a refusé le message sans dire pourquoi",
    "the sender's type of number is invalid": "le type de numéro de l'expéditeur est incorrect",
    "the sender's numbering plan is invalid": "le plan de numérotation de l'expéditeur est incorrect",
    "the recipient's type of number is invalid": "le type de numéro du destinataire est incorrect",
    "the recipient's numbering plan is invalid": "le plan de numérotation du destinataire est incorrect",
    "the system_type is wrong": "le system_type est faux",
    "the replace_if_present flag is invalid": "l'indicateur replace_if_present est incorrect",
    "the number of messages is invalid": "le nombre de messages est incorrect",
    "more messages a second than the operator allows":
      "plus de messages par seconde que l'opérateur n'en permet",
    "the scheduled delivery time is invalid": "l'heure de remise prévue est incorrecte",
    "the validity period is invalid": "la durée de validité est incorrecte",
    "the predefined message is invalid or unknown": "le message prédéfini est incorrect ou inconnu",
    "the receiving application has a temporary error": "l'application réceptrice a une erreur passagère",
    "the receiving application has a permanent error": "l'application réceptrice a une erreur durable",
    "the receiving application rejected the message": "l'application réceptrice a rejeté le message",
    "the query failed": "la demande d'état a échoué",
    "the optional parameters are broken": "les paramètres facultatifs sont illisibles",
    "an optional parameter is not allowed": "un paramètre facultatif n'est pas permis",
    "a parameter's length is invalid": "la longueur d'un paramètre est incorrecte",
    "an expected optional parameter is missing": "il manque un paramètre facultatif attendu",
    "an optional parameter's value is invalid": "la valeur d'un paramètre facultatif est incorrecte",
    "delivery failed": "la remise a échoué",
    "unknown error": "erreur inconnue",
    "not authorised to use this service type": "ce type de service n'est pas autorisé",
    "prohibited from using this operation": "cette opération est interdite",
    "the service type is unavailable for the moment":
      "le type de service n'est pas disponible pour le moment",
    "the service type is denied": "le type de service est refusé",
    "the data coding is invalid": "data_coding est incorrect",
    "a code of this operator's own": "un code propre à cet opérateur",
  };
}
