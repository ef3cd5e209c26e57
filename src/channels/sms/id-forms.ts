import type { Reader } from "../../db/read.ts";
import type { Tx } from "../../db/write.ts";
import { readFamilies } from "../../domain/messages/operator-family.ts";
import type { IdFormat } from "./id-readings.ts";

/** How often each form of an id was the right one, per operator. An operator with none writes them as its responses do. */
export type FormatEvidence = ReadonlyMap<IdFormat, number>;

type FormRow = { readonly form: IdFormat; readonly matches: number };

const HAS_ANY = "SELECT 1 FROM receipt_id_forms WHERE operator = ? LIMIT 1";

/**
 * What receipts of a family have shown; read with each receipt. Most families have shown nothing, which is remembered for as
 * long as nothing is written.
 */
export function readFormatEvidence(read: Reader, operators: readonly string[]): FormatEvidence {
  const evidence = new Map<IdFormat, number>();
  for (const operator of operators) {
    if (read.known(HAS_ANY, operator) === null) continue;
    const rows = read.all<FormRow>("SELECT form, matches FROM receipt_id_forms WHERE operator = ?", operator);
    for (const { form, matches } of rows) evidence.set(form, (evidence.get(form) ?? 0) + matches);
  }
  return evidence;
}

/** Counts a receipt whose id could be read in one form only. */
export function countIdFormat(tx: Tx, operator: string, form: IdFormat): void {
  tx.run(
    `INSERT INTO receipt_id_forms (operator, form, matches) VALUES (?, ?, 1)
     ON CONFLICT (operator, form) DO UPDATE SET matches = matches + 1`,
    operator,
    form,
  );
}

/** So many receipts of one form, and nine in ten of all, make it an operator's. */
const MIN_MATCHES = 10;
const MIN_IN_TEN = 9;

/** The form that an operator writes ids in, once its receipts have shown one that is not the exact one. Pure. */
export function deriveIdFormat(evidence: FormatEvidence): IdFormat | null {
  let total = 0;
  let best: IdFormat | null = null;
  for (const [form, matches] of evidence) {
    total += matches;
    if (best === null || matches > (evidence.get(best) ?? 0)) best = form;
  }
  if (best === null) return null;
  const matches = evidence.get(best) ?? 0;
  return matches >= MIN_MATCHES && matches * 10 >= total * MIN_IN_TEN ? best : null;
}

/** The learnt form of an operator's family; null when it has none. */
export function readIdFormat(read: Reader, operator: string): IdFormat | null {
  return deriveIdFormat(readFormatEvidence(read, readFamilies(read).get(operator) ?? [operator]));
}
