import { ask } from "../../api/client.ts";
import type { Contract } from "../../api/contract.ts";
import { printPage } from "../../browser.ts";
import { Button } from "../../kit/button.tsx";
import { ErrorBox } from "../../kit/error-box.tsx";
import { Facts } from "../../kit/facts.tsx";
import { Page, Section } from "../../kit/page.tsx";
import { Stat, Stats } from "../../kit/stat.tsx";
import { type Column, Table } from "../../kit/table.tsx";
import { HOME } from "../../state/router.ts";
import { useAnswer } from "../../state/use-answer.ts";
import { batchReportWords } from "../../words/batch-report.ts";
import { classWord, figures, rejectionWord } from "../../words/words.ts";
import { Seller } from "../money/seller.tsx";
import { FamilyTable } from "./batch-family.tsx";
import { causesOf, type OutcomeSum, sumOfLines, sumsByOperator } from "./batch-sums.ts";
import { titled } from "./parts.tsx";

type Report = Contract["GET /batches/:batch/report"]["answer"];

/** How one batch went: by operator, by cause, what it cost, how fast its texts arrived; to print and to take away. */
export function BatchReport({ parts }: { readonly parts: Readonly<Record<string, string>> }) {
  const batch = parts.batch ?? "";
  const { value, problem, reload } = useAnswer(batch, () =>
    ask("GET /batches/:batch/report", { params: { batch } }),
  );
  const words = batchReportWords.value;
  return (
    <Page
      title={words.title}
      aside={
        <p class="actions">
          <Button onPress={printPage}>{words.print}</Button>
          <a class="button" href={`${HOME}/api/batches/${batch}/report.csv`} download>
            {words.csv}
          </a>
        </p>
      }
    >
      {problem && <ErrorBox problem={problem} onRetry={() => void reload()} />}
      {value && <Shown report={value} />}
    </Page>
  );
}

function Shown({ report }: { readonly report: Report }) {
  const words = batchReportWords.value;
  const { lines, left_out: left, gone } = report;
  const all = sumOfLines("", "", lines);
  return (
    <>
      <Seller seller={report.seller} />
      <Facts rows={whoseRows(report)} />
      {report.text !== null && (
        <figure class="shown-text">
          <figcaption>{words.text}</figcaption>
          <blockquote>{report.text}</blockquote>
        </figure>
      )}
      {all.open > 0 && <p class="notice">{words.soFar}</p>}
      {gone > 0 && <p class="notice">{figures.count(gone, words.gone)}</p>}
      {report.together && <Together report={report} people={report.together} />}
      <Section title={report.together ? words.alone : words.figures}>
        <Totals all={all} notSent={left.reduce((sum, { rows }) => sum + rows, 0)} />
      </Section>
      <ByOperator lines={lines} hasMoney={all.amount !== null} />
      {all.failed > 0 && <Causes lines={lines} hasMoney={all.amount !== null} />}
      {left.length > 0 && <NotSent left={left} />}
      {report.course.length > 0 && <Course report={report} />}
    </>
  );
}

/** What tells this report from others once it is on paper. */
function whoseRows(report: Report): Parameters<typeof Facts>[0]["rows"] {
  const words = batchReportWords.value;
  const { batch_id: batch, client_reference: name } = report;
  return [
    [words.account, <strong key="account">{report.account}</strong>],
    ...(name === null ? [] : ([[words.name, name]] as const)),
    [words.sender, report.sender],
    [words.messageClass, classWord(report.message_class)],
    [words.sentAt, figures.time(report.sent_at)],
    [
      words.batch,
      <a key="batch" href={`${HOME}/batches/${batch}`}>
        {batch}
      </a>,
    ],
  ];
}

function Totals({ all, notSent }: { readonly all: OutcomeSum; readonly notSent: number }) {
  const words = batchReportWords.value;
  return (
    <Stats>
      <Stat label={words.accepted} value={figures.number(all.accepted)} />
      <Stat
        label={words.delivered}
        value={figures.number(all.delivered)}
        note={figures.share(shareOf(all.delivered, all.accepted))}
      />
      <Stat label={words.failed} value={figures.number(all.failed)} />
      <Stat label={words.noReceipt} value={figures.number(all.noReceipt)} />
      <Stat label={words.notSent} value={figures.number(notSent)} />
      {all.amount !== null && <Stat label={words.charged} value={figures.money(all.amount)} />}
    </Stats>
  );
}

function shareOf(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}

type People = NonNullable<Report["together"]>;

/** Of a batch and all that correct it: how many still have nothing, and why. */
function Together({ report, people }: { readonly report: Report; readonly people: People }) {
  const words = batchReportWords.value;
  const never = people.reasons.filter((reason) => reason.was_never_sent);
  return (
    <Section title={words.together}>
      <Stats>
        <Stat label={words.people} value={figures.number(people.people)} />
        <Stat label={words.reached} value={figures.number(people.reached)} />
        <Stat label={words.open} value={figures.number(people.under_way)} />
        <Stat label={words.nothing} value={figures.number(people.nothing)} />
      </Stats>
      {people.forgotten > 0 && <p class="notice">{figures.count(people.forgotten, words.gone)}</p>}
      {people.reasons.length > 0 && (
        <Table
          caption={words.nothing}
          columns={[
            { ...titled("why", words.nothing), cell: ({ why }) => why.replace(/\.$/, "") },
            { ...titled("people", words.people), isNumber: true, cell: (row) => figures.number(row.people) },
          ]}
          rows={people.reasons}
          keyOf={({ code, was_never_sent: never }) => `${code} ${never}`}
          empty={null}
        />
      )}
      <p class="note">{words.togetherHelp}</p>
      <FamilyTable view={report} neverSent={never.reduce((sum, { people: some }) => sum + some, 0)} />
      <p>
        <a href={`${HOME}/api/batches/${report.batch_id}/report.csv?together=true`} download>
          {words.csvTogether}
        </a>
      </p>
    </Section>
  );
}

type LinesProps = { readonly lines: Report["lines"]; readonly hasMoney: boolean };

function ByOperator({ lines, hasMoney }: LinesProps) {
  const words = batchReportWords.value;
  const number = (key: keyof typeof NUMBERS): Column<OutcomeSum> => ({
    ...{ ...titled(key, words[NUMBERS[key]]), isNumber: true },
    cell: (sum) => figures.number(sum[key]),
  });
  const columns: readonly Column<OutcomeSum>[] = [
    { ...titled("operator", words.operator), cell: ({ name }) => name },
    number("accepted"),
    number("delivered"),
    {
      ...{ ...titled("share", words.share), isNumber: true },
      cell: ({ delivered, accepted }) => figures.share(shareOf(delivered, accepted)),
    },
    ...(["failed", "noReceipt", "open", "cancelled", "segments"] as const).map(number),
    ...(hasMoney ? [amountColumn(words.charged)] : []),
  ];
  return (
    <Section title={words.byOperator}>
      <Table
        caption={words.byOperator}
        columns={columns}
        rows={sumsByOperator(lines)}
        keyOf={({ key }) => key}
        empty={<p class="note">{words.none}</p>}
      />
    </Section>
  );
}

/** Columns that are numbers, and their words. */
const NUMBERS = {
  ...({ accepted: "accepted", delivered: "delivered", failed: "failed", noReceipt: "noReceipt" } as const),
  ...({ open: "open", cancelled: "cancelled", segments: "segments" } as const),
};

function amountColumn(title: string): Column<OutcomeSum> {
  return {
    ...titled("amount", title),
    isNumber: true,
    cell: ({ amount }) => (amount === null ? "–" : figures.money(amount)),
  };
}

function Causes({ lines, hasMoney }: LinesProps) {
  const words = batchReportWords.value;
  return (
    <Section title={words.failures}>
      <Table
        caption={words.failures}
        columns={[
          { ...titled("why", words.why), cell: ({ name }: OutcomeSum) => name.replace(/\.$/, "") },
          { ...titled("texts", words.texts), isNumber: true, cell: ({ failed }) => figures.number(failed) },
          ...(hasMoney ? [amountColumn(words.charged)] : []),
        ]}
        rows={causesOf(lines)}
        keyOf={({ key }) => key}
        empty={null}
      />
    </Section>
  );
}

function NotSent({ left }: { readonly left: Report["left_out"] }) {
  const words = batchReportWords.value;
  return (
    <Section title={words.missed}>
      <Table
        caption={words.missed}
        columns={[
          { ...titled("why", words.why), cell: ({ reason }) => rejectionWord(reason) },
          { ...titled("rows", words.texts), isNumber: true, cell: ({ rows }) => figures.number(rows) },
        ]}
        rows={left}
        keyOf={({ reason }) => reason}
        empty={null}
      />
    </Section>
  );
}

/** How many had arrived by when, and what of all that is. */
function Course({ report }: { readonly report: Report }) {
  const words = batchReportWords.value;
  const { course, lines, first_left_at: first, last_delivered_at: last } = report;
  const { accepted } = sumOfLines("", "", lines);
  return (
    <Section title={words.course}>
      <p class="note">{words.courseHelp(figures.time(first), figures.time(last))}</p>
      <Table
        caption={words.course}
        columns={[
          {
            ...titled("within", words.within),
            cell: ({ seconds }) => words.upTo(figures.delay(seconds)),
          },
          {
            ...{ ...titled("delivered", words.delivered), isNumber: true },
            cell: ({ delivered }) => figures.number(delivered),
          },
          {
            ...{ ...titled("share", words.share), isNumber: true },
            cell: ({ delivered }) => figures.share(shareOf(delivered, accepted)),
          },
        ]}
        rows={course}
        keyOf={({ seconds }) => String(seconds)}
        empty={null}
      />
    </Section>
  );
}
