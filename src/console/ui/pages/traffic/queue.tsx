import { useEffect } from "preact/hooks";
import { ask } from "../../api/client.ts";
import type { Contract } from "../../api/contract.ts";
import { every } from "../../browser.ts";
import { Empty } from "../../kit/empty.tsx";
import { ErrorBox } from "../../kit/error-box.tsx";
import { Page } from "../../kit/page.tsx";
import { type Column, Table } from "../../kit/table.tsx";
import { useAnswer } from "../../state/use-answer.ts";
import { traffic } from "../../words/traffic.ts";
import { classWord, figures } from "../../words/words.ts";
import { titled } from "./parts.tsx";

type Row = Contract["GET /queue"]["answer"]["queues"][number];

const EVERY_MS = 5000;

/** What waits by operator and class, until when, and what holds it; asked again while the page is seen. */
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

function columnsOf(): readonly Column<Row>[] {
  const { operator, messageClass, queue } = traffic.value;
  return [
    { ...titled("operator", operator), cell: (row) => row.operator },
    { ...titled("class", messageClass), cell: (row) => classWord(row.message_class) },
    { ...titled("messages", queue.messages), isNumber: true, cell: (row) => figures.number(row.messages) },
    { ...titled("oldest", queue.oldest), cell: (row) => figures.time(row.oldest_at) },
    {
      ...titled("rate", queue.rate),
      isNumber: true,
      cell: ({ rate }) => (rate === null ? "–" : figures.number(rate)),
    },
    { ...titled("empty", queue.empty), cell: (row) => figures.time(row.empty_at) },
    {
      ...titled("held", queue.held),
      cell: ({ held }) => {
        const told = Object.entries(held).map(
          ([why, count]) => `${figures.number(count ?? 0)} ${queue.holds[why] ?? why}`,
        );
        return told.length === 0 ? "–" : told.join(", ");
      },
    },
  ];
}
