/**
 * Configuration schema of WhatsApp: access to Meta's Cloud API, its webhook's secrets, and each number with its prices and
 * limits.
 */
import { Type } from "typebox";
import { type Phrase, phrase } from "../i18n/phrase.ts";
import { isLoopbackHost } from "./listen.ts";
import { characters, file, flag, table, text, whole } from "./setting.ts";

function price(means: Phrase) {
  return Type.Optional(
    whole({
      unit: "xof_a_message",
      min: 0,
      max: 1_000_000,
      means,
    }),
  );
}

function id(means: Phrase) {
  return text({
    means,
    expects: phrase("config.expects.digits"),
    isValid: (value) => /^\d{1,32}$/.test(value),
  });
}

/** A WhatsApp Business telephone number. */
const NumberSchema = table({
  phone_number_id: id(phrase("setting.whatsapp.numbers.phone_number_id")),
  waba_id: id(phrase("setting.whatsapp.numbers.waba_id")),
  token: text({
    means: phrase("setting.whatsapp.numbers.token"),
    secret: true,
    expects: phrase("config.expects.token"),
    isValid: (value) => /^[\x21-\x7e]{1,2000}$/.test(value),
  }),
  price: table({
    OTP: price(phrase("setting.whatsapp.numbers.price.OTP")),
    TRANSACTIONAL: price(phrase("setting.whatsapp.numbers.price.TRANSACTIONAL")),
    MARKETING: price(phrase("setting.whatsapp.numbers.price.MARKETING")),
  }),
  throughput: whole({
    unit: "messages_a_second",
    min: 1,
    max: 1000,
    default: 80,
    means: phrase("setting.whatsapp.numbers.throughput"),
  }),
  recipients_per_day: whole({
    min: 0,
    max: 100_000_000,
    default: 0,
    means: phrase("setting.whatsapp.numbers.recipients_per_day"),
  }),
  portfolio: text({
    ...characters(0, 64),
    default: "",
    means: phrase("setting.whatsapp.numbers.portfolio"),
  }),
  direct_send: flag({
    default: false,
    means: phrase("setting.whatsapp.numbers.direct_send"),
  }),
  countries: Type.Array(
    text({
      expects: phrase("config.expects.calling_code"),
      isValid: (value) => /^[1-9]\d{0,2}$/.test(value),
    }),
    {
      minItems: 0,
      maxItems: 300,
      default: [],
      means: phrase("setting.whatsapp.numbers.countries"),
    },
  ),
  enabled: flag({ default: true, means: phrase("setting.whatsapp.numbers.enabled") }),
});

/** WhatsApp over Meta's Cloud API: what is common to all numbers, and the numbers by their codes. */
export const WhatsappSchema = table({
  app_secret: text({
    ...characters(0, 200),
    default: "",
    means: phrase("setting.whatsapp.app_secret"),
    secret: true,
  }),
  verify_token: text({
    ...characters(0, 200),
    default: "",
    means: phrase("setting.whatsapp.verify_token"),
    secret: true,
  }),
  api: text({
    default: "https://graph.facebook.com",
    means: phrase("setting.whatsapp.api"),
    expects: phrase("config.expects.api_origin"),
    isValid: isApiOrigin,
  }),
  version: text({
    default: "v23.0",
    means: phrase("setting.whatsapp.version"),
    expects: phrase("config.expects.api_version"),
    isValid: (value) => /^v\d{1,3}\.\d{1,2}$/.test(value),
  }),
  ca_file: file({ means: phrase("setting.whatsapp.ca_file") }),
  response_timeout_seconds: whole({
    min: 1,
    max: 600,
    default: 20,
    means: phrase("setting.whatsapp.response_timeout_seconds"),
  }),
  sync_minutes: whole({
    min: 1,
    max: 1440,
    default: 15,
    means: phrase("setting.whatsapp.sync_minutes"),
  }),
  receipt_timeout_hours: whole({
    min: 1,
    max: 720,
    default: 24,
    means: phrase("setting.whatsapp.receipt_timeout_hours"),
  }),
  free_is_free: flag({
    default: true,
    means: phrase("setting.whatsapp.free_is_free"),
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
  return protocol === "https:" || isLoopbackHost(hostname);
}
