/** What an administrator reads who sends a file: what is wrong with it, and why it is not taken. */
export const SENTENCES_OF_SENDING: Readonly<Record<string, string>> = {
  "nothing was sent, because {} row(s) cannot be read; correct them, or leave them out with --skip-bad-rows:":
    "rien n'a été envoyé, car {1} ligne(s) sont illisibles ; corrigez-les, ou sautez-les avec --skip-bad-rows :",
  "line {}: {}": "ligne {1} : {2!}",
  "and {} more": "et {1} autres",
  "it has no number": "aucun numéro",
  "the spreadsheet wrote {} in place of the number: give the column the format Text, enter the number again and save":
    "le tableur a écrit {1} à la place du numéro : donnez à la colonne le format Texte, resaisissez le numéro et enregistrez",
  "scientific notation of Excel ({}): the number is lost; give the column the format Text, enter the number again and save":
    "Excel a abrégé ce numéro en {1}, ses autres chiffres sont perdus : mettez la cellule au format Texte et retapez le numéro",
  "Excel shortened this number to {}, and its other digits are lost: give the cell the format Text and type the number again":
    "Excel a abrégé ce numéro en {1}, ses autres chiffres sont perdus : mettez la cellule au format Texte et retapez le numéro",
  "{} is how Excel shortens a number: its other digits are lost":
    "{1} est un numéro qu'Excel a abrégé : ses autres chiffres sont perdus",
  "{} has 1 digit instead of {}": "{1} a 1 chiffre au lieu de {2}",
  "{} has {} digits instead of {}": "{1} a {2} chiffres au lieu de {3}",
  "{} has {} digit(s) behind the country's code {} instead of {}":
    "{1} a {2} chiffre(s) après l'indicatif {3}, au lieu de {4}",
  "{} has as many digits as a number has, and no operator has numbers that begin so":
    "{1} a le bon nombre de chiffres, mais aucun opérateur n'a de numéros qui commencent ainsi",
  "the code of a country that is not served here ({})": "indicatif d'un pays non desservi ({1})",
  "a fixed line, which takes no texts": "un téléphone fixe, qui ne reçoit pas de textes",
  "a digit is missing in {} ({} instead of {}): a spreadsheet may have dropped the zero at its beginning, or a digit was left out in typing; look the number up":
    "il manque un chiffre à {1} ({2} au lieu de {3}) : un tableur a pu effacer le zéro du début, ou un chiffre a été oublié à la saisie ; retrouvez le vrai numéro",
  "a digit is missing in {}: a spreadsheet may have dropped the zero at its beginning, or a digit was left out in typing; look the number up":
    "il manque un chiffre à {1} : un tableur a pu effacer le zéro du début, ou un chiffre a été oublié à la saisie ; retrouvez le vrai numéro",
  "it repeats a number that the batch before reached already, or is on its way to: to send this row too, empty its cell in the column reason_code":
    "son numéro a déjà reçu le texte par le lot d'avant, ou un message est en route : pour l'envoyer aussi, videz sa case dans la colonne reason_code",
  "it repeats a number that the batch before failed for, and that was not to be tried again: to send this row too, empty its cell in the column reason_code":
    "le lot d'avant a échoué pour son numéro, et vous avez choisi de ne pas réessayer : pour l'envoyer aussi, videz sa case dans la colonne reason_code",
  "the number is in line {} already, and all else is the same":
    "le numéro est déjà à la ligne {1}, et tout le reste est pareil",
  "the number is in line {} already, with another value in {}":
    "le numéro est déjà à la ligne {1}, avec une autre valeur dans {2}",
  "the number has decimals, {}: give the column the format Text and save again":
    "le numéro a des décimales, {1} : donnez à la colonne le format Texte et enregistrez de nouveau",
  "{} is not a phone number": "{1} n'est pas un numéro de téléphone",
  "it has {} columns, and the first line names {}": "elle a {1} colonnes, et la première ligne en nomme {2}",
  "in the column {}, {}": "dans la colonne {1}, {2!}",
  "the formula in it gives {}": "la formule y donne {1}",
  "the column {} holds a character that cannot be sent":
    "la colonne {1} contient un caractère qui ne peut pas être envoyé",
  "client_reference {}": "client_reference : {1!}",
  "the file has more than {} recipients: split it": "le fichier a plus de {1} destinataires : divisez-le",
  "the file has more than {} columns: leave out what is not needed":
    "le fichier a plus de {1} colonnes : retirez celles dont le texte n'a pas besoin",
  "it holds more than {} characters": "elle contient plus de {1} caractères",
  "it holds a character that cannot be read, shown as {}: write it anew and save the file as UTF-8":
    "elle contient un caractère illisible, affiché {1} : retapez-le et enregistrez le fichier en UTF-8",
  "line {}: the name of column {}, {}, holds a character that cannot be read: write it anew and save the file as UTF-8":
    "ligne {1} : le nom de la colonne {2}, {3}, contient un caractère illisible : retapez-le et enregistrez le fichier en UTF-8",
  "the workbook is damaged there: {}": "le classeur y est abîmé : {1}",
  "too many columns of too many rows are left out: split the file":
    "trop de colonnes de trop de lignes sont laissées de côté : divisez le fichier",
  "a file of recipients has at most 16 MB: split it, or leave out columns that are not needed":
    "un fichier de destinataires a 16 Mo au plus : divisez-le, ou retirez les colonnes inutiles",
  "the file is not kept any more: choose it again": "le fichier n'est plus gardé : choisissez-le de nouveau",
  "the file is empty": "le fichier est vide",
  "no row of the file can be read": "aucune ligne du fichier n'est lisible",
  "what the columns fill in is too much for one batch: split the file":
    "ce que les colonnes remplissent est trop long pour un seul lot : divisez le fichier",
  "the file takes too long to read: save it as CSV, with the columns that are needed":
    "le fichier est trop long à lire : enregistrez-le en CSV, avec les seules colonnes utiles",
  "many files are being read just now: try again":
    "beaucoup de fichiers sont en cours de lecture : réessayez dans un instant",
  "many files are being made just now: try again":
    "beaucoup de fichiers sont en préparation : réessayez dans un instant",
  "the batch costs {} XOF": "le lot coûte {1} XOF",
  "the batch costs at least {} XOF (a quote tells all of it)":
    "le lot coûte au moins {1} XOF (un devis dit le tout)",
  "{}, more than the wallet can spend: {} XOF can be spent, {} XOF more is needed":
    "{1!} et le portefeuille ne peut en dépenser que {2} XOF : il manque {3} XOF",
  "{}, more than the credit limit leaves: {} XOF can be spent, {} XOF more is needed":
    "{1!} et le plafond de crédit n'en laisse que {2} XOF : il manque {3} XOF",
  "{} and the wallet is in debit by {} XOF: {} XOF can be spent, {} XOF more is needed":
    "{1!} et le portefeuille est à découvert de {2} XOF : {3} XOF à dépenser, il manque {4} XOF",
  "the wallet cannot pay this": "le portefeuille ne peut pas payer cet envoi",
  "the file has no recipients": "le fichier n'a pas de destinataires",
  "the file is an old workbook (.xls), or one with a password: save it as .xlsx without a password, or as CSV":
    "le fichier est un ancien classeur (.xls), ou il a un mot de passe : enregistrez-le en .xlsx sans mot de passe, ou en CSV",
  "line {}: a quote opens there and is not closed; close it, or write it twice within quotes where it is part of a text":
    "ligne {1} : un guillemet s'y ouvre et n'est pas fermé ; fermez-le, ou doublez-le entre guillemets s'il fait partie d'un texte",
  "the workbook cannot be read: {}": "le classeur ne peut pas être lu : {1!}",
  "it is an archive, but no workbook": "c'est une archive, mais pas un classeur",
  "it is broken": "il est abîmé",
  "it is cut short": "il est incomplet",
  "it is encrypted": "il est chiffré",
  "its directory is broken": "sa table est abîmée",
  "a member of it is broken": "une de ses parties est abîmée",
  "a member of it is packed in an unknown way": "une de ses parties est compressée d'une façon inconnue",
  "it has more than {} members": "il a plus de {1} parties",
  "it unpacks to more than a list of recipients can be":
    "décompressé, il est plus grand qu'une liste de destinataires ne peut l'être",
  "several columns may hold the numbers: say --column with one of {}":
    "plusieurs colonnes peuvent contenir les numéros : dites --column avec l'une de {1}",
  "two columns are called {}: rename one of them": "deux colonnes s'appellent {1} : renommez-en une",
  "no column of the first line is called msisdn, numero or phone: say which holds the numbers with --column; there are {}":
    "aucune colonne de la première ligne ne s'appelle msisdn, numero ou telephone : dites avec --column laquelle contient les numéros ; il y a {1!}",
  "no column is called {}: there are {}": "aucune colonne ne s'appelle {1} : il y a {2!}",
  "no column is called {}: there are {}; did you mean {}":
    "aucune colonne ne s'appelle {1} : il y a {2!} ; vouliez-vous dire {3}",
  "the account is suspended": "le compte est suspendu",
  "the sender {} is not approved for the account": "l'expéditeur {1} n'est pas approuvé pour le compte",
  "the sender {} is not approved for the account; {} is: upper and lower case count":
    "l'expéditeur {1} n'est pas approuvé pour le compte ; {2} l'est : majuscules et minuscules comptent",
  "the batch has no recipients": "le lot n'a pas de destinataires",
  "body is blank once it is trimmed": "le texte est vide",
  "the disk is nearly full": "le disque est presque plein",
  'restored from a backup: "backup resume" says first what becomes of what may have left':
    "restauré depuis une sauvegarde : dites d'abord avec « backup resume » ce que devient ce qui est peut-être parti",
  "{} text(s) of more than {} segments, the longest of {}: each segment is paid for":
    "{1} texte(s) de plus de {2} segments, le plus long de {3} : chaque segment est payé",
  "{} is sent as it stands: no attribute is called so":
    "{1} part tel quel : aucun attribut ne s'appelle ainsi",
  "{} is sent as it stands: no attribute is called so; is the attribute {} meant?":
    "{1} part tel quel : aucun attribut ne s'appelle ainsi ; est-ce l'attribut {2} ?",
};
