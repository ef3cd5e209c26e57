/** The page "Report of this batch": how one batch went, and the same as a file. */
import { Type as t } from "@sinclair/typebox";
import { sheetHead, sheetLines } from "../../base/csv-line.ts";
import { operatorNames } from "../../config/operator-codes.ts";
import { errorObject } from "../../messages/message-error.ts";
import { batchShow } from "../../operations/batches.ts";
import { type AdminOutcome, done } from "../../operations/refusal.ts";
import { type BatchReport, batchReport } from "../../reports/batch-report.ts";
import { UNREADABLE } from "../../reports/left-out.ts";
import { REJECTION_WORDS } from "../rejection-words.ts";
import { SHEET_WORDS, sheetWord } from "../sheet-words.ts";
import { type Asked, ownBatch } from "./asked.ts";
import { unreadableView } from "./batch-missed.ts";
import { type MaybeMoney, moneyFor } from "./money.ts";
import { type Download, download, route } from "./route.ts";
import { ID } from "./shapes.ts";

const BATCH_PATH = t.Object({ batch: ID });

export type BatchReportView = Omit<BatchReport, "lines"> & {
  readonly client_reference: string | null;
  readonly lines: readonly (MaybeMoney<BatchReport["lines"][number]> & {
    readonly name: string;
    /** The error in the reader's words. */
    readonly detail: string | null;
  })[];
  /** Rows that nothing was sent for, by reason. */
  readonly left_out: readonly { readonly reason: string; readonly rows: number }[];
};

/** Every row that was brought stands in it once. */
async function reportOf(asked: Asked, id: string): Promise<AdminOutcome<BatchReportView>> {
  const { context, seesMoney, inTheirWords } = asked;
  const own = ownBatch(asked, id);
  if (!own.ok) return own;
  const batch = await batchShow(context, id);
  if (!batch.ok) return batch;
  const report = await batchReport(context, id);
  if (!report.ok) return report;
  const names = operatorNames(context.config);
  const { unreadable, sent_already: back } = unreadableView(asked, own.value.id);
  const { rejections_by_reason: reasons, client_reference } = batch.value;
  const { DUPLICATE_IN_BATCH: doubles = 0 } = reasons;
  const all = { ...reasons, DUPLICATE_IN_BATCH: doubles + back, [UNREADABLE]: unreadable };
  return done({
    ...{ ...report.value, client_reference },
    lines: report.value.lines.map((line) => ({
      ...moneyFor(seesMoney, line),
      name: names[line.operator] ?? line.operator,
      detail: line.error && inTheirWords(errorObject(line.error, null)?.detail ?? line.error),
    })),
    left_out: Object.entries(all)
      .filter(([, rows]) => rows > 0)
      .map(([reason, rows]) => ({ reason, rows })),
  });
}

/** The same as a file that a spreadsheet in the reader's language opens: a line for each operator, state and cause. */
async function reportFile(asked: Asked, id: string): Promise<AdminOutcome<Download>> {
  const report = await reportOf(asked, id);
  if (!report.ok) return report;
  const { batch_id, client_reference: reference, lines, left_out: left } = report.value;
  const { language } = asked;
  const { batchReport: words } = SHEET_WORDS[language];
  const reasons: Readonly<Record<string, string>> = REJECTION_WORDS[language];
  const rows = [
    ...lines.map(({ operator, name, state, detail, error, messages, segments, amount }) => [
      ...[batch_id, reference, name, operator, sheetWord(words.states, state)],
      ...[detail, error, messages, segments, amount],
    ]),
    ...left.map(({ reason, rows: count }) => [
      ...[batch_id, reference, "", "", words.notSent, reasons[reason] ?? reason, reason, count, 0],
      asked.seesMoney ? 0 : null,
    ]),
  ];
  const pieces = [sheetHead(language, [words.heads]), sheetLines(language, rows)];
  return done(download(`${words.file}-${batch_id}.csv`, "text/csv; charset=utf-8", pieces));
}

export const BATCH_REPORT_ROUTES = {
  "GET /batches/:batch/report": route(
    { operation: "batches.read", params: BATCH_PATH },
    (asked, { params }) => reportOf(asked, params.batch),
  ),
  "GET /batches/:batch/report.csv": route(
    { operation: "batches.read", params: BATCH_PATH },
    (asked, { params }) => reportFile(asked, params.batch),
  ),
};
