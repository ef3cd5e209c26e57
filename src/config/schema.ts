/**
 * Every setting: its type, bounds, default and meaning. `config.example.toml` is the manual, and a test compares it with this file.
 *
 * The way of a file: `load-config` reads it, `environment` fills in "${NAME}", `parse-config` checks shape (this file) and what must
 * fit together (`cross-faults`), and tells each fault with file, line and what is expected. What comes out is a `Config`;
 * `in-force` holds the one that counts, and rooms ask it where they use it.
 * This room knows nothing of the database and of what runs.
 */
import { Type } from "typebox";
import { parseHours } from "../core/hours.ts";
import { parseNetwork } from "../core/networks.ts";
import { STEP_ROOMS } from "../core/steps.ts";
import { isTimezone } from "../core/zoned-time.ts";
import { phrase } from "../i18n/phrase.ts";
import { AlertsSchema } from "./alerts-schema.ts";
import { CompatSchema } from "./compat-schema.ts";
import { parseListen } from "./listen.ts";
import { BillingSchema, SandboxSchema, SellerSchema } from "./money-schema.ts";
import { OperatorSchema } from "./operator-schema.ts";
import { isRegion } from "./places.ts";
import { RetentionSchema } from "./retention-schema.ts";
import { characters, choice, file, flag, table, text, whole } from "./setting.ts";
import { ConsoleSchema, MetricsSchema } from "./watching-schema.ts";
import { WebhooksSchema } from "./webhooks-schema.ts";
import { WhatsappSchema } from "./whatsapp-schema.ts";

const server = table({
  listen: text({
    default: "127.0.0.1:8080",
    description: "host:port of the HTTP server. Port 0: any free one.",
    expects: phrase("config.expects.listen"),
    isValid: (value) => parseListen(value) !== null,
  }),
  tls_certificate: file({
    description: "Certificate chain. With tls_key: HTTPS is served directly, without a proxy in front.",
  }),
  tls_key: file({ description: "Private key of the certificate." }),
  public_url: text({
    default: "",
    description:
      "What clients reach the appliance at, for the OpenAPI document, the pages and links in alarms. Empty: the address that was asked.",
    expects: phrase("config.expects.public_url"),
    isValid: (value) => value === "" || isOrigin(value),
  }),
  trusted_proxies: Type.Array(
    text({
      description: "One network.",
      expects: phrase("config.expects.proxy"),
      isValid: (value) => parseNetwork(value) !== null,
    }),
    {
      minItems: 0,
      maxItems: 100,
      default: [],
      description:
        "Proxies whose X-Forwarded-For and X-Forwarded-Proto are believed. They must set both anew. None: nobody's are.",
    },
  ),
});

/** A scheme, a host and a port, as a browser would write them, and nothing behind. */
function isOrigin(value: string): boolean {
  return /^https?:/.test(value) && URL.canParse(value) && new URL(value).origin === value;
}

/** Where the data are, unless something else is said. */
export const DEFAULT_DIRECTORY = "./data";

const storage = table({
  directory: text({
    default: DEFAULT_DIRECTORY,
    description: "The database, its WAL, backups and the control socket live here.",
    expects: phrase("config.expects.directory_path"),
    isValid: (value) => value !== "" && !value.includes("\0"),
  }),
  reserve_megabytes: whole({
    min: 0,
    max: 1_000_000,
    default: 256,
    description:
      "What is kept free on its disk. Below it new submissions get 503; below half of it nothing is sent. 0: no reserve.",
  }),
  unmatched_receipts: whole({
    min: 1000,
    max: 1_000_000_000,
    default: 3_000_000,
    description:
      "Receipts of one SMSC account that match no message and are kept at once. An operator is asked to send later what is beyond.",
  }),
});

const log = table({
  level: choice(["debug", "info", "warn", "error"], {
    default: "info",
    description: "The least that is written, one JSON object a line on stderr.",
  }),
  rooms: Type.Array(choice([...STEP_ROOMS], { description: "One room." }), {
    minItems: 0,
    maxItems: STEP_ROOMS.length,
    default: [],
    description:
      'Rooms whose single steps are told at the level "debug": facts about messages, PDUs, claims and attempts, slow ' +
      "statements, webhook attempts. None: all of them. Numbers are shortened, texts never told.",
  }),
  slow_statement_ms: whole({
    min: 1,
    max: 60_000,
    default: 50,
    description: 'A statement of the database that takes as long is a step of the room "store".',
  }),
});

const defaults = table({
  region: text({
    default: "BF",
    description: "Region of a number that is written without its country.",
    expects: phrase("config.expects.region"),
    isValid: isRegion,
  }),
  timezone: text({
    default: "Africa/Ouagadougou",
    description: "Timezone of an account that names none.",
    expects: phrase("config.expects.timezone"),
    isValid: isTimezone,
  }),
});

const api = table({
  requests_per_second: whole({
    min: 1,
    max: 100_000,
    default: 50,
    description: "What one API key may ask, lastingly. Above it: 429.",
  }),
  burst: whole({
    unit: "requests",
    min: 1,
    max: 1_000_000,
    default: 100,
    description: "What one API key may ask at once after a pause.",
  }),
  max_body_bytes: whole({
    min: 1024,
    max: 1_073_741_824,
    default: 67_108_864,
    description:
      "The largest request body. Bodies above 64 KiB hold memory as they arrive, twice this for all and once for an account; while others wait for it, slow ones are broken off.",
  }),
  max_lookback_hours: whole({
    min: 1,
    max: 8760,
    default: 720,
    description: "How far back status_changed_since reaches. An older one is clamped to it.",
  }),
});

const policy = table({
  recipients_per_minute: whole({
    min: 0,
    max: 10_000_000,
    default: 0,
    description: "Most recipients accepted in any 60 seconds. 0: no ceiling.",
  }),
  recipients_per_day: whole({
    min: 0,
    max: 1_000_000_000,
    default: 1_000_000,
    description: "Most recipients accepted in a calendar day. 0: no ceiling.",
  }),
  marketing_hours: text({
    default: "08:00-20:00",
    description:
      "When MARKETING may be sent, in the account's timezone. 00:00-24:00: always; 20:00-06:00 runs over midnight.",
    expects: phrase("config.expects.hours"),
    isValid: (value) => parseHours(value) !== null,
  }),
  marketing_per_day: whole({
    unit: "messages",
    min: 0,
    max: 1000,
    default: 2,
    description: "Most MARKETING messages of one account to one number in a calendar day. 0: no cap.",
  }),
  marketing_per_week: whole({
    unit: "messages",
    min: 0,
    max: 7000,
    default: 6,
    description: "Most MARKETING messages of one account to one number in an ISO week. 0: no cap.",
  }),
  rejections_per_day: whole({
    unit: "recipients",
    min: 0,
    max: 1_000_000_000,
    default: 1_000_000,
    description:
      "Once as many recipients of an account were rejected in a calendar day, its submissions get 429 until the next. 0: no ceiling.",
  }),
});

function validity(initial: number) {
  const description = "How long a message is worth sending, by message class.";
  return whole({ unit: "minutes", min: 1, max: 10_080, default: initial, description });
}

function unanswered(initial: "resend" | "wait") {
  const description =
    "A message whose submit got no answer is sent again, or waits for a late one, by message class.";
  return choice(["resend", "wait"], { default: initial, description });
}

const delivery = table({
  receipt_timeout_hours: whole({
    min: 1,
    max: 720,
    default: 72,
    description: "A SENT message is closed without its receipt after this.",
  }),
  validity_minutes: table({
    OTP: validity(10),
    TRANSACTIONAL: validity(1440),
    MARKETING: validity(2880),
  }),
  unanswered: table({
    OTP: unanswered("resend"),
    TRANSACTIONAL: unanswered("resend"),
    MARKETING: unanswered("wait"),
    wait_hours: whole({
      min: 1,
      max: 168,
      default: 24,
      description: "How long a late answer is waited for. Then the message is FAILED and its money released.",
    }),
  }),
});

const backup = table({
  directory: text({
    default: "",
    description: "Where backups go. Empty: the directory backups in the data directory.",
    expects: phrase("config.expects.directory_path.or_none"),
    isValid: (value) => !value.includes("\0"),
  }),
  at: text({
    default: "02:30",
    description: "When a backup is made every night, in the timezone of [defaults].",
    expects: phrase("config.expects.time_of_day"),
    isValid: (value) => /^([01]\d|2[0-3]):[0-5]\d$/.test(value),
  }),
  keep: whole({
    unit: "backups",
    min: 1,
    max: 1000,
    default: 7,
    description: "The newest that stay. Those with a name of their own are never removed.",
  }),
  copy_to: text({
    default: "",
    description:
      "Another directory that each nightly backup is copied to, such as a mounted disk. Empty: none.",
    expects: phrase("config.expects.directory_path.or_none"),
    isValid: (value) => !value.includes("\0"),
  }),
  drill: choice(["daily", "weekly", "never"], {
    default: "weekly",
    description: "How often the newest backup is restored into a scratch directory and proved sound.",
  }),
  include_keys: flag({
    default: true,
    description:
      "The keys that signing secrets are sealed with go into a backup, sealed with the passphrase.",
  }),
  passphrase: text({
    ...characters(0, 1000),
    default: "",
    description:
      "What the keys are sealed with. Empty: they are left out, and a restore cannot read the signing secrets.",
    secret: true,
  }),
});

/** The whole configuration file (docs/administration.md#keys): every key, its meaning, bounds and default. */
export const ConfigSchema = table({
  server,
  storage,
  log,
  defaults,
  api,
  policy,
  delivery,
  billing: BillingSchema,
  seller: SellerSchema,
  retention: RetentionSchema,
  sandbox: SandboxSchema,
  webhooks: WebhooksSchema,
  compat: CompatSchema,
  console: ConsoleSchema,
  backup,
  metrics: MetricsSchema,
  alerts: AlertsSchema,
  whatsapp: WhatsappSchema,
  operators: Type.Record(Type.String(), OperatorSchema, {
    default: {},
    expects: phrase("config.expects.operators"),
  }),
});
