import { ask } from "../../api/client.ts";
import type { Contract } from "../../api/contract.ts";
import { printPage } from "../../browser.ts";
import { Button } from "../../kit/button.tsx";
import { ErrorBox } from "../../kit/error-box.tsx";
import { Facts } from "../../kit/facts.tsx";
import { Page, Section } from "../../kit/page.tsx";
import { Stat, Stats } from "../../kit/stat.tsx";
import { Table } from "../../kit/table.tsx";
import { HOME } from "../../state/router.ts";
import { useAnswer } from "../../state/use-answer.ts";
import { batchReportWords } from "../../words/batch-report.ts";
import { classWord, figures, rejectionWord } from "../../words/words.ts";
import { Seller } from "../money/seller.tsx";
import { amountColumn, ByOperator, type LinesProps, shareOf } from "./batch-operators.tsx";
import { causesOf, type OutcomeSum, sumOfLines } from "./batch-sums.ts";
import { Together } from "./batch-together.tsx";
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
          {value && <MainFile report={value} />}
        </p>
      }
    >
      {problem && <ErrorBox problem={problem} onRetry={() => void reload()} />}
      {value && <Shown report={value} />}
    </Page>
  );
}

/** Of a batch with corrections the file of everybody: what it came to alone is not what somebody asks for who asks how it went. */
function MainFile({ report: { batch_id: batch, together } }: { readonly report: Report }) {
  const words = batchReportWords.value;
  const file = together ? "people.csv" : "report.csv";
  return (
    <a class="button" href={`${HOME}/api/batches/${batch}/${file}`} download>
      {together ? words.csvPeople : words.csv}
    </a>
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
      {report.together === null && <Details report={report} all={all} />}
      {report.course.length > 0 && <Course report={report} />}
    </>
  );
}

/** By operator and by cause: of a batch that is alone, for a family has them of its people. */
function Details({
  report: { lines, left_out: left },
  all,
}: {
  readonly report: Report;
  readonly all: OutcomeSum;
}) {
  const hasMoney = all.amount !== null;
  return (
    <>
      <ByOperator lines={lines} hasMoney={hasMoney} />
      {all.failed > 0 && <Causes lines={lines} hasMoney={hasMoney} />}
      {left.length > 0 && <NotSent left={left} />}
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
        note={
          all.accepted === 0
            ? null
            : words.ofAccepted({ share: figures.share(shareOf(all.delivered, all.accepted)) })
        }
      />
      <Stat label={words.failed} value={figures.number(all.failed)} />
      <Stat label={words.noReceipt} value={figures.number(all.noReceipt)} />
      <Stat label={words.notSent} value={figures.number(notSent)} />
      {all.amount !== null && <Stat label={words.charged} value={figures.money(all.amount)} />}
    </Stats>
  );
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
    <Section title={report.together ? words.courseAlone : words.course}>
      <p class="note">{words.courseHelp({ first: figures.time(first), last: figures.time(last) })}</p>
      <Table
        caption={report.together ? words.courseAlone : words.course}
        columns={[
          {
            ...titled("within", words.within),
            cell: ({ seconds }) => words.upTo({ time: figures.delay(seconds) }),
          },
          {
            ...titled("delivered", words.delivered),
            isNumber: true,
            cell: ({ delivered }) => figures.number(delivered),
          },
          {
            ...titled("share", words.share),
            isNumber: true,
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
