/** What `demo` and `smsc` print while they run. */
export const SENTENCES_OF_REHEARSALS: Readonly<Record<string, string>> = {
  ...ofTheDemo(),
  ...ofTheSimulator(),
  ...ofTheCloud(),
};

function ofTheDemo(): Readonly<Record<string, string>> {
  return {
    "bendre demo: the whole appliance, three simulated operators, a stand-in for WhatsApp and a temporary database":
      "bendre demo : tout l'appareil, trois opérateurs simulés, une doublure de WhatsApp et une base provisoire",
    "The same by WhatsApp, where the text is one of three templates:":
      "De même par WhatsApp, où le texte est l'un de trois modèles :",
    "API            {}": "API            {1}",
    "documentation  {}": "documentation  {1}",
    "operators      {}": "opérateurs     {1}",
    "With a test key nothing reaches an operator, and nothing is paid:":
      "Avec une clé d'essai, rien n'arrive chez un opérateur et rien n'est payé :",
    "Send a text from another terminal:": "Envoyez un texte depuis un autre terminal :",
    "Ask for the balance, and for what changed:": "Demandez le solde, et ce qui a changé :",
    "A number's last digits choose its outcome: 76 09 90 01 is not delivered, 76 09 90 05 is refused,":
      "Les derniers chiffres d'un numéro choisissent ce qui arrive : 76 09 90 01 n'est pas remis, 76 09 90 05 est refusé,",
    '76 09 90 06 is throttled once ("bendre smsc --help" lists them all). Ctrl-C stops.':
      "76 09 90 06 est freiné une fois (« bendre smsc --help » les donne tous). Ctrl-C arrête.",
    "wallet  {}": "solde   {1!}",
    "balance {}, reserved {}, spendable {}": "{1}, dont {2} réservés, {3} disponibles",
    "sent    batch {}: {} messages, {} reserved": "envoyé  lot {1} : {2} messages, {3} réservés",
    "status  {}  {}, {} XOF charged": "état    {1}  {2}, {3} XOF facturés",
    "status  {}  {}": "état    {1}  {2}",
    "handset +{}  {}: “{}”  ({}, 1 part)": "reçu    +{1}  {2} : « {3} »  ({4}, 1 segment)",
    "handset +{}  {}: “{}”  ({}, {} parts)": "reçu    +{1}  {2} : « {3} »  ({4}, {5} segments)",
    "whatsapp +{}: “{}”": "WhatsApp +{1} : « {2} »",
    "BREACH  {} saw: {}": "RÈGLE   {1} a vu : {2!}",
    "stopped; nothing is left behind": "arrêté ; rien ne reste derrière",
    "batch {}: {} messages accepted, {} segments, {} reserved":
      "lot {1} : {2} messages acceptés, {3} segments, {4} réservés",
    "batch   {}": "lot     {1}",
    "before  {}": "avant   {1!}",
    "after   {}": "après   {1!}",
    "FAULT   {}": "FAUTE   {1!}",
    "all {} messages were delivered": "les {1} messages ont été remis",
    "not everything is well": "tout ne va pas bien",
    "{} of {} recipients were accepted": "{1} destinataires sur {2} ont été acceptés",
    "the feed has {} of {} messages": "le fil a {1} messages sur {2}",
    "{} is {} ({})": "{1} est {2} ({3})",
    "{} is {}": "{1} est {2}",
    "the batch is {}": "le lot est {1}",
    "{} shows {} texts": "{1} affiche {2} textes",
    "{} shows another text than was sent": "{1} affiche un autre texte que celui envoyé",
    "{} got {} parts, {} are billed": "{1} a reçu {2} segments, {3} sont facturés",
    "{} cost {} XOF, not {} × {}": "{1} a coûté {2} XOF, et non {3} × {4}",
    "{} XOF were reserved and {} charged": "{1} XOF ont été réservés et {2} facturés",
    "the wallet went from {} to {} XOF, and {} were charged":
      "le portefeuille est passé de {1} à {2} XOF, et {3} ont été facturés",
    "{} XOF are still reserved": "{1} XOF sont encore réservés",
  };
}

function ofTheSimulator(): Readonly<Record<string, string>> {
  return {
    "listening on {}": "à l'écoute sur {1}",
    "link {}: {} bound as {}": "connexion {1} : {2} liée, {3}",
    "link {}: bind of {} refused, {}": "connexion {1} : liaison de {2} refusée, {3}",
    "link {}: garbage written: {}": "connexion {1} : n'importe quoi écrit : {2}",
    "link {}: VIOLATION: {}": "connexion {1} : RÈGLE ENFREINTE : {2!}",
    "link {}: {}": "connexion {1} : {2!}",
    "closed by the other side": "fermée par l'autre côté",
    unbound: "déliée",
    "{} → {}  1 part, {}  “{}”": "{1} → {2}  1 segment, {3}  « {4} »",
    "{} → {}  {} parts, {}  “{}”": "{1} → {2}  {3} segments, {4}  « {5} »",
    "{} → {}  accepted, not answered": "{1} → {2}  accepté, sans réponse",
    "{} → {}  refused, {}": "{1} → {2}  refusé, {3}",
    "{}  {}  id {}": "{1}  {2}  identifiant {3}",
    "{}  {}  id {}, no receipt": "{1}  {2}  identifiant {3}, sans accusé",
    "{}  {}  id {}, receipt twice": "{1}  {2}  identifiant {3}, accusé deux fois",
    "receipt answered with {}": "accusé répondu par {1}",
    "stopped: {} submit_sm, {} accepted, {} refused, {} unanswered":
      "arrêté : {1} submit_sm, {2} acceptés, {3} refusés, {4} sans réponse",
    "{} texts on handsets, {} with a part missing":
      "{1} textes sur les téléphones, {2} avec une partie manquante",
    "{} receipts sent, {} acknowledged, {} waiting": "{1} accusés envoyés, {2} confirmés, {3} en attente",
    "most on one link: {} without an answer, {} in a second":
      "au plus par connexion : {1} sans réponse, {2} en une seconde",
    "no violations": "aucune règle enfreinte",
    "{} violations:": "{1} règles enfreintes :",
    "  {} × {}": "  {1} × {2!}",
    "destination_addr is no number": "destination_addr n'est pas un numéro",
    "source_addr is longer than 20 characters": "source_addr dépasse 20 caractères",
    "destination_addr is not a number of 3 to 15 digits":
      "destination_addr n'est pas un numéro de 3 à 15 chiffres",
    "dest_addr_ton is no type of number of a subscriber":
      "dest_addr_ton n'est pas un type de numéro d'abonné",
    "dest_addr_npi does not fit dest_addr_ton": "dest_addr_npi ne va pas avec dest_addr_ton",
    "source_addr is empty": "source_addr est vide",
    "source_addr_ton is no type of number": "source_addr_ton n'est pas un type de numéro",
    "source_addr_npi does not fit source_addr_ton": "source_addr_npi ne va pas avec source_addr_ton",
    "source_addr does not fit its type of number": "source_addr ne va pas avec son type de numéro",
    "a user data header and sar parameters at once": "un en-tête de données et des paramètres sar à la fois",
    "UCS-2 text with half a character": "un texte UCS-2 avec un demi-caractère",
    "octets above 0x7F in the GSM alphabet": "des octets au-delà de 0x7F dans l'alphabet GSM",
    "validity_period is no time": "validity_period n'est pas une durée",
    "short_message and message_payload at once": "short_message et message_payload à la fois",
    "a user data header longer than the text": "un en-tête de données plus long que le texte",
    "short_message is longer than one short message": "short_message dépasse un message court",
    "a message on a link that is not bound for it":
      "un message par une connexion qui n'est pas liée pour cela",
    "port {} cannot be listened on ({})": "impossible d'écouter sur le port {1} ({2})",
    "--no-tlvs with --no-receipt-text leaves nothing of a receipt":
      "--no-tlvs avec --no-receipt-text ne laisse rien d'un accusé",
    "--tls-key and --tls-certificate go together": "--tls-key et --tls-certificate vont ensemble",
    "--{} needs {}": "il faut à --{1} une valeur : {2}",
    "unknown flag {}": "option inconnue {1}",
    "--{} takes no value": "--{1} ne prend pas de valeur",
    "nobody has bound": "personne ne s'est lié",
    "mo needs FROM TO TEXT": "il faut à mo : DE VERS TEXTE",
    "stall needs MS": "il faut des millisecondes à stall",
    "needs {}": "il faut {1}",
    "{} needs {}": "il faut à {1} : {2}",
    "{} cannot be changed while running": "{1} ne change pas en marche",
    "unknown command {}; there are {}": "commande inconnue {1} ; il y a {2}",
  };
}

function ofTheCloud(): Readonly<Record<string, string>> {
  return {
    "→ {}  refused, code {}": "→ {1}  refusé, code {2}",
    "→ {}  accepted  “{}”": "→ {1}  accepté  « {2} »",
    "→ {}  accepted, not answered  “{}”": "→ {1}  accepté, sans réponse  « {2} »",
    "the webhook is verified": "le webhook est vérifié",
    "the webhook is not verified: {}": "le webhook n'est pas vérifié : {1!}",
    "another answer than the challenge": "une autre réponse que la question posée",
    "statuses told: {}": "états annoncés : {1}",
    "the webhook took nothing: {}": "le webhook n'a rien pris : {1!}",
    "stopped: {} posts, {} accepted, {} refused, {} unanswered; {} statuses told, {} waiting":
      "arrêté : {1} envois, {2} acceptés, {3} refusés, {4} sans réponse ; {5} états annoncés, {6} en attente",
    "{} needs FROM TEXT": "il faut à {1} : DE TEXTE",
    "gone needs ID": "il faut à gone : ID",
    "back needs ID": "il faut à back : ID",
    "marketing needs FROM stop|resume": "il faut à marketing : DE stop|resume",
    "template needs NAME STATUS": "il faut à template : NOM ÉTAT",
    "announce needs NAME CATEGORY": "il faut à announce : NOM CATÉGORIE",
    "quality needs NAME SCORE": "il faut à quality : NOM NOTE",
    "there is no webhook to tell": "il n'y a pas de webhook à qui l'annoncer",
  };
}
