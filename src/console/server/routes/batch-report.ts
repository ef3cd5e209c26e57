/** The page "Report of this batch": how one batch went, and the same as a file. */
import { Type as t } from "typebox";
import { batchShow } from "../../../admin/operations/batches.ts";
import { type AdminOutcome, done } from "../../../admin/operations/refusal.ts";
import { batchText } from "../../../admin/operations/revealed-texts.ts";
import { batchReport } from "../../../admin/reports/batch-report.ts";
import { TURN_BEFORE, UNREADABLE } from "../../../admin/reports/rejected-recipients.ts";
import { operatorNames, readSeller } from "../../../config/config.ts";
import { renderSheetHead, renderSheetLines } from "../../../core/csv.ts";
import { type Account, accountByUlid } from "../../../domain/accounts/accounts.ts";
import type { BatchRecord } from "../../../domain/messages/batches.ts";
import { errorPhrase } from "../../../domain/messages/message-status.ts";
import { phrase } from "../../../i18n/phrase.ts";
import { classWord, type Heading, sheetHeadings, sheetTime, toAccountSlug, toSlug } from "../downloads.ts";
import { toReasonPhrase } from "../rejection-reasons.ts";
import {
  countFamilyPeople,
  listRelatedBatches,
  peopleFile,
  readFamilyPeople,
  type UnreachedCause,
} from "./batch-family.ts";
import { hideMoney } from "./money-visibility.ts";
import { localizeCode, readUnreadableRows } from "./rejected-rows.ts";
import {
  BATCH_SUBJECT,
  canReadBatchTexts,
  canReadTexts,
  type PageContext,
  requireOwnBatch,
} from "./request-context.ts";
import { csvFile, type Download, type QueryOf, routeOn } from "./route.ts";

const TOGETHER = t.Object({ together: t.Optional(t.Literal("true")) });

/** A batch without its family. */
type OneReport = Extract<Awaited<ReturnType<typeof oneReport>>, { readonly ok: true }>["value"];

/** A batch with those that it corrects and that correct it, and who has the text of all of them together; null where it is alone. */
async function reportOf(asked: PageContext, { id, ulid }: BatchRecord) {
  const report = await oneReport(asked, ulid);
  if (!report.ok) return report;
  const together = await readFamilyPeople(asked, id);
  return done({ ...report.value, family: listRelatedBatches(asked, id), together });
}

/** Counts every row of the file once. */
async function oneReport(asked: PageContext, id: string) {
  const { context, seesMoney, translate } = asked;
  const own = requireOwnBatch(asked, id);
  if (!own.ok) return own;
  const batch = await batchShow(context, id);
  if (!batch.ok) return batch;
  const report = await batchReport(context, id);
  if (!report.ok) return report;
  const names = operatorNames(context.config);
  const { unreadable, sent_already: back } = readUnreadableRows(asked, own.value.id);
  const { rejections_by_reason: reasons, client_reference, account_id, sender, message_class } = batch.value;
  const text = canReadBatchTexts(asked, own.value.id) ? await batchText(context, id, null) : null;
  const all = { ...reasons, [TURN_BEFORE]: back, [UNREADABLE]: unreadable };
  return done({
    ...report.value,
    client_reference,
    account_id,
    sender,
    message_class,
    /** Null where none is configured. */
    seller: readSeller(context.config),
    account: accountByUlid(context.store.read, account_id)?.name ?? "",
    /** Planned start, in the account's zone. */
    sent_at: batch.value.scheduled_at ?? batch.value.created_at,
    /** For those who may read texts freely; null for others, and once it was forgotten. */
    text: text?.ok ? text.value.text : null,
    lines: report.value.lines.map((line) => ({
      ...hideMoney(seesMoney, line),
      name: names[line.operator] ?? line.operator,
      /** The error in the reader's words. */
      detail: line.error && translate(errorPhrase(line.error)),
    })),
    /** Rows that nothing was sent for, by reason. */
    left_out: Object.entries(all)
      .filter(([, rows]) => rows > 0)
      .map(([reason, rows]) => ({ reason, rows })),
  });
}

const HEADINGS: readonly Heading[] = [
  ...(["batch", "client_reference", "account", "sender", "class", "sent_at"] as const),
  ...(["operator", "operator_code", "outcome"] as const),
  ...(["why", "reason_code", "texts", "segments", "charged"] as const),
];

/**
 * The same as a spreadsheet file in the reader's language: a line for each operator, state and cause. `together`: with the lines
 * of the batches that it corrects and that correct it; whoever was never sent to is counted once.
 */
async function reportFile(
  asked: PageContext,
  batch: BatchRecord,
  { together: wanted }: QueryOf<typeof TOGETHER>,
): Promise<AdminOutcome<Download>> {
  const report = await reportOf(asked, batch);
  if (!report.ok) return report;
  const { language, translate } = asked;
  const account = accountByUlid(asked.context.store.read, report.value.account_id);
  const { batch_id: own, family, together, client_reference, sent_at } = report.value;
  const all = wanted === null ? null : together;
  const ids = all ? family.map(({ batch_id }) => batch_id) : [own];
  const rows: (readonly unknown[])[] = [];
  for (const each of ids) {
    const one = each === own ? report : await oneReport(asked, each);
    if (!one.ok) return one;
    rows.push(...rowsOf(asked, all ? { ...one.value, left_out: [] } : one.value, account));
  }
  if (all)
    rows.push(...neverSentRows(asked, whoseCells(asked, report.value, account), report.value, all.reasons));
  const heads = sheetHeadings(asked, canReadTexts(asked) ? [...HEADINGS, "text"] : HEADINGS);
  const pieces = [renderSheetHead(language, [heads]), renderSheetLines(language, rows)];
  const named = [account ? toAccountSlug(account) : own, sent_at.slice(0, DAY_LENGTH)];
  const whole = all ? [translate(phrase("sheet.file.attempts"))] : [];
  const file = translate(phrase("sheet.file.batch_report"));
  const name = [file, ...named, toSlug(client_reference ?? "") || own, ...whole].join("-");
  return done(csvFile(`${name}.csv`, pieces));
}

function rowsOf(asked: PageContext, report: OneReport, account: Account | null): (readonly unknown[])[] {
  const { language, seesMoney, translate } = asked;
  const whose = whoseCells(asked, report, account);
  const said = canReadTexts(asked) ? [report.text] : [];
  return [
    ...report.lines.map(({ operator, name, state, detail, error, messages, segments, amount }) => [
      ...[...whose, name, operator, translate(phrase(`sheet.state.${state}`))],
      ...[detail, error && localizeCode(language, error), messages, segments, amount, ...said],
    ]),
    ...report.left_out.map(({ reason, rows: count }) => [
      ...[
        ...whose,
        "",
        "",
        translate(phrase("sheet.state.NOT_SENT")),
        translate(toReasonPhrase(reason)),
        localizeCode(language, reason),
        count,
        0,
      ],
      ...[seesMoney ? 0 : null, ...said],
    ]),
  ];
}

/** People never sent to, of a batch and its corrections, under the batch asked for. */
function neverSentRows(
  asked: PageContext,
  whose: readonly unknown[],
  report: OneReport,
  reasons: readonly UnreachedCause[],
) {
  const { language, seesMoney, translate } = asked;
  const notSent = translate(phrase("sheet.state.NOT_SENT"));
  const said = canReadTexts(asked) ? [report.text] : [];
  return reasons
    .filter((reason) => reason.was_never_sent)
    .map(({ code, why, people }) => [
      ...[...whose, "", "", notSent, why, localizeCode(language, code), people, 0],
      ...[seesMoney ? 0 : null, ...said],
    ]);
}

const DAY_LENGTH = 10;

/** Cells that name batch and account: the same in every line, so that lines of several files can be merged. */
function whoseCells(asked: PageContext, report: OneReport, account: Account | null) {
  const { language, context } = asked;
  const timezone = account?.timezone ?? context.config.defaults.timezone;
  return [
    ...[report.batch_id, report.client_reference, report.account, report.sender],
    classWord(asked, report.message_class),
    sheetTime(language, timezone, report.sent_at),
  ];
}

export const BATCH_REPORT_ROUTES = {
  /** How many people of a batch and all that correct it have the text; null where it is alone. */
  "GET /batches/:batch/people": routeOn(BATCH_SUBJECT, "batches.read", async (asked, { id }) =>
    done({ together: await countFamilyPeople(asked, id) }),
  ),
  "GET /batches/:batch/people.csv": routeOn(BATCH_SUBJECT, "messages.read", peopleFile),
  "GET /batches/:batch/report": routeOn(BATCH_SUBJECT, "batches.read", reportOf),
  "GET /batches/:batch/report.csv": routeOn(BATCH_SUBJECT, "batches.read", reportFile, { query: TOGETHER }),
};
