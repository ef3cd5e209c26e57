/**
 * The messages that a search of the administration asks for, found among some ids or in a span of ids, newest first. Which spans are
 * worth reading is known from search-blocks.ts.
 */

import type { Param, Reader } from "../../../db/reader.ts";
import { type IdSpan, IS_VISIBLE, idsAtAll, MESSAGES, placeFrom } from "../id-ranges.ts";
import { MESSAGE_COLUMNS, type MessageRow } from "../message-view.ts";

/** What a search may ask for of all that a message has in common with others. Null: whatever it is. */
export type FacetQuery = {
  readonly accountId: number | null;
  readonly sender: string | null;
  readonly messageClass: string | null;
  /** Codes of the operator, today's and former ones. */
  readonly operators: readonly string[] | null;
  readonly status: string | null;
  readonly errorCode: string | null;
};

/** What is asked for of a message. Times are epoch milliseconds, of the acceptance of its batch; `toMs` is excluded. */
export type MessageQuery = FacetQuery & {
  readonly msisdn: string | null;
  readonly batchId: number | null;
  /** Of sandboxes, or what is live. */
  readonly isSandbox: boolean;
  readonly fromMs: number;
  readonly toMs: number;
};

export type FoundMessage = MessageRow & { readonly account_id: number };

/** The newest messages of a span that fit. */
export function findNewest(read: Reader, query: MessageQuery, span: IdSpan, limit: number): FoundMessage[] {
  const { sql, params } = filterOf(query);
  return read.all<FoundMessage>(
    `SELECT ${MESSAGE_COLUMNS}, m.account_id FROM ${MESSAGES}
     WHERE m.id >= $fromId AND m.id < $belowId AND ${sql} ORDER BY m.id DESC LIMIT $limit`,
    { ...params, ...span, limit },
  );
}

/** Those among some ids that fit, the newest first. */
export function findAmong(read: Reader, query: MessageQuery, ids: readonly number[]): FoundMessage[] {
  const { sql, params } = filterOf(query);
  return read.all<FoundMessage>(
    `SELECT ${MESSAGE_COLUMNS}, m.account_id
     FROM ${MESSAGES}
     WHERE m.id IN (SELECT value FROM json_each($ids)) AND ${sql} ORDER BY m.id DESC`,
    { ...params, ids: JSON.stringify(ids) },
  );
}

/** What is asked for, as SQL: what is not asked for is not compared. */
function filterOf(query: MessageQuery): { readonly sql: string; readonly params: Record<string, Param> } {
  const { fromMs, toMs, operators } = query;
  const terms = [
    IS_VISIBLE,
    "m.created_at >= $fromMs",
    "m.created_at < $toMs",
    query.isSandbox ? "m.account_id < 0" : "m.account_id > 0",
  ];
  const params: Record<string, Param> = { fromMs, toMs };
  const asked = (term: string, name: string, value: Param): void => {
    if (value === null) return;
    terms.push(term);
    params[name] = value;
  };
  asked("m.account_id = $accountId", "accountId", query.accountId);
  asked("m.batch_id = $batchId", "batchId", query.batchId);
  asked("m.msisdn = $msisdn", "msisdn", query.msisdn);
  asked("m.status = $status", "status", query.status);
  asked("m.error_code = $errorCode", "errorCode", query.errorCode);
  asked("b.sender = $sender COLLATE NOCASE", "sender", query.sender);
  asked("b.message_class = $messageClass", "messageClass", query.messageClass);
  const codes = operators === null ? null : JSON.stringify(operators);
  asked("m.operator IN (SELECT value FROM json_each($operators))", "operators", codes);
  return { sql: terms.join(" AND "), params };
}

/** What a message has in common with others; `errorCode` is "" where it has none. */
export type Facet = {
  readonly accountId: number;
  readonly sender: string;
  readonly messageClass: string;
  readonly operator: string;
  readonly status: string;
  readonly errorCode: string;
};

/** What became of a message, and what it has in common with others. Times are epoch milliseconds. */
export type MessageFate = Facet & {
  readonly id: number;
  readonly isTest: 0 | 1;
  readonly segments: number;
  readonly amount: number;
  readonly acceptedAt: number;
  readonly submittedAt: number | null;
  readonly sentAt: number | null;
  readonly finalizedAt: number | null;
};

/** What became of the messages of a span. */
export function readFates(read: Reader, { fromId, belowId }: IdSpan): MessageFate[] {
  return read.all<MessageFate>(
    `SELECT m.id, m.account_id AS accountId, b.sender, b.message_class AS messageClass, m.operator, m.status,
       coalesce(m.error_code, '') AS errorCode, b.is_test AS isTest, m.segments, m.amount, b.created_at AS acceptedAt,
       m.submitted_at AS submittedAt, m.sent_at AS sentAt, m.finalized_at AS finalizedAt
     FROM ${MESSAGES} WHERE m.id >= ? AND m.id < ? AND ${IS_VISIBLE}`,
    fromId,
    belowId,
  );
}

/** The numbers that the messages of a span went to. */
export function readNumbers(
  read: Reader,
  { fromId, belowId }: IdSpan,
): { readonly id: number; readonly msisdn: string }[] {
  return read.all(
    `SELECT m.id, m.msisdn FROM ${MESSAGES}
     WHERE m.id >= ? AND m.id < ? AND ${IS_VISIBLE}`,
    fromId,
    belowId,
  );
}

/**
 * The lowest id from which on messages were accepted at `atMs` or later, as far as ids tell time: they do but for the minutes
 * that a large batch is read in, or that a clock went back by.
 */
export function findIdAt(read: Reader, atMs: number): number {
  const all = idsAtAll(read);
  if (!all) return 0;
  let low = all.first;
  let high = all.last + 1;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const place = placeFrom(read, middle);
    if (place === null || place.createdAt >= atMs) high = middle;
    else low = place.id + 1;
  }
  return low;
}
