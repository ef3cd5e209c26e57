import { useState } from "preact/hooks";
import { callApi } from "../../api/client.ts";
import type { Contract } from "../../api/contract.ts";
import { StateBadge } from "../../kit/badge.tsx";
import { Empty } from "../../kit/empty.tsx";
import { ErrorBox } from "../../kit/error-box.tsx";
import { Filter, FilterBar } from "../../kit/filter-bar.tsx";
import { Page } from "../../kit/page.tsx";
import { type Column, Table } from "../../kit/table.tsx";
import { HOME } from "../../state/router.ts";
import { may, me } from "../../state/session.ts";
import { useRequest, useList } from "../../state/use-answer.ts";
import { traffic } from "../../words/traffic.ts";
import { figures, stateWord } from "../../words/words.ts";
import { LeftOut } from "./left-out.tsx";
import {
  AccountFilter,
  ErrorFilter,
  type Names,
  OperatorFilter,
  operatorName,
  SenderFilter,
  useNames,
} from "./named-filters.tsx";
import { filter, filtersNamed, toPlainColumn } from "./parts.tsx";
import { RowsHolding } from "./rows-holding.tsx";
import { type LookedFor, WithPart } from "./with-part.tsx";

type View = Contract["GET /messages"]["answer"];
type Row = View["messages"][number];

type Batch = Contract["GET /batches/:batch"]["answer"];

const NO_BATCH = { ok: true, value: null } as const;
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
      callApi("GET /messages", { query: { ...asked, ...(before === undefined ? {} : { before }) } }),
    rowsOf: ({ messages }) => messages,
    nextOf: ({ next }) => next,
  });
  const names = useNames();
  const { messages, searchedBack } = traffic.value;
  const back = page?.next === null ? page.searched_back_to : null;
  /** That what was typed is no whole number is a fault where nothing was found by it, and not before that is known. */
  const [looked, setLooked] = useState<LookedFor | null>(null);
  const isFault = looked?.typed === asked.number && !looked?.hasFound;
  const noNumber = problem?.code === "INVALID_MSISDN" ? figures.saying(problem.detail) : null;
  return (
    <Page title={messages.title}>
      <MessageFilters names={names} noNumber={isFault ? noNumber : null} />
      <OfBatch />
      {problem && noNumber === null && <ErrorBox problem={problem} onRetry={reload} />}
      {noNumber === null ? (
        <Table
          caption={messages.title}
          columns={columnsOf(names)}
          rows={rows}
          keyOf={(row) => row.message_id}
          isLoading={isLoading}
          onMore={more}
          empty={problem ? null : <Empty title={messages.none}>{messages.noneHelp}</Empty>}
        />
      ) : (
        <WithPart
          key={asked.number}
          asked={{
            typed: asked.number ?? "",
            ...(asked.account === undefined ? {} : { account: asked.account }),
          }}
          columns={columnsOf(names)}
          onLooked={setLooked}
        />
      )}
      {back !== null && <p class="note">{searchedBack({ time: figures.time(back) })}</p>}
      {asked.number !== undefined && may("batches.read") && (
        <>
          <LeftOut asked={leftOutAsked(asked.number)} />
          <RowsHolding
            asked={{
              typed: asked.number,
              ...(asked.account === undefined ? {} : { account: asked.account }),
            }}
            isNone={noNumber !== null}
          />
        </>
      )}
    </Page>
  );
}

/** What of the address is asked with of batches that left a number out. */
function leftOutAsked(number: string) {
  const { account, from, to } = filtersNamed("account", "from", "to").asked;
  return {
    number,
    ...(account === undefined ? {} : { account }),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
  };
}

/** Which batch a list is of, by when it was accepted and not by its id. */
function OfBatch() {
  const batch = filter("batch");
  const { value } = useRequest<Batch | null>(batch ?? "", async () =>
    batch === undefined ? NO_BATCH : callApi("GET /batches/:batch", { params: { batch } }),
  );
  if (batch === undefined || value === null) return null;
  return (
    <p>
      <a href={`${HOME}/batches/${batch}`}>
        {traffic.value.messages.ofBatch({ time: figures.time(value.created_at), sender: value.sender })}
      </a>
    </p>
  );
}

type FiltersProps = {
  readonly names: Names | null;
  /** Why the number that was typed is none. */
  readonly noNumber: string | null;
};

function MessageFilters({ names, noNumber }: FiltersProps) {
  const words = traffic.value;
  const states = STATES.map((value) => ({ value, label: stateWord(value) }));
  return (
    <FilterBar>
      <Filter name="number" label={words.number} fault={noNumber} />
      <Filter name="status" label={words.status} options={states} />
      <SenderFilter names={names} />
      <ErrorFilter names={names} />
      <Filter name="reference" label={words.reference} />
      <OperatorFilter names={names} />
      {me.value?.account === null && <AccountFilter />}
      <Filter name="from" label={words.from} />
      <Filter name="to" label={words.to} />
    </FilterBar>
  );
}

function columnsOf(names: Names | null): readonly Column<Row>[] {
  const words = traffic.value;
  return [
    {
      ...toPlainColumn("number", words.number),
      cell: (row) => (
        <>
          <a href={`${HOME}/messages/${row.message_id}`}>{row.msisdn}</a>
          {row.client_reference !== null && <span class="note">{row.client_reference}</span>}
        </>
      ),
    },
    {
      ...toPlainColumn("status", words.status),
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
    { ...toPlainColumn("at", words.at), cell: (row) => figures.time(row.created_at) },
    { ...toPlainColumn("sender", words.sender), cell: ({ sender }) => sender },
    { ...toPlainColumn("operator", words.operator), cell: ({ operator }) => operatorName(names, operator) },
    ...(me.value?.account === null
      ? [{ ...toPlainColumn("account", words.account), cell: (row: Row) => row.account }]
      : []),
  ];
}
