import type { Contract } from "../../api/contract.ts";
import { Section } from "../../kit/page.tsx";
import { Stat, Stats } from "../../kit/stat.tsx";
import { type Column, Table } from "../../kit/table.tsx";
import { HOME } from "../../state/router.ts";
import { batchReportWords } from "../../words/batch-report.ts";
import { figures } from "../../words/words.ts";
import { FamilyTable } from "./batch-family.tsx";
import { ByOperator } from "./batch-operators.tsx";
import { titled } from "./parts.tsx";

type Report = Contract["GET /batches/:batch/report"]["answer"];
type People = NonNullable<Report["together"]>;

/** Of a batch and all that correct it: how many still have nothing, and why. */
export function Together({ report, people }: { readonly report: Report; readonly people: People }) {
  const words = batchReportWords.value;
  const hasMoney = people.lines.every(({ amount }) => amount !== null);
  return (
    <>
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
              {
                ...titled("people", words.people),
                isNumber: true,
                cell: (row) => figures.number(row.people),
              },
            ]}
            rows={people.reasons}
            keyOf={({ code, was_never_sent: never }) => `${code} ${never}`}
            empty={null}
          />
        )}
        <p class="note">{words.togetherHelp}</p>
        {people.repeats > 0 && <p class="note">{figures.count(people.repeats, words.repeats)}</p>}
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

/** The first of those who have nothing yet: which row they are, why, and what helps. */
function Waiting({ report, people }: { readonly report: Report; readonly people: People }) {
  const words = batchReportWords.value;
  const { waiting, nothing, reads_values: isRead } = people;
  const more = nothing - waiting.length;
  const hasLines = waiting.some(({ line }) => line !== null);
  const columns: readonly Column<WaitingPerson & { readonly place: number }>[] = [
    {
      ...titled("number", words.number),
      cell: ({ number, client_reference: reference }) => (
        <>
          {number ?? "–"}
          {reference !== null && <span class="note">{reference}</span>}
        </>
      ),
    },
    ...(isRead
      ? [
          {
            ...titled("values", words.values),
            cell: ({ values, text }: WaitingPerson) =>
              Object.values(values ?? {}).join(" · ") || (text ?? "–"),
          },
        ]
      : []),
    ...(hasLines
      ? [
          {
            ...titled("line", words.line),
            isNumber: true,
            cell: ({ line }: WaitingPerson) => (line === null ? "–" : figures.number(line)),
          },
        ]
      : []),
    { ...titled("batch", words.batch), cell: ({ batch_id: id }) => <FromBatch report={report} id={id} /> },
    { ...titled("why", words.why), cell: ({ why }) => figures.saying(why.replace(/\.$/, "")) },
    { ...titled("helps", words.helps), cell: ({ helps }) => figures.saying(helps) },
  ];
  return (
    <Section title={words.whoWaits}>
      <Table
        caption={words.whoWaits}
        columns={columns}
        rows={waiting.map((row, place) => ({ ...row, place }))}
        keyOf={({ place }) => String(place)}
        empty={null}
      />
      {hasLines && <p class="note">{words.linesHelp}</p>}
      {more > 0 && <p class="note">{figures.count(more, words.moreWait)}</p>}
    </Section>
  );
}

function FromBatch({ report, id }: { readonly report: Report; readonly id: string }) {
  const found = report.family.find(({ batch_id: own }) => own === id);
  return found ? <a href={`${HOME}/batches/${id}`}>{figures.time(found.created_at)}</a> : null;
}
