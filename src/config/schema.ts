/**
 * Every setting: its type, bounds, default and meaning. `manual.ts` makes the manual of it.
 *
 * How a file is read: `load-config.ts` reads it, with what the console keeps beside it (`console-file.ts`); `environment.ts` fills in
 * "${NAME}", `parse-config.ts` checks shape (this file)
 * and what must fit together (`crossFaults`), and reports each fault with file, line and what is expected. The result is a
 * `Config`; `live-config.ts` has the one in force, and rooms ask it where they use it.
 * This room knows nothing of the database and of what runs.
 */

import { isSupportedCountry } from "libphonenumber-js/max";
import { Type } from "typebox";
import { isTimezone, parseHours } from "../core/calendar.ts";
import { parseNetwork } from "../core/ip-networks.ts";
import { TRACE_AREAS } from "../core/log.ts";
import { type Phrase, phrase } from "../i18n/phrase.ts";
import { parseListen } from "./listen.ts";
import { OperatorSchema } from "./operator-schema.ts";
import { characters, choice, file, flag, table, text, whole, wireText } from "./setting.ts";
import { WhatsappSchema } from "./whatsapp-schema.ts";

/** A rule's own table: whether it is checked, and its thresholds. */
function rule<Keys extends Parameters<typeof table>[0]>(keys: Keys) {
  return table({ enabled: flag({ default: true, means: phrase("setting.alerts.rules.enabled") }), ...keys });
}

function lasting(seconds: number, means: Phrase) {
  return { seconds: whole({ min: 0, max: 86_400, default: seconds, means }) };
}

const ADDRESS = {
  expects: phrase("config.expects.mail_address"),
  isValid: (value: string) => /^[^\s<>"(),:;@\p{Cc}]{1,64}@[A-Za-z0-9.-]{1,190}$/u.test(value),
};

/** The mail server that alerts are handed to. */
const smtp = table({
  host: text({
    default: "",
    means: phrase("setting.alerts.smtp.host"),
    expects: phrase("config.expects.mail_host"),
    isValid: (value) => value === "" || /^[A-Za-z0-9.:-]{1,253}$/.test(value),
  }),
  port: whole({
    min: 1,
    max: 65_535,
    default: 587,
    means: phrase("setting.alerts.smtp.port"),
  }),
  tls: choice(["starttls", "implicit", "none"], {
    default: "starttls",
    means: phrase("setting.alerts.smtp.tls"),
  }),
  user: text({
    default: "",
    means: phrase("setting.alerts.smtp.user"),
    ...characters(0, 200),
  }),
  password: text({
    default: "",
    means: phrase("setting.alerts.smtp.password"),
    secret: true,
    ...characters(0, 200),
  }),
  from: text({
    default: "",
    means: phrase("setting.alerts.smtp.from"),
    expects: phrase("config.expects.mail_address.or_none"),
    isValid: (value) => value === "" || ADDRESS.isValid(value),
  }),
  ca_file: file({
    means: phrase("setting.alerts.smtp.ca_file"),
  }),
});

/** When, where and in which language somebody is alerted (docs/administration.md#alarms). */
const AlertsSchema = table({
  webhook: text({
    default: "",
    means: phrase("setting.alerts.webhook"),
    expects: phrase("config.expects.alert_url"),
    isValid: (value) => value === "" || /^https:\/\/[^\s/?#@]+([/?#]\S*)?$/.test(value),
  }),
  secret: text({
    default: "",
    means: phrase("setting.alerts.secret"),
    secret: true,
    ...characters(0, 200),
  }),
  email: Type.Array(text(ADDRESS), {
    minItems: 0,
    maxItems: 20,
    default: [],
    means: phrase("setting.alerts.email"),
  }),
  smtp,
  sms: Type.Array(
    text({
      expects: phrase("config.expects.msisdn"),
      isValid: (value) => /^\+[1-9]\d{6,14}$/.test(value),
    }),
    {
      minItems: 0,
      maxItems: 20,
      default: [],
      means: phrase("setting.alerts.sms"),
    },
  ),
  sms_sender: text({
    default: "Bendre",
    means: phrase("setting.alerts.sms_sender"),
    ...wireText(1, 11),
  }),
  sms_per_hour: whole({
    min: 1,
    max: 60,
    default: 6,
    means: phrase("setting.alerts.sms_per_hour"),
  }),
  language: choice(["en", "fr"], {
    default: "en",
    means: phrase("setting.alerts.language"),
  }),
  rules: table({
    link_down: rule(lasting(60, phrase("setting.alerts.rules.link_down.seconds"))),
    operator_down: rule(lasting(30, phrase("setting.alerts.rules.operator_down.seconds"))),
    not_taken: rule({
      ...lasting(30, phrase("setting.alerts.rules.not_taken.seconds")),
      answers: whole({
        min: 1,
        max: 1_000_000,
        default: 5,
        means: phrase("setting.alerts.rules.not_taken.answers"),
      }),
    }),
    number_stopped: rule({}),
    template_stopped: rule({}),
    direct_text_stopped: rule({}),
    template_moves: rule({}),
    templates_unread: rule(lasting(3600, phrase("setting.alerts.rules.templates_unread.seconds"))),
    country_refused: rule({}),
    otp_waits: rule(lasting(60, phrase("setting.alerts.rules.otp_waits.seconds"))),
    transactional_waits: rule(lasting(900, phrase("setting.alerts.rules.transactional_waits.seconds"))),
    route_ill: rule({}),
    no_route: rule(lasting(60, phrase("setting.alerts.rules.no_route.seconds"))),
    delivered_share: rule({
      points: whole({
        min: 1,
        max: 100,
        default: 20,
        means: phrase("setting.alerts.rules.delivered_share.points"),
      }),
      messages: whole({
        min: 1,
        max: 1_000_000,
        default: 200,
        means: phrase("setting.alerts.rules.delivered_share.messages"),
      }),
    }),
    receipts_unmatched: rule({
      percent: whole({
        min: 1,
        max: 100,
        default: 1,
        means: phrase("setting.alerts.rules.receipts_unmatched.percent"),
      }),
      receipts: whole({
        min: 1,
        max: 1_000_000,
        default: 50,
        means: phrase("setting.alerts.rules.receipts_unmatched.receipts"),
      }),
    }),
    smpp_receipts: rule(lasting(3600, phrase("setting.alerts.rules.smpp_receipts.seconds"))),
    throttled: rule(lasting(600, phrase("setting.alerts.rules.throttled.seconds"))),
    disk: rule({}),
    clock: rule({}),
    books: rule({}),
    backup: rule({
      hours: whole({ min: 1, max: 8760, default: 26, means: phrase("setting.alerts.rules.backup.hours") }),
    }),
    drill: rule({}),
    certificate: rule({
      days: whole({ min: 1, max: 365, default: 14, means: phrase("setting.alerts.rules.certificate.days") }),
    }),
    endpoint: rule({}),
    wallet_low: rule({}),
  }),
});

/** Whether a text is a region that telephone numbers are known for: ISO 3166-1 alpha-2, such as "BF". */
export function isRegion(text: string): boolean {
  return isSupportedCountry(text);
}

function kept(max: number, initial: number, means: Phrase) {
  return whole({ min: 0, max, default: initial, means });
}

/** How long things are kept (docs/behaviour.md#10-retention). */
const RetentionSchema = table({
  text_days: kept(3650, 30, phrase("setting.retention.text_days")),
  otp_text_hours: kept(87_600, 24, phrase("setting.retention.otp_text_hours")),
  message_days: kept(3650, 400, phrase("setting.retention.message_days")),
  inbound_days: kept(3650, 90, phrase("setting.retention.inbound_days")),
  event_days: kept(3650, 30, phrase("setting.retention.event_days")),
  audit_days: kept(36_500, 1100, phrase("setting.retention.audit_days")),
});

/** `[compat]`. */
const CompatSchema = table({
  kannel: flag({
    default: false,
    means: phrase("setting.compat.kannel"),
  }),
  jasmin: flag({
    default: false,
    means: phrase("setting.compat.jasmin"),
  }),
  listen: text({
    default: "",
    means: phrase("setting.compat.listen"),
    expects: phrase("config.expects.compat_listen"),
    isValid: (value) => value === "" || parseListen(value) !== null,
  }),
  callback_http: flag({
    default: true,
    means: phrase("setting.compat.callback_http"),
  }),
});

function smppListen(means: Phrase) {
  return text({
    default: "",
    means,
    expects: phrase("config.expects.smpp_listen"),
    isValid: (value) => value === "" || parseListen(value) !== null,
  });
}

/** `[smpp_server]`: the door for customers that bind over SMPP. */
const SmppServerSchema = table({
  listen: smppListen(phrase("setting.smpp_server.listen")),
  tls_listen: smppListen(phrase("setting.smpp_server.tls_listen")),
  tls_certificate: file({ means: phrase("setting.smpp_server.tls_certificate") }),
  tls_key: file({ means: phrase("setting.smpp_server.tls_key") }),
  max_connections: whole({
    min: 1,
    max: 10_000,
    default: 500,
    means: phrase("setting.smpp_server.max_connections"),
  }),
  bind_seconds: whole({
    min: 1,
    max: 600,
    default: 10,
    means: phrase("setting.smpp_server.bind_seconds"),
  }),
  enquire_link_seconds: whole({
    min: 1,
    max: 3600,
    default: 30,
    means: phrase("setting.smpp_server.enquire_link_seconds"),
  }),
  response_timeout_seconds: whole({
    min: 1,
    max: 600,
    default: 60,
    means: phrase("setting.smpp_server.response_timeout_seconds"),
  }),
  part_wait_seconds: whole({
    min: 1,
    max: 86_400,
    default: 600,
    means: phrase("setting.smpp_server.part_wait_seconds"),
  }),
  receipt_hours: whole({
    min: 1,
    max: 720,
    default: 168,
    means: phrase("setting.smpp_server.receipt_hours"),
  }),
});

function delays(initial: number[], longest: number, means: Phrase) {
  const each = whole({ unit: "seconds", min: 1, max: longest });
  return Type.Array(each, { minItems: 1, maxItems: 50, default: initial, means });
}

/** How endpoints are notified of events, and how often delivery is retried. */
const WebhooksSchema = table({
  allow_private_targets: flag({
    default: false,
    means: phrase("setting.webhooks.allow_private_targets"),
  }),
  ca_file: file({ means: phrase("setting.webhooks.ca_file") }),
  timeout_seconds: whole({
    min: 1,
    max: 120,
    default: 15,
    means: phrase("setting.webhooks.timeout_seconds"),
  }),
  retry_seconds: delays(
    [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400],
    604_800,
    phrase("setting.webhooks.retry_seconds"),
  ),
  probe_seconds: delays(
    [10, 30, 60, 120, 300, 600, 900, 1800, 3600],
    86_400,
    phrase("setting.webhooks.probe_seconds"),
  ),
});

/** When messages are paid for. */
const BillingSchema = table({
  charge_on: choice(["accepted", "delivered"], {
    default: "accepted",
    means: phrase("setting.billing.charge_on"),
  }),
});

/** What test keys may do (docs/behaviour.md#test-keys). */
const SandboxSchema = table({
  credit: whole({
    min: 0,
    max: 1_000_000_000,
    default: 1_000_000,
    means: phrase("setting.sandbox.credit"),
  }),
  recipients_per_day: whole({
    min: 0,
    max: 10_000_000,
    default: 50_000,
    means: phrase("setting.sandbox.recipients_per_day"),
  }),
  throughput: whole({
    min: 1,
    max: 10_000,
    default: 200,
    means: phrase("setting.sandbox.throughput"),
  }),
});

/** Lines, each at most as long as one of a printed page. */
function paperLines(most: number, means: Phrase) {
  return Type.Array(text(characters(1, 120)), {
    minItems: 0,
    maxItems: most,
    default: [],
    means,
  });
}

/** A share in hundred with at most two decimals. */
const PERCENT = Type.Refine(
  Type.Number({ expects: phrase("config.expects.percent") }),
  (value) => value >= 0 && value <= 100 && Math.abs(value * 100 - Math.round(value * 100)) < 1e-6,
);

const TaxSchema = Type.Object(
  {
    name: text(characters(1, 40)),
    percent: PERCENT,
  },
  { additionalProperties: false, expects: phrase("config.expects.tax") },
);

/** The seller, as named on printed documents for clients. */
const SellerSchema = table({
  name: text({
    ...characters(0, 120),
    default: "",
    means: phrase("setting.seller.name"),
  }),
  address: paperLines(6, phrase("setting.seller.address")),
  tax_numbers: paperLines(6, phrase("setting.seller.tax_numbers")),
  logo: text({
    isFile: true,
    default: "",
    means: phrase("setting.seller.logo"),
    expects: phrase("config.expects.logo_path"),
    isValid: (value) => !value.includes("\0"),
  }),
  colour: text({
    default: "",
    means: phrase("setting.seller.colour"),
    expects: phrase("config.expects.colour"),
    isValid: (value) => value === "" || /^#[0-9a-fA-F]{6}$/.test(value),
  }),
  taxes: Type.Array(TaxSchema, {
    minItems: 0,
    maxItems: 6,
    default: [],
    means: phrase("setting.seller.taxes"),
  }),
  due_days: whole({
    min: 0,
    max: 365,
    default: 30,
    means: phrase("setting.seller.due_days"),
  }),
});

/** What Prometheus may read, and where. */
const MetricsSchema = table({
  listen: text({
    default: "127.0.0.1:9464",
    means: phrase("setting.metrics.listen"),
    expects: phrase("config.expects.metrics_listen"),
    isValid: (value) => value === "" || parseListen(value) !== null,
  }),
});

/** Who may use the console, and where. */
const ConsoleSchema = table({
  enabled: flag({ default: true, means: phrase("setting.console.enabled") }),
  listen: text({
    default: "",
    means: phrase("setting.console.listen"),
    expects: phrase("config.expects.console_listen"),
    isValid: (value) => value === "" || parseListen(value) !== null,
  }),
  staff_networks: Type.Array(
    text({
      expects: phrase("config.expects.network"),
      isValid: (value) => parseNetwork(value) !== null,
    }),
    {
      minItems: 0,
      maxItems: 100,
      default: [],
      means: phrase("setting.console.staff_networks"),
    },
  ),
  sign_ins_per_login: whole({
    unit: "attempts",
    min: 1,
    max: 1000,
    default: 10,
    means: phrase("setting.console.sign_ins_per_login"),
  }),
  sign_ins_per_network: whole({
    unit: "attempts",
    min: 1,
    max: 100_000,
    default: 50,
    means: phrase("setting.console.sign_ins_per_network"),
  }),
  requests_per_second: whole({
    min: 1,
    max: 100_000,
    default: 20,
    means: phrase("setting.console.requests_per_second"),
  }),
  burst: whole({
    unit: "requests",
    min: 1,
    max: 1_000_000,
    default: 500,
    means: phrase("setting.console.burst"),
  }),
  account_requests_per_second: whole({
    min: 1,
    max: 100_000,
    default: 100,
    means: phrase("setting.console.account_requests_per_second"),
  }),
  account_burst: whole({
    unit: "requests",
    min: 1,
    max: 1_000_000,
    default: 2500,
    means: phrase("setting.console.account_burst"),
  }),
  transfers: whole({
    min: 1,
    max: 1000,
    default: 4,
    means: phrase("setting.console.transfers"),
  }),
  account_transfers: whole({
    unit: "transfers",
    min: 1,
    max: 1000,
    default: 12,
    means: phrase("setting.console.account_transfers"),
  }),
  prepared_files: whole({
    min: 1,
    max: 100,
    default: 4,
    means: phrase("setting.console.prepared_files"),
  }),
  all_prepared_files: whole({
    unit: "files",
    min: 1,
    max: 1000,
    default: 64,
    means: phrase("setting.console.all_prepared_files"),
  }),
});

const server = table({
  listen: text({
    default: "127.0.0.1:8080",
    means: phrase("setting.server.listen"),
    expects: phrase("config.expects.listen"),
    isValid: (value) => parseListen(value) !== null,
  }),
  tls_certificate: file({
    means: phrase("setting.server.tls_certificate"),
  }),
  tls_key: file({ means: phrase("setting.server.tls_key") }),
  public_url: text({
    default: "",
    means: phrase("setting.server.public_url"),
    expects: phrase("config.expects.public_url"),
    isValid: (value) => value === "" || isOrigin(value),
  }),
  trusted_proxies: Type.Array(
    text({
      expects: phrase("config.expects.proxy"),
      isValid: (value) => parseNetwork(value) !== null,
    }),
    {
      minItems: 0,
      maxItems: 100,
      default: [],
      means: phrase("setting.server.trusted_proxies"),
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
    means: phrase("setting.storage.directory"),
    expects: phrase("config.expects.directory_path"),
    isValid: (value) => value !== "" && !value.includes("\0"),
  }),
  reserve_megabytes: whole({
    min: 0,
    max: 1_000_000,
    default: 256,
    means: phrase("setting.storage.reserve_megabytes"),
  }),
  unmatched_receipts: whole({
    min: 1000,
    max: 1_000_000_000,
    default: 3_000_000,
    means: phrase("setting.storage.unmatched_receipts"),
  }),
});

const log = table({
  level: choice(["debug", "info", "warn", "error"], {
    default: "info",
    means: phrase("setting.log.level"),
  }),
  rooms: Type.Array(choice([...TRACE_AREAS]), {
    minItems: 0,
    maxItems: TRACE_AREAS.length,
    default: [],
    means: phrase("setting.log.rooms"),
  }),
  slow_statement_ms: whole({
    min: 1,
    max: 60_000,
    default: 50,
    means: phrase("setting.log.slow_statement_ms"),
  }),
});

const defaults = table({
  region: text({
    default: "BF",
    means: phrase("setting.defaults.region"),
    expects: phrase("config.expects.region"),
    isValid: isRegion,
  }),
  timezone: text({
    default: "Africa/Ouagadougou",
    means: phrase("setting.defaults.timezone"),
    expects: phrase("config.expects.timezone"),
    isValid: isTimezone,
  }),
});

const api = table({
  requests_per_second: whole({
    min: 1,
    max: 100_000,
    default: 50,
    means: phrase("setting.api.requests_per_second"),
  }),
  burst: whole({
    unit: "requests",
    min: 1,
    max: 1_000_000,
    default: 100,
    means: phrase("setting.api.burst"),
  }),
  max_body_bytes: whole({
    min: 1024,
    max: 1_073_741_824,
    default: 67_108_864,
    means: phrase("setting.api.max_body_bytes"),
  }),
  max_lookback_hours: whole({
    min: 1,
    max: 8760,
    default: 720,
    means: phrase("setting.api.max_lookback_hours"),
  }),
});

const policy = table({
  recipients_per_minute: whole({
    min: 0,
    max: 10_000_000,
    default: 0,
    means: phrase("setting.policy.recipients_per_minute"),
  }),
  recipients_per_day: whole({
    min: 0,
    max: 1_000_000_000,
    default: 1_000_000,
    means: phrase("setting.policy.recipients_per_day"),
  }),
  marketing_hours: text({
    default: "08:00-20:00",
    means: phrase("setting.policy.marketing_hours"),
    expects: phrase("config.expects.hours"),
    isValid: (value) => parseHours(value) !== null,
  }),
  marketing_per_day: whole({
    unit: "messages",
    min: 0,
    max: 1000,
    default: 2,
    means: phrase("setting.policy.marketing_per_day"),
  }),
  marketing_per_week: whole({
    unit: "messages",
    min: 0,
    max: 7000,
    default: 6,
    means: phrase("setting.policy.marketing_per_week"),
  }),
  rejections_per_day: whole({
    unit: "recipients",
    min: 0,
    max: 1_000_000_000,
    default: 1_000_000,
    means: phrase("setting.policy.rejections_per_day"),
  }),
});

function validity(initial: number) {
  const means = phrase("setting.delivery.validity_minutes");
  return whole({ unit: "minutes", min: 1, max: 10_080, default: initial, means });
}

function unanswered(initial: "resend" | "wait") {
  const means = phrase("setting.delivery.unanswered");
  return choice(["resend", "wait"], { default: initial, means });
}

const delivery = table({
  receipt_timeout_hours: whole({
    min: 1,
    max: 720,
    default: 72,
    means: phrase("setting.delivery.receipt_timeout_hours"),
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
      means: phrase("setting.delivery.unanswered.wait_hours"),
    }),
  }),
});

const backup = table({
  directory: text({
    default: "",
    means: phrase("setting.backup.directory"),
    expects: phrase("config.expects.directory_path.or_none"),
    isValid: (value) => !value.includes("\0"),
  }),
  at: text({
    default: "02:30",
    means: phrase("setting.backup.at"),
    expects: phrase("config.expects.time_of_day"),
    isValid: (value) => /^([01]\d|2[0-3]):[0-5]\d$/.test(value),
  }),
  keep: whole({
    unit: "backups",
    min: 1,
    max: 1000,
    default: 7,
    means: phrase("setting.backup.keep"),
  }),
  copy_to: text({
    default: "",
    means: phrase("setting.backup.copy_to"),
    expects: phrase("config.expects.directory_path.or_none"),
    isValid: (value) => !value.includes("\0"),
  }),
  drill: choice(["daily", "weekly", "never"], {
    default: "weekly",
    means: phrase("setting.backup.drill"),
  }),
  include_keys: flag({
    default: true,
    means: phrase("setting.backup.include_keys"),
  }),
  passphrase: text({
    ...characters(0, 1000),
    default: "",
    means: phrase("setting.backup.passphrase"),
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
  smpp_server: SmppServerSchema,
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
