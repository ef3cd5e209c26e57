import { useEffect } from "preact/hooks";
import { ask } from "../../api/client.ts";
import { every } from "../../browser.ts";
import { Empty } from "../../kit/empty.tsx";
import { ErrorBox } from "../../kit/error-box.tsx";
import { Page } from "../../kit/page.tsx";
import { type Column, Table } from "../../kit/table.tsx";
import { HOME } from "../../state/router.ts";
import { may } from "../../state/session.ts";
import { useAnswer } from "../../state/use-answer.ts";
import { within } from "../../words/phrases.ts";
import { traffic } from "../../words/traffic.ts";
import { classWord, figures, labelled } from "../../words/words.ts";
import { titled } from "./parts.tsx";
import { allWaiting, holdsOf, type WaitingRow } from "./queue-holds.ts";

const EVERY_MS = 5000;

/** What waits by operator and class, since when, what holds it and until when it is worth sending; asked again while the page is seen. */
export function Queue() {
  const { value, problem, isLoading, reload } = useAnswer("queue", () => ask("GET /queue", {}));
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
      {problem && <ErrorBox problem={problem} onRetry={() => void reload()} />}
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

function columnsOf(): readonly Column<WaitingRow>[] {
  const { operator, messageClass, queue } = traffic.value;
  return [
    { ...titled("operator", operator), cell: (row) => row.name },
    { ...titled("class", messageClass), cell: (row) => classWord(row.message_class) },
    { ...titled("messages", queue.messages), isNumber: true, cell: (row) => <Waiting row={row} /> },
    { ...titled("since", queue.oldest), cell: (row) => figures.time(row.waiting_since) },
    { ...titled("held", queue.held), cell: (row) => <Holds row={row} /> },
    {
      ...titled("worth", queue.worth),
      cell: (row) => (
        <>
          <span class="whole">{figures.time(row.worth_until)}</span>
          {row.worth_until !== null && <span class="note">{queue.worthNote}</span>}
        </>
      ),
    },
    {
      ...titled("rate", queue.rate),
      isNumber: true,
      cell: ({ rate }) => (rate === null ? "–" : figures.number(rate)),
    },
  ];
}

/** How many, with the way to each of them. */
function Waiting({ row }: { readonly row: WaitingRow }) {
  const count = figures.number(allWaiting(row));
  if (!may("messages.read")) return <>{count}</>;
  const query = new URLSearchParams({ status: "QUEUED", operator: row.operator });
  return (
    <a href={`${HOME}/messages?${query}`} title={traffic.value.queue.see({ name: row.name })}>
      {count}
    </a>
  );
}

function Holds({ row }: { readonly row: WaitingRow }) {
  const lines = holdsOf(row, {
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
