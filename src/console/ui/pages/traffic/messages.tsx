import { ask } from "../../api/client.ts";
import type { Contract } from "../../api/contract.ts";
import { StateBadge } from "../../kit/badge.tsx";
import { Empty } from "../../kit/empty.tsx";
import { ErrorBox } from "../../kit/error-box.tsx";
import { Filter, FilterBar } from "../../kit/filter-bar.tsx";
import { Page } from "../../kit/page.tsx";
import { type Column, Table } from "../../kit/table.tsx";
import { HOME } from "../../state/router.ts";
import { may, me } from "../../state/session.ts";
import { useList } from "../../state/use-answer.ts";
import { traffic } from "../../words/traffic.ts";
import { figures, stateWord } from "../../words/words.ts";
import { filtersNamed, titled } from "./parts.tsx";

type View = Contract["GET /messages"]["answer"];
type Row = View["messages"][number];

const STATES = ["QUEUED", "SUBMITTED", "SENT", "DELIVERED", "FAILED", "CANCELLED"];

/** Messages by number, sender, time, state, error or their client's name; a row opens the life of the message. */
export function Messages() {
  const { asked, key } = filtersNamed(
    ...(["number", "reference", "account", "batch", "status", "error", "operator", "sender"] as const),
    ...(["from", "to"] as const),
  );
  const { rows, page, problem, isLoading, more, reload } = useList<Row, View>({
    key,
    load: (before) =>
      ask("GET /messages", { query: { ...asked, ...(before === undefined ? {} : { before }) } }),
    rowsOf: ({ messages }) => messages,
    nextOf: ({ next }) => next,
  });
  const { messages, searchedBack } = traffic.value;
  const back = page?.next === null ? page.searched_back_to : null;
  return (
    <Page title={messages.title}>
      <MessageFilters />
      {problem && <ErrorBox problem={problem} onRetry={reload} />}
      <Table
        caption={messages.title}
        columns={columnsOf()}
        rows={rows}
        keyOf={(row) => row.message_id}
        isLoading={isLoading}
        onMore={more}
        empty={problem ? null : <Empty title={messages.none}>{messages.noneHelp}</Empty>}
      />
      {back !== null && <p class="note">{searchedBack(figures.time(back))}</p>}
    </Page>
  );
}

function MessageFilters() {
  const words = traffic.value;
  const states = STATES.map((value) => ({ value, label: stateWord(value) }));
  return (
    <FilterBar>
      <Filter name="number" label={words.number} />
      <Filter name="status" label={words.status} options={states} />
      <Filter name="sender" label={words.sender} />
      <Filter name="error" label={words.error} />
      <Filter name="reference" label={words.reference} />
      {may("operators.read") && <Filter name="operator" label={words.operator} />}
      {me.value?.account === null && <Filter name="account" label={words.account} />}
      <Filter name="from" label={words.from} />
      <Filter name="to" label={words.to} />
    </FilterBar>
  );
}

function columnsOf(): readonly Column<Row>[] {
  const words = traffic.value;
  return [
    {
      ...titled("number", words.number),
      cell: (row) => (
        <>
          <a href={`${HOME}/messages/${row.message_id}`}>{row.msisdn}</a>
          {row.client_reference !== null && <span class="note">{row.client_reference}</span>}
        </>
      ),
    },
    {
      ...titled("status", words.status),
      cell: ({ status, error }) => (
        <>
          <StateBadge state={status} />
          {error && (
            <span class="note" title={error.code}>
              {error.detail}
            </span>
          )}
        </>
      ),
    },
    { ...titled("at", words.at), cell: (row) => figures.time(row.created_at) },
    { ...titled("sender", words.sender), cell: ({ sender }) => sender },
    { ...titled("operator", words.operator), cell: ({ operator }) => operator },
    ...(me.value?.account === null
      ? [{ ...titled("account", words.account), cell: (row: Row) => row.account }]
      : []),
  ];
}
