/** What `bendre whatsapp-sim --help` says. */
export const HELP_OF_WHATSAPP_SIM: Readonly<Record<string, string>> = {
  "bendre whatsapp-sim: a stand-in for Meta's Cloud API to rehearse with (loopback only)":
    "bendre whatsapp-sim : une doublure de la Cloud API de Meta, pour répéter (sur cette machine seulement)",
  "usage: bendre whatsapp-sim [flags]": "usage : bendre whatsapp-sim [options]",
  "It takes any number, account and token, has an approved template of each category, and tells statuses by a":
    "Elle accepte tout numéro, tout compte et tout jeton, a un modèle approuvé de chaque catégorie, et annonce les états",
  "signed webhook. It begins with the lines of a configuration that fit it.":
    "par un webhook signé. Elle commence par les lignes de configuration qui lui conviennent.",
  "P is a share from 0 to 1; above 1 it is percent.":
    "P est une part de 0 à 1 ; au-dessus de 1, un pourcentage.",
  "where statuses are posted, such as http://127.0.0.1:8080/whatsapp/webhook":
    "où les états sont envoyés, par exemple http://127.0.0.1:8080/whatsapp/webhook",
  "signs what is posted there": "signe ce qui y est envoyé",
  "the word that the webhook is verified with": "le mot qui sert à vérifier le webhook",
  "the same seed draws the same fate for each post": "la même graine donne le même sort à chaque envoi",
  "statuses that are never told": "états jamais annoncés",
  "posts that are taken and never answered": "envois acceptés et jamais répondus",
  "statuses that are told twice": "états annoncés deux fois",
  "each status is told up to so much later: they overtake each other":
    "chaque état est annoncé jusqu'à autant plus tard : ils se doublent",
  "so many posts meet this code of Meta's; CODE:P:answer or CODE:P:status says how; 500 to 599 are bare HTTP; repeatable":
    "autant d'envois reçoivent ce code de Meta ; CODE:P:answer ou CODE:P:status dit comment ; 500 à 599 : du HTTP nu ; à répéter",
  "a user whose number begins with FROM is called by one that begins with TO; usual: as in Côte d'Ivoire, Benin, Mexico, Argentina and Brazil; repeatable":
    "une personne dont le numéro commence par FROM est désignée par un numéro qui commence par TO ; usual : comme en Côte d'Ivoire, au Bénin, au Mexique, en Argentine et au Brésil ; à répéter",
  "this phone number id does not exist: its posts get 400 with code 100 and error_subcode 33; repeatable":
    "cet identifiant de numéro n'existe pas : ses envois reçoivent 400, avec le code 100 et l'error_subcode 33 ; à répéter",
  Examples: "Exemples",
  "a user answers the last message that was posted to the number FROM":
    "une personne répond au dernier message envoyé au numéro FROM",
  "a user presses a button of that message": "une personne appuie sur un bouton de ce message",
  "a user chooses from a list of that message": "une personne choisit dans une liste de ce message",
  "this phone number id does not exist from now on": "cet identifiant de numéro n'existe plus",
  "this phone number id exists again": "cet identifiant de numéro existe de nouveau",
  "about so long from a post to the handset": "à peu près la durée d'un envoi jusqu'au téléphone",
  "delivered messages that are read too; of a third of them only that is told":
    "messages remis qui sont lus aussi ; pour un tiers d'entre eux, seule la lecture est annoncée",
  "messages that Meta bills nobody for": "messages que Meta ne facture pas",
  "posts a second of one number, more get 130429; 0: no limit":
    "envois par seconde et par numéro, les autres reçoivent 130429 ; 0 : sans limite",
  "between two posts to one user, sooner gets 131056; 0: no limit":
    "entre deux envois à une personne, plus tôt c'est 131056 ; 0 : sans limite",
  "print nothing but the configuration, and the sums at the end":
    "n'afficher que la configuration, et les totaux à la fin",
  "a user writes to the number that posted last: mo 22670123456 STOP":
    "une personne écrit au dernier numéro qui a envoyé : mo 22670123456 STOP",
  "a user stops marketing messages in the app, or takes them again":
    "une personne refuse la publicité dans l'application, ou l'accepte de nouveau",
  "a template is APPROVED, PAUSED, DISABLED, REJECTED from now on, or of another category; the webhook is told":
    "un modèle est désormais APPROVED, PAUSED, DISABLED, REJECTED ou d'une autre catégorie ; le webhook l'apprend",
  "Meta will move a template to another category in 24 hours; the webhook is told, and nothing changes yet":
    "Meta changera un modèle de catégorie dans 24 heures ; le webhook l'apprend, et rien ne change encore",
  "Meta thinks of a template as GREEN, YELLOW, RED or UNKNOWN; the webhook is told":
    "Meta juge un modèle GREEN, YELLOW, RED ou UNKNOWN ; le webhook l'apprend",
};
