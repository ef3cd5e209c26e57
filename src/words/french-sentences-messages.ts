/** Why a message did not arrive, as the console says it to those who look for it. */
export const SENTENCES_OF_MESSAGES: Readonly<Record<string, string>> = {
  "The operator was retired before the message could leave.":
    "L’opérateur a été retiré avant que le message puisse partir.",
  "The sender is not registered with the recipient's operator.":
    "L’expéditeur n’est pas enregistré chez l’opérateur du destinataire.",
  "The operator does not accept the number.": "L’opérateur n’accepte pas ce numéro.",
  "The operator refused the message.": "L’opérateur a refusé le message.",
  "The operator asked to try later until the message's validity or its tries were over.":
    "L’opérateur a demandé d’attendre jusqu’à la fin de la validité du message, ou jusqu’à son dernier essai.",
  "The message cannot be written in the operator's protocol.":
    "Le message ne peut pas s’écrire dans le protocole de l’opérateur.",
  "The operator never said whether it accepted the message.":
    "L’opérateur n’a jamais dit s’il avait accepté le message.",
  "The message's validity was over before it could leave.":
    "La validité du message a pris fin avant qu’il puisse partir.",
  "The batch was cancelled.": "Le lot a été annulé.",
  "The batch would have left more than 30 minutes late.":
    "Le lot serait parti avec plus de 30 minutes de retard.",
  "The recipient has opted out since the batch was accepted.":
    "Le destinataire s’est désinscrit après l’acceptation du lot.",
  "The phone could not be reached.": "Le téléphone était injoignable.",
  "The number is not in service.": "Le numéro n’est pas en service.",
  "The phone could not take the message.": "Le téléphone n’a pas pu prendre le message.",
  "The operator's network could not deliver the message.":
    "Le réseau de l’opérateur n’a pas pu livrer le message.",
  "The operator gave up: its validity period was over.":
    "L’opérateur a renoncé : le délai du message était passé.",
  "The operator deleted the message.": "L’opérateur a supprimé le message.",
  "The operator rejected the message after accepting it.":
    "L’opérateur a rejeté le message après l’avoir accepté.",
  "The operator could not deliver the message.": "L’opérateur n’a pas pu livrer le message.",
  "The operator accepted the message and never reported what became of it.":
    "L’opérateur a accepté le message et n’a jamais dit ce qu’il est devenu.",
  "The service was restored from a backup; whether the message had left before was not known, and it was given up.":
    "Le service a été rétabli depuis une sauvegarde ; nul ne savait si le message était parti avant, et il a été abandonné.",
  "The recipient has not written in the last 24 hours, and free text needs that.":
    "Le destinataire n’a pas écrit dans les dernières 24 heures, et un texte libre le suppose.",
  "WhatsApp limits what this recipient gets, and did not deliver the message.":
    "WhatsApp limite ce que reçoit cette personne, et n’a pas livré le message.",
  "The recipient has stopped marketing messages of this sender in WhatsApp.":
    "La personne a refusé dans WhatsApp la publicité de cet expéditeur.",
  "WhatsApp refused a value of the message.": "WhatsApp a refusé une valeur du message.",
  "The template cannot be used: it is gone, stopped or of another category.":
    "Le modèle ne peut pas servir : il a disparu, est arrêté ou d’une autre catégorie.",
};
