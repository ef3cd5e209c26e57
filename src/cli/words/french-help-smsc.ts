/** What `bendre smsc --help` says: quirks of the simulated operator, outcomes that numbers choose, commands. */
export const HELP_OF_SMSC: Readonly<Record<string, string>> = {
  "bendre smsc: a simulated operator to rehearse with (SMPP 3.4, loopback only)":
    "bendre smsc : un opérateur simulé, pour répéter (SMPP 3.4, sur cette machine seulement)",
  "usage: bendre smsc [flags]": "usage : bendre smsc [options]",
  "Every flag is one quirk that real operators have; any may be combined. Without flags it does everything right, and takes":
    "Chaque option est un travers de vrais opérateurs ; toutes se combinent. Sans option, il fait tout comme il faut, et",
  "what real centres take; with --strict it refuses all that breaks a rule of the protocol.":
    "accepte ce qu'acceptent les vrais centres ; avec --strict, il refuse tout ce qui enfreint le protocole.",
  "Where, and for whom": "Où, et pour qui",
  "TCP port on 127.0.0.1, 0 for any free one": "port TCP sur 127.0.0.1, 0 pour le premier libre",
  "a system_id that may bind; repeatable [anybody]": "un system_id qui peut se lier ; à répéter [tous]",
  "what data_coding 0 means here": "ce que veut dire ici data_coding 0",
  "private key (PEM): with --tls-certificate, SMPP inside TLS":
    "clé privée (PEM) : avec --tls-certificate, SMPP dans TLS",
  "certificate chain (PEM)": "chaîne de certificats (PEM)",
  Binds: "Liaisons",
  "refuse so many binds": "refuser autant de liaisons",
  "with this status": "avec ce statut",
  "links one system_id may have bound, more get 0x05; 0: no limit":
    "connexions liées par system_id, les autres reçoivent 0x05 ; 0 : sans limite",
  "from the bind to its response": "de la liaison à sa réponse",
  "send an outbind on every new link": "envoyer un outbind à chaque nouvelle connexion",
  "Message ids": "Identifiants des messages",
  "how message ids are written": "comment s'écrivent les identifiants",
  "letters of the id in receipts": "lettres de l'identifiant dans les accusés",
  "fill ids in responses with zeros to so many characters":
    "compléter de zéros les identifiants des réponses, jusqu'à autant de signes",
  "the same in receipts": "de même dans les accusés",
  "after so many messages the first id comes again; 0: never":
    "après autant de messages, revenir au premier identifiant ; 0 : jamais",
  Responses: "Réponses",
  "from submit_sm to its response": "de submit_sm à sa réponse",
  "up to so much more: responses come out of order":
    "jusqu'à autant en plus : les réponses arrivent dans le désordre",
  "accept every Nth submit_sm and never answer it; 0: answer all":
    "accepter un submit_sm sur N sans jamais répondre ; 0 : répondre à tous",
  "how many submit_sm are refused": "part des submit_sm refusés",
  "refusals carry an empty message_id, not no body":
    "les refus portent un message_id vide, au lieu de ne rien porter",
  Receipts: "Accusés",
  "from the response to the handset and its receipt": "de la réponse au téléphone et à son accusé",
  "up to so much more": "jusqu'à autant en plus",
  "how many reach their handset, the rest is UNDELIV": "part qui arrive au téléphone, le reste est UNDELIV",
  "receipts that are never sent": "accusés jamais envoyés",
  "receipts that are sent twice": "accusés envoyés deux fois",
  "the receipt overtakes the response": "l'accusé arrive avant la réponse",
  "receipts are text only; nor does the bind response have any":
    "accusés en texte seulement ; la réponse à la liaison est sans paramètre aussi",
  "receipts are optional parameters only": "accusés en paramètres facultatifs seulement",
  "the text of receipts is in message_payload": "le texte des accusés est dans message_payload",
  "receipts come as data_sm": "les accusés arrivent en data_sm",
  "receipts have esm_class 0": "les accusés ont esm_class 0",
  "dates of 12 digits": "dates à 12 chiffres",
  "an intermediate notification before each receipt": "une notification intermédiaire avant chaque accusé",
  "on another link of the system_id, if there is one":
    "les accusés par une autre connexion du system_id, s'il y en a une",
  "send again what is not acknowledged; 0: don't": "renvoyer un accusé resté sans réponse ; 0 : non",
  "receipts unacknowledged on one link at most; 0: no limit":
    "accusés sans réponse par connexion, au plus ; 0 : sans limite",
  "no receipts at all": "aucun accusé",
  "What comes in": "Ce qui arrive",
  "how texts from handsets are coded": "codage des textes des téléphones",
  "numbers of handsets, whose type is always international":
    "numéros des téléphones, toujours dits internationaux",
  "an optional parameter behind it is longer than its PDU":
    "derrière, un paramètre facultatif plus long que son PDU",
  "so many receipts about nothing come with each receipt":
    "autant d'accusés à propos de rien avec chaque accusé",
  Pace: "Débit",
  "submit_sm accepted from a system_id; 0: no limit": "submit_sm acceptés d'un system_id ; 0 : sans limite",
  "the span in which that rate holds": "durée sur laquelle ce débit se mesure",
  "in place of a span, so many at once, refilled at the rate":
    "au lieu d'une durée, autant d'un coup, regagnés à ce débit",
  "what is too much gets this status": "ce qui est de trop reçoit ce statut",
  Links: "Connexions",
  "drop each link at its Nth submit_sm, accepted unanswered; 0: never":
    "couper chaque connexion à son Nième submit_sm, accepté sans réponse ; 0 : jamais",
  "drop so many links at most; 0: no limit": "couper autant de connexions au plus ; 0 : sans limite",
  how: "comment",
  "stop reading each link at its Nth submit_sm; 0: never":
    "ne plus lire chaque connexion à son Nième submit_sm ; 0 : jamais",
  "for so long; 0: for ever": "pendant autant ; 0 : pour toujours",
  "ask each link to unbind at its Nth submit_sm; 0: never":
    "demander à chaque connexion de se délier à son Nième submit_sm ; 0 : jamais",
  "never answer enquire_link": "ne jamais répondre à enquire_link",
  "how often a link is asked whether it is there":
    "intervalle entre deux questions à une connexion : est-elle là ?",
  "write every octet apart": "écrire chaque octet à part",
  "write garbage after every Nth submit_sm of a link; 0: never":
    "écrire n'importe quoi après chaque Nième submit_sm d'une connexion ; 0 : jamais",
  "of this kind; cycle: each in turn": "de cette sorte ; cycle : chacune à son tour",
  "Checks: what it has to refuse is always counted; these count besides":
    "Contrôles : ce qu'il doit refuser est toujours compté ; ceux-ci comptent en plus",
  "more unanswered submit_sm on a link than that; 0: don't":
    "plus de submit_sm sans réponse par connexion que cela ; 0 : non",
  "more submit_sm a second on a link than that; 0: don't":
    "plus de submit_sm par seconde et par connexion que cela ; 0 : non",
  "refuse what breaks a rule, and exit 3 when any was broken":
    "refuser ce qui enfreint une règle, et finir avec 3 s'il y en a eu",
  "Output and control": "Affichage et commandes",
  "print nothing but the port, and the sums at the end": "n'afficher que le port, et les totaux à la fin",
  "print everything seen, one JSON object a line": "afficher tout ce qui se passe, un objet JSON par ligne",
  "take commands on standard input": "prendre des commandes sur l'entrée standard",
  "A destination's last five digits choose its outcome":
    "Les cinq derniers chiffres du destinataire choisissent ce qui arrive",
  "receipt UNDELIV, err 001": "accusé UNDELIV, err 001",
  "receipt EXPIRED, err 027": "accusé EXPIRED, err 027",
  "receipt REJECTD, err 013": "accusé REJECTD, err 013",
  "delivered, but no receipt": "remis, mais sans accusé",
  "refused: 0x0B invalid destination": "refusé : 0x0B, destinataire incorrect",
  "0x58 throttled once": "0x58, freiné une fois",
  "0x14 queue full once": "0x14, file pleine une fois",
  "first submit accepted and never answered; its receipt comes":
    "première remise acceptée et jamais répondue ; son accusé arrive",
  "receipt twice": "accusé deux fois",
  "receipt UNKNOWN": "accusé UNKNOWN",
  "0x08 system error, always": "0x08, erreur du système, toujours",
  "link cut at the first submit, which is accepted":
    "connexion coupée à la première remise, qui est acceptée",
  "With --control, one command a line on standard input":
    "Avec --control, une commande par ligne sur l'entrée standard",
  "a text from a handset, of any length: mo 22670123456 3333 STOP":
    "un texte d'un téléphone, de toute longueur : mo 22670123456 3333 STOP",
  "drop every link": "couper toutes les connexions",
  "read nothing for so long; 0: for ever": "ne rien lire pendant autant ; 0 : pour toujours",
  "write garbage to every link": "écrire n'importe quoi sur chaque connexion",
  "ask every link to unbind": "demander à chaque connexion de se délier",
  "a quirk from now on: set throttle-per-second 20":
    "un travers à partir de maintenant : set throttle-per-second 20",
  "It runs until it is told to stop (Ctrl-C, SIGTERM), then says what it counted, broken rules by their kind.":
    "Il tourne jusqu'à ce qu'on l'arrête (Ctrl-C, SIGTERM), puis dit ce qu'il a compté, règles enfreintes comprises.",
  'In a configuration: host = "127.0.0.1", port = this port, any system_id and password.':
    'Dans une configuration : host = "127.0.0.1", port = ce port, system_id et password au choix.',
};
