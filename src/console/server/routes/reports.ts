/** The page "Reports": what became of messages by operator, sender, class, account, error and day, and the same as a file. */
import { Type as t } from "typebox";
import { findAccountOrNull } from "../../../admin/operations/account-names.ts";
import { type AdminOutcome, done } from "../../../admin/operations/refusal.ts";
import {
  DELIVERY_KEYS,
  type DeliveryTimeline,
  reportDeliveryTimeline,
} from "../../../admin/reports/delivery.ts";
import {
  reportVolume,
  VOLUME_SPANS,
  type VolumeQuery,
  type VolumeView,
} from "../../../admin/reports/volume.ts";
import { operatorCodes } from "../../../config/config.ts";
import { unreachable } from "../../../core/assert.ts";
import { cacheExpensive } from "../../../core/concurrency.ts";
import { renderSheetHead, renderSheetLines } from "../../../core/csv.ts";
import { MESSAGE_CLASSES } from "../../../domain/accounts/message-class.ts";
import { errorPhrase, isMessageErrorCode } from "../../../domain/messages/message-status.ts";
import { phrase } from "../../../i18n/phrase.ts";
import { classWord, type Heading, sheetDay, sheetHeadings } from "../downloads.ts";
import { hideCharges } from "./money-visibility.ts";
import type { PageContext } from "./request-context.ts";
import { csvFile, type Download, type QueryOf, route } from "./route.ts";
import { ACCOUNT, filters, INSTANT, WORD } from "./schemas.ts";

const BY = t.Enum(DELIVERY_KEYS);
const CLASS = t.Enum(MESSAGE_CLASSES);
const REPORT_QUERY = filters({
  by: BY,
  account: ACCOUNT,
  operator: WORD,
  class: CLASS,
  sender: WORD,
  from: INSTANT,
  to: INSTANT,
});

/** Outcomes of messages, with their course from day to day. */
async function reportPage(
  asked: PageContext,
  { class: messageClass, ...query }: QueryOf<typeof REPORT_QUERY>,
) {
  const { context, seesMoney } = asked;
  const course = await reportDeliveryTimeline(context, { ...query, messageClass });
  if (!course.ok) return course;
  const { rows, totals, ...rest } = course.value;
  const { operators } = context.config;
  return done({
    ...rest,
    rows: rows.map((row) => hideCharges(seesMoney, row)),
    totals: hideCharges(seesMoney, totals),
    /** Operators that may be asked for. */
    operators: operatorCodes(context.config).map((code) => ({ code, name: operators[code]?.name ?? code })),
    /** Texts of errors by the codes of the rows; empty where rows are not by error. */
    errors: rest.by === "error" ? errorsIn(rows, asked) : {},
  });
}

type ReportView = Extract<Awaited<ReturnType<typeof reportPage>>, { readonly ok: true }>["value"];

function errorsIn(
  rows: DeliveryTimeline["rows"],
  { translate }: PageContext,
): Readonly<Record<string, string>> {
  const named = rows.flatMap(({ key }): [string, string][] =>
    key !== null && isMessageErrorCode(key) ? [[key, translate(errorPhrase(key))]] : [],
  );
  return Object.fromEntries(named);
}

const COLUMNS = [
  ...(["accepted", "sent", "delivered", "failed", "without_receipt", "delivered_share"] as const),
] as const;

/** The name of a key, and the code or id that programs know it by, where that differs. */
function keyCells(
  asked: PageContext,
  { by, operators, errors }: ReportView,
  { key, account = "" }: ReportView["rows"][number],
): readonly string[] {
  const code = key ?? "";
  switch (by) {
    case "account":
      return [account, code];
    case "day":
      return [sheetDay(asked.language, code)];
    case "class":
      return [classWord(asked, code), code];
    case "operator":
      return [operators.find((one) => one.code === code)?.name ?? code, code];
    case "error":
      return [key === null ? asked.translate(phrase("sheet.no_error")) : (errors[code] ?? code), code];
    case "sender":
      return [code];
    default:
      return unreachable(by, "key of a report");
  }
}

function keyHeadings(by: ReportView["by"]): readonly Heading[] {
  if (by === "day" || by === "sender") return [by];
  return [by, by === "account" ? "account_id" : "code"];
}

const FIGURES: readonly Heading[] = [
  ...COLUMNS,
  ...(["receipt_p50", "receipt_p90", "receipt_p99", "segments", "charged"] as const),
];

/** The same figures as a spreadsheet file in the reader's language. */
async function reportFile(
  asked: PageContext,
  query: QueryOf<typeof REPORT_QUERY>,
): Promise<AdminOutcome<Download>> {
  const report = await reportPage(asked, query);
  if (!report.ok) return report;
  const { by, from, to, rows } = report.value;
  const { language, translate } = asked;
  const lines = rows.map((row) => [
    ...keyCells(asked, report.value, row),
    ...COLUMNS.map((column) => row[column]),
    ...[row.receipt_seconds.p50, row.receipt_seconds.p90, row.receipt_seconds.p99],
    ...[row.segments, row.charged],
  ]);
  const pieces = [
    renderSheetHead(language, [sheetHeadings(asked, [...keyHeadings(by), ...FIGURES])]),
    renderSheetLines(language, lines),
  ];
  const file = translate(phrase("sheet.file.delivery"));
  const name = `${file}-${plainName(translate(phrase(`sheet.head.${by}`)))}-${from}-${to}.csv`;
  return done(csvFile(name, pieces));
}

/** A word for file names: lower case, without accents. */
function plainName(word: string): string {
  return word
    .normalize("NFD")
    .replaceAll(/[^\p{L}]/gu, "")
    .toLowerCase();
}

const VOLUME_QUERY = filters({
  span: t.Enum(VOLUME_SPANS),
  account: ACCOUNT,
  operator: WORD,
  class: CLASS,
  sender: WORD,
});

/** How long the picture of the traffic is reused: many start pages show the same one. */
const VOLUME_KEPT_MS = 30_000;
/** Questions whose pictures are kept; beyond that they are begun anew. */
const MAX_VOLUMES = 200;

type OfVolume = () => Promise<AdminOutcome<VolumeView>>;

/** Pictures by what was asked, of each store: its metrics registry is what a store's contexts have in common. */
const volumes = new WeakMap<PageContext["context"]["store"]["tally"], Map<string, OfVolume>>();

/** The picture of the traffic: messages by hour or by day, and what became of them. */
async function volumePage(
  { context }: PageContext,
  { span, class: messageClass, ...of }: QueryOf<typeof VOLUME_QUERY>,
) {
  const account = findAccountOrNull(context.store.read, of.account);
  if (!account.ok) return account;
  const query: VolumeQuery = {
    ...of,
    span: span ?? "24h",
    account: account.value?.ulid ?? null,
    messageClass,
  };
  const { tally } = context.store;
  const kept = volumes.get(tally) ?? new Map<string, OfVolume>();
  volumes.set(tally, kept);
  const key = JSON.stringify(query);
  if (kept.size >= MAX_VOLUMES && !kept.has(key)) kept.clear();
  const known =
    kept.get(key) ?? cacheExpensive(context.clock, VOLUME_KEPT_MS, () => reportVolume(context, query));
  kept.set(key, known);
  return known();
}

export const REPORT_ROUTES = {
  "GET /reports/volume": route("reports.read", volumePage, { query: VOLUME_QUERY }),
  "GET /reports/delivery": route("reports.read", reportPage, { query: REPORT_QUERY }),
  "GET /reports/delivery.csv": route("reports.read", reportFile, { query: REPORT_QUERY }),
};
