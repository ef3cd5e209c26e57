/** What comes of a test text over an operator, and what each answer of an operator means. */
export const SENTENCES_OF_OPERATOR_TESTS: Readonly<Record<string, string>> = {
  'the database was restored, and nothing leaves until "backup resume" decides what may':
    "la base a été restaurée, et rien ne part tant que « backup resume » n'a pas décidé ce qui peut partir",
  'nothing leaves at this moment: "doctor" says why, or wait until the server is ready':
    "rien ne part en ce moment : « doctor » dit pourquoi, ou attendez que le serveur soit prêt",
  '{} is paused ({}): "operator resume {}" lets it go on':
    "{1} est en pause ({2}) : « operator resume {3} » le laisse reprendre",
  'no connection to {} that sends is bound: {}; "operator status" shows each':
    "aucune connexion à {1} qui envoie n'est liée : {2!} ; « operator status » les montre",
  "{} begins with none of the prefixes of {}":
    "{1} ne commence par aucun des préfixes que la configuration donne à {2}",
  "{} is a number of {}, by its prefix, and not of {}":
    "{1} appartient à {2}, d’après son préfixe, et non à {3}",
  "it connects": "elle se connecte",
  "{} had {} tests within an hour: the next may be at {}":
    "{1} a eu {2} essais en une heure : le prochain se peut à {3}",
  "the text takes {} SMS, and a test is one: shorten it":
    "le texte prend {1} SMS : un essai en fait un seul, raccourcissez-le",
  "--wait is {} seconds at most": "--wait est de {1} secondes au plus",
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
  "a number of WhatsApp is its own sender: leave --sender out":
    "un numéro WhatsApp est son propre expéditeur : omettez --sender",
  "--text must be that of a template of {}, filled in": "--text doit être celui d’un modèle de {1}, rempli",
  'the text is that of no template of {} that can be sent; "whatsapp template list" shows them':
    "le texte n’est celui d’aucun modèle utilisable de {1} ; « whatsapp template list » les montre",
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
};
