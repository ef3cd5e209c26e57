/** The page "Margin": what is left of charges once routes are paid, and the same as a file. Also what a quote shows of it. */
import { Type as t } from "typebox";
import { type AdminOutcome, done } from "../../../admin/operations/refusal.ts";
import { MARGIN_KEYS, type MarginView, marginReport } from "../../../admin/reports/margin.ts";
import { routeCode } from "../../../config/config.ts";
import { unreachable } from "../../../core/assert.ts";
import { renderSheetHead, renderSheetLines } from "../../../core/csv.ts";
import { phrase } from "../../../i18n/phrase.ts";
import { classWord, type Heading, sheetDay, sheetHeadings, toSlug } from "../downloads.ts";
import type { PageContext } from "./request-context.ts";
import { csvFile, type Download, type QueryOf, route } from "./route.ts";
import { filters, INSTANT } from "./schemas.ts";

const MARGIN_QUERY = filters({ by: t.Enum(MARGIN_KEYS), from: INSTANT, to: INSTANT });
type MarginQuery = QueryOf<typeof MARGIN_QUERY>;

/** Days in their order, the latest last; of other keys those with most segments first. */
async function marginPage({ context }: PageContext, { by, from, to }: MarginQuery) {
  const report = await marginReport(context, { by: by ?? "route", from, to });
  if (!report.ok) return report;
  const { rows, ...rest } = report.value;
  const { operators } = context.config;
  return done({
    ...rest,
    rows: report.value.by === "day" ? rows : rows.toSorted((one, other) => other.segments - one.segments),
    operators: Object.entries(operators).map(([code, { name }]) => ({ code, name })),
    /** Configured routes, and those of them whose cost is not set. */
    has_routes: Object.values(operators).some(({ routes }) => Object.keys(routes).length > 0),
    without_cost: Object.entries(operators).flatMap(([operator, { routes }]) =>
      Object.entries(routes).flatMap(([name, { cost }]) =>
        cost === undefined ? [routeCode(operator, name)] : [],
      ),
    ),
  });
}

type MarginPage = Extract<Awaited<ReturnType<typeof marginPage>>, { readonly ok: true }>["value"];

/** The name of a key, and the code or id that programs know it by, where that differs. */
function keyCells(
  asked: PageContext,
  { by, operators }: Pick<MarginPage, "by" | "operators">,
  { key, account = "" }: MarginView["rows"][number],
): readonly string[] {
  const code = key ?? "";
  switch (by) {
    case "account":
      return [key === null ? asked.translate(phrase("sheet.nobody")) : account, code];
    case "day":
      return [sheetDay(asked.language, code)];
    case "class":
      return [classWord(asked, code), code];
    case "operator":
      return [operators.find((one) => one.code === code)?.name ?? code, code];
    case "route":
      return [code];
    default:
      return unreachable(by, "key of a margin");
  }
}

function keyHeadings(by: MarginPage["by"]): readonly Heading[] {
  if (by === "day" || by === "route") return [by];
  return [by, by === "account" ? "account_id" : "code"];
}

const FIGURES = ["segments", "charged", "cost", "unknown_cost_segments", "margin", "margin_share"] as const;

/** The same figures as a spreadsheet file in the reader's language. */
async function marginFile(asked: PageContext, query: MarginQuery): Promise<AdminOutcome<Download>> {
  const report = await marginPage(asked, query);
  if (!report.ok) return report;
  const { by, from, to, rows } = report.value;
  const { language, translate } = asked;
  const lines = rows.map((row) => [
    ...keyCells(asked, report.value, row),
    // As numbers, which have a comma in French; thousandths are exact up to 9 × 10^12 francs.
    ...FIGURES.map((figure) => (row[figure] === null ? null : Number(row[figure]))),
  ]);
  const pieces = [
    renderSheetHead(language, [sheetHeadings(asked, [...keyHeadings(by), ...FIGURES])]),
    renderSheetLines(language, lines),
  ];
  const [file, key] = [translate(phrase("sheet.file.margin")), translate(phrase(`sheet.head.${by}`))];
  return done(csvFile(`${file}-${toSlug(key)}-${from}-${to}.csv`, pieces));
}

export const MARGIN_ROUTES = {
  "GET /reports/margin": route("books.read", marginPage, { query: MARGIN_QUERY }),
  "GET /reports/margin.csv": route("books.read", marginFile, { query: MARGIN_QUERY }),
};
