import type { IdForm } from "../smpp/message-id.ts";
import type { Reader } from "../store/read.ts";
import type { Tx } from "../store/write.ts";

/** How often each form of an id was the right one, per operator. An operator with none writes them as its responses do. */
export type FormEvidence = ReadonlyMap<IdForm, number>;

/** What receipts of an operator have shown; read with each receipt, since it is one short row or none. */
export function formEvidence(read: Reader, operator: string): FormEvidence {
  const rows = read.all<{ form: IdForm; matches: number }>(
    "SELECT form, matches FROM receipt_id_forms WHERE operator = ?",
    operator,
  );
  return new Map(rows.map(({ form, matches }) => [form, matches]));
}

/** Counts a receipt whose id could be read in one form only. */
export function countForm(tx: Tx, operator: string, form: IdForm): void {
  tx.run(
    `INSERT INTO receipt_id_forms (operator, form, matches) VALUES (?, ?, 1)
     ON CONFLICT (operator, form) DO UPDATE SET matches = matches + 1`,
    operator,
    form,
  );
}

/** So many receipts of one form, and nine in ten of all, make it an operator's. */
const FEWEST_MATCHES = 10;
const FEWEST_IN_TEN = 9;

/** The form that an operator writes ids in, once its receipts have shown one that is not the exact one. Pure. */
export function learntForm(evidence: FormEvidence): IdForm | null {
  let total = 0;
  let best: IdForm | null = null;
  for (const [form, matches] of evidence) {
    total += matches;
    if (best === null || matches > (evidence.get(best) ?? 0)) best = form;
  }
  if (best === null) return null;
  const matches = evidence.get(best) ?? 0;
  return matches >= FEWEST_MATCHES && matches * 10 >= total * FEWEST_IN_TEN ? best : null;
}

/** The learnt form of each operator that has one. */
export function formsOfOperators(read: Reader): ReadonlyMap<string, IdForm> {
  const operators = read.all<{ operator: string }>("SELECT DISTINCT operator FROM receipt_id_forms");
  const forms = new Map<string, IdForm>();
  for (const { operator } of operators) {
    const form = learntForm(formEvidence(read, operator));
    if (form !== null) forms.set(operator, form);
  }
  return forms;
}
