/** What errors of messages are called where there is room for a few words. */
import type { ErrorGroup } from "./error-options.ts";

export const ERRORS_EN: readonly ErrorGroup[] = [
  {
    title: "The number or the phone",
    names: {
      UNKNOWN_SUBSCRIBER: "Number not in service",
      INVALID_DESTINATION: "Number not accepted",
      ABSENT_SUBSCRIBER: "Phone not reached",
      HANDSET_ERROR: "Phone could not take it",
      SUPPRESSED: "Opted out meanwhile",
    },
  },
  {
    title: "The operator",
    names: {
      OPERATOR_REJECTED: "Refused at once",
      REJECTED_AT_OPERATOR: "Accepted, then rejected",
      UNDELIVERABLE: "Not delivered, no reason given",
      NETWORK_ERROR: "Network failure",
      DELETED_AT_OPERATOR: "Deleted by the operator",
      SUBMIT_OUTCOME_UNKNOWN: "No answer when sent",
      RECEIPT_NOT_RECEIVED: "No delivery receipt",
      NOT_ENCODABLE: "Cannot be transmitted",
      NO_ROUTE: "Operator retired",
    },
  },
  {
    title: "Time",
    names: {
      EXPIRED_IN_QUEUE: "Out of date before leaving",
      EXPIRED_AT_OPERATOR: "Out of date at the operator",
      OPERATOR_THROTTLED: "Put off for too long",
      SCHEDULE_TOO_LATE: "Batch too late",
    },
  },
  {
    title: "The sender or the batch",
    names: {
      SENDER_NOT_REGISTERED: "Sender not registered",
      CANCELLED: "Batch cancelled",
      RESTORE_GIVEN_UP: "Given up after a restore",
    },
  },
  {
    title: "WhatsApp",
    names: {
      WINDOW_CLOSED: "Nothing heard for 24 hours",
      CHANNEL_LIMIT: "Limit of WhatsApp reached",
      RECIPIENT_OPTED_OUT: "Marketing stopped in WhatsApp",
      PARAMETER_REFUSED: "Value refused",
      TEMPLATE_UNAVAILABLE: "Template unusable",
    },
  },
];

export const ERRORS_FR: readonly ErrorGroup[] = [
  {
    title: "Le numéro ou le téléphone",
    names: {
      UNKNOWN_SUBSCRIBER: "Numéro hors service",
      INVALID_DESTINATION: "Numéro refusé par l’opérateur",
      ABSENT_SUBSCRIBER: "Téléphone injoignable",
      HANDSET_ERROR: "Téléphone qui n’a pas pu le prendre",
      SUPPRESSED: "Désinscription entre-temps",
    },
  },
  {
    title: "L’opérateur",
    names: {
      OPERATOR_REJECTED: "Refusé d’emblée",
      REJECTED_AT_OPERATOR: "Accepté, puis refusé",
      UNDELIVERABLE: "Non remis, sans explication",
      NETWORK_ERROR: "Panne de réseau",
      DELETED_AT_OPERATOR: "Supprimé par l’opérateur",
      SUBMIT_OUTCOME_UNKNOWN: "Aucune réponse à l’envoi",
      RECEIPT_NOT_RECEIVED: "Aucun accusé de réception",
      NOT_ENCODABLE: "Impossible à transmettre",
      NO_ROUTE: "Opérateur retiré du service",
    },
  },
  {
    title: "Le temps",
    names: {
      EXPIRED_IN_QUEUE: "Périmé avant de partir",
      EXPIRED_AT_OPERATOR: "Périmé chez l’opérateur",
      OPERATOR_THROTTLED: "Remis à plus tard trop longtemps",
      SCHEDULE_TOO_LATE: "Lot trop en retard",
    },
  },
  {
    title: "L’expéditeur ou le lot",
    names: {
      SENDER_NOT_REGISTERED: "Expéditeur non enregistré",
      CANCELLED: "Lot annulé",
      RESTORE_GIVEN_UP: "Abandonné après une restauration",
    },
  },
  {
    title: "WhatsApp",
    names: {
      WINDOW_CLOSED: "Pas d’échange depuis 24 heures",
      CHANNEL_LIMIT: "Limite de WhatsApp atteinte",
      RECIPIENT_OPTED_OUT: "Marketing arrêté dans WhatsApp",
      PARAMETER_REFUSED: "Valeur refusée",
      TEMPLATE_UNAVAILABLE: "Modèle inutilisable",
    },
  },
];
