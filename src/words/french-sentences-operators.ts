/** What comes of a test text over an operator, and what each answer of an operator means. */
export const SENTENCES_OF_OPERATOR_TESTS: Readonly<Record<string, string>> = {
  "it connects": "elle se connecte",
  "it waits for room on a connection, or the server ended before it noted more":
    "il attend une place sur une connexion, ou le serveur s'est arrêté avant d'en savoir plus",
  "the operator was given it and has not answered: it may have it":
    "il a été remis à l'opérateur, qui n'a pas répondu : il l'a peut-être",
  'it is not sent again; "operator status" tells whether the operator answers others; if it does, call it':
    "il n'est pas renvoyé ; « operator status » dit si l'opérateur répond à d'autres ; si oui, appelez-le",
  "nothing of it left: no connection had room, or it broke off before":
    "rien n'est parti : aucune connexion n'avait de place, ou elle s'est coupée avant",
  '"operator status" tells why; then try again': "« operator status » dit pourquoi ; puis réessayez",
  "the operator refused it: {}, {}": "l'opérateur l'a refusé : {1}, {2!}",
  "the operator took it and could not deliver it: {}": "l'opérateur l'a pris et n'a pas pu le remettre : {1}",
  "the operator took it and could not deliver it: {}, code {}":
    "l'opérateur l'a pris et n'a pas pu le remettre : {1}, code {2}",
  "try a phone of this operator that is on; if that fails too, ask the operator what its code means":
    "essayez un téléphone de cet opérateur, allumé ; si cela échoue aussi, demandez à l'opérateur ce que dit son code",
  "the operator took it, and no receipt has come": "l'opérateur l'a pris, et aucun accusé n'est venu",
  "Meta refused it with the code {}": "Meta l’a refusé avec le code {1}",
  "the guide's page on WhatsApp says what each code means":
    "la page du guide sur WhatsApp dit ce que veut dire chaque code",
  "Meta took it, and has told no delivery": "Meta l’a pris, et n’a annoncé aucune distribution",
  '"operator tests" shows it when it comes; if none ever comes, Meta does not reach the webhook':
    "« operator tests » le montre quand elle vient ; si elle ne vient jamais, Meta n’atteint pas le webhook",
  '"operator tests" shows it when it comes, "operator receipts" those that fit nothing; if none ever comes, ask the operator for receipts, or set receipts = false':
    "« operator tests » le montre quand il vient, « operator receipts » ceux qui ne vont à rien ; s'il n'en vient jamais, demandez les accusés à l'opérateur, ou réglez receipts = false",
  "say --sender with a name that the operator has registered for you, or have this one registered":
    "donnez par --sender un expéditeur que l'opérateur vous a enregistré, ou faites enregistrer celui-ci",
  "check source_alphanumeric, source_short_code and source_number of the connection":
    "vérifiez source_alphanumeric, source_short_code et source_number de la connexion",
  "try a number of this operator's own; if it is one, check destination of the connection":
    "essayez un numéro de cet opérateur ; si c'en est un, vérifiez destination de la connexion",
  "it passes by itself as a rule: try again in a while, then call the operator":
    "cela passe d'ordinaire tout seul : réessayez dans un moment, puis appelez l'opérateur",
  "set throughput to what the contract allows, and try again":
    "réglez throughput sur ce que permet le contrat, et réessayez",
  "stopped: the Cloud API answered {}": "arrêté : l’API Cloud a répondu {1}",
  "check default_alphabet, long_messages and service_type of the connection":
    "vérifiez default_alphabet, long_messages et service_type de la connexion",
  "set send_validity = false for the connection, and try again":
    "réglez send_validity = false pour la connexion, et réessayez",
  "set priority of the connection to 0 for each class, and try again":
    "réglez priority de la connexion à 0 pour chaque classe, et réessayez",
  "ask the operator what this code means for your system_id, and say so in [operators.CODE.responses]":
    "demandez à l'opérateur ce que ce code dit pour votre system_id, et notez-le dans [operators.CODE.responses]",
  "the message length is invalid": "la longueur du message n'est pas valable",
  "the command length is invalid": "la longueur de la commande n'est pas valable",
  "the operator does not support this command": "l'opérateur ne connaît pas cette commande",
  "the command does not fit the kind of bind": "la commande ne va pas avec ce genre de liaison",
  "already bound: the operator allows no further bind for this system_id":
    "déjà liée : l'opérateur ne permet pas d'autre liaison à ce system_id",
  "the priority is invalid": "la priorité n'est pas valable",
  "the request for a receipt is invalid": "la demande d'accusé n'est pas valable",
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
  "the service type is invalid": "le type de service n'est pas valable",
  "the number of destinations is invalid": "le nombre de destinations n'est pas valable",
  "the distribution list is invalid": "la liste de distribution n'est pas valable",
  "the destination flag is invalid": "l'indicateur de destination n'est pas valable",
  "submitting with replacement is invalid": "l'envoi avec remplacement n'est pas valable",
  "the esm_class is invalid": "esm_class n'est pas valable",
  "submitting to the distribution list is impossible": "l'envoi à la liste de distribution est impossible",
  "the operator refused the message without saying why": "l'opérateur a refusé le message sans dire pourquoi",
  "the sender's type of number is invalid": "le TON de l'expéditeur n'est pas valable",
  "the sender's numbering plan is invalid": "le NPI de l'expéditeur n'est pas valable",
  "the recipient's type of number is invalid": "le TON du destinataire n'est pas valable",
  "the recipient's numbering plan is invalid": "le NPI du destinataire n'est pas valable",
  "the system_type is wrong": "le system_type est faux",
  "the replace_if_present flag is invalid": "replace_if_present n'est pas valable",
  "the number of messages is invalid": "le nombre de messages n'est pas valable",
  "more messages a second than the operator allows":
    "plus de messages par seconde que l'opérateur n'en permet",
  "the scheduled delivery time is invalid": "l'heure de remise n'est pas valable",
  "the validity period is invalid": "la durée de validité n'est pas valable",
  "the predefined message is invalid or unknown": "le message prédéfini n'est pas valable ou est inconnu",
  "the receiving application has a temporary error": "l'application qui reçoit a une erreur passagère",
  "the receiving application has a permanent error": "l'application qui reçoit a une erreur durable",
  "the receiving application rejected the message": "l'application qui reçoit a rejeté le message",
  "the query failed": "la demande a échoué",
  "the optional parameters are broken": "les paramètres optionnels sont abîmés",
  "an optional parameter is not allowed": "un paramètre optionnel n'est pas permis",
  "a parameter's length is invalid": "la longueur d'un paramètre n'est pas valable",
  "an expected optional parameter is missing": "il manque un paramètre optionnel attendu",
  "an optional parameter's value is invalid": "la valeur d'un paramètre optionnel n'est pas valable",
  "delivery failed": "la remise a échoué",
  "unknown error": "erreur inconnue",
  "not authorised to use this service type": "ce type de service n'est pas permis",
  "prohibited from using this operation": "cette opération est interdite",
  "the service type is unavailable for the moment": "le type de service n'est pas disponible pour le moment",
  "the service type is denied": "le type de service est refusé",
  "the data coding is invalid": "data_coding n'est pas valable",
  "a code of this operator's own": "un code propre à cet opérateur",
};
