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
  "a number of WhatsApp is its own sender: leave --sender out":
    "un numéro WhatsApp est son propre expéditeur : omettez --sender",
  "--text must be that of a template of {}, filled in": "--text doit être celui d’un modèle de {1}, rempli",
  'the text is that of no template of {} that can be sent; "whatsapp template list" shows them':
    "le texte n’est celui d’aucun modèle utilisable de {1} ; « whatsapp template list » les montre",
};
