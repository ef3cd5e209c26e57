/** Printable report of one batch: how it went by operator and by cause, what it cost, and when texts arrived. */

import type { Answer } from "../../api/contract.ts";
import { printPage } from "../../browser.ts";
import {
  Button,
  type Column,
  type Columns,
  column,
  countColumn,
  Facts,
  Loaded,
  moneyColumn,
  Note,
  numberColumn,
  Page,
  Section,
  Stat,
  Stats,
  Table,
  TableSection,
  WithNote,
} from "../../kit/kit.ts";
import { HOME } from "../../state/router.ts";
import { useAnswer } from "../../state/use-request.ts";
import { batchReportWords } from "../../words/batch-report.ts";
import { classWord, figures, rejectionWord } from "../../words/words.ts";
import type { PageProps } from "../lazy-page.tsx";
import { Seller } from "../money/seller.tsx";
import { batchName } from "./batch-failures.tsx";
import { FamilyTable } from "./batch-family.tsx";

type Report = Answer<"GET /batches/:batch/report">;

export function BatchReport({ parts: { batch = "" } }: PageProps) {
  const request = useAnswer("GET /batches/:batch/report", { params: { batch } });
  const { value: report } = request;
  const words = batchReportWords.value;
  return (
    <Page
      title={report && `${nameOf(report)} · ${words.part}`}
      question={words.title}
      trail={report ? [{ to: `${HOME}/batches/${batch}`, name: nameOf(report) }] : []}
      aside={
        <p class="actions">
          <Button onPress={printPage}>{words.print}</Button>
          {report && <MainFile report={report} />}
        </p>
      }
    >
      <Loaded of={request}>{(shown) => <Shown report={shown} />}</Loaded>
    </Page>
  );
}

/** What the batch is called, as on its own page. */
function nameOf({ client_reference, lines, sender, sent_at: created_at }: Report): string {
  const { accepted } = sumOfLines("", "", lines);
  return batchName({ client_reference, accepted, sender, created_at });
}

/** The main download: of a batch with corrections that of all its people, for alone it does not say how it went. */
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
      {gone > 0 && <p class="notice">{words.gone(gone)}</p>}
      {report.together && <Together report={report} people={report.together} />}
      <Section title={report.together ? words.alone : words.figures}>
        <Totals all={all} notSent={left.reduce((sum, { rows }) => sum + rows, 0)} />
      </Section>
      {report.together === null && <Details report={report} all={all} />}
      {report.course.length > 0 && <Course report={report} />}
    </>
  );
}

/** By operator and by cause, of a batch that is alone: a family has them of its people. */
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

/** What identifies this report on paper. */
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
      <Stat label={words.accepted} value={all.accepted} />
      <Stat
        label={words.delivered}
        value={all.delivered}
        note={all.accepted === 0 ? null : words.ofAccepted({ share: shareOf(all.delivered, all.accepted) })}
      />
      <Stat label={words.failed} value={all.failed} />
      <Stat label={words.noReceipt} value={all.noReceipt} />
      <Stat label={words.notSent} value={notSent} />
      {all.amount !== null && <Stat label={words.charged} value={figures.money(all.amount)} />}
    </Stats>
  );
}

function Causes({ lines, hasMoney }: LinesProps) {
  const words = batchReportWords.value;
  return (
    <TableSection<OutcomeSum>
      title={words.failures}
      columns={[
        column(words.why, ({ name }) => name.replace(/\.$/, "")),
        countColumn(words.texts, ({ failed }) => failed),
        hasMoney && amountColumn(words.charged),
      ]}
      rows={causesOf(lines)}
      keyOf={({ key }) => key}
    />
  );
}

function NotSent({ left }: { readonly left: Report["left_out"] }) {
  const words = batchReportWords.value;
  return (
    <TableSection<Report["left_out"][number]>
      title={words.missed}
      columns={[
        column(words.why, ({ reason }) => rejectionWord(reason)),
        countColumn(words.texts, ({ rows }) => rows),
      ]}
      rows={left}
      keyOf={({ reason }) => reason}
    />
  );
}

/** How many had arrived by when. */
function Course({ report }: { readonly report: Report }) {
  const words = batchReportWords.value;
  const { course, lines, first_left_at: first, last_delivered_at: last } = report;
  const { accepted } = sumOfLines("", "", lines);
  return (
    <TableSection<Report["course"][number]>
      title={report.together ? words.courseAlone : words.course}
      columns={[
        column(words.within, ({ seconds }) => words.upTo({ time: figures.delay(seconds) })),
        countColumn(words.delivered, ({ delivered }) => delivered),
        numberColumn(words.share, ({ delivered }) => figures.share(shareOf(delivered, accepted))),
      ]}
      rows={course}
      keyOf={({ seconds }) => seconds}
    >
      <Note>{words.courseHelp({ first, last })}</Note>
    </TableSection>
  );
}

type People = NonNullable<Report["together"]>;

/** Of a batch and all that correct it: how many still have nothing, and why. */
function Together({ report, people }: { readonly report: Report; readonly people: People }) {
  const words = batchReportWords.value;
  const hasMoney = people.lines.every(({ amount }) => amount !== null);
  return (
    <>
      <Section title={words.together}>
        <Stats>
          <Stat label={words.people} value={people.people} />
          <Stat label={words.reached} value={people.reached} />
          <Stat label={words.open} value={people.under_way} />
          <Stat label={words.nothing} value={people.nothing} />
        </Stats>
        {people.forgotten > 0 && <p class="notice">{words.gone(people.forgotten)}</p>}
        {people.reasons.length > 0 && (
          <Table<People["reasons"][number]>
            caption={words.nothing}
            columns={[
              column(words.nothing, ({ why }) => why.replace(/\.$/, "")),
              countColumn(words.people, (row) => row.people),
            ]}
            rows={people.reasons}
            keyOf={({ code, was_never_sent: never }) => `${code} ${never}`}
          />
        )}
        <Note>{words.togetherHelp}</Note>
        {people.repeats > 0 && <Note>{words.repeats(people.repeats)}</Note>}
        <p>
          <a href={`${HOME}/api/batches/${report.batch_id}/report.csv?together=true`} download>
            {words.csvTogether}
          </a>
          <span class="unprinted"> · </span>
          <a href={`${HOME}/api/batches/${report.batch_id}/report.csv`} download>
            {words.csvAlone}
          </a>
        </p>
      </Section>
      {people.waiting.length > 0 && <Waiting report={report} people={people} />}
      {people.lines.length > 0 && <ByOperator lines={people.lines} hasMoney={hasMoney} isOfPeople />}
      <FamilyTable view={report} neverSent={people.never_sent} />
    </>
  );
}

type WaitingPerson = People["waiting"][number];

/** The first of those who have nothing yet: their row, why, and what helps. */
function Waiting({ report, people }: { readonly report: Report; readonly people: People }) {
  const words = batchReportWords.value;
  const { waiting, nothing, reads_values: isRead } = people;
  const more = nothing - waiting.length;
  const hasLines = waiting.some(({ line }) => line !== null);
  const columns: Columns<WaitingPerson & { readonly place: number }> = [
    column(words.number, ({ number, client_reference: reference }) => (
      <WithNote note={reference}>{number === null ? "–" : figures.phone(number)}</WithNote>
    )),
    isRead &&
      column(words.values, ({ values, text }) => Object.values(values ?? {}).join(" · ") || (text ?? "–")),
    hasLines && countColumn(words.line, ({ line }) => line),
    column(words.batch, ({ batch_id: id }) => <FromBatch report={report} id={id} />),
    column(words.why, ({ why }) => figures.saying(why.replace(/\.$/, ""))),
    column(words.helps, ({ helps }) => figures.saying(helps)),
  ];
  return (
    <Section title={words.whoWaits}>
      <Table
        caption={words.whoWaits}
        columns={columns}
        rows={waiting.map((row, place) => ({ ...row, place }))}
        keyOf={({ place }) => place}
      />
      {hasLines && <Note>{words.linesHelp}</Note>}
      {more > 0 && <Note>{words.moreWait(more)}</Note>}
    </Section>
  );
}

function FromBatch({ report, id }: { readonly report: Report; readonly id: string }) {
  const found = report.family.find(({ batch_id: own }) => own === id);
  return found ? <a href={`${HOME}/batches/${id}`}>{figures.time(found.created_at)}</a> : null;
}

type LinesProps = {
  readonly lines: readonly ReportLine[];
  readonly hasMoney: boolean;
  /** Of a family: people, each once. */
  readonly isOfPeople?: boolean;
};

/** Outcomes of texts, or of people, by operator. */
function ByOperator({ lines, hasMoney, isOfPeople = false }: LinesProps) {
  const words = batchReportWords.value;
  const number = (key: keyof typeof NONE) => countColumn<OutcomeSum>(words[key], (sum) => sum[key]);
  const columns: Columns<OutcomeSum> = [
    column(words.operator, ({ name }) => name),
    countColumn(isOfPeople ? words.people : words.accepted, ({ accepted }) => accepted),
    number("delivered"),
    numberColumn(isOfPeople ? words.shareOfPeople : words.share, ({ delivered, accepted }) =>
      figures.share(shareOf(delivered, accepted)),
    ),
    ...(["failed", "noReceipt", "open", "cancelled", "segments"] as const).map(number),
    hasMoney && amountColumn(words.charged),
  ];
  return (
    <Section title={words.byOperator}>
      <Table
        caption={words.byOperator}
        columns={columns}
        rows={sumsByOperator(lines)}
        keyOf={({ key }) => key}
        empty={<Note>{words.none}</Note>}
      />
      {isOfPeople && <Note>{words.byOperatorHelp}</Note>}
    </Section>
  );
}

/** What it cost, where amounts are shown. */
function amountColumn(title: string): Column<OutcomeSum> {
  return moneyColumn(title, ({ amount }) => amount);
}

function shareOf(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}

// The lines of a batch's report added up, by operator and by cause. Pure.

type ReportLine = Answer<"GET /batches/:batch/report">["lines"][number];

type OutcomeSum = {
  readonly key: string;
  readonly name: string;
  readonly accepted: number;
  readonly delivered: number;
  readonly failed: number;
  readonly noReceipt: number;
  /** Waiting or on their way. */
  readonly open: number;
  readonly cancelled: number;
  readonly segments: number;
  /** Null where amounts are not shown. */
  readonly amount: number | null;
};

const COLUMN = {
  DELIVERED: "delivered",
  FAILED: "failed",
  NO_RECEIPT: "noReceipt",
  UNDER_WAY: "open",
  WAITING: "open",
  CANCELLED: "cancelled",
} as const;

const NONE = { accepted: 0, delivered: 0, failed: 0, noReceipt: 0, open: 0, cancelled: 0, segments: 0 };

/** All lines as one sum. */
function sumOfLines(key: string, name: string, lines: readonly ReportLine[]): OutcomeSum {
  let sum: OutcomeSum = { key, name, ...NONE, amount: 0 };
  for (const { state, messages, segments, amount } of lines) {
    const member = COLUMN[state];
    sum = {
      ...sum,
      accepted: sum.accepted + messages,
      segments: sum.segments + segments,
      amount: sum.amount === null || amount === null ? null : sum.amount + amount,
      [member]: sum[member] + messages,
    };
  }
  return sum;
}

/** A sum for each operator, in the order of the lines. */
function sumsByOperator(lines: readonly ReportLine[]): readonly OutcomeSum[] {
  const groups = Map.groupBy(lines, ({ operator }) => operator);
  return [...groups].map(([code, own]) => sumOfLines(code, own[0]?.name ?? code, own));
}

/** Why messages failed, over all operators, the most frequent first. */
function causesOf(lines: readonly ReportLine[]): readonly (OutcomeSum & { readonly code: string })[] {
  const failed = lines.filter(({ state }) => state === "FAILED");
  const groups = Map.groupBy(failed, ({ error }) => error ?? "");
  return [...groups]
    .map(([code, own]) => ({ ...sumOfLines(code, own[0]?.detail ?? code, own), code }))
    .sort((a, b) => b.failed - a.failed);
}
