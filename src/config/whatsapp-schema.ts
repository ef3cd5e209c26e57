/**
 * Configuration schema of WhatsApp: access to Meta's Cloud API, its webhook's secrets, and each number with its prices and
 * limits.
 */
import { isIPv4, isIPv6 } from "node:net";
import { Type } from "typebox";
import { phrase } from "../i18n/phrase.ts";
import { characters, file, flag, table, text, whole } from "./setting.ts";

function price(ofClass: string) {
  return Type.Optional(
    whole({
      unit: "xof_a_message",
      min: 0,
      max: 1_000_000,
      description: `What a message of the class ${ofClass} costs.`,
    }),
  );
}

function id(description: string) {
  return text({
    description,
    expects: phrase("config.expects.digits"),
    isValid: (value) => /^\d{1,32}$/.test(value),
  });
}

/** A WhatsApp Business telephone number. */
const NumberSchema = table({
  phone_number_id: id("The number's id with Meta, which is not the number itself."),
  waba_id: id("The WhatsApp Business account that the number and its templates belong to."),
  token: text({
    description: "The access token of a system user of that account.",
    secret: true,
    expects: phrase("config.expects.token"),
    isValid: (value) => /^[\x21-\x7e]{1,2000}$/.test(value),
  }),
  price: table({
    OTP: price("OTP"),
    TRANSACTIONAL: price("TRANSACTIONAL"),
    MARKETING: price("MARKETING"),
  }),
  throughput: whole({
    unit: "messages_a_second",
    min: 1,
    max: 1000,
    default: 80,
    description: "What Meta takes of the number at most. Messages that come in count too.",
  }),
  recipients_per_day: whole({
    min: 0,
    max: 100_000_000,
    default: 0,
    description:
      "Different users written to in any 24 hours. Numbers of one portfolio share the count, and the lowest limit holds. 0: not counted.",
  }),
  portfolio: text({
    ...characters(0, 64),
    default: "",
    description: "A name for the business portfolio that the number shares its limit with. Empty: its own.",
  }),
  direct_send: flag({
    default: false,
    description: "Whether Meta lets this account send free text of OTP and TRANSACTIONAL without a template.",
  }),
  countries: Type.Array(
    text({
      description: "One calling code.",
      expects: phrase("config.expects.calling_code"),
      isValid: (value) => /^[1-9]\d{0,2}$/.test(value),
    }),
    {
      minItems: 0,
      maxItems: 300,
      default: [],
      description:
        "Calling codes of the countries that are written to. None: that of the region of [defaults] alone.",
    },
  ),
  enabled: flag({ default: true, description: "false: nothing is sent by the number." }),
});

/** WhatsApp over Meta's Cloud API: what is common to all numbers, and the numbers by their codes. */
export const WhatsappSchema = table({
  app_secret: text({
    ...characters(0, 200),
    default: "",
    description: "The secret of the app, which Meta signs its calls with. Needed with a number.",
    secret: true,
  }),
  verify_token: text({
    ...characters(0, 200),
    default: "",
    description: "A word of your own that Meta repeats when the webhook is registered. Needed with a number.",
    secret: true,
  }),
  api: text({
    default: "https://graph.facebook.com",
    description: "Where the Cloud API is. http only to this machine, for rehearsals.",
    expects: phrase("config.expects.api_origin"),
    isValid: isApiOrigin,
  }),
  version: text({
    default: "v23.0",
    description: "The version of the Cloud API that is spoken.",
    expects: phrase("config.expects.api_version"),
    isValid: (value) => /^v\d{1,3}\.\d{1,2}$/.test(value),
  }),
  ca_file: file({ description: "Certificate authorities to trust for the Cloud API besides the system's." }),
  response_timeout_seconds: whole({
    min: 1,
    max: 600,
    default: 20,
    description: "A request that waits longer for its answer is unanswered.",
  }),
  sync_minutes: whole({
    min: 1,
    max: 1440,
    default: 15,
    description: "Between two readings of the templates.",
  }),
  receipt_timeout_hours: whole({
    min: 1,
    max: 720,
    default: 24,
    description: "A SENT message is closed without its receipt after this, and costs nothing.",
  }),
  free_is_free: flag({
    default: true,
    description: "Whether a message that Meta does not bill costs the account nothing.",
  }),
  numbers: Type.Record(Type.String(), NumberSchema, {
    default: {},
    expects: phrase("config.expects.numbers"),
  }),
});

/** Whether a text is a scheme, a host and perhaps a port, and nothing more; without TLS only to this machine. */
function isApiOrigin(value: string): boolean {
  if (!/^https?:\/\/[^/?#@\s]+$/.test(value) || !URL.canParse(value)) return false;
  const { protocol, hostname } = new URL(value);
  return protocol === "https:" || isLoopback(hostname);
}

function isLoopback(hostname: string): boolean {
  const address = hostname.replace(/^\[(.*)\]$/, "$1");
  if (address === "localhost") return true;
  return (isIPv4(address) && address.startsWith("127.")) || (isIPv6(address) && address === "::1");
}
