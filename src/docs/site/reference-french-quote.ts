/** The French of what the reference says of quotes. */
export const QUOTES_IN_FRENCH: Readonly<Record<string, string>> = {
  "Texts that rewriting changes.": "Des textes que la réécriture change.",
  "As it is written.": "Tel qu’il est écrit.",
  "As it would be sent.": "Tel qu’il serait envoyé.",
  "Quote a batch": "Demander un devis",
  "What the same submission would come to at this moment, to the franc; nothing is written, reserved or used up. Every recipient is looked at, whatever their number. One quote at a time for an account: another is answered 429. An Idempotency-Key is ignored. Too little money is no error here: see `is_payable`.":
    "Ce que la même soumission coûterait à cet instant, au franc près ; rien n’est écrit, réservé ni consommé. Tous les destinataires sont examinés, quel que soit leur nombre. Un devis à la fois par compte : un autre reçoit 429. Une Idempotency-Key est ignorée. Trop peu d’argent n’est pas une erreur ici : voir `is_payable`.",
  "What it would come to.": "Ce que cela donnerait.",
  "What its client should know, such as a slip in the tags, never an error.":
    "Ce que le client devrait savoir, comme une faute dans les balises ; jamais une erreur.",
  "Nothing is held: what is accepted in between may change it.":
    "Rien n’est retenu : ce qui est accepté entre-temps peut le changer.",
  "What the 202 would say: VALIDATING above 10000 recipients, else QUEUED, SCHEDULED or REJECTED.":
    "Ce que dirait le 202 : VALIDATING au-dessus de 10000 destinataires, sinon QUEUED, SCHEDULED ou REJECTED.",
  "Recipients that would be accepted.": "Destinataires qui seraient acceptés.",
  "Recipients that would be filtered out.": "Destinataires qui seraient écartés.",
  "How many for each reason.": "Combien pour chaque raison.",
  "The first 1000.": "Les 1000 premiers.",
  "Message segments of the accepted.": "Segments des messages acceptés.",
  "What would be reserved.": "Ce qui serait réservé.",
  "Whether the account can pay it at this moment.": "Si le compte peut le payer à cet instant.",
  "The error of 402 that the submission would be; null when it can be paid.":
    "L’erreur 402 que serait la soumission ; null si elle peut être payée.",
  "What can be spent, as the balance shows it. Whole XOF; null for a key without ACCOUNT_READ.":
    "Ce qui peut être dépensé, comme le montre le solde. XOF entiers ; null pour une clé sans ACCOUNT_READ.",
  "`spendable_before` less `amount`; may be negative. Whole XOF; null for a key without ACCOUNT_READ.":
    "`spendable_before` moins `amount` ; peut être négatif. XOF entiers ; null pour une clé sans ACCOUNT_READ.",
  "When it would leave, in UTC; null when nobody is accepted.":
    "Quand le lot partirait, en UTC ; null si personne n’est accepté.",
  "Of one segment.": "D’un segment.",
  "Accepted recipients.": "Destinataires acceptés.",
  "Their segments.": "Leurs segments.",
  "What would be reserved for all of them: `segments` times `price`, and `fallback_amount`. Whole XOF.":
    "Ce qui serait réservé pour tous : `segments` fois `price`, plus `fallback_amount`. En XOF entiers.",
  "What is reserved beyond the price of the segments, for messages whose SMS of `fallback` is dearer. Else 0. Whole XOF.":
    "Ce qui est réservé au-delà du prix des segments, pour les messages dont le SMS de `fallback` est plus cher. Sinon 0. En XOF entiers.",
  "Messages by encoding.": "Messages par codage.",
  "Messages.": "Messages.",
  "Messages, with half the room.": "Messages, avec moitié moins de place.",
  "Messages by WhatsApp.": "Messages par WhatsApp.",
  "What makes messages UCS-2, a row for each character and place; the 50 of the most messages.":
    "Ce qui fait passer des messages en UCS-2, une ligne par caractère et par endroit ; les 50 qui touchent le plus de messages.",
  "In Unicode; null for what is neither Latin, punctuation, a space, a currency sign, an arrow nor an emoji.":
    "Dans Unicode ; null pour ce qui n’est ni latin, ni ponctuation, ni espace, ni monnaie, ni flèche, ni emoji.",
  "Where it comes from: `body`, `fallback.body` of a message that may go on as an SMS, or `attribute:` and the name of the tag.":
    "D’où il vient : `body`, `fallback.body` pour un message qui peut repartir par SMS, ou `attribute:` et le nom de la balise.",
  "In how many messages.": "Dans combien de messages.",
  "What rewriting puts in its place where it rewrites the text at all, which may be nothing; null where nothing replaces it.":
    "Ce que la réécriture met à sa place quand elle réécrit le texte, peut-être rien ; null si rien ne le remplace.",
  "What the accepted come to with `text_policy: rewrite`, whatever was asked for.":
    "Ce que donnent les acceptés avec `text_policy: rewrite`, quoi qu’on ait demandé.",
  "Message segments then.": "Segments des messages alors.",
  "What they cost then.": "Ce qu’ils coûtent alors.",
  "How much less that is than as they are written.": "De combien c’est moins que tels qu’ils sont écrits.",
};
