/**
 * Console page of the delivery report: filters, totals, charts by day, a table by operator, sender, class, account or error,
 * and its file.
 */
import { useMemo, useState } from "preact/hooks";
import type { ReportsWords } from "../../../../i18n/words.gen.d.ts";
import type { Query } from "../../api/client.ts";
import type { Answer } from "../../api/contract.ts";
import {
  Button,
  Chart,
  type ChartLine,
  type Column,
  type Columns,
  column,
  Empty,
  ErrorBox,
  Filter,
  FilterBar,
  filter,
  Note,
  numberColumn,
  Page,
  PeriodFilter,
  periodAsked,
  Section,
  Stat,
  Stats,
  Table,
  Term,
  toOptions,
  WithNote,
} from "../../kit/kit.ts";
import { PERIODS } from "../../state/period.ts";
import { HOME } from "../../state/router.ts";
import { isStaff, may } from "../../state/session.ts";
import { useAnswer } from "../../state/use-request.ts";
import { reports } from "../../words/reports.ts";
import { classWord, figures } from "../../words/words.ts";
import { AccountFilter } from "../traffic/named-filters.tsx";
import { TrafficPicture } from "../volume.tsx";

export function Reports() {
  const { query, key } = reportAsked();
  const { value, problem, isLoading, reload } = useAnswer("GET /reports/delivery", { query });
  const words = reports.value;
  return (
    <Page title={words.title}>
      <ReportFilters operators={value?.operators ?? []} />
      <TrafficPicture
        of={{ account: query.account, operator: query.operator, class: query.class, sender: query.sender }}
      />
      <ErrorBox problem={problem} onRetry={reload} />
      {value && !problem && (
        <>
          <Totals report={value} />
          <ReportPictures report={value} />
          <Section
            title={words.table}
            aside={
              value.rows.length > 0 && (
                <a class="button" href={fileOf(query)} download>
                  {words.csv}
                </a>
              )
            }
          >
            <Note>{words.span({ from: value.from, to: value.to, zone: value.timezone })}</Note>
            <ReportTable key={key} report={value} isLoading={isLoading} />
          </Section>
        </>
      )}
    </Page>
  );
}

const CLASSES = ["OTP", "TRANSACTIONAL", "MARKETING"];

function ReportFilters({ operators }: { readonly operators: Report["operators"] }) {
  const words = reports.value;
  const keys = REPORT_KEYS.filter((key) => isStaff() || key !== "account");
  return (
    <FilterBar>
      <Filter
        name="by"
        label={words.by}
        options={toOptions(keys, (value) => words.keys[value])}
        usual="day"
      />
      <PeriodFilter offered={PERIODS} usual={USUAL_PERIOD} />
      <Filter
        name="operator"
        label={words.operator}
        options={operators.map(({ code, name }) => ({ value: code, label: name }))}
      />
      <Filter name="class" label={words.class} options={toOptions(CLASSES, classWord)} />
      <Filter name="sender" label={words.sender} />
      {isStaff() && <AccountFilter label={words.account} />}
    </FilterBar>
  );
}

function Totals({ report: { totals } }: { readonly report: Report }) {
  const words = reports.value;
  const { glossary } = words;
  const { p50, p90, p99 } = totals.receipt_seconds;
  return (
    <Stats>
      <Stat
        label={<Term says={glossary.accepted}>{words.accepted}</Term>}
        value={totals.accepted}
        note={words.sentNote({ sent: totals.sent })}
      />
      <Stat
        label={<Term says={glossary.share}>{words.share}</Term>}
        value={figures.share(totals.delivered_share)}
        note={[words.failedNote(totals.failed), words.noReceiptNote(totals.without_receipt)].join(" · ")}
      />
      <Stat
        label={<Term says={glossary.median}>{words.median}</Term>}
        value={figures.delay(p50)}
        note={
          p90 === null
            ? undefined
            : words.slowNote({ tenth: figures.delay(p90), hundredth: figures.delay(p99) })
        }
      />
      {totals.charged !== null && (
        <Stat
          label={<Term says={glossary.charged}>{words.charged}</Term>}
          value={figures.money(totals.charged)}
          note={words.segmentsNote(totals.segments)}
        />
      )}
    </Stats>
  );
}

/** Days that a picture needs. */
const FEWEST = 2;

/** How it went from day to day: of all, or of those with most messages. */
function ReportPictures({ report }: { readonly report: Report }) {
  const times = useMemo(() => report.days.map((day) => Date.parse(`${day}T12:00:00Z`) / 1000), [report]);
  if (report.days.length < FEWEST || report.lines.length === 0) return null;
  const words = reports.value;
  const isOfFour = report.by !== "day" && report.rows.length > report.lines.length;
  return (
    <>
      <div class="pair">
        {report.by === "error" ? (
          <Picture
            report={report}
            times={times}
            title={words.errorChart}
            label={words.errorChartLabel}
            format={figures.number}
            linesOf={(shown) =>
              shown.lines.map((line) => ({ label: keyName(shown, line), values: line.accepted }))
            }
          />
        ) : (
          <>
            <Picture
              report={report}
              times={times}
              title={words.shareChart}
              label={words.shareChartLabel}
              format={(value) => figures.share(value / 100)}
              most={100}
              linesOf={(shown) =>
                shown.lines.map((line) => ({ label: nameOf(shown, line), values: line.share.map(percent) }))
              }
            />
            <Picture
              report={report}
              times={times}
              title={words.timeChart}
              label={words.timeChartLabel}
              format={figures.delay}
              linesOf={timeLines}
            />
          </>
        )}
      </div>
      {isOfFour && <Note>{words.largest}</Note>}
    </>
  );
}

function percent(share: number | null): number | null {
  return share === null ? null : share * 100;
}

function nameOf(report: Report, line: Report["lines"][number]): string {
  return report.by === "day" ? reports.value.share : keyName(report, line);
}

/** Delays of all: median and nine of ten. Of several: the median of each. */
function timeLines(report: Report): ChartLine[] {
  const { by, lines } = report;
  const words = reports.value;
  const [first] = lines;
  if (by === "day" && first) {
    return [
      { label: words.medianLine, values: first.p50 },
      { label: words.slowLine, values: first.p90 },
    ];
  }
  return lines.map((line) => ({ label: keyName(report, line), values: line.p50 }));
}

type PictureProps = {
  readonly report: Report;
  readonly times: readonly number[];
  readonly title: string;
  readonly label: ReportsWords["errorChartLabel"];
  readonly format: (value: number) => string;
  readonly linesOf: (report: Report) => readonly ChartLine[];
  readonly most?: number;
};

function Picture({ report, times, title, label, format, linesOf, most }: PictureProps) {
  const words = reports.value;
  const lines = useMemo(() => linesOf(report), [report, words]);
  const what = report.by === "day" ? words.all : lines.map((line) => line.label).join(", ");
  return (
    <Section title={title}>
      <Chart
        label={label({ what })}
        times={times}
        lines={lines}
        format={format}
        bounds={[0, most ?? null]}
        isTabled={report.by === "day"}
      />
    </Section>
  );
}

type Report = Answer<"GET /reports/delivery">;
type Row = Report["rows"][number];

/** Rows that are shown at first. */
const FIRST = 14;

type TableProps = {
  readonly report: Report;
  readonly isLoading: boolean;
};

/** The figures by key; the largest first, days from the latest. */
function ReportTable({ report, isLoading }: TableProps) {
  const [isWhole, setWhole] = useState(false);
  const words = reports.value;
  const rows = report.by === "day" ? [...report.rows].reverse() : report.rows;
  const shown = isWhole ? rows : rows.slice(0, FIRST);
  return (
    <>
      <Table
        caption={words.table}
        columns={columnsOf(report)}
        rows={shown}
        keyOf={({ key }) => key ?? ""}
        isLoading={isLoading}
        empty={<Empty title={words.none}>{words.noneHelp}</Empty>}
      />
      {shown.length < rows.length && (
        <p class="actions">
          <Button onPress={() => setWhole(true)}>{words.showAll(rows.length - shown.length)}</Button>
        </p>
      )}
    </>
  );
}

type Named = Pick<Report, "by" | "operators" | "errors">;

/** How a key is called. */
function keyName({ by, operators, errors }: Named, { key, account }: Pick<Row, "key" | "account">): string {
  if (by === "account") return account || (key ?? "–");
  if (key === null) return by === "error" ? reports.value.noError : "–";
  switch (by) {
    case "day":
      return figures.day(key);
    case "class":
      return classWord(key);
    case "error":
      return (errors[key] ?? key).replace(/\.$/, "");
    case "operator":
      return operators.find(({ code }) => code === key)?.name ?? key;
    default:
      return key;
  }
}

/** The filter of the list of messages by which a key's messages are found. */
const FILTERS: Partial<Record<ReportKey, string>> = {
  operator: "operator",
  sender: "sender",
  account: "account",
  error: "error",
};

function Key({ report, row }: { readonly report: Report; readonly row: Row }) {
  const name = keyName(report, row);
  const filter = FILTERS[report.by];
  if (!filter || row.key === null || !may("messages.read")) return <>{name}</>;
  const found = new URLSearchParams({ [filter]: row.key, from: report.from });
  return (
    <WithNote note={report.by === "error" && name !== row.key && isStaff() && row.key}>
      <a href={`${HOME}/messages?${found}`} title={reports.value.see({ what: name })}>
        {name}
      </a>
    </WithNote>
  );
}

function columnsOf(report: Report): Columns<Row> {
  const words = reports.value;
  const { glossary } = words;
  const number = (value: number) => (value === 0 ? "–" : figures.number(value));
  const figure = (title: string, says: string, cell: Column<Row>["cell"]) =>
    numberColumn(title, cell, <Term says={says}>{title}</Term>);
  const first = words.keys[report.by];
  return [
    column(
      first,
      (row) => <Key report={report} row={row} />,
      report.by === "error" ? <Term says={glossary.error}>{first}</Term> : first,
    ),
    figure(words.accepted, glossary.accepted, (row) => number(row.accepted)),
    numberColumn(words.delivered, (row) => number(row.delivered)),
    figure(words.share, glossary.share, (row) => figures.share(row.delivered_share)),
    numberColumn(words.failed, (row) => number(row.failed)),
    figure(words.noReceipt, glossary.noReceipt, (row) => number(row.without_receipt)),
    figure(words.median, glossary.median, (row) => figures.delay(row.receipt_seconds.p50)),
    figure(words.slow, glossary.slow, (row) => figures.delay(row.receipt_seconds.p90)),
    figure(words.segments, glossary.segment, (row) => number(row.segments)),
    report.totals.charged !== null &&
      figure(words.charged, glossary.charged, ({ charged }) =>
        charged === null ? "–" : figures.money(charged),
      ),
  ];
}

// What the address asks the report for.

type Asked = Query<"GET /reports/delivery">;
type ReportKey = NonNullable<Asked["by"]>;

const REPORT_KEYS: readonly ReportKey[] = ["day", "operator", "sender", "class", "account", "error"];
const USUAL_PERIOD = "30d";

/** What figures stand together by; by day where the address says nothing. */
function keyAsked(): ReportKey {
  return REPORT_KEYS.find((key) => key === filter("by")) ?? "day";
}

/** The request of the report, and the key by which the page knows that it changed. */
function reportAsked(): { readonly query: Asked; readonly key: string } {
  const query = {
    by: keyAsked(),
    ...periodAsked(USUAL_PERIOD),
    operator: filter("operator"),
    sender: filter("sender"),
    account: filter("account"),
    class: filter("class"),
  } as Asked;
  return { query, key: JSON.stringify(query) };
}

/** The address of the same report as a file. */
function fileOf(query: Asked): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return `/console/api/reports/delivery.csv?${new URLSearchParams(given)}`;
}
