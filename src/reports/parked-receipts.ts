import { isoUtc } from "../base/clock.ts";
import type { AdminContext } from "../operations/context.ts";
import { checkOperator } from "../operations/operators.ts";
import { type AdminOutcome, done } from "../operations/refusal.ts";
import { checkLimit } from "../operations/typed-values.ts";
import { formOfOperator } from "../sms/id-forms.ts";
import type { IdForm } from "../sms/id-readings.ts";
import { countParkedReceipts, listParkedReceipts, type ParkedReceipt } from "../sms/parked-lookup.ts";
import { parkedForMs } from "../sms/parked-receipts.ts";
import type { Reader } from "../store/read.ts";

const MOST_RECEIPTS = 1000;

export type OperatorReceiptsView = {
  readonly operator: string;
  /** Receipts that match no message yet. */
  readonly unmatched: number;
  /** The form that the operator's receipts were seen to have. */
  readonly ids: string;
};

export type ReceiptsView = {
  readonly operators: readonly OperatorReceiptsView[];
  readonly receipts: readonly ParkedView[];
};

/** The receipts that match no message yet, newest first, and what was learnt of how each operator writes ids. */
export function operatorReceipts(
  { store, config }: AdminContext,
  operator: string | null,
  limit: number,
): AdminOutcome<ReceiptsView> {
  const checked = checkLimit(limit, MOST_RECEIPTS);
  if (!checked.ok) return checked;
  const known = operator === null ? done(null) : checkOperator(config, operator);
  if (!known.ok) return known;
  const { read } = store;
  const parked = new Map(countParkedReceipts(read).map((row) => [row.operator, row.parked]));
  const codes = operator === null ? Object.keys(config.operators) : [operator];
  return done({
    operators: codes.map((code) => {
      const form = formOfOperator(read, code);
      return { operator: code, unmatched: parked.get(code) ?? 0, ids: form === null ? PLAIN : WORDS[form] };
    }),
    receipts: listParkedReceipts(read, operator, limit).map((receipt) => view(read, receipt)),
  });
}

const PLAIN = "as in the responses";

const WORDS: Readonly<Record<IdForm, string>> = {
  exact: PLAIN,
  padded: "padded, or in other letters, than in the responses",
  decimal: "in decimal, those of the responses in hexadecimal",
  hexadecimal: "in hexadecimal, those of the responses in decimal",
};

function view(read: Reader, receipt: ParkedReceipt) {
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
    kept_until: isoUtc(receipt.receivedAtMs + parkedForMs(read, receipt.receivedAtMs)),
  };
}

export type ParkedView = Readonly<ReturnType<typeof view>>;
