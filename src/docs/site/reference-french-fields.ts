/** The French of what the reference says of fields that stand in several schemas. */
export const FIELDS_IN_FRENCH: Readonly<Record<string, string>> = {
  "List sender identities": "Lister les expéditeurs",
  "Every sender the account has requested. Use `is_sendable` to decide whether one can be used.":
    "Tous les expéditeurs que le compte a demandés. `is_sendable` dit si l’on peut s’en servir.",
  "The senders, oldest first.": "Les expéditeurs, le plus ancien d’abord.",
  "List WhatsApp templates": "Lister les modèles WhatsApp",
  'The templates of the numbers that the account\'s senders are registered with. The body of a batch with `channel: "WHATSAPP"` is the text of one that is usable. Empty where there is no such number. A test key is shown those of every number, and four built-in ones where there are none.':
    'Les modèles des numéros auprès desquels les expéditeurs du compte sont enregistrés. Le corps d’un lot avec `channel: "WHATSAPP"` est le texte d’un modèle utilisable. Vide s’il n’y a pas de tel numéro. Une clé d’essai voit ceux de chaque numéro, et quatre modèles fournis là où il n’y en a pas.',
  "When the recipient read it, where WhatsApp tells it. It may come after the end, and neither changes the status nor moves the feed.":
    "Quand le destinataire l’a lu, si WhatsApp le dit. Cela peut venir après la fin, sans changer l’état ni déplacer le flux.",
  "The templates.": "Les modèles.",
  "By which it can be sent: SMS, WHATSAPP.": "Par quoi il peut servir : SMS, WHATSAPP.",
  "What it is called at Meta.": "Son nom chez Meta.",
  "Its language, as Meta writes it.": "Sa langue, écrite comme Meta l’écrit.",
  "Meta's word: APPROVED, PAUSED, REJECTED, DELETED and others.":
    "Le mot de Meta : APPROVED, PAUSED, REJECTED, DELETED et d’autres.",
  "AUTHENTICATION is sent by class OTP, UTILITY by TRANSACTIONAL, MARKETING by MARKETING.":
    "AUTHENTICATION s’envoie avec la classe OTP, UTILITY avec TRANSACTIONAL, MARKETING avec MARKETING.",
  "Its text. The body of a batch is this text, with tags in the places of the parameters.":
    "Son texte. Le corps d’un lot est ce texte, avec des balises à la place des paramètres.",
  "Names, or numbers, of its parameters in the order they first stand in the text.":
    "Noms, ou numéros, de ses paramètres, dans l’ordre où ils paraissent dans le texte.",
  "POSITIONAL: tags count in the order they first stand in the body. NAMED: they are called as the parameters.":
    "POSITIONAL : les balises comptent dans l’ordre où elles paraissent dans le corps. NAMED : elles portent les noms des paramètres.",
  "What Meta thinks of it; null where it says nothing.": "Ce que Meta en pense ; null si Meta n’en dit rien.",
  "The operator code of the number that sends it.": "Le code opérateur du numéro qui l’envoie.",
  "Whether a batch may be sent with it.": "Dit si un lot peut partir avec lui.",
  "Why it cannot be used; null where it can.": "Pourquoi il ne peut pas servir ; sinon null.",
  "The category that Meta has announced for it: batches of the present class are refused from `moves_at` on. Null where none is announced.":
    "La catégorie que Meta a annoncée : à partir de `moves_at`, les lots de la classe actuelle sont refusés. Sinon null.",
  "From when on it has the category `moves_to`, once Meta has announced that.":
    "À partir de quand il a la catégorie `moves_to`, dès que Meta l’a annoncée.",
  "When it was read from Meta last.": "Quand il a été lu chez Meta la dernière fois.",
  "By number, name and language.": "Par numéro, nom et langue.",
  "The worst of the checks; `down` when nothing can be accepted.":
    "Le pire des contrôles ; `down` quand rien ne peut être accepté.",
  "What was looked at.": "Ce qui a été examiné.",
  "How it was found.": "Dans quel état.",
  "What was found.": "Ce qui a été constaté.",
  "Whether the account pays before it sends, or within a credit limit.":
    "Si le compte paie avant d’envoyer, ou dans la limite d’un crédit.",
  "Of every amount beside it (ISO 4217).": "Celle de tous les montants voisins (ISO 4217).",
  "Recipients that get no message, and why; in the order of submission.":
    "Les destinataires qui ne reçoivent rien, et pourquoi ; dans l’ordre de l’envoi.",
  "The name that phones show.": "Le nom que les téléphones affichent.",
  "By which it is sent.": "Par quelle voie il part.",
  "What it is for: it decides when it may be sent, and what goes first.":
    "À quoi il sert : cela décide de l’heure d’envoi permise et de ce qui part d’abord.",
  "Whether it is left out of campaign statistics; it is billed and delivered all the same.":
    "S’il est laissé hors des statistiques de campagne ; il est facturé et distribué quand même.",
  "For programs:": "Pour les programmes :",
  "What happened this time, for people: not to be compared.":
    "Ce qui s’est passé cette fois, pour les personnes : à ne pas comparer.",
  "What was asked, and whether it is so.": "Ce qui était demandé, et si c’est le cas.",
  "The code of the operator that the number belongs to. Others may be added.":
    "Le code de l’opérateur du numéro. D’autres peuvent s’ajouter.",
  "Whether nothing changes it any more.": "Si plus rien ne le change.",
  "How its text is sent: GSM7 has 160 characters in a segment, UCS2 has 70; UTF8 by WhatsApp, in one segment.":
    "Comment part son texte : GSM7 a 160 caractères par segment, UCS2 en a 70 ; UTF8 par WhatsApp, en un seul segment.",
  "Its name with Meta.": "Son nom chez Meta.",
  "The code of its language.": "Le code de sa langue.",
  "Only with `channel` WHATSAPP: messages that do not arrive go on as SMS, once, and one of the two is charged. The account's rule by default; null: never.":
    "Seulement avec `channel` WHATSAPP : les messages qui n’arrivent pas repartent par SMS, une fois, et un seul des deux est débité. Par défaut, la règle du compte ; null : jamais.",
  "By which it goes on.": "Le canal par lequel il repart.",
  "For how many seconds nothing may be heard of a message that has left, before it goes on. No longer than the class is valid.":
    "Nombre de secondes de silence après le départ d’un message, avant qu’il reparte. Pas plus que la validité de la classe.",
  "The text of the SMS, with tags that `body` has too. Without it: `body`, without the marks `*`, `_` and `~`. `text_policy` is for this text.":
    "Le texte du SMS, avec des balises que `body` a aussi. Sans lui : `body`, sans les marques `*`, `_` et `~`. `text_policy` vaut pour ce texte.",
  "The ways by which it went, in the order of use: one, or two where a message of WhatsApp went on as an SMS. `operator`, `segments`, `encoding` and `amount` above are those of the way that carries it.":
    "Les voies qu’il a prises, dans l’ordre : une, ou deux quand un message WhatsApp est reparti par SMS. `operator`, `segments`, `encoding` et `amount` ci-dessus sont ceux de la voie qui le porte.",
  "When it came to that.": "Quand il en est arrivé là.",
  "Why this way failed; null when it did not.": "Pourquoi cette voie a échoué ; null si elle n’a pas échoué.",
  "Only with `channel` WHATSAPP: which template is meant where several have the text of `body`. Without it: the one whose category is that of the class, and of those the newest.":
    "Seulement avec `channel` WHATSAPP : quel modèle est voulu quand plusieurs ont le texte de `body`. Sans lui : celui dont la catégorie est celle de la classe, et de ceux-là le plus récent.",
  "Of a body that WhatsApp cannot send: the template that it nearly is, or is the text of; null where the sender has none.":
    "D’un texte que WhatsApp ne peut pas envoyer : le modèle qu’il est presque, ou dont il est le texte ; null si l’expéditeur n’en a aucun.",
  "Of the same: what the template says around the first difference.":
    "Du même : ce que dit le modèle autour de la première différence.",
  "Of the same: what the body says there.": "Du même : ce que dit le texte à cet endroit.",
  "SMS that it is sent and billed as.": "En combien de SMS il part et il est facturé.",
  "Whether it is pointless that a program sends the same again by itself: number, sender or text has to change, or a person to decide so, as after CANCELLED.":
    "Si un programme ne doit pas renvoyer la même chose de lui-même : il faut que le numéro, l’expéditeur ou le texte change, ou qu’une personne le décide, comme après CANCELLED.",
  "What the operator said, in its own code; null when it said nothing.":
    "Ce qu’a dit l’opérateur, dans son propre code ; null s’il n’a rien dit.",
  "The page that explains the code.": "La page qui explique le code.",
  "The code in words.": "Le code en mots.",
  "The HTTP status again.": "Le code HTTP, une seconde fois.",
  "What is wrong there.": "Ce qui ne va pas à cet endroit.",
  "Oldest first.": "Le plus ancien d’abord.",
  "Where events are posted.": "Où les événements sont envoyés.",
  "The code of the error.": "Le code de l’erreur.",
  "The accepted recipients by the operator that they belong to.":
    "Les destinataires acceptés, par opérateur.",
  "The character itself.": "Le caractère lui-même.",
  "As Unicode writes it.": "Comme Unicode l’écrit.",
  "Only of an empty page, and only where something may be a slip. CURSOR_IN_FUTURE: `status_changed_since` is more than a minute ahead.":
    "Seulement dans une page vide, et seulement si quelque chose est peut-être une erreur. CURSOR_IN_FUTURE : `status_changed_since` a plus d’une minute d’avance.",
  "The request's own X-Request-Id if it had one of at most 64 safe characters, else a new one.":
    "Le X-Request-Id de la requête si elle en avait un d’au plus 64 caractères sûrs, sinon un nouveau.",
  "The most requests this key may make at once.": "Le plus de requêtes que cette clé peut faire d’un coup.",
  "Requests left at this moment.": "Les requêtes qui restent à cet instant.",
  "Seconds until the full number may be made at once again.":
    "Secondes jusqu’à ce que le nombre entier soit de nouveau possible d’un coup.",
  "Seconds to wait before the next try.": "Secondes à attendre avant le prochain essai.",
  "Only where this is the stored answer of an earlier request with the same Idempotency-Key: nothing was sent again.":
    "Seulement si c’est la réponse gardée d’une requête précédente avec la même Idempotency-Key : rien n’a été renvoyé.",
  "Fields that are not named here are ignored: a value for a tag stands in `attributes`.":
    "Les champs qui ne sont pas nommés ici sont ignorés : la valeur d’une balise se met dans `attributes`.",
  "Local or international form. One that cannot be parsed becomes a rejection, not an error. One of more than 32 characters, or null, refuses the whole batch.":
    "Forme locale ou internationale. Un numéro illisible devient un rejet, pas une erreur. Un numéro de plus de 32 caractères, ou null, fait refuser tout le lot.",
  "Failed attempts since the last success, a 410 among them; those that fail at the same time count once. At 20 the endpoint is disabled.":
    "Essais manqués depuis le dernier succès, un 410 aussi ; ceux qui échouent en même temps comptent une fois. À 20, l’adresse est désactivée.",
};
