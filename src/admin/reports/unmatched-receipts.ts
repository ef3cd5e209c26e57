/** Lists receipts that match no message yet (docs/behaviour.md#parked-receipts). */
import { readIdFormat } from "../../channels/sms/receipt-keys.ts";
import {
  countUnmatchedReceipts,
  listUnmatchedReceipts,
  readUnmatchedKeptMs,
  type UnmatchedReceipt,
} from "../../channels/sms/unmatched-receipts.ts";
import { isoUtc } from "../../core/clock.ts";
import type { Reader } from "../../db/reader.ts";
import { phrase } from "../../i18n/phrase.ts";
import type { AdminContext } from "../operations/context.ts";
import { operation } from "../operations/operation.ts";
import { checkOperator } from "../operations/operators.ts";
import { limit, OPERATOR, optional } from "../operations/parameters.ts";
import { done } from "../operations/refusal.ts";

const MAX_RECEIPTS = 1000;

/** The receipts that match no message yet, newest first, and what was learnt of how each operator writes ids. */
export async function operatorReceipts(
  { store, config, clock }: AdminContext,
  operator: string | null,
  limit: number,
) {
  const known = operator === null ? done(null) : checkOperator(config, operator);
  if (!known.ok) return known;
  const { read } = store;
  const operators = [];
  for (const code of operator === null ? Object.keys(config.operators) : [operator]) {
    const form = readIdFormat(read, code);
    const unmatched = await countUnmatchedReceipts(read, clock, code);
    operators.push({
      operator: code,
      /** Receipts that match no message yet. */
      unmatched,
      /** The form that the operator's receipts were seen to have. */
      ids: phrase(`message.ids.${form ?? "exact"}`),
    });
  }
  // Those of one operator need not be looked for beyond the last that there is.
  const most = operator === null ? limit : Math.min(limit, operators[0]?.unmatched ?? 0);
  const receipts = await listUnmatchedReceipts(read, clock, operator, most);
  return done({ operators, receipts: receipts.map((receipt) => view(read, receipt)) });
}

function view(read: Reader, receipt: UnmatchedReceipt) {
  return {
    received_at: isoUtc(receipt.receivedAtMs),
    operator: receipt.operator,
    /** As received; null when the receipt names no message. */
    id: receipt.id === "" ? null : receipt.id,
    msisdn: receipt.msisdn,
    state: receipt.state,
    stat: receipt.rawStat,
    err: receipt.errorCode,
    connection: receipt.connection,
    /** When it is dropped. */
    kept_until: isoUtc(receipt.receivedAtMs + readUnmatchedKeptMs(read, receipt.receivedAtMs)),
  };
}

export const RECEIPT_OPERATIONS = {
  "operator receipts": operation({
    does: "reads",
    params: { operator: optional(OPERATOR), limit: limit(100, MAX_RECEIPTS) },
    run: (context, { operator, limit: most }) => operatorReceipts(context, operator, most),
  }),
};
