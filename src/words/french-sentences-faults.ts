/** What is wrong with a configuration file: what was found, what is expected, why a file cannot be read. */
export const SENTENCES_OF_FAULTS: Readonly<Record<string, string>> = {
  "{}: found {}, expected {}": "{1} : trouvé {2!}, attendu {3!}",
  "{}: not valid TOML: {}": "{1} : TOML incorrect : {2!}",
  "{}; values must be on the same line": "{1!} ; une valeur se met sur la même ligne",
  "its value cannot be read": "sa valeur est illisible",
  "Missing value after '='": "il manque une valeur après « = »",
  "Expected {} but found {}": "attendu {1}, trouvé {2!}",
  "end of file": "la fin du fichier",
  "{}: not valid TOML: {} is defined twice, on line {} and on line {}":
    "{1} : TOML incorrect : {2} est défini deux fois, ligne {3} et ligne {4}",
  "Unterminated string; newlines must be escaped in basic strings":
    "un texte entre guillemets n'est pas fermé à la fin de sa ligne",
  "Unterminated string; literal strings cannot contain newlines":
    "un texte entre apostrophes n'est pas fermé à la fin de sa ligne",
  "Invalid escape sequence: '{}'": "TOML ne connaît pas « \\{1} » dans un texte",
  "Invalid escape sequence":
    "une barre oblique inverse (\\) est suivie d'un caractère que TOML ne connaît pas là",
  "Strings must be quoted": "un texte se met entre guillemets",
  "Expected a newline or end of file after a key/value pair":
    "après une clé et sa valeur, la ligne doit finir : il y a quelque chose de trop",
  "Expected '=' after a key": "il manque « = » après une clé",
  "Expected '=' after a key but found {}": "il manque « = » après une clé : trouvé {1!}",
  "Expected a key": "il manque une clé",
  "Expected a key but found {}": "il manque une clé : trouvé {1!}",
  "Expected a value": "il manque une valeur",
  "Expected a value but found {}": "il manque une valeur : trouvé {1!}",
  "Cannot redefine key": "une clé est définie deux fois",
  "Cannot redefine key '{}' as a table": "la clé « {1} » est déjà définie, et la voici comme table",
  "Cannot redefine key '{}'": "la clé « {1} » est déjà définie",
  "Cannot redefine table '{}'": "la table « {1} » est déjà définie",
  "Unterminated string": "un texte n'est pas fermé",
  "Leading zeros are not allowed in numbers": "un nombre ne commence pas par zéro",
  "Strings must be quoted: {}": "un texte se met entre guillemets : {1}",
  nothing: "rien",
  "no such file": "aucun fichier de ce nom",
  "a file that cannot be read ({})": "un fichier illisible ({1})",
  "bytes that are not UTF-8": "des octets qui ne sont pas de l'UTF-8",
  "an empty list": "une liste vide",
  "a list": "une liste",
  "an empty table": "une table vide",
  "a table": "une table",
  "a text": "un texte",
  "a number": "un nombre",
  "a boolean": "vrai ou faux",
  "{} (hidden)": "{1!} (caché)",
  "the value of {}": "la valeur de {1}",
  "an unknown key": "une clé inconnue",
  "${ inside a text": "${ dans un texte",
  false: "false",
  "only receivers": "seulement des récepteurs",
  "true and only transmitters": "true et seulement des émetteurs",
  "{}, which is no PEM file": "{1}, qui n'est pas un fichier PEM",
  "{}, which is a file": "{1}, qui est un fichier",
  "a file whose certificate cannot be read": "un fichier dont le certificat est illisible",
  "a certificate that its key does not fit": "un certificat qui ne va pas avec sa clé",
  "a certificate whose key cannot be read": "un certificat dont la clé est illisible",
  "a configuration in TOML": "une configuration en TOML",
  "TOML in UTF-8": "du TOML en UTF-8",
  "a whole number from {} to {}": "un nombre entier de {1} à {2}",
  "a whole number from {} to {} ({})": "un nombre entier de {1} à {2} ({3!})",
  requests: "requêtes",
  messages: "messages",
  minutes: "minutes",
  seconds: "secondes",
  backups: "sauvegardes",
  segments: "segments",
  submit_sm: "submit_sm",
  "submit_sm a second": "submit_sm par seconde",
  "whole XOF a message": "XOF par message, sans décimales",
  "messages a second": "messages par seconde",
  "1 to 32 digits": "1 à 32 chiffres",
  "text of {} to {} characters of plain ASCII, without spaces":
    "un texte de {1} à {2} caractères ASCII, sans espaces",
  "a calling code of 1 to 3 digits, such as 226": "un indicatif de 1 à 3 chiffres, par exemple 226",
  "scheme://host[:port], such as https://graph.facebook.com; http only to a loopback address":
    "schéma://hôte[:port], par exemple https://graph.facebook.com ; http seulement vers une adresse de bouclage",
  "a version such as v23.0": "une version, par exemple v23.0",
  "tables [whatsapp.numbers.CODE]": "des tables [whatsapp.numbers.CODE]",
  "the secret of the app that Meta signs with": "le secret de l'application, avec lequel Meta signe",
  "a word that the webhook is registered with": "le mot avec lequel le webhook est enregistré",
  "a code of 1 to 23 letters, digits, _ and -, starting with a letter or digit":
    "un code de 1 à 23 lettres, chiffres, _ et -, commençant par une lettre ou un chiffre",
  "a number that is not listed yet ({})": "un numéro qui n'est pas encore dans la liste ({1})",
  "whole XOF an SMS": "XOF par SMS, sans décimales",
  "true or false": "true ou false",
  '"{}" or "{}"': '"{1}" ou "{2}"',
  "a list of {} to {}": "une liste de {1} à {2} éléments",
  "a list of {} to {}, each {}": "une liste de {1} à {2} éléments, chacun {3!}",
  "one of {}": "une de : {1}",
  "this key in [{}]": "cette clé dans [{1}]",
  "a known one; did you mean {}?": "une clé connue ; vouliez-vous dire {1} ?",
  "the environment variable {} to be set": "que la variable d'environnement {1} soit définie",
  'a text that is "${NAME}" as a whole, NAME being letters, digits and _':
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it stands so in the file.
    'un texte qui est tout entier "${NOM}", NOM étant fait de lettres, de chiffres et de _',
  "host:port, such as 127.0.0.1:8080 or [::1]:8080": "hôte:port, par exemple 127.0.0.1:8080 ou [::1]:8080",
  "host:port, such as 127.0.0.1:13013, or an empty text":
    "hôte:port, par exemple 127.0.0.1:13013, ou un texte vide",
  "host:port, such as 10.20.0.1:8443, or an empty text for the API's address":
    "hôte:port, par exemple 10.20.0.1:8443, ou un texte vide pour l'adresse de l'API",
  "host:port, such as 127.0.0.1:9464 or [::1]:9464, or an empty text for none":
    "hôte:port, par exemple 127.0.0.1:9464 ou [::1]:9464, ou un texte vide pour s'en passer",
  "the path of a PEM file, or an empty text for none":
    "le chemin d'un fichier PEM, ou un texte vide pour s'en passer",
  "a PEM file that can be read": "un fichier PEM lisible",
  "the path of a directory": "le chemin d'un répertoire",
  "the path of a directory, or an empty text": "le chemin d'un répertoire, ou un texte vide",
  "a directory, or nothing there yet": "un répertoire, ou rien encore",
  "the two capital letters of a country, such as BF (ISO 3166-1)":
    "les deux lettres capitales d'un pays, par exemple BF (ISO 3166-1)",
  "an IANA timezone, such as Africa/Ouagadougou": "un fuseau horaire IANA, par exemple Africa/Ouagadougou",
  "HH:MM-HH:MM, such as 08:00-20:00": "HH:MM-HH:MM, par exemple 08:00-20:00",
  "HH:MM, such as 02:30": "HH:MM, par exemple 02:30",
  "an address such as {}": "une adresse, par exemple {1}",
  "a number in E.164, such as +22670123456": "un numéro au format E.164, comme +22670123456",
  "an address or a network such as 127.0.0.1 or 10.20.0.0/16":
    "une adresse ou un réseau, comme 127.0.0.1 ou 10.20.0.0/16",
  "an address without a path, such as https://sms.example.bf, or an empty text":
    "une adresse sans chemin, comme https://sms.example.bf, ou un texte vide",
  "an address or a network such as 10.20.0.0/16 or 2001:db8::/32":
    "une adresse ou un réseau, par exemple 10.20.0.0/16 ou 2001:db8::/32",
  "an https: URL without credentials, or an empty text for none":
    "une URL en https:, sans identifiant ni mot de passe, ou un texte vide pour s'en passer",
  "the name of the company, since its address or its numbers are given":
    "le nom de l'entreprise, puisque son adresse ou ses numéros sont donnés",
  "text of at most {} characters": "un texte de {1} caractères au plus",
  "text of {} to {} characters": "un texte de {1} à {2} caractères",
  "text of at most {} characters of plain ASCII, without accents":
    "un texte de {1} caractères au plus, en ASCII, sans accents",
  "text of {} to {} characters of plain ASCII, without accents":
    "un texte de {1} à {2} caractères, en ASCII, sans accents",
  "tables [operators.CODE]": "des tables [operators.CODE]",
  "1 to 32 tables [[operators.CODE.connections]]": "1 à 32 tables [[operators.CODE.connections]]",
  "1 to 15 digits of an international number, without '+' and not starting with 0":
    "1 à 15 chiffres d'un numéro international, sans « + » et ne commençant pas par 0",
  'keys such as "0x45", each set to "retry", "pause" or "fail"':
    'des clés comme "0x45", chacune valant "retry", "pause" ou "fail"',
  "a host name or IP address, without a port": "un nom d'hôte ou une adresse IP, sans port",
  "a host name or an address, or an empty text for none":
    "un nom d'hôte ou une adresse, ou un texte vide pour s'en passer",
  "{}, since a password would leave in clear text": "{1!}, puisqu'un mot de passe partirait en clair",
  "a host name, or an empty text for the connection's host":
    "un nom d'hôte, ou un texte vide pour l'hôte de la connexion",
  "0, or at least {} as retention.text_days": "0, ou au moins {1} comme retention.text_days",
  "0, since retention.text_days keeps for ever": "0, puisque retention.text_days garde pour toujours",
  "0, or at least {}, since api.max_lookback_hours is {}":
    "0, ou au moins {1}, puisque api.max_lookback_hours vaut {2}",
  "a secret that alarms are signed with": "un secret qui signe les alarmes",
  "a code of 1 to 32 letters, digits, _ and -, starting with a letter or digit":
    "un code de 1 à 32 lettres, chiffres, _ et -, commençant par une lettre ou un chiffre",
  "another address than {} ({})": "une autre adresse que {1} ({2})",
  "a prefix that is not listed yet ({})": "un préfixe qui n'est pas encore pris ({1})",
  "{}, as {} says of the same host, port and system_id":
    "{1}, comme {2} le dit des mêmes host, port et system_id",
  'at least one with bind = "transceiver" or "transmitter"':
    'au moins une avec bind = "transceiver" ou "transmitter"',
  'receipts = false, or a connection with bind = "transceiver" or "receiver" to bring them':
    'receipts = false, ou une connexion avec bind = "transceiver" ou "receiver" qui apporte les accusés',
  "true, since {} is given": "true, puisque {1} est donné",
  "tls_certificate and tls_key, or neither": "tls_certificate et tls_key, ou aucun des deux",
  'a command_status other than 0 in hexadecimal, such as "0x45"':
    'un command_status autre que 0, en hexadécimal, par exemple "0x45"',
  'each command_status once ("{}" is the same)': 'chaque command_status une seule fois ("{1}" est le même)',
  "a certificate and the key that belongs to it ({})": "un certificat et la clé qui va avec ({1})",
};
