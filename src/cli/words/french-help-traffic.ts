/** Batches, messages, queues, operators, texts that come in, webhooks. */
export const HELP_OF_TRAFFIC: Readonly<Record<string, string>> = {
  "send one text over an operator, outside all accounts, and follow it to its receipt; 10 an hour":
    "envoie un texte par un opérateur, hors de tout compte, et le suit jusqu'à son accusé ; 10 par heure",
  "list texts that were sent to test operators, newest first, with what came of each since":
    "liste les textes envoyés pour essayer les opérateurs, les plus récents d'abord, avec leur suite",
  "the phone that gets it, in hand best": "le téléphone qui le reçoit, de préférence sous la main",
  "one segment; without this one that names operator and time":
    "un segment ; à défaut, un texte qui dit l'opérateur et l'heure",
  "who it is from; Bendre without this": "de qui il est ; Bendre à défaut",
  "how long its answer and its receipt are waited for; 60":
    "combien de temps la réponse et l'accusé sont attendus ; 60",
  "how many; 100 without this": "combien ; sans cela, 100",
  "say what a batch would cost and who would be rejected; nothing is sent":
    "dit ce que coûterait un lot et qui serait rejeté ; rien n'est envoyé",
  "JSON as clients send it, or a CSV or .xlsx file of recipients":
    "du JSON comme les clients l'envoient, ou un fichier CSV ou .xlsx de destinataires",
  "send a text to the numbers of a file, after saying what it costs":
    "envoie un texte aux numéros d'un fichier, après avoir dit ce qu'il coûte",
  "CSV or .xlsx: a column of numbers, and one for each tag of the text":
    "CSV ou .xlsx : une colonne de numéros, et une par balise du texte",
  "the sender that phones show": "l'expéditeur que les téléphones affichent",
  "the text; {name} is filled in from the column of that name":
    "le texte ; {nom} est rempli d'après la colonne de ce nom",
  "a file with the text": "un fichier qui contient le texte",
  "the column that holds the numbers; else found by its name":
    "la colonne des numéros ; à défaut, trouvée par son nom",
  "leave out rows that cannot be read; else none is sent to":
    "saute les lignes illisibles ; à défaut, rien n'est envoyé",
  "when to send; an ISO time, local to the account without an offset":
    "quand envoyer ; un instant ISO, à l'heure du compte s'il est sans décalage",
  "whether the text is rewritten so that it fits GSM-7": "si le texte est réécrit pour tenir en GSM-7",
  "what becomes of a tag without a value": "ce que devient une balise sans valeur",
  "what you call the batch: its client_reference": "comment vous appelez le lot : son client_reference",
  "only say what it would cost": "dit seulement ce que cela coûterait",
  "do not ask; where nobody can be asked, it is sent at once":
    "ne demande rien ; là où personne ne peut répondre, l'envoi part aussitôt",
  "said again with the same key, nothing is sent twice; else the same batch of the same day is one":
    "redit avec la même clé, rien n'est envoyé deux fois ; à défaut, le même lot du même jour n'en est qu'un",
  "list an account's batches, newest first": "liste les lots d'un compte, les plus récents d'abord",
  "batches before this one: next_before of the page before":
    "les lots avant celui-ci : next_before de la page précédente",
  "show a batch's figures, money and rejections by reason":
    "montre les chiffres d'un lot, son argent et ses rejets par motif",
  "the batch's id": "l'identifiant du lot",
  "call a batch off: what has not left is cancelled and its money released":
    "annule un lot : ce qui n'est pas parti est annulé, et son argent libéré",
  "find messages by number, account, batch, status, error, operator, sender or time, newest first":
    "cherche des messages par numéro, compte, lot, état, erreur, opérateur, expéditeur ou date, les plus récents d'abord",
  "to this number, as people write it": "vers ce numéro, comme on l'écrit",
  "of this account: its id, short name, name, or the end of its id":
    "de ce compte : son identifiant, son nom court, son nom, ou la fin de son identifiant",
  "of this batch, whenever it was": "de ce lot, quelle que soit sa date",
  "QUEUED, SUBMITTED, SENT, DELIVERED, FAILED or CANCELLED":
    "QUEUED, SUBMITTED, SENT, DELIVERED, FAILED ou CANCELLED",
  "with this error, such as ABSENT_SUBSCRIBER": "avec cette erreur, par exemple ABSENT_SUBSCRIBER",
  "of this operator, also under codes that it had before":
    "de cet opérateur, y compris sous les codes qu'il a portés",
  "from this sender, exactly as recipients see it":
    "de cet expéditeur, exactement tel que le voient les destinataires",
  "OTP, TRANSACTIONAL, MARKETING": "OTP, TRANSACTIONAL, MARKETING",
  "accepted then or later: a date or time in the configuration's timezone, ISO 8601, or how long ago: 30m, 2h, 3d; 31d without this":
    "acceptés à partir de cet instant : une date ou une heure dans le fuseau horaire de la configuration, ISO 8601, ou il y a combien de temps : 30m, 2h, 3d ; sans cela, 31d",
  "accepted before this; now without this": "acceptés avant cet instant ; sans cela, maintenant",
  "go on behind this one: next of the page before": "continue après celui-ci : next de la page précédente",
  "how many; 100 without this, 1000 at most": "combien ; sans cela, 100 ; 1000 au plus",
  "add up what became of messages, by operator, class, account, sender, error or day":
    "totalise ce que sont devenus les messages, par opérateur, classe, compte, expéditeur, erreur ou jour",
  "what a row is of; day without this": "ce que chaque ligne totalise ; sans cela, le jour",
  "from this day on: a date or time in the configuration's timezone, ISO 8601, or how long ago: 30m, 2h, 3d; 31d without this":
    "à partir de ce jour : une date ou une heure dans le fuseau horaire de la configuration, ISO 8601, ou il y a combien de temps : 30m, 2h, 3d ; sans cela, 31d",
  "to before this; a day that it is in counts whole; now without this":
    "jusqu'avant cet instant ; un jour entamé compte en entier ; sans cela, maintenant",
  "of this account, by the days of its timezone": "de ce compte, par les jours de son fuseau horaire",
  "show all that happened to one message: submits, answers, receipts, money":
    "montre tout ce qui est arrivé à un message : remises, réponses, accusés, argent",
  "the message's id": "l'identifiant du message",
  "show its text, which is masked without this; who read it is in the audit list":
    "montre son texte, qui sans cela est masqué ; le journal d'audit garde qui l'a lu",
  "why texts are read, for the audit list": "pourquoi les textes sont lus, pour le journal d'audit",
  "show its PDUs in hex, made again from what is kept of them":
    "montre ses PDU en hexadécimal, refaites à partir de ce qui en est gardé",
  "write its PDUs into a new file for Wireshark: numbers whole, the text masked without --show-text; made again from what is kept, a comment of each packet says what is not; addresses, ports and packets are made up":
    "écrit ses PDU dans un nouveau fichier pour Wireshark : numéros entiers, texte masqué sans --show-text ; refaites à partir de ce qui en est gardé, un commentaire de chaque paquet dit ce qui ne l'est pas ; adresses, ports et paquets sont inventés",
  "show what waits to be sent, by operator and class: how many, since when, until when, and what holds them":
    "montre ce qui attend de partir, par opérateur et par classe : combien, depuis quand, jusqu'à quand, et ce qui le retient",
  "show it again every two seconds, until it is interrupted":
    "l'affiche à nouveau toutes les deux secondes, jusqu'à ce qu'on l'interrompe",
  "list messages that an operator may or may not have, and what happens to them next":
    "liste les messages dont on ne sait pas si l'opérateur les a, et ce qui va leur arriver",
  "of this operator only": "de cet opérateur seulement",
  "list receipts that match no message yet, newest first":
    "liste les accusés qui ne répondent encore à aucun message, les plus récents d'abord",
  "let nothing leave by an operator or one of its connections, until it is resumed; receipts still come":
    "ne laisse plus rien partir par un opérateur ou par une de ses connexions, jusqu'à la reprise ; les accusés arrivent toujours",
  "one of its connections, by its place in the list from 1; all of the operator without it":
    "une de ses connexions, par son rang dans la liste à partir de 1 ; sans cela, tout l'opérateur",
  "why, for those who look at it later": "le motif, pour ceux qui regarderont plus tard",
  "let messages leave again by an operator that was paused, or by one of its connections":
    "laisse à nouveau partir les messages par un opérateur mis en pause, ou par une de ses connexions",
  "have an operator's connections wait for their answers, unbind and bind anew; one that is down tries at once":
    "fait attendre leurs réponses aux connexions d'un opérateur, puis les délie et les lie à nouveau ; une connexion coupée essaie aussitôt",
  "hand what waits for an operator that left the configuration over to another code":
    "confie à un autre code ce qui attend un opérateur sorti de la configuration",
  "the code that it had; not in the configuration": "le code qu'il avait ; absent de la configuration",
  "the code that it has; in the configuration": "le code qu'il a ; présent dans la configuration",
  "give up what waits for an operator that left the configuration: FAILED, the money released":
    "abandonne ce qui attend un opérateur sorti de la configuration : FAILED, l'argent libéré",
  "list what subscribers sent in, newest first; who read it is in the audit list":
    "liste ce que les abonnés ont envoyé, le plus récent d'abord ; le journal d'audit garde qui l'a lu",
  "received then or later": "reçus à partir de cet instant",
  "texts before this one: next_before of the page before":
    "les textes avant celui-ci : next_before de la page précédente",
  "list an account's webhook endpoints, newest first, and what waits for them":
    "liste les webhooks d'un compte, les plus récents d'abord, et ce qui les attend",
  "show an endpoint, what waits for it and its last attempts":
    "montre un webhook, ce qui l'attend et ses dernières tentatives",
  "the webhook's id": "l'identifiant du webhook",
  "change an endpoint's URL, events or description":
    "change l'URL, les événements ou la description d'un webhook",
  "an https: URL without credentials": "une URL en https:, sans identifiant ni mot de passe",
  "MESSAGE_TERMINAL, BATCH_SETTLED, BATCH_ACCEPTED, BATCH_REJECTED, BATCH_FAILED, BATCH_CANCELLED, WALLET_LOW, or all":
    "MESSAGE_TERMINAL, BATCH_SETTLED, BATCH_ACCEPTED, BATCH_REJECTED, BATCH_FAILED, BATCH_CANCELLED, WALLET_LOW, ou all pour tous",
  "a label": "un libellé",
  "enable an endpoint: it is told of what happens from now on":
    "active un webhook : il apprend ce qui arrive à partir de maintenant",
  "disable an endpoint and drop what waits for it": "désactive un webhook et jette ce qui l'attend",
  "why; its account is shown it": "le motif ; son compte le voit",
  "remove an endpoint for good": "supprime un webhook pour toujours",
  "send a signed test event and tell what the receiver made of it":
    "envoie un événement d'essai signé et dit ce que le récepteur en a fait",
  "tell an endpoint again of what happened since a time, under the same event ids":
    "redit à un webhook ce qui est arrivé depuis un instant, sous les mêmes identifiants d'événements",
  "a date or date-time; UTC unless it says":
    "une date, ou une date et une heure ; en UTC sauf mention contraire",
  "show how delivery to all endpoints goes since the server started":
    "montre comment se passe la remise à tous les webhooks depuis le démarrage du serveur",
  "read the templates of WhatsApp's numbers from Meta now; a running server does it every sync_minutes; exit 1 where one could not be read":
    "lit maintenant chez Meta les modèles des numéros WhatsApp ; un serveur qui tourne le fait toutes les sync_minutes ; code de sortie 1 si une lecture échoue",
  "list the templates that are known, with why one cannot be sent":
    "liste les modèles connus, et pourquoi l'un d'eux ne peut pas être envoyé",
  "let a template, or text without one, be sent again that was stopped because Meta bills it as another category":
    "laisse repartir un modèle, ou des textes sans modèle, arrêtés parce que Meta les facture dans une autre catégorie",
  "the name of the template; of text without one whatsapp:CODE of its number":
    "le nom du modèle ; pour des textes sans modèle, whatsapp:CODE de leur numéro",
  "its language, as the list shows it; of text without one its class":
    "sa langue, comme la liste la montre ; pour des textes sans modèle, leur classe",
  "the one thing that is done with them here": "la seule chose qu'on en fait ici",
};
