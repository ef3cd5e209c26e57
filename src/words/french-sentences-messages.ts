/** Why a message did not arrive, as the console says it to those who look for it. */
export const SENTENCES_OF_MESSAGES: Readonly<Record<string, string>> = {
  "it is paused": "il est en pause",
  "it waits for Meta's approval": "il attend l’accord de Meta",
  "Meta rejected it": "Meta l’a refusé",
  "Meta disabled it": "Meta l’a désactivé",
  "it was deleted": "il a été supprimé",
  "its status is {}": "son statut est {1}",
  "its category is {} now": "sa catégorie est maintenant {1}",
  "Meta bills it as {}: it is stopped until somebody has looked":
    "Meta le facture comme {1} : il est arrêté jusqu’à ce que quelqu’un ait regardé",
  "it has no text in its body": "il n’a pas de texte",
  "its text holds {}, which a batch reads as a tag": "son texte contient {1}, qu’un lot lit comme une balise",
  "its header is of the kind {}": "son en-tête est du genre {1}",
  "its header has a parameter": "son en-tête a un paramètre",
  "it has a part of the kind {}": "il a une partie du genre {1}",
  "it has more than one button": "il a plus d’un bouton",
  "it has a button of the kind {}": "il a un bouton du genre {1}",
  "a button of it has a parameter": "un de ses boutons a un paramètre",
};
