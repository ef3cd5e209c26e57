/** Asks SQLite whether a statement reads or sorts a table that grows. */
import type { Database } from "bun:sqlite";

/** Tables whose rows are as many as the messages, clients or years of an appliance. */
const GROWING = [
  ...[
    "messages",
    "parts",
    "message_notes",
    "message_reads",
    "message_references",
    "concatenations",
    "unaccepted_submits",
    "route_costs",
    "batches",
    "batch_channel_notes",
    "batch_fallbacks",
    "fallbacks",
    "rejections",
    "submitted_recipients",
  ],
  ...[
    "recent_messages",
    "recipient_counts",
    "rejection_counts",
    "idempotency_records",
    "ledger",
    "ledger_checkpoints",
    "ledger_checks",
  ],
  ...[
    "events",
    "webhook_retries",
    "webhook_attempts",
    "unmatched_receipts",
    "inbound_texts",
    "inbound_parts",
    "smpp_parts",
    "smpp_follows",
    "smpp_receipts",
  ],
  ...[
    "suppressions",
    "whatsapp_preferences",
    "audit_entries",
    "price_changes",
    "accounts",
    "api_keys",
    "senders",
    "wallets",
  ],
  ...["webhook_endpoints", "webhook_secrets", "ported_numbers"],
];

/** Indexes that hold what is live and nothing else: to read one from end to end is to look at what is due. */
const LIVE = [
  // Prefixes and what was set by hand: few by their nature, and the former are bounded.
  "ported_prefixes",
  "ported_overrides",
  "batches_staged",
  "batches_validating",
  "batches_unposted",
  "messages_queue",
  "second_ways_due",
  "second_ways_untimed",
  "webhook_endpoints_enabled",
  "wallets_low",
  "unaccepted_submits_by_route",
];

/** The table or index that a line of a plan speaks of by the name or alias that the statement gives it. */
function tableOf(sql: string, name: string): string {
  const alias = new RegExp(`\\b(?:FROM|JOIN|UPDATE|INTO|,)\\s+(\\w+)\\s+(?:AS\\s+)?${name}\\b`, "i").exec(
    sql,
  );
  return alias?.[1] ?? name;
}

/** What a plan does that grows: null for a plan that is fine. */
export function faultOf(db: Database, sql: string): string | null {
  const plan = db.prepare<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${sql}`).all();
  const touched = plan.map(({ detail }) => / *(?:SCAN|SEARCH) (\w+)/.exec(detail)?.[1] ?? "");
  const grows = (name: string) => GROWING.includes(tableOf(sql, name));
  for (const { detail } of plan) {
    const scan = /^SCAN (\w+)(?: USING (?:COVERING )?INDEX (\w+))?/.exec(detail);
    if (scan && grows(scan[1] ?? "") && !LIVE.includes(scan[2] ?? "")) return detail;
    if (/^USE TEMP B-TREE/.test(detail) && touched.some(grows)) return detail;
  }
  return null;
}

/** A statement on one line, as it is written in the source. */
export const plain = (sql: string) => sql.replace(/\s+/g, " ").replaceAll("+?", "?").trim();
export const isAsked = (sql: string) => /^\s*(SELECT|WITH|INSERT|UPDATE|DELETE)\b/i.test(sql);
