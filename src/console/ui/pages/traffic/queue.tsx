/** Console page of the queue. */
import { useEffect } from "preact/hooks";
import { every } from "../../browser.ts";
import {
  type Columns,
  column,
  countColumn,
  Empty,
  ErrorBox,
  numberColumn,
  Page,
  Table,
  timeColumn,
  WithNote,
} from "../../kit/kit.ts";
import { HOME } from "../../state/router.ts";
import { may } from "../../state/session.ts";
import { useAnswer } from "../../state/use-request.ts";
import { traffic } from "../../words/traffic.ts";
import { classWord, figures, labelled, within } from "../../words/words.ts";
import { renderHolds, sumWaiting, type WaitingRow } from "./queue-holds.ts";

const EVERY_MS = 5000;

/** What waits by operator and class, since when, what holds it and until when it is worth sending; polled while the page is seen. */
export function Queue() {
  const { value, problem, isLoading, reload } = useAnswer("GET /queue");
  useEffect(
    () =>
      every(EVERY_MS, () => {
        if (document.visibilityState === "visible") void reload();
      }),
    [],
  );
  const words = traffic.value.queue;
  return (
    <Page title={words.title}>
      <ErrorBox problem={problem} onRetry={reload} />
      <Table
        caption={words.title}
        columns={columnsOf()}
        rows={value?.queues ?? []}
        keyOf={(row) => `${row.operator} ${row.message_class}`}
        isLoading={isLoading && value === null}
        empty={problem ? null : <Empty title={words.none}>{words.noneHelp}</Empty>}
      />
    </Page>
  );
}

function columnsOf(): Columns<WaitingRow> {
  const { operator, messageClass, queue } = traffic.value;
  return [
    column(operator, (row) => row.name),
    column(messageClass, (row) => classWord(row.message_class)),
    numberColumn(queue.messages, (row) => <Waiting row={row} />),
    timeColumn(queue.oldest, (row) => row.waiting_since),
    column(queue.held, (row) => <Holds row={row} />),
    column(queue.worth, (row) => (
      <WithNote note={row.worth_until !== null && queue.worthNote}>
        <span class="whole">{figures.time(row.worth_until)}</span>
      </WithNote>
    )),
    countColumn(queue.rate, ({ rate }) => rate),
  ];
}

/** How many, with a link to each of them. */
function Waiting({ row }: { readonly row: WaitingRow }) {
  const count = figures.number(sumWaiting(row));
  if (!may("messages.read")) return <>{count}</>;
  const query = new URLSearchParams({ status: "QUEUED", operator: row.operator });
  return (
    <a href={`${HOME}/messages?${query}`} title={traffic.value.queue.see({ name: row.name })}>
      {count}
    </a>
  );
}

function Holds({ row }: { readonly row: WaitingRow }) {
  const lines = renderHolds(row, {
    words: traffic.value.queue,
    time: figures.time,
    clock: figures.clock,
    said: within,
    counted: (count, what) => labelled(figures.number(count), what),
  });
  return (
    <ul class="entries">
      {lines.map((line) => (
        <li key={line}>{line}</li>
      ))}
    </ul>
  );
}
