/**
 * Configuration schema of an operator: number prefixes, price, meaning of its status codes, its routes, and the parameters of each
 * SMPP connection.
 */
import { Type } from "typebox";
import { type Phrase, phrase } from "../i18n/phrase.ts";
import { oneOf } from "./faults.ts";
import { isHost } from "./listen.ts";
import { isPartnerUrl } from "./partner-connection.ts";
import { isRouteName, RESPONSES, RouteSchema } from "./route-schema.ts";
import { characters, choice, file, flag, table, text, whole, wireText } from "./setting.ts";

/** Type of number and numbering plan of one kind of address (SMPP 3.4 sections 5.2.5 and 5.2.6). */
function address(means: Phrase, ton: number, npi: number) {
  return table({
    ton: whole({ min: 0, max: 6, default: ton, means }),
    npi: whole({ min: 0, max: 18, default: npi, means }),
  });
}

function priority(initial: number) {
  const means = phrase("setting.operators.connections.priority");
  return whole({ min: 0, max: 3, default: initial, means });
}

function longestValidity() {
  const means = phrase("setting.operators.connections.validity_minutes");
  return whole({ unit: "minutes", min: 0, max: 10_080, default: 0, means });
}

/** One SMPP bind to an operator's SMSC, or, by `kind`, another Bendre that is posted to (partner-connection.ts). */
const ConnectionSchema = Type.Object(
  {
    kind: choice(["smpp", "bendre"], {
      default: "smpp",
      means: phrase("setting.operators.connections.kind"),
    }),
    route: text({
      default: "",
      means: phrase("setting.operators.connections.route"),
      expects: phrase("config.expects.route_name"),
      isValid: (value) => value === "" || isRouteName(value),
    }),
    url: text({
      default: "",
      means: phrase("setting.operators.connections.url"),
      expects: phrase("config.expects.partner_url"),
      isValid: (value) => value === "" || isPartnerUrl(value),
    }),
    api_key: text({
      default: "",
      means: phrase("setting.operators.connections.api_key"),
      secret: true,
      ...wireText(0, 128),
    }),
    ca_file: file({ means: phrase("setting.operators.connections.ca_file") }),
    allow_private: flag({ default: false, means: phrase("setting.operators.connections.allow_private") }),
    host: text({
      means: phrase("setting.operators.connections.host"),
      expects: phrase("config.expects.host"),
      isValid: isHost,
    }),
    port: whole({ min: 1, max: 65_535, default: 2775, means: phrase("setting.operators.connections.port") }),
    system_id: text({
      means: phrase("setting.operators.connections.system_id"),
      ...wireText(1, 15),
    }),
    password: text({
      means: phrase("setting.operators.connections.password"),
      secret: true,
      ...wireText(0, 64),
    }),
    bind: choice(["transceiver", "transmitter", "receiver"], {
      default: "transceiver",
      means: phrase("setting.operators.connections.bind"),
    }),
    window: whole({
      unit: "submit_sm",
      min: 1,
      max: 1000,
      default: 10,
      means: phrase("setting.operators.connections.window"),
    }),
    throughput: whole({
      unit: "submit_sm_a_second",
      min: 1,
      max: 100_000,
      default: 30,
      means: phrase("setting.operators.connections.throughput"),
    }),
    shared_pace: text({
      default: "",
      means: phrase("setting.operators.connections.shared_pace"),
      expects: phrase("config.expects.route_name"),
      isValid: (value) => value === "" || isRouteName(value),
    }),
    response_timeout_seconds: whole({
      min: 1,
      max: 600,
      default: 20,
      means: phrase("setting.operators.connections.response_timeout_seconds"),
    }),
    reconnect_seconds: whole({
      min: 1,
      max: 60,
      default: 5,
      means: phrase("setting.operators.connections.reconnect_seconds"),
    }),
    enquire_link_seconds: whole({
      min: 1,
      max: 3600,
      default: 30,
      means: phrase("setting.operators.connections.enquire_link_seconds"),
    }),
    default_alphabet: choice(["gsm", "latin1", "ascii"], {
      default: "gsm",
      means: phrase("setting.operators.connections.default_alphabet"),
    }),
    long_messages: choice(["udh", "sar", "payload"], {
      default: "udh",
      means: phrase("setting.operators.connections.long_messages"),
    }),
    max_segments: whole({
      unit: "segments",
      min: 1,
      max: 255,
      default: 255,
      means: phrase("setting.operators.connections.max_segments"),
    }),
    unmarked_receipts: choice(["auto", "always", "never"], {
      default: "auto",
      means: phrase("setting.operators.connections.unmarked_receipts"),
    }),
    tls: flag({ default: false, means: phrase("setting.operators.connections.tls") }),
    tls_ca_file: file({
      means: phrase("setting.operators.connections.tls_ca_file"),
    }),
    tls_server_name: text({
      default: "",
      means: phrase("setting.operators.connections.tls_server_name"),
      expects: phrase("config.expects.server_name"),
      isValid: (value) => value === "" || isHost(value),
    }),
    tls_certificate: file({
      means: phrase("setting.operators.connections.tls_certificate"),
    }),
    tls_key: file({ means: phrase("setting.operators.connections.tls_key") }),
    system_type: text({
      default: "",
      means: phrase("setting.operators.connections.system_type"),
      ...wireText(0, 12),
    }),
    address_range: text({
      default: "",
      means: phrase("setting.operators.connections.address_range"),
      ...wireText(0, 40),
    }),
    address_ton: whole({
      min: 0,
      max: 6,
      default: 0,
      means: phrase("setting.operators.connections.address_ton"),
    }),
    address_npi: whole({
      min: 0,
      max: 18,
      default: 0,
      means: phrase("setting.operators.connections.address_npi"),
    }),
    interface_version: choice(["3.3", "3.4"], {
      default: "3.4",
      means: phrase("setting.operators.connections.interface_version"),
    }),
    service_type: text({
      default: "",
      means: phrase("setting.operators.connections.service_type"),
      ...wireText(0, 5),
    }),
    send_validity: flag({
      default: true,
      means: phrase("setting.operators.connections.send_validity"),
    }),
    source_alphanumeric: address(phrase("setting.operators.connections.source_alphanumeric"), 5, 0),
    source_short_code: address(phrase("setting.operators.connections.source_short_code"), 3, 0),
    source_number: address(phrase("setting.operators.connections.source_number"), 1, 1),
    destination: address(phrase("setting.operators.connections.destination"), 1, 1),
    priority: table({
      OTP: priority(1),
      TRANSACTIONAL: priority(0),
      MARKETING: priority(0),
    }),
    validity_minutes: table({
      OTP: longestValidity(),
      TRANSACTIONAL: longestValidity(),
      MARKETING: longestValidity(),
    }),
  },
  { additionalProperties: false },
);

/** A mobile network: the numbers it owns, what it costs, and how to reach it. */
export const OperatorSchema = table({
  name: text({
    default: "",
    means: phrase("setting.operators.name"),
    ...characters(0, 64),
  }),
  prefixes: Type.Array(
    text({
      expects: phrase("config.expects.prefix"),
      isValid: (value) => /^[1-9]\d{0,14}$/.test(value),
    }),
    {
      minItems: 1,
      maxItems: 1000,
      means: phrase("setting.operators.prefixes"),
    },
  ),
  price: Type.Optional(
    whole({
      unit: "xof_an_sms",
      min: 0,
      max: 1_000_000,
      means: phrase("setting.operators.price"),
    }),
  ),
  receipts: flag({
    default: true,
    means: phrase("setting.operators.receipts"),
  }),
  responses: Type.Record(Type.String(), choice(RESPONSES), {
    default: {},
    means: phrase("setting.operators.responses"),
    expects: phrase("config.expects.responses", { example: '"0x45"', words: oneOf(RESPONSES) }),
  }),
  routes: Type.Record(Type.String(), RouteSchema, {
    default: {},
    expects: phrase("config.expects.routes"),
  }),
  connections: Type.Array(ConnectionSchema, {
    minItems: 1,
    maxItems: 32,
    expects: phrase("config.expects.connections"),
  }),
});
