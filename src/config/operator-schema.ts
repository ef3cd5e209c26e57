/**
 * Configuration schema of an operator: number prefixes, price, meaning of its status codes, and the parameters of each SMPP
 * connection.
 */
import { Type } from "typebox";
import { phrase } from "../i18n/phrase.ts";
import { oneOf } from "./faults.ts";
import { isHost } from "./listen.ts";
import { characters, choice, file, flag, table, text, whole, wireText } from "./setting.ts";

/** Type of number and numbering plan of one kind of address (SMPP 3.4 sections 5.2.5 and 5.2.6). */
function address(kind: string, ton: number, npi: number) {
  const description = `Type of number and numbering plan of ${kind}.`;
  return table({
    ton: whole({ min: 0, max: 6, default: ton, description }),
    npi: whole({ min: 0, max: 18, default: npi, description }),
  });
}

function priority(initial: number) {
  const description =
    "priority_flag by message class. Above 0, GSM networks try even a handset marked as absent.";
  return whole({ min: 0, max: 3, default: initial, description });
}

function longestValidity() {
  const description =
    "Longest validity_period told to this SMSC, by message class. 0: all that is left of the message's own.";
  return whole({ unit: "minutes", min: 0, max: 10_080, default: 0, description });
}

/** What a command_status may mean. */
const RESPONSES = ["retry", "pause", "fail"] as const;

/** One SMPP bind to an operator's SMSC. */
const ConnectionSchema = Type.Object(
  {
    host: text({
      description: "Name or address of the SMSC.",
      expects: phrase("config.expects.host"),
      isValid: isHost,
    }),
    port: whole({ min: 1, max: 65_535, default: 2775, description: "TCP port of the SMSC." }),
    system_id: text({
      description: "Who we are to the SMSC.",
      ...wireText(1, 15),
    }),
    password: text({
      description: "SMPP 3.4 allows 8 characters; some SMSCs take more.",
      secret: true,
      ...wireText(0, 64),
    }),
    bind: choice(["transceiver", "transmitter", "receiver"], {
      default: "transceiver",
      description: "What the session carries: messages out and receipts in, out only, or in only.",
    }),
    window: whole({
      unit: "submit_sm",
      min: 1,
      max: 1000,
      default: 10,
      description: "How many may be in flight, unanswered, at most.",
    }),
    throughput: whole({
      unit: "submit_sm_a_second",
      min: 1,
      max: 100_000,
      default: 30,
      description: "What the operator takes at most. Every part of a long message counts.",
    }),
    response_timeout_seconds: whole({
      min: 1,
      max: 600,
      default: 20,
      description: "A request that waits longer for its response is unanswered.",
    }),
    reconnect_seconds: whole({
      min: 1,
      max: 60,
      default: 5,
      description: "First delay before binding again. It doubles, with jitter, up to 60.",
    }),
    enquire_link_seconds: whole({
      min: 1,
      max: 3600,
      default: 30,
      description:
        "Silence after which the link is tested with enquire_link. Silence for response_timeout_seconds after that cuts it.",
    }),
    default_alphabet: choice(["gsm", "latin1", "ascii"], {
      default: "gsm",
      description:
        "What data_coding 0 means to this SMSC. A text with a character that its alphabet lacks travels as UCS-2, billed by our count all the same; where that is too long for the SMS that were counted, whole in message_payload.",
    }),
    long_messages: choice(["udh", "sar", "payload"], {
      default: "udh",
      description:
        "How a long message travels: in parts with a user data header, in parts with SAR parameters, or whole in message_payload, one submit_sm, billed by our count all the same.",
    }),
    max_segments: whole({
      unit: "segments",
      min: 1,
      max: 255,
      default: 255,
      description:
        "The longest message this SMSC takes. A message is priced before its connection is chosen, so the least among an operator's connections that can submit holds for all of them.",
    }),
    unmarked_receipts: choice(["auto", "always", "never"], {
      default: "auto",
      description:
        "Whether a text that only looks like a receipt, with nothing in esm_class or optional parameters to mark it, counts as one. A subscriber can type such a text, so auto waits until 20 of them have named 20 messages to different numbers while none came marked; until then they are kept, and count when it is sure. Connections of one host, port and system_id must agree.",
    }),
    tls: flag({ default: false, description: "SMPP inside TLS." }),
    tls_ca_file: file({
      description:
        "Certificate authorities to trust for this SMSC in place of the system's. Needs tls = true.",
    }),
    tls_server_name: text({
      default: "",
      description: "The name the SMSC's certificate must carry. Empty: host. Needs tls = true.",
      expects: phrase("config.expects.server_name"),
      isValid: (value) => value === "" || isHost(value),
    }),
    tls_certificate: file({
      description:
        "Our own certificate chain, for an SMSC that asks who we are. Needs tls = true and tls_key.",
    }),
    tls_key: file({ description: "Private key of our own certificate." }),
    system_type: text({
      default: "",
      description: "system_type of the bind, where the operator asks for one.",
      ...wireText(0, 12),
    }),
    address_range: text({
      default: "",
      description: "address_range of the bind, where the operator asks for one.",
      ...wireText(0, 40),
    }),
    address_ton: whole({
      min: 0,
      max: 6,
      default: 0,
      description: "addr_ton of the bind: type of number of address_range.",
    }),
    address_npi: whole({
      min: 0,
      max: 18,
      default: 0,
      description: "addr_npi of the bind: numbering plan of address_range.",
    }),
    interface_version: choice(["3.3", "3.4"], {
      default: "3.4",
      description: "The version of SMPP that the bind announces.",
    }),
    service_type: text({
      default: "",
      description: "service_type of every submit_sm, where the operator asks for one.",
      ...wireText(0, 5),
    }),
    send_validity: flag({
      default: true,
      description: "false: validity_period stays empty and the SMSC's own default holds.",
    }),
    source_alphanumeric: address("an alphanumeric sender", 5, 0),
    source_short_code: address("a short code sender", 3, 0),
    source_number: address("a telephone number as sender", 1, 1),
    destination: address("the recipient", 1, 1),
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
    description: "The operator's name for people. Empty: its code.",
    ...characters(0, 64),
  }),
  prefixes: Type.Array(
    text({
      description: "The first digits of numbers that the operator owns.",
      expects: phrase("config.expects.prefix"),
      isValid: (value) => /^[1-9]\d{0,14}$/.test(value),
    }),
    {
      minItems: 1,
      maxItems: 1000,
      description: "The numbers the operator owns: E.164 without '+'. The longest match wins.",
    },
  ),
  price: Type.Optional(
    whole({
      unit: "xof_an_sms",
      min: 0,
      max: 1_000_000,
      description:
        "What an account pays unless it has a price of its own. Without it, only accounts with their own price can send here.",
    }),
  ),
  receipts: flag({
    default: true,
    description: "Whether the operator sends delivery receipts. false: SENT is the last state it can prove.",
  }),
  responses: Type.Record(Type.String(), choice(RESPONSES, { description: "One command_status." }), {
    default: {},
    description:
      "What a command_status of this operator means, where it is not the usual: try the message again later, let the connection rest and then try again, or give the message up.",
    expects: phrase("config.expects.responses", { example: '"0x45"', words: oneOf(RESPONSES) }),
  }),
  connections: Type.Array(ConnectionSchema, {
    minItems: 1,
    maxItems: 32,
    expects: phrase("config.expects.connections"),
  }),
});
