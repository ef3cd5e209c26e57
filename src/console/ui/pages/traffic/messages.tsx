/**
 * Console page that finds messages by number, sender, time, state, error or client reference; also batches that rejected a
 * number and rows that contain it.
 */
import { useEffect, useState } from "preact/hooks";
import { callApi, type Query } from "../../api/client.ts";
import type { Answer } from "../../api/contract.ts";
import {
  type Columns,
  column,
  Empty,
  ErrorBox,
  Filter,
  FilterBar,
  filter,
  filtersAndPeriod,
  ListTable,
  Note,
  Page,
  PeriodFilter,
  Section,
  StateBadge,
  Table,
  timeColumn,
  toOptions,
  WithNote,
} from "../../kit/kit.ts";
import { HOME } from "../../state/router.ts";
import { isStaff, may } from "../../state/session.ts";
import { useAnswer, useList } from "../../state/use-request.ts";
import { rowWords } from "../../words/rows.ts";
import { traffic } from "../../words/traffic.ts";
import { classWord, figures, labelled, rejectionWord, stateWord } from "../../words/words.ts";
import {
  AccountFilter,
  ErrorFilter,
  type Names,
  OperatorFilter,
  operatorName,
  SenderFilter,
  useNames,
} from "./named-filters.tsx";

type Row = Answer<"GET /messages">["messages"][number];

const STATES = ["QUEUED", "SUBMITTED", "SENT", "DELIVERED", "FAILED", "CANCELLED"];

export function Messages() {
  const { asked, key } = filtersAndPeriod(
    ...(["number", "reference", "account", "batch", "status", "error", "operator", "sender"] as const),
  );
  const list = useList({
    key,
    load: (before) => callApi("GET /messages", { query: { ...asked, before } }),
    rowsOf: ({ messages }) => messages,
    nextOf: ({ next }) => next,
  });
  const names = useNames();
  const { messages, searchedBack } = traffic.value;
  // Of a batch everything is searched.
  const isWhole = list.page?.next !== null || asked.batch !== undefined;
  const back = isWhole ? null : list.page.searched_back_to;
  /** An incomplete number is a fault only where nothing was found by it, once that is known. */
  const [looked, setLooked] = useState<LookedFor | null>(null);
  const isFault = looked?.typed === asked.number && !looked?.hasFound;
  const noNumber = list.problem?.code === "INVALID_MSISDN" ? figures.saying(list.problem.detail) : null;
  return (
    <Page title={messages.title}>
      <MessageFilters names={names} noNumber={isFault ? noNumber : null} />
      <OfBatch />
      {noNumber === null ? (
        <ListTable
          list={list}
          caption={messages.title}
          columns={columnsOf(names)}
          keyOf={(row) => row.message_id}
          empty={<Empty title={messages.none}>{messages.noneHelp}</Empty>}
        />
      ) : (
        <WithPart
          key={asked.number}
          asked={{ typed: asked.number ?? "", account: asked.account }}
          columns={columnsOf(names)}
          onLooked={setLooked}
        />
      )}
      {back !== null && <Note>{searchedBack({ time: back })}</Note>}
      {asked.number !== undefined && may("batches.read") && (
        <>
          <LeftOut asked={{ number: asked.number, account: asked.account, from: asked.from, to: asked.to }} />
          <RowsHolding asked={{ typed: asked.number, account: asked.account }} isNone={noNumber !== null} />
        </>
      )}
    </Page>
  );
}

/** The batch of a list, by when it was accepted and not by its id. */
function OfBatch() {
  const batch = filter("batch");
  const { value } = useAnswer("GET /batches/:batch", batch === undefined ? null : { params: { batch } });
  if (batch === undefined || value === null) return null;
  return (
    <p>
      <a href={`${HOME}/batches/${batch}`}>
        {traffic.value.messages.ofBatch({ time: value.created_at, sender: value.sender })}
      </a>
    </p>
  );
}

type FiltersProps = {
  readonly names: Names | null;
  /** Why what was typed is no number. */
  readonly noNumber: string | null;
};

function MessageFilters({ names, noNumber }: FiltersProps) {
  const words = traffic.value;
  const states = toOptions(STATES, stateWord);
  return (
    <FilterBar>
      <Filter name="number" label={words.number} fault={noNumber} />
      <Filter name="status" label={words.status} options={states} />
      <SenderFilter names={names} />
      <ErrorFilter names={names} />
      <Filter name="reference" label={words.reference} />
      <OperatorFilter names={names} />
      {isStaff() && <AccountFilter />}
      <PeriodFilter />
    </FilterBar>
  );
}

function columnsOf(names: Names | null): Columns<Row> {
  const words = traffic.value;
  return [
    column(words.number, (row) => (
      <WithNote note={row.client_reference}>
        <a href={`${HOME}/messages/${row.message_id}`}>{figures.phone(row.msisdn)}</a>
      </WithNote>
    )),
    column(words.status, ({ status, error }) => (
      <>
        <StateBadge state={status} />
        {error && (
          <span class="note" title={error.code}>
            {error.detail}
          </span>
        )}
      </>
    )),
    timeColumn(words.at, (row) => row.created_at),
    column(words.sender, ({ sender }) => sender),
    column(words.operator, ({ operator }) => operatorName(names, operator)),
    isStaff() && column(words.account, (row) => row.account),
  ];
}

type LeftOutQuery = Query<"GET /left-out">;
type LeftOutEntry = Answer<"GET /left-out">["left_out"][number];

/** "Why did she not get it?": the batches that left a number out, each with the reason. Nothing where there is none. */
function LeftOut({ asked }: { readonly asked: LeftOutQuery }) {
  const { value, problem } = useAnswer("GET /left-out", { query: asked });
  const { leftOut: words, searchedBack } = traffic.value;
  // An unreadable number is reported by the list above already.
  if (problem) return problem.status === 422 ? null : <ErrorBox problem={problem} />;
  if (value === null) return null;
  const { left_out: rows, searched_back_to: back } = value;
  if (rows.length === 0 && back === null) return null;
  const title = words.title({ number: figures.phone(value.msisdn) });
  return (
    <Section title={title}>
      <Note>{words.help}</Note>
      <Table
        caption={title}
        columns={leftOutColumns()}
        rows={rows}
        keyOf={({ batch_id, index, line }) => `${batch_id} ${index} ${line}`}
        empty={<Note>{words.none}</Note>}
      />
      {value.is_more && <Note>{words.more({ shown: rows.length })}</Note>}
      {back !== null && <Note>{searchedBack({ time: back })}</Note>}
    </Section>
  );
}

function leftOutColumns(): Columns<LeftOutEntry> {
  const { leftOut: words, ...common } = traffic.value;
  return [
    column(words.batch, (row) => (
      <WithNote note={row.client_reference}>
        <a class="whole" href={`${HOME}/batches/${row.batch_id}`}>
          {figures.time(row.created_at)}
        </a>
      </WithNote>
    )),
    column(words.why, (row) => (
      <WithNote note={row.line !== null && row.cause && labelled(words.line({ line: row.line }), row.cause)}>
        {rejectionWord(row.reason_code)}
      </WithNote>
    )),
    column(common.sender, (row) => <WithNote note={classWord(row.message_class)}>{row.sender}</WithNote>),
    isStaff() && column(common.account, (row) => row.account),
  ];
}

type HoldingQuery = Query<"GET /left-out/rows">;
type HoldingEntry = Answer<"GET /left-out/rows">["rows"][number];

type HoldingProps = {
  readonly asked: HoldingQuery;
  /** Whether what was typed is no number: then it also says that no row contains it. */
  readonly isNone: boolean;
};

/** "Her number is not whole": unsent rows of the last days that contain it as it is written. */
function RowsHolding({ asked, isNone }: HoldingProps) {
  const { value, problem } = useAnswer("GET /left-out/rows", { query: asked });
  const words = rowWords.value;
  if (problem) return <ErrorBox problem={problem} />;
  if (value === null || (value.rows.length === 0 && !isNone)) return null;
  const days = figures.number(value.days);
  return (
    <Section title={words.holding({ typed: asked.typed })}>
      <Note>{words.holdingHelp({ days })}</Note>
      <Table
        caption={words.holding({ typed: asked.typed })}
        columns={holdingColumns(asked.typed)}
        rows={value.rows}
        keyOf={({ batch_id, line }) => `${batch_id} ${line}`}
        empty={
          <Note>
            {words.holdingNone({ days })} <a href={`${HOME}/batches?period=7d`}>{words.toBatches}</a>
          </Note>
        }
      />
      {value.is_more && <Note>{words.more({ shown: value.rows.length })}</Note>}
    </Section>
  );
}

function holdingColumns(typed: string): Columns<HoldingEntry> {
  const words = rowWords.value;
  return [
    column(words.batch, (row) => (
      <WithNote note={row.client_reference}>
        <a href={`${HOME}/batches/${row.batch_id}?row=${encodeURIComponent(typed)}`}>
          {figures.time(row.created_at)}
        </a>
      </WithNote>
    )),
    column(words.number, ({ written, values, match }) => (
      <WithNote note={match === "nearly" && words.nearly}>{[written, ...values].join(" · ")}</WithNote>
    )),
    column(words.why, ({ line, cause, corrected }) => (
      <>
        {labelled(traffic.value.leftOut.line({ line }), cause)}
        {corrected && <CorrectedSince by={corrected} />}
      </>
    )),
    isStaff() && column(traffic.value.account, (row) => row.account),
  ];
}

type PartMatchQuery = Query<"GET /messages-with-part">;
type PartMatchEntry = Answer<"GET /messages-with-part">["messages"][number];

type LookedFor = { readonly typed: string; readonly hasFound: boolean };

type PartMatchProps = {
  readonly asked: PartMatchQuery;
  readonly columns: Columns<PartMatchEntry>;
  /** Reports whether messages to what was typed were found, once that is known. */
  readonly onLooked: (looked: LookedFor) => void;
};

/** "It ends in 9003": messages among the last ones whose number contains what was typed. Nothing of what is no part of a number. */
function WithPart({ asked, columns, onLooked }: PartMatchProps) {
  const { value, problem, isLoading } = useAnswer("GET /messages-with-part", { query: asked });
  const hasFound = (value?.messages.length ?? 0) > 0;
  useEffect(() => {
    if (!isLoading) onLooked({ typed: asked.typed, hasFound });
  }, [isLoading, hasFound, asked.typed]);
  const words = rowWords.value;
  // What is no part of a number is reported beside the field already.
  if (problem) return problem.status === 422 ? null : <ErrorBox problem={problem} />;
  if (value === null) return null;
  const looked = figures.number(value.looked);
  return (
    <Section title={words.part({ typed: asked.typed })}>
      <Note>{value.is_all ? words.partHelpAll({ looked }) : words.partHelp({ looked })}</Note>
      <Table
        caption={words.part({ typed: asked.typed })}
        columns={columns}
        rows={value.messages}
        keyOf={({ message_id }) => message_id}
        empty={<Note>{words.partNone}</Note>}
      />
      {value.is_more && <Note>{words.partMore({ shown: value.messages.length })}</Note>}
    </Section>
  );
}

type Corrected = NonNullable<Answer<"GET /batches/:batch/rows">["rows"][number]["corrected"]>;

/** What a correction of its batch sent for an unsent row, and its outcome. */
export function CorrectedSince({ by: { message_id: id, msisdn, status, at } }: { readonly by: Corrected }) {
  return (
    <span class="note">
      <a href={`${HOME}/messages/${id}`}>
        {rowWords.value.corrected({
          msisdn: figures.phone(msisdn),
          state: stateWord(status).toLowerCase(),
          time: at,
        })}
      </a>
    </span>
  );
}
