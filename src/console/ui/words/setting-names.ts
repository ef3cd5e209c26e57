/** What the settings of an operator are called, by the key below its table; the form that connects one uses the same names. Pure. */
import { CONNECT_EN } from "./connect-en.ts";
import { CONNECT_FR } from "./connect-fr.ts";

export type SettingNames = Readonly<Record<string, string>>;

function ofForm(words: typeof CONNECT_EN): SettingNames {
  const { name, prefixes, price, host, port, systemId, bind, window, throughput } = words;
  const connection = { host, port, system_id: systemId, bind, window, throughput };
  const below = Object.entries(connection).map(([key, called]) => [`connections.${key}`, called]);
  return { name, prefixes, price, ...Object.fromEntries(below) };
}

export const SETTINGS_EN: SettingNames = {
  ...ofForm(CONNECT_EN),
  receipts: "Sends delivery receipts",
  responses: "What its error codes mean",
  "connections.password": "Password",
  "connections.response_timeout_seconds": "Longest wait for an answer, in seconds",
  "connections.reconnect_seconds": "First delay before connecting again, in seconds",
  "connections.enquire_link_seconds": "Silence before the link is tested, in seconds",
  "connections.default_alphabet": "Alphabet of the SMSC",
  "connections.long_messages": "How long texts travel",
  "connections.max_segments": "Longest text, in SMS",
  "connections.unmarked_receipts": "Receipts without a mark count",
  "connections.tls": "Encrypted (TLS)",
  "connections.tls_ca_file": "Authorities trusted for TLS",
  "connections.tls_server_name": "Name in the certificate of the SMSC",
  "connections.tls_certificate": "Our certificate",
  "connections.tls_key": "Private key of our certificate",
  "connections.system_type": "System type (system_type)",
  "connections.address_range": "Address range (address_range)",
  "connections.address_ton": "Type of the address range (addr_ton)",
  "connections.address_npi": "Numbering plan of the address range (addr_npi)",
  "connections.interface_version": "Version of SMPP",
  "connections.service_type": "Service type (service_type)",
  "connections.send_validity": "The SMSC is told until when a text is worth delivering",
  "connections.source_alphanumeric.ton": "Sender made of letters: type (TON)",
  "connections.source_alphanumeric.npi": "Sender made of letters: numbering plan (NPI)",
  "connections.source_short_code.ton": "Short code as sender: type (TON)",
  "connections.source_short_code.npi": "Short code as sender: numbering plan (NPI)",
  "connections.source_number.ton": "Number as sender: type (TON)",
  "connections.source_number.npi": "Number as sender: numbering plan (NPI)",
  "connections.destination.ton": "Recipient: type (TON)",
  "connections.destination.npi": "Recipient: numbering plan (NPI)",
  "connections.priority.OTP": "Priority of OTPs",
  "connections.priority.TRANSACTIONAL": "Priority of transactional texts",
  "connections.priority.MARKETING": "Priority of marketing",
  "connections.validity_minutes.OTP": "Longest validity of OTPs, in minutes",
  "connections.validity_minutes.TRANSACTIONAL": "Longest validity of transactional texts, in minutes",
  "connections.validity_minutes.MARKETING": "Longest validity of marketing, in minutes",
};

export const SETTINGS_FR: SettingNames = {
  ...ofForm(CONNECT_FR),
  receipts: "Envoie des accusés de réception",
  responses: "Ce que ses codes d’erreur veulent dire",
  "connections.password": "Mot de passe",
  "connections.response_timeout_seconds": "Attente maximale d’une réponse, en secondes",
  "connections.reconnect_seconds": "Premier délai avant de se reconnecter, en secondes",
  "connections.enquire_link_seconds": "Silence avant que la liaison soit testée, en secondes",
  "connections.default_alphabet": "Alphabet du SMSC",
  "connections.long_messages": "Façon d’envoyer les textes longs",
  "connections.max_segments": "Texte le plus long, en SMS",
  "connections.unmarked_receipts": "Les accusés sans marque comptent",
  "connections.tls": "Liaison chiffrée (TLS)",
  "connections.tls_ca_file": "Autorités admises pour TLS",
  "connections.tls_server_name": "Nom dans le certificat du SMSC",
  "connections.tls_certificate": "Notre certificat",
  "connections.tls_key": "Clé privée de notre certificat",
  "connections.system_type": "Type de système (system_type)",
  "connections.address_range": "Plage d’adresses (address_range)",
  "connections.address_ton": "Type de la plage d’adresses (addr_ton)",
  "connections.address_npi": "Plan de numérotation de la plage d’adresses (addr_npi)",
  "connections.interface_version": "Version de SMPP",
  "connections.service_type": "Type de service (service_type)",
  "connections.send_validity": "Le SMSC apprend jusqu’à quand un texte est utile",
  "connections.source_alphanumeric.ton": "Expéditeur en lettres : type (TON)",
  "connections.source_alphanumeric.npi": "Expéditeur en lettres : plan de numérotation (NPI)",
  "connections.source_short_code.ton": "Numéro court comme expéditeur : type (TON)",
  "connections.source_short_code.npi": "Numéro court comme expéditeur : plan de numérotation (NPI)",
  "connections.source_number.ton": "Numéro comme expéditeur : type (TON)",
  "connections.source_number.npi": "Numéro comme expéditeur : plan de numérotation (NPI)",
  "connections.destination.ton": "Destinataire : type (TON)",
  "connections.destination.npi": "Destinataire : plan de numérotation (NPI)",
  "connections.priority.OTP": "Priorité des OTP",
  "connections.priority.TRANSACTIONAL": "Priorité des textes transactionnels",
  "connections.priority.MARKETING": "Priorité du marketing",
  "connections.validity_minutes.OTP": "Durée de validité maximale des OTP, en minutes",
  "connections.validity_minutes.TRANSACTIONAL":
    "Durée de validité maximale des textes transactionnels, en minutes",
  "connections.validity_minutes.MARKETING": "Durée de validité maximale du marketing, en minutes",
};
