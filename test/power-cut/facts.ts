/** What a data directory holds, in the words in which it is promised (told.ts). */
import type { Reader } from "../../src/db/reader.ts";
import { ACTOR } from "./recorded-appliance.ts";
import type { Fact } from "./told.ts";

/** Every fact that somebody may have been told. */
export function factsOf(read: Reader): ReadonlySet<Fact> {
  const facts = new Set<Fact>();
  for (const query of QUERIES)
    for (const { fact } of read.all<{ fact: Fact | null }>(query)) if (fact !== null) facts.add(fact);
  for (const { ulid, status } of read.all<{ ulid: string; status: string }>(
    "SELECT ulid, status FROM messages",
  ))
    for (const fact of factsOfStatus(ulid, status)) facts.add(fact);
  return facts;
}

/** A submitted message may go back to the queue, so that is promised to nobody. */
const REACHED: Readonly<Record<string, readonly string[]>> = {
  QUEUED: [],
  SUBMITTED: [],
  SENT: ["SENT"],
  DELIVERED: ["SENT", "DELIVERED"],
  FAILED: ["SENT", "FAILED"],
  CANCELLED: ["CANCELLED"],
};

/** What a message is once it has this status: whatever status it was told in before. */
function factsOfStatus(messageId: string, status: string): readonly Fact[] {
  return (REACHED[status] ?? []).map((reached) => `message ${messageId} reached ${reached}`);
}

const QUERIES: readonly string[] = [
  // A batch with every message that belongs to it, or with every recipient that is still to be looked at.
  `SELECT 'batch ' || ulid || ' of ' || CASE status
     WHEN 'STAGING' THEN 'nobody yet'
     WHEN 'VALIDATING' THEN (SELECT sum(json_array_length(recipients)) FROM submitted_recipients
       WHERE batch_id = batches.id)
     ELSE rejected + (SELECT count(*) FROM messages
       WHERE id >= first_message_id AND id < first_message_id + accepted AND batch_id = batches.id)
     END AS fact FROM batches`,
  "SELECT 'batch ' || ulid || ' is called off' AS fact FROM batches WHERE cancel_reason IS NOT NULL",
  "SELECT 'batch ' || ulid || ' is settled' AS fact FROM batches WHERE status = 'SETTLED'",
  `SELECT 'key ' || idempotency_key || ' has ' || json_extract(response, '$.data.batch_id') AS fact
     FROM idempotency_records WHERE status = 202`,
  "SELECT 'claimed ' || msisdn AS fact FROM messages WHERE attempts > 0",
  "SELECT 'receipt ' || smsc_id AS fact FROM parts WHERE receipt_at IS NOT NULL",
  "SELECT 'receipt ' || smsc_id AS fact FROM unmatched_receipts",
  "SELECT 'inbound ' || ltrim(source, '+') AS fact FROM inbound_texts",
  "SELECT 'entry ' || cause AS fact FROM ledger",
  "SELECT 'account ' || ulid AS fact FROM accounts",
  "SELECT 'account ' || ulid || ' is ' || status AS fact FROM accounts",
  "SELECT 'api key ' || key_id AS fact FROM api_keys",
  "SELECT 'api key ' || key_id || ' is revoked' AS fact FROM api_keys WHERE revoked_at IS NOT NULL",
  "SELECT 'sender ' || name || ' is ' || status AS fact FROM senders",
  "SELECT 'suppressed ' || msisdn AS fact FROM suppressions",
  "SELECT 'price ' || amount AS fact FROM price_changes",
  "SELECT 'webhook ' || ulid AS fact FROM webhook_endpoints",
  `SELECT 'audited ' || row_number() OVER (ORDER BY id) AS fact FROM audit_entries WHERE actor = '${ACTOR}'`,
  `SELECT 'webhook ' || ulid || ' has secret ' || row_number() OVER (PARTITION BY endpoint_id ORDER BY s.id)
     AS fact FROM webhook_secrets s JOIN webhook_endpoints e ON e.id = s.endpoint_id`,
];
