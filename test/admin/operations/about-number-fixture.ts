import { Database } from "bun:sqlite";
import { join } from "node:path";
import type { Batch, Client, Stage } from "../../scenarios/stage.ts";

/** The person, and what is hers alone in all that is kept. */
export const AWA = "+22670123456";
export const HERS = ["70123456", "Sawadogo", "4711", "Ramatou"] as const;
/** Somebody else, of whom nothing may change. */
export const ISSA = "+22670888001";

/** The database of a stage, beside the appliance. */
export const databaseOf = (whole: Stage): Database =>
  new Database(join(whole.settings.now().storage.directory, "bendre.db"));

export type Kept = { readonly own: Batch; readonly campaign: Batch; readonly rejected: Batch };

/**
 * Everything that the appliance may keep about Awa: sent, rejected, sent in, parked, waiting to be told, on lists, audited. What a simulated
 * operator would bring at its own time is written as the rooms write it.
 */
export async function keepEverything(whole: Stage, client: Client): Promise<Kept> {
  await whole.admin("suppression add", {
    ACCOUNT: client.accountId,
    MSISDN: "70 12 34 56",
    class: "MARKETING",
    note: "Ramatou Sawadogo asked",
  });
  await whole.admin("suppression add", { everywhere: "", MSISDN: ISSA, class: "MARKETING" });
  const own = await client.submit({
    body: "Bonjour {name}, code {code}",
    recipients: [{ msisdn: "70123456", attributes: { name: "Ramatou Sawadogo", code: "4711" } }],
  });
  const literal = await client.submit({
    body: "Ramatou, 4711",
    recipients: [{ msisdn: "+226 70 12 34 56" }],
  });
  const campaign = await client.submit({
    body: "Bonjour {name}",
    recipients: [
      { msisdn: AWA, attributes: { name: "Ramatou Sawadogo" } },
      { msisdn: ISSA, attributes: { name: "Issa" } },
    ],
  });
  const rejected = await client.submit({
    message_class: "MARKETING",
    body: "Ramatou Sawadogo, -10 %",
    recipients: [{ msisdn: "0022670123456" }],
  });
  for (const { batch_id } of [own, literal, campaign])
    await client.until(batch_id, ({ status }) => status === "SETTLED");
  const db = databaseOf(whole);
  for (const statement of BY_OPERATORS) db.run(statement);
  db.close();
  return { own, campaign, rejected };
}

const AT = 1_772_355_600_000;
const HEX = (text: string) => `x'${Buffer.from(text).toString("hex")}'`;

const BY_OPERATORS = [
  `INSERT INTO inbound_texts (operator, source, destination, msisdn, data_coding, text, octets, parts, missing,
     received_at, last_at, content_key) VALUES
     ('orange', '22670123456', '3636', '${AWA}', 0, 'STOP Ramatou Sawadogo', NULL, 1, 0, ${AT}, ${AT}, 4711471147114711),
     ('orange', '70123456', '3636', NULL, 4, NULL, ${HEX("4711")}, 1, 0, ${AT}, ${AT}, 4711471147114712),
     ('orange', '22670888001', '3636', '${ISSA}', 0, 'Merci', NULL, 1, 0, ${AT}, ${AT}, 1)`,
  `INSERT INTO inbound_parts (operator, source, destination, reference, total, part, data_coding, octets, received_at) VALUES
     ('orange', '0022670123456', '3636', 1, 2, 1, 0, ${HEX("Ramatou Sawadogo")}, ${AT}),
     ('orange', '22670888001', '3636', 1, 2, 1, 0, ${HEX("Merci")}, ${AT})`,
  `INSERT INTO unmatched_receipts (id, operator, smsc_id, smsc_key, msisdn, other_number, number_key, state, raw_state,
     received_at, is_marked, text) VALUES
     (901, 'orange', 'F00', 'F00', '22670123456', 'ACME', '70123456', 'DELIVERED', 'DELIVRD', ${AT}, 0, 'text:Ramatou Sawadogo'),
     (902, 'orange', 'F01', 'F01', 'ACME', '70123456', NULL, 'DELIVERED', 'DELIVRD', ${AT}, 1, NULL),
     (903, 'orange', 'F02', 'F02', '22670888001', 'ACME', '70888001', 'DELIVERED', 'DELIVRD', ${AT}, 0, NULL)`,
  `INSERT INTO unmatched_texts (receipt_id, source_addr, source_addr_ton, destination_addr, data_coding, octets) VALUES
     (901, '22670123456', 1, 'ACME', 0, ${HEX("text:Ramatou Sawadogo")}),
     (903, '22670888001', 1, 'ACME', 0, ${HEX("Merci")})`,
  `INSERT INTO unaccepted_submits (message_id, first_part, last_part, operator, outcome, written_at, ended_at, number_key)
     SELECT id, 1, 1, 'orange', 'UNANSWERED', ${AT}, ${AT}, substr(msisdn, -8) FROM messages`,
  `INSERT INTO webhook_endpoints (id, ulid, account_id, url, description, events, status, disabled_reason, created_at,
     feed_cursor_us, event_cursor) SELECT 77, '01HZZZZZZZZZZZZZZZZZZZZZZZ', id, 'https://example.com/', '',
     'MESSAGE_TERMINAL', 'DISABLED_BY_USER', 'a test', ${AT}, 0, 0 FROM accounts LIMIT 1`,
  `INSERT INTO operator_tests (ulid, operator, msisdn, sender, actor, claimed_at, unmatched_before) VALUES
     ('01HZZZZZZZZZZZZZZZZZZZZZZ1', 'orange', '${AWA}', 'ACME', 'issa', ${AT}, 0),
     ('01HZZZZZZZZZZZZZZZZZZZZZZ2', 'orange', '${ISSA}', 'ACME', 'issa', ${AT}, 0)`,
  `INSERT INTO import_rows (batch_id, line, status, code, written, msisdn, params, cells, client_reference)
     SELECT id, 2, 'UNREADABLE', 'NOT_A_NUMBER', '70 12 34 56 - 1', NULL, '{"written":"70 12 34 56 - 1"}', '{"name":"Ramatou"}', 'Ramatou'
       FROM batches LIMIT 1`,
  `INSERT INTO import_rows (batch_id, line, status, code, written, msisdn, params, cells)
     SELECT id, 3, 'UNREADABLE', 'NOT_A_NUMBER', '123456', '${AWA}', '{"written":"123456"}', NULL FROM batches LIMIT 1`,
  `INSERT INTO import_rows (batch_id, line, status, code, written, msisdn, params, cells)
     SELECT id, 4, 'UNREADABLE', 'NOT_A_NUMBER', '888001', '${ISSA}', '{"written":"70888001"}', '{"name":"Issa"}' FROM batches LIMIT 1`,
  `INSERT INTO webhook_retries (endpoint_id, event_id, type, body, attempts, due_at) VALUES
     (77, 'evt_1', 'MESSAGE_TERMINAL', '{"data":{"msisdn":"${AWA}"}}', 1, ${AT}),
     (77, 'evt_2', 'MESSAGE_TERMINAL', '{"data":{"msisdn":"${ISSA}"}}', 1, ${AT})`,
];
