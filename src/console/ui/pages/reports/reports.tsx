import { ask } from "../../api/client.ts";
import { ErrorBox } from "../../kit/error-box.tsx";
import { Filter, FilterBar } from "../../kit/filter-bar.tsx";
import { Page, Section } from "../../kit/page.tsx";
import { Stat, Stats } from "../../kit/stat.tsx";
import { Term } from "../../kit/term.tsx";
import { me } from "../../state/session.ts";
import { useAnswer } from "../../state/use-answer.ts";
import { reports } from "../../words/reports.ts";
import { classWord, figures } from "../../words/words.ts";
import { AccountFilter } from "../traffic/named-filters.tsx";
import { filter } from "../traffic/parts.tsx";
import { fileOf, PERIODS, REPORT_KEYS, reportAsked, USUAL_PERIOD } from "./asked.ts";
import { ReportPictures } from "./report-pictures.tsx";
import { type Report, ReportTable } from "./report-table.tsx";

/** What became of messages by operator, sender, class, account, error and day: figures, pictures, a file. */
export function Reports() {
  const { query, key } = reportAsked();
  const { value, problem, isLoading, reload } = useAnswer(key, () => ask("GET /reports/delivery", { query }));
  const words = reports.value;
  return (
    <Page title={words.title}>
      <ReportFilters operators={value?.operators ?? []} />
      {problem && <ErrorBox problem={problem} onRetry={() => void reload()} />}
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
            <p class="note">
              {words.span({ from: figures.day(value.from), to: figures.day(value.to), zone: value.timezone })}
            </p>
            <ReportTable key={key} report={value} isLoading={isLoading} />
          </Section>
        </>
      )}
    </Page>
  );
}

const CLASSES = ["OTP", "TRANSACTIONAL", "MARKETING"];
const DATE = { type: "date" } as const;

function ReportFilters({ operators }: { readonly operators: Report["operators"] }) {
  const words = reports.value;
  const isStaff = me.value?.account === null;
  const keys = REPORT_KEYS.filter((key) => isStaff || key !== "account");
  const periods = [...PERIODS, "own" as const];
  return (
    <FilterBar>
      <Filter
        name="by"
        label={words.by}
        options={keys.map((value) => ({ value, label: words.keys[value] }))}
        usual="day"
      />
      <Filter
        name="days"
        label={words.period}
        options={periods.map((value) => ({ value, label: words.periods[value] }))}
        usual={USUAL_PERIOD}
      />
      {filter("days") === "own" && (
        <>
          <Filter name="from" label={words.from} input={DATE} />
          <Filter name="to" label={words.to} input={DATE} />
        </>
      )}
      <Filter
        name="operator"
        label={words.operator}
        options={operators.map(({ code, name }) => ({ value: code, label: name }))}
      />
      <Filter
        name="class"
        label={words.class}
        options={CLASSES.map((value) => ({ value, label: classWord(value) }))}
      />
      <Filter name="sender" label={words.sender} />
      {isStaff && <AccountFilter label={words.account} />}
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
        value={figures.number(totals.accepted)}
        note={words.sentNote({ sent: figures.number(totals.sent) })}
      />
      <Stat
        label={<Term says={glossary.share}>{words.share}</Term>}
        value={figures.share(totals.delivered_share)}
        note={[
          figures.count(totals.failed, words.failedNote),
          figures.count(totals.without_receipt, words.noReceiptNote),
        ].join(" · ")}
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
          note={figures.count(totals.segments, words.segmentsNote)}
        />
      )}
    </Stats>
  );
}
