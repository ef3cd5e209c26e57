/** What is typed for a search of messages, read and checked. */

import { refused } from "../../core/failures.ts";
import { isSandbox, toLane, toSandboxId } from "../../core/sandbox.ts";
import type { Reader } from "../../db/read.ts";
import type { KeyMode } from "../../domain/accounts/api-key.ts";
import { isMessageClass } from "../../domain/accounts/classes.ts";
import { batchRecord } from "../../domain/messages/batches.ts";
import { type IdSpan, idsAtAll, rowIdOf } from "../../domain/messages/look-up.ts";
import { formerCodes } from "../../domain/messages/operator-renames.ts";
import { idAt, type MessageQuery } from "../../domain/messages/search/rows.ts";
import { STATUSES } from "../../domain/messages/status.ts";
import type { AdminContext } from "../operations/context.ts";
import { readInstantRange } from "../operations/instants.ts";
import { createMsisdnReader, describeInvalidNumber } from "../operations/msisdn.ts";
import { type AdminOutcome, done, refuse } from "../operations/refusal.ts";
import { findAccountByMode } from "../operations/sandboxes.ts";
import { checkLimit } from "../operations/typed-values.ts";

/** As typed; what is null is not asked for. */
export type FindFilters = {
  readonly number: string | null;
  readonly account: string | null;
  readonly batch: string | null;
  readonly status: string | null;
  readonly error: string | null;
  readonly operator: string | null;
  readonly sender: string | null;
  readonly messageClass: string | null;
  readonly from: string | null;
  readonly to: string | null;
  /** The last message of the page before. */
  readonly before: string | null;
  readonly limit: number;
  /** What was sent with keys of this mode; live without it. */
  readonly mode?: KeyMode;
};

export type ReadFilters = { readonly query: MessageQuery; readonly span: IdSpan; readonly limit: number };

const MAX_MESSAGES = 1000;
const DAY_MS = 86_400_000;

/** How far back a search goes without `--from`. */
const USUAL_DAYS = 31;

/**
 * How far ids may be from the time that they were accepted at: a batch of 100,000 recipients is read for minutes, and a clock may have
 * gone back.
 */
const SLACK_MS = 3_600_000;

export function readFilters(context: AdminContext, filters: FindFilters): AdminOutcome<ReadFilters> {
  const { store, clock, config } = context;
  const { read } = store;
  const limit = checkLimit(filters.limit, MAX_MESSAGES);
  if (!limit.ok) return limit;
  // A batch is looked through from its beginning, whenever that was.
  const usualMs = filters.batch === null ? USUAL_DAYS * DAY_MS : clock.nowMs();
  const time = readInstantRange(filters, config.defaults.timezone, clock.nowMs(), usualMs);
  if (!time.ok) return time;
  const { mode = "live" } = filters;
  const accountId = readAccount(read, filters.account, mode);
  if (!accountId.ok) return accountId;
  const number = readNumber(context, filters.number);
  if (!number.ok) return number;
  const status = readStatus(filters.status);
  if (!status.ok) return status;
  const messageClass = filters.messageClass?.toUpperCase() ?? null;
  if (messageClass !== null && !isMessageClass(messageClass)) {
    return refuse("INVALID_CLASS.unknown", { text: filters.messageClass ?? "" });
  }
  const query: Omit<MessageQuery, "batchId"> = {
    ...time.value,
    accountId: accountId.value,
    msisdn: number.value,
    status: status.value,
    messageClass,
    sender: filters.sender,
    isSandbox: mode === "test",
    errorCode: filters.error?.trim().toUpperCase() ?? null,
    operators: filters.operator === null ? null : codesOf(read, filters.operator),
  };
  return withSpan(read, query, filters, limit.value);
}

/** With the ids that may fit: those of the batch, or of the time. */
function withSpan(
  read: Reader,
  query: Omit<MessageQuery, "batchId">,
  { batch, before }: FindFilters,
  limit: number,
): AdminOutcome<ReadFilters> {
  const all = idsAtAll(read);
  let fromId = all?.first ?? 0;
  let belowId = all ? all.last + 1 : 0;
  let found: Partial<MessageQuery> = {};
  if (batch !== null) {
    const record = batchRecord(read, batch.toUpperCase());
    if (!record) return refuse("BATCH_NOT_FOUND", { id: batch });
    const { id, accountId, firstMessageId, messages } = record;
    if (isSandbox(accountId) !== query.isSandbox) {
      return refuse(query.isSandbox ? "BATCH_NOT_FOUND.not_test" : "BATCH_NOT_FOUND.test", { id: batch });
    }
    if (query.accountId !== null && query.accountId !== accountId) {
      return refuse("BATCH_NOT_FOUND.of_another", { id: batch });
    }
    found = { accountId };
    fromId = Math.max(fromId, firstMessageId);
    belowId = Math.min(belowId, firstMessageId + messages);
    return withPage(read, { ...query, ...found, batchId: id }, { fromId, belowId }, before, limit);
  }
  fromId = Math.max(fromId, idAt(read, query.fromMs - SLACK_MS));
  belowId = Math.min(belowId, idAt(read, query.toMs + SLACK_MS));
  return withPage(read, { ...query, batchId: null }, { fromId, belowId }, before, limit);
}

function withPage(
  read: Reader,
  query: MessageQuery,
  { fromId, belowId }: IdSpan,
  before: string | null,
  limit: number,
): AdminOutcome<ReadFilters> {
  if (before === null) return done({ query, span: { fromId, belowId }, limit });
  const id = rowIdOf(read, before.toUpperCase());
  if (id === null) return refuse("MESSAGE_NOT_FOUND", { id: before });
  return done({ query, span: { fromId, belowId: Math.min(belowId, id) }, limit });
}

/** An operator's code and those that it had, of either side. */
function codesOf(read: Reader, operator: string): string[] {
  const codes = [operator, ...formerCodes(read, operator)];
  return [...codes, ...codes.map((code) => toLane(toSandboxId(1), code))];
}

function readAccount(read: Reader, text: string | null, mode: KeyMode): AdminOutcome<number | null> {
  if (text === null) return done(null);
  const account = findAccountByMode(read, text, mode);
  return account.ok ? done(account.value.id) : account;
}

function readNumber({ config }: AdminContext, text: string | null): AdminOutcome<string | null> {
  if (text === null) return done(null);
  const msisdn = createMsisdnReader(config)(text);
  return msisdn === null ? refused("INVALID_MSISDN", describeInvalidNumber(config, text)) : done(msisdn);
}

function readStatus(text: string | null): AdminOutcome<string | null> {
  if (text === null) return done(null);
  const status = STATUSES.find((one) => one === text.trim().toUpperCase());
  return status ? done(status) : refuse("INVALID_STATUS", { text, known: STATUSES.join(", ") });
}
