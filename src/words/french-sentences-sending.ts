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
  "it holds more than {} characters": "elle contient plus de {1} caractères",
  "it holds a character that cannot be read, shown as {}: write it anew and save the file as UTF-8":
    "elle contient un caractère illisible, affiché {1} : retapez-le et enregistrez le fichier en UTF-8",
  "the workbook is damaged there: {}": "le classeur y est abîmé : {1}",
  "the account is suspended": "le compte est suspendu",
};
