/** What an administrator reads who sends a file: what is wrong with it, and why it is not taken. */
export const SENTENCES_OF_SENDING: Readonly<Record<string, string>> = {
  "line {}: {}": "ligne {1} : {2!}",
  "the file has more than {} recipients: split it": "le fichier a plus de {1} destinataires : divisez-le",
  "the file has more than {} columns: leave out what is not needed":
    "le fichier a plus de {1} colonnes : retirez celles dont le texte n'a pas besoin",
  "line {}: the name of column {}, {}, holds a character that cannot be read: write it anew and save the file as UTF-8":
    "ligne {1} : le nom de la colonne {2}, {3}, contient un caractère illisible : retapez-le et enregistrez le fichier en UTF-8",
  "a note has at most {} characters, and no control characters":
    "une note a {1} caractères au plus, et aucun caractère de contrôle",
  "the note holds a character that cannot be read: write it anew and save the file as UTF-8":
    "la note contient un caractère illisible : retapez-le et enregistrez le fichier en UTF-8",
  "too many columns of too many rows are left out: split the file":
    "trop de colonnes de trop de lignes sont laissées de côté : divisez le fichier",
  "line {} of the text holds a character that cannot be read: write it anew and save the file as UTF-8":
    "la ligne {1} du texte contient un caractère illisible : retapez-le et enregistrez le fichier en UTF-8",
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
  "nothing of the batch failed for a reason that passes":
    "rien dans ce lot n'a échoué pour une raison passagère",
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
  "the batch was sent again already": "le lot a déjà été renvoyé",
  "another correction of this batch was sent meanwhile: the figures are worked out anew, look at them once more":
    "une autre correction de ce lot est partie entre-temps : les chiffres sont refaits, regardez-les encore une fois",
  "a batch of this file is still being checked: nobody knows yet whom it goes to. Try again in a moment":
    "un lot de ce fichier est encore en cours de vérification : personne ne sait encore à qui il va. Réessayez dans un instant",
  "the file was corrected {} times: more batches are not compared. Send the rows that are left as a batch of their own":
    "le fichier a déjà été corrigé {1} fois : la comparaison s'arrête là. Envoyez les lignes qui restent comme un nouveau lot",
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
  none: "aucune",
  "say the text with --body or --body-file": "dites le texte avec --body ou --body-file",
  "another quote of the account is being worked out: try again":
    "un autre devis du compte est en cours : réessayez",
  "the idempotency key was already used for another batch":
    "la clé d'idempotence a déjà servi pour un autre lot",
  "a batch with this idempotency key is just being taken: try again":
    "un lot avec cette clé d'idempotence est en train d'être pris : réessayez",
  "idempotency key": "la clé d'idempotence",
  "batches are not taken here": "les lots ne sont pas pris ici",
  "nothing to send was brought along: is the command of another version?":
    "rien à envoyer n'a été apporté : la commande est-elle d'une autre version ?",
  "the account is suspended": "le compte est suspendu",
  "the account is closed": "le compte est fermé",
  "the sender {} is not approved for the account": "l'expéditeur {1} n'est pas approuvé pour le compte",
  "the sender {} is not approved for the account; {} is: upper and lower case count":
    "l'expéditeur {1} n'est pas approuvé pour le compte ; {2} l'est : majuscules et minuscules comptent",
  "the batch has no recipients": "le lot n'a pas de destinataires",
  "body is blank once it is trimmed": "le texte est vide",
  "the disk is nearly full": "le disque est presque plein",
  'restored from a backup: "backup resume" says first what becomes of what may have left':
    "restauré depuis une sauvegarde : dites d'abord avec « backup resume » ce que devient ce qui est peut-être parti",
  "there is no number in [whatsapp.numbers]": "il n'y a aucun numéro dans [whatsapp.numbers]",
  "no template {} in {} is stopped for its price": "aucun modèle {1} en {2} n’est arrêté pour son prix",
  'templates can only be listed: "whatsapp template list"':
    'on ne peut que lister les modèles : "whatsapp template list"',
  "{} text(s) of more than {} segments, the longest of {}: each segment is paid for":
    "{1} texte(s) de plus de {2} segments, le plus long de {3} : chaque segment est payé",
  "{} is sent as it stands: no attribute is called so":
    "{1} part tel quel : aucun attribut ne s'appelle ainsi",
  "{} is sent as it stands: no attribute is called so; is the attribute {} meant?":
    "{1} part tel quel : aucun attribut ne s'appelle ainsi ; est-ce l'attribut {2} ?",
};
