/**
 * Every setting: its type, bounds, default and meaning. `config.example.toml` is the manual, and a test compares it with this
 * file.
 *
 * How a file is read: `load-config.ts` reads it, `environment.ts` fills in "${NAME}", `parse-config.ts` checks shape (this file)
 * and what must fit together (`crossFaults`), and reports each fault with file, line and what is expected. The result is a
 * `Config`; `live-config.ts` has the one in force, and rooms ask it where they use it.
 * This room knows nothing of the database and of what runs.
 */

import { isSupportedCountry } from "libphonenumber-js/max";
import { Type } from "typebox";
import { isTimezone, parseHours } from "../core/calendar.ts";
import { parseNetwork } from "../core/ip-networks.ts";
import { TRACE_AREAS } from "../core/log.ts";
import { phrase } from "../i18n/phrase.ts";
import { parseListen } from "./listen.ts";
import { OperatorSchema } from "./operator-schema.ts";
import { characters, choice, file, flag, table, text, whole, wireText } from "./setting.ts";
import { WhatsappSchema } from "./whatsapp-schema.ts";

/** A rule's own table: whether it is checked, and its thresholds. */
function rule<Keys extends Parameters<typeof table>[0]>(keys: Keys) {
  return table({ enabled: flag({ default: true, description: "Whether the rule is looked at." }), ...keys });
}

function lasting(seconds: number, description: string) {
  return { seconds: whole({ min: 0, max: 86_400, default: seconds, description }) };
}

const ADDRESS = {
  expects: phrase("config.expects.mail_address"),
  isValid: (value: string) => /^[^\s<>"(),:;@\p{Cc}]{1,64}@[A-Za-z0-9.-]{1,190}$/u.test(value),
};

/** The mail server that alerts are handed to. */
const smtp = table({
  host: text({
    default: "",
    description: "The mail server that takes alarms. Needed with email.",
    expects: phrase("config.expects.mail_host"),
    isValid: (value) => value === "" || /^[A-Za-z0-9.:-]{1,253}$/.test(value),
  }),
  port: whole({
    min: 1,
    max: 65_535,
    default: 587,
    description: "Its port: 587 with starttls, 465 with implicit, as a rule.",
  }),
  tls: choice(["starttls", "implicit", "none"], {
    default: "starttls",
    description: "How the way there is secured. none takes neither TLS nor a password.",
  }),
  user: text({
    default: "",
    description: "Who we are there. Empty: without authentication.",
    ...characters(0, 200),
  }),
  password: text({
    default: "",
    description: "Our password there. Needed with user.",
    secret: true,
    ...characters(0, 200),
  }),
  from: text({
    default: "",
    description: "The address that alarms come from. Needed with email.",
    expects: phrase("config.expects.mail_address.or_none"),
    isValid: (value) => value === "" || ADDRESS.isValid(value),
  }),
  ca_file: file({
    description: "Authorities that its certificate is of, in place of the system's.",
  }),
});

/** When, where and in which language somebody is alerted (docs/administration.md#alarms). */
const AlertsSchema = table({
  webhook: text({
    default: "",
    description:
      "Where alarms are posted, signed like webhooks. It may be a private address. Empty: nowhere.",
    expects: phrase("config.expects.alert_url"),
    isValid: (value) => value === "" || /^https:\/\/[^\s/?#@]+([/?#]\S*)?$/.test(value),
  }),
  secret: text({
    default: "",
    description: "What alarms are signed with: whsec_ and base64, or any text. Needed with webhook.",
    secret: true,
    ...characters(0, 200),
  }),
  email: Type.Array(text({ description: "One address.", ...ADDRESS }), {
    minItems: 0,
    maxItems: 20,
    default: [],
    description: "Addresses that alarms are mailed to, over the server of [alerts.smtp]. None: nobody.",
  }),
  smtp,
  sms: Type.Array(
    text({
      description: "One number.",
      expects: phrase("config.expects.msisdn"),
      isValid: (value) => /^\+[1-9]\d{6,14}$/.test(value),
    }),
    {
      minItems: 0,
      maxItems: 20,
      default: [],
      description: "Numbers that alarms are texted to, over an operator that works. None: nobody.",
    },
  ),
  sms_sender: text({
    default: "Bendre",
    description: "Whom those texts come from: a name that the operators let us use, or a number.",
    ...wireText(1, 11),
  }),
  sms_per_hour: whole({
    min: 1,
    max: 60,
    default: 6,
    description: "Alarms that one number gets in an hour at most. More wait, and are told together.",
  }),
  language: choice(["en", "fr"], {
    default: "en",
    description: "The language of what is told.",
  }),
  rules: table({
    link_down: rule(lasting(60, "A connection to an operator is down for so long, and another one is up.")),
    operator_down: rule(lasting(30, "The last connection to an operator is down for so long.")),
    not_taken: rule({
      ...lasting(30, "An operator has taken no message of a connection for so long."),
      answers: whole({
        min: 1,
        max: 1_000_000,
        default: 5,
        description: "And has answered so often meanwhile.",
      }),
    }),
    number_stopped: rule({}),
    template_stopped: rule({}),
    direct_text_stopped: rule({}),
    template_moves: rule({}),
    templates_unread: rule(lasting(3600, "The templates of a number could not be read for so long.")),
    country_refused: rule({}),
    otp_waits: rule(lasting(60, "The oldest OTP waits for so long.")),
    transactional_waits: rule(lasting(900, "The oldest TRANSACTIONAL message waits for so long.")),
    delivered_share: rule({
      points: whole({
        min: 1,
        max: 100,
        default: 20,
        description: "The share that an operator delivers is so far below the median of seven days.",
      }),
      messages: whole({
        min: 1,
        max: 1_000_000,
        default: 200,
        description: "Fewer messages tell nothing.",
      }),
    }),
    receipts_unmatched: rule({
      percent: whole({
        min: 1,
        max: 100,
        default: 1,
        description: "More of the receipts of 15 minutes name no message.",
      }),
      receipts: whole({ min: 1, max: 1_000_000, default: 50, description: "And more than so many." }),
    }),
    throttled: rule(lasting(600, "An operator asks for less for so long.")),
    disk: rule({}),
    clock: rule({}),
    books: rule({}),
    backup: rule({
      hours: whole({ min: 1, max: 8760, default: 26, description: "The newest backup is older." }),
    }),
    drill: rule({}),
    certificate: rule({
      days: whole({ min: 1, max: 365, default: 14, description: "A certificate ends within so many." }),
    }),
    endpoint: rule({}),
    wallet_low: rule({}),
  }),
});

/** Whether a text is a region that telephone numbers are known for: ISO 3166-1 alpha-2, such as "BF". */
export function isRegion(text: string): boolean {
  return isSupportedCountry(text);
}

function kept(max: number, initial: number, description: string) {
  return whole({ min: 0, max, default: initial, description: `${description} 0: for ever.` });
}

/** How long things are kept (docs/behaviour.md#10-retention). */
const RetentionSchema = table({
  text_days: kept(3650, 30, "How long texts are kept after their messages have ended."),
  otp_text_hours: kept(87_600, 24, "The same of texts of the class OTP."),
  message_days: kept(
    3650,
    400,
    "How long messages are kept after they have ended: their numbers, what happened to them, rejected recipients. What they cost is kept for ever.",
  ),
  inbound_days: kept(3650, 90, "What subscribers send in is kept for so long. An opt-out stands for ever."),
  event_days: kept(
    3650,
    30,
    "How long what endpoints are told of is kept, and no shorter than they can ask for.",
  ),
  audit_days: kept(36_500, 1100, "How long it is kept who changed what."),
});

/** `[compat]`. */
const CompatSchema = table({
  kannel: flag({
    default: false,
    description: "Opens /cgi-bin/sendsms to clients that were written for Kannel.",
  }),
  jasmin: flag({
    default: false,
    description: "Opens /send, /rate, /balance and /ping to clients that were written for Jasmin.",
  }),
  listen: text({
    default: "",
    description: "An address of their own for both. Empty: that of the HTTP server.",
    expects: phrase("config.expects.compat_listen"),
    isValid: (value) => value === "" || parseListen(value) !== null,
  }),
  callback_http: flag({
    default: true,
    description: "false lets their callbacks go to https addresses only.",
  }),
});

function delays(initial: number[], longest: number, description: string) {
  const each = whole({ unit: "seconds", min: 1, max: longest, description: "One delay." });
  return Type.Array(each, { minItems: 1, maxItems: 50, default: initial, description });
}

/** How endpoints are notified of events, and how often delivery is retried. */
const WebhooksSchema = table({
  allow_private_targets: flag({
    default: false,
    description:
      "true lets endpoints be private, loopback and link-local addresses. For rehearsals only: never on a server that customers reach.",
  }),
  ca_file: file({ description: "Certificate authorities to trust besides the system's." }),
  timeout_seconds: whole({
    min: 1,
    max: 120,
    default: 15,
    description: "An endpoint that has not answered by then has failed.",
  }),
  retry_seconds: delays(
    [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400],
    604_800,
    "Delays between the attempts of one event, each ±20 %. After the last one fails the event is given up.",
  ),
  probe_seconds: delays(
    [10, 30, 60, 120, 300, 600, 900, 1800, 3600],
    86_400,
    "Delays between the probes of a failing endpoint. The last one repeats.",
  ),
});

/** When messages are paid for. */
const BillingSchema = table({
  charge_on: choice(["accepted", "delivered"], {
    default: "accepted",
    description: "A message is charged when the operator accepts it, or only when it is delivered.",
  }),
});

/** What test keys may do (docs/behaviour.md#test-keys). */
const SandboxSchema = table({
  credit: whole({
    min: 0,
    max: 1_000_000_000,
    default: 1_000_000,
    description: "Whole XOF in the wallet of a sandbox: so much again at midnight of its account's timezone.",
  }),
  recipients_per_day: whole({
    min: 0,
    max: 10_000_000,
    default: 50_000,
    description:
      "Recipients that a sandbox accepts in a calendar day of its account's timezone. 0: no ceiling.",
  }),
  throughput: whole({
    min: 1,
    max: 10_000,
    default: 200,
    description: "Messages a second of all sandboxes together, after what is live.",
  }),
});

/** Lines, each at most as long as one of a printed page. */
function paperLines(most: number, description: string) {
  return Type.Array(text({ description: "One line.", ...characters(1, 120) }), {
    minItems: 0,
    maxItems: most,
    default: [],
    description,
  });
}

/** The seller, as named on printed documents for clients. */
const SellerSchema = table({
  name: text({
    ...characters(0, 120),
    default: "",
    description: "The company that sells. Empty: no seller stands on these papers.",
  }),
  address: paperLines(6, 'Its address, a line each, such as "01 BP 1234, Ouagadougou 01".'),
  tax_numbers: paperLines(
    6,
    'Its numbers with the tax office and the register of commerce, a line each, such as "IFU 00012345 A".',
  ),
});

/** What Prometheus may read, and where. */
const MetricsSchema = table({
  listen: text({
    default: "127.0.0.1:9464",
    description:
      "host:port where Prometheus finds /metrics, which is answered nowhere else. Empty: nowhere. Port 0: any free one.",
    expects: phrase("config.expects.metrics_listen"),
    isValid: (value) => value === "" || parseListen(value) !== null,
  }),
});

/** Who may use the console, and where. */
const ConsoleSchema = table({
  enabled: flag({ default: true, description: "Whether the console is served, under /console." }),
  listen: text({
    default: "",
    description:
      "host:port of an address of its own for the console. Empty: that of the API. Port 0: any free one.",
    expects: phrase("config.expects.console_listen"),
    isValid: (value) => value === "" || parseListen(value) !== null,
  }),
  staff_networks: Type.Array(
    text({
      description: "One network.",
      expects: phrase("config.expects.network"),
      isValid: (value) => parseNetwork(value) !== null,
    }),
    {
      minItems: 0,
      maxItems: 100,
      default: [],
      description:
        "Networks of your own staff: they sign in to the console from there alone, and /health tells names and figures there. None: staff sign in from anywhere, and only callers on this machine are told.",
    },
  ),
  sign_ins_per_login: whole({
    unit: "attempts",
    min: 1,
    max: 1000,
    default: 10,
    description:
      "Attempts to sign in of one login in 15 minutes: of strangers together, and of each network that it came in from before. Above it: 429.",
  }),
  sign_ins_per_network: whole({
    unit: "attempts",
    min: 1,
    max: 100_000,
    default: 50,
    description: "Attempts to sign in from one address, or one IPv6 network of 64 bits, in 15 minutes.",
  }),
  requests_per_second: whole({
    min: 1,
    max: 100_000,
    default: 20,
    description: "What one user of the console may ask, lastingly. Above it: 429.",
  }),
  burst: whole({
    unit: "requests",
    min: 1,
    max: 1_000_000,
    default: 500,
    description: "What one user of the console may ask at once after a pause.",
  }),
  account_requests_per_second: whole({
    min: 1,
    max: 100_000,
    default: 100,
    description: "What the users of one account may ask together, lastingly.",
  }),
  account_burst: whole({
    unit: "requests",
    min: 1,
    max: 1_000_000,
    default: 2500,
    description: "What the users of one account may ask together at once after a pause.",
  }),
  transfers: whole({
    min: 1,
    max: 1000,
    default: 4,
    description: "Files that one user may bring or fetch at the same time. Above it: 429.",
  }),
  account_transfers: whole({
    unit: "transfers",
    min: 1,
    max: 1000,
    default: 12,
    description: "Files that the users of one account may bring or fetch at the same time.",
  }),
  prepared_files: whole({
    min: 1,
    max: 100,
    default: 4,
    description:
      "Files that are written whole before they are fetched, as those of people are: of one user, from their request until they are fetched. Above it: 429.",
  }),
  all_prepared_files: whole({
    unit: "files",
    min: 1,
    max: 1000,
    default: 64,
    description: "Such files of all users together.",
  }),
});

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

/** Whether a text is a scheme, a host and a port, as a browser would write them, and nothing more. */
function isOrigin(value: string): boolean {
  return /^https?:/.test(value) && URL.canParse(value) && new URL(value).origin === value;
}

/** The data directory, unless another is configured. */
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
  rooms: Type.Array(choice([...TRACE_AREAS], { description: "One room." }), {
    minItems: 0,
    maxItems: TRACE_AREAS.length,
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
      description:
        "How long a late answer is waited for. Then the message is FAILED: segments that were accepted are charged, the others released.",
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
