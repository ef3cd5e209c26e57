import { Database } from "bun:sqlite";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

/**
 * Every column that may hold a text, octets or a hash, and what an erasure does about it. Whoever adds one decides here, and has the
 * erasure do what it says (src/admin/operations/erasure).
 */

/** The number, its texts or what they hash to are taken out. */
const ERASED = [
  "audit_entries.subject",
  "audit_entries.detail",
  "batches.body",
  // A callback about the number is not made any more; what follows its messages goes with them.
  ...["body", "host", "msisdn", "url"].map((column) => `compat_callbacks.${column}`),
  ...["msisdn", "receiver", "url"].map((column) => `compat_follows.${column}`),
  "idempotency_records.response",
  ...["source", "destination", "octets"].map((column) => `inbound_parts.${column}`),
  ...["source", "msisdn", "text", "octets", "content_key"].map((column) => `inbound_texts.${column}`),
  ...["batches", "message_references", "rejections"].map((table) => `${table}.client_reference`),
  "batch_fallbacks.body",
  "messages.msisdn",
  "messages.text",
  "fallbacks.text",
  "operator_tests.msisdn",
  ...["msisdn", "other_number", "number_key", "text"].map((column) => `unmatched_receipts.${column}`),
  ...["source_addr", "destination_addr", "octets"].map((column) => `unmatched_texts.${column}`),
  "ported_numbers.digits",
  "recent_messages.recipient_key",
  "recent_messages.text_key",
  "rejections.msisdn",
  "search_numbers.entries",
  "recent_message_runs.keys",
  "suppressions.msisdn",
  "suppressions.note",
  "unaccepted_submits.number_key",
  ...["cells", "params", "client_reference", "msisdn", "written"].map((column) => `import_rows.${column}`),
  // An erasure writes them out first.
  "compat_follows_to_write.follower",
  "import_rows_to_write.rows",
  "webhook_retries.body",
  "smpp_follows.destination",
  // Parts of texts to the number are removed, once none waits.
  ...["destination", "octets", "digest", "client_reference"].map((column) => `smpp_parts.${column}`),
  ...["whatsapp_posts.wamid", "whatsapp_posts.user_id", "whatsapp_posts.wa_id"],
  "whatsapp_preferences.recipient",
];

/** Refused while anything of the number is there; it goes by itself. */
const REFUSED = ["submitted_recipients.recipients"];

/** The hash that stays in place of the number. */
const NAMES = ["erased_suppressions.number_name"];

/**
 * A repetition would be sent twice without it: it goes after seven days. A status of nobody known, under an id of Meta's that can't be
 * traced to a number here, goes after three.
 */
const FOR_DAYS = [
  ...["idempotency_records.idempotency_key", "idempotency_records.body_sha256"],
  ...["wamid", "told"].map((column) => `whatsapp_unmatched_statuses.${column}`),
];

/** What administrators write in their own words about accounts, batches, operators and money. */
const WORDS_OF_ADMINISTRATORS = [
  ...[
    "accounts.name",
    "accounts.suspended_reason",
    "accounts.short_name",
    "compat_users.name",
    "smpp_users.system_id",
    "api_keys.name",
    "audit_entries.actor",
  ],
  ...["batches.cancel_note", "ledger.note", "operator_pauses.reason", "operator_pauses.actor"],
  "operator_tests.actor",
  // What administrators call the file of an import.
  "ported_imports.source",
  ...["senders.rejection_reason", "webhook_endpoints.description", "webhook_endpoints.disabled_reason"],
];

/** Whom the configuration names for alarms, and who signs in to the console: colleagues and clients, no recipients. */
const STAFF = [
  "notifications.recipient",
  ...[
    "dismissed_todos.todo",
    "users.login",
    "users.role",
    "users.language",
    "users.timezone",
    "users.password_hash",
    "users.totp_secret",
  ],
  ...[
    "user_sessions.token_hash",
    "user_sessions.stage",
    "user_networks.network",
    "user_sessions.address",
    "user_sessions.agent",
  ],
  ...["user_links.secret_hash", "user_recovery_codes.code_hash"],
];

/** What operators, endpoints and the appliance itself say of a message, an account or a file; never a number, never a text. */
const OF_NO_PERSON = [
  // Counters that a hash leads to from a number, and nothing leads from to a number.
  "concatenation_counters.reached",
  // Warnings name tags and attributes, and count recipients: no value stands in them.
  ...[
    "accounts.missing_attributes",
    "accounts.text_policy",
    "batches.missing_attributes",
    "batches.text_policy",
  ],
  "batches.warnings",
  "batches.other_tags",
  ...["accounts.ulid", "accounts.timezone", "accounts.classes", "accounts.marketing_hours"],
  ...[
    "notifications.event_id",
    "notifications.channel",
    "notifications.facts",
    "notifications.error",
    "notifications.rule",
    "notifications.subject",
    "alert_silences.rule",
    ...["rule", "subject", "facts"].map((column) => `past_alerts.${column}`),
  ],
  ...["alerts.rule", "alerts.subject", "alerts.starts", "alerts.facts"],
  ...["api_keys.key_id", "api_keys.scopes", "api_keys.secret_sha256", "audit_entries.action"],
  // The name of a template.
  "batch_channel_notes.note",
  // Which posts another appliance was given, by ids, and how far its feed was read.
  ...["batch_hops.batch_ulid", "partner_feeds.at", "partner_feeds.connection", "partner_posts.feed"],
  ...["backups.file", "backups.failure", "batches.ulid", "batches.sender", "batches.timezone"],
  ...["batches.failure_code", "batches.failure_detail", "block_figures.figures"],
  ...["message_ulid", "method", "protocol"].map((column) => `compat_callbacks.${column}`),
  ...["message_ulid", "method", "protocol", "sender", "user_name"].map(
    (column) => `compat_follows.${column}`,
  ),
  ...["compat_users.password_sha256", "compat_users.sender"],
  ...[
    "password_hash",
    "old_hash",
    "message_class",
    "classes_by",
    "sender",
    "networks",
    "tls",
    "alphabet",
    "ids",
  ].map((column) => `smpp_users.${column}`),
  // Ids that we gave, senders of accounts, times and codes.
  ...["reply_id", "source"].flatMap((column) => [`smpp_follows.${column}`, `smpp_parts.${column}`]),
  ...["smpp_parts.asked_time", "smpp_receipts.error"],
  // Lines of files and places in batches, without what stood there.
  ...["import_rows.status", "import_rows.code", "imports.runs", "imports.ulid"],
  ...["delivery_figures.day", "delivery_figures.times", "figure_zones.timezone", "events.figures"],
  ...["inbound_texts.destination", "inbound_texts.keyword", "inbound_texts.opted_out_of"],
  ...["ledger.cause", "ledger_checks.detail", "ledger_checks.failure"],
  ...["message_notes.what", "message_notes.detail", "messages.ulid", "messages.error_code"],
  ...["messages.error_detail", "messages.operator_code", "operator_pauses.connection"],
  ...["ulid", "sender", "smsc_id", "smsc_key", "raw_state", "operator_code", "failure"].map(
    (column) => `operator_tests.${column}`,
  ),
  ...["operator_renames.old_code", "operator_renames.new_code", "operators_retired.code"],
  ...["unmatched_receipts.smsc_id", "unmatched_receipts.smsc_key", "unmatched_receipts.raw_state"],
  ...[
    "unmatched_receipts.operator_code",
    "parts.smsc_id",
    "parts.smsc_key",
    "parts.error_code",
    "parts.operator_code",
  ],
  ...[
    "parts.receipt_state",
    "parts.receipt_code",
    "cursors.pass",
    "unpurged_batches.pass",
    "rejections.reason",
    "restores.file",
    "restore_decisions.waiting",
  ],
  // Sums by day, operator, route, account and class: no number stands in the book of costs, and an erasure leaves it as it is.
  ...["route_costs.day", "route_costs.class", "unaccepted_submits.cost_day", "unaccepted_submits.booked_key"],
  ...["sandbox_credits.day", "sandbox_steps.step"],
  ...["schema_history.executable", "schema_history.backup", "search_blocks.facets"],
  ...["fallbacks.stage", "fallbacks.shown", "fallbacks.error_code", "fallbacks.operator_code"],
  ...["search_facets.sender", "search_facets.error_code", "senders.name", "submit_pdu_parameters.fields"],
  ...["submit_pdu_parameters.route", "route_bits.route", "routed.next_route", "routed.route", "routed.why"],
  ...[
    "webhook_attempts.event_id",
    "webhook_attempts.error",
    "webhook_endpoints.ulid",
    "webhook_endpoints.url",
  ],
  // Texts of the reseller's own that Meta approved, for nobody in particular, and of no recipient.
  ...[
    "waba_id",
    "name",
    "language",
    "category",
    "body",
    "parameters",
    "format",
    "quality",
    "why_not",
    "priced_as",
    "moves_to",
  ].map((column) => `whatsapp_templates.${column}`),
  ...["whatsapp_syncs.waba_id", "whatsapp_syncs.error", "whatsapp_direct_prices.priced_as"],
  ...["whatsapp_posts.number", "whatsapp_stops.number", "whatsapp_stops.token_digest"],
  ...["webhook_endpoints.events", "webhook_retries.event_id", "webhook_secrets.sealed"],
];

/** Names from a list of few, wherever they stand. */
const CODES =
  /\.(operator|route|account|status|state|type|kind|debit|credit|message_class|channel|encoding|charge_on|billing_mode|cancel_reason|source|form|span|outcome|seen|unmarked_receipts)$/;

test("every column that may hold a text or a hash is erased, or is named with the reason why not", () => {
  const db = new Database(":memory:");
  db.run(readFileSync(new URL("../../../src/db/schema.sql", import.meta.url), "utf8"));
  const columns = db
    .query<{ name: string }, []>(
      `SELECT t.name || '.' || c.name AS name FROM sqlite_schema t JOIN pragma_table_info(t.name) c
       WHERE t.type = 'table' AND t.name NOT LIKE 'sqlite%' AND (c.type <> 'INTEGER' OR c.name LIKE '%\\_key' ESCAPE '\\')`,
    )
    .all()
    .map(({ name }) => name);
  const named = [ERASED, REFUSED, NAMES, FOR_DAYS, WORDS_OF_ADMINISTRATORS, STAFF, OF_NO_PERSON].flat();
  const isCode = (name: string) => CODES.test(name) && !named.includes(name);
  expect(columns.filter((name) => !isCode(name)).toSorted()).toEqual(named.toSorted());
  expect(new Set(named).size).toBe(named.length);
});
