/**
 * Console page that lists batches, newest first, with the progress of each, filtered by account, state, reference and time.
 */
import { callApi } from "../../api/client.ts";
import type { Answer } from "../../api/contract.ts";
import {
  type Columns,
  column,
  Empty,
  Filter,
  FilterBar,
  filtersAndPeriod,
  ListTable,
  numberColumn,
  Page,
  PeriodFilter,
  Progress,
  type ProgressShare,
  StateBadge,
  toOptions,
  WithNote,
} from "../../kit/kit.ts";
import { HOME } from "../../state/router.ts";
import { isStaff } from "../../state/session.ts";
import { useList } from "../../state/use-request.ts";
import { traffic } from "../../words/traffic.ts";
import { classWord, figures, stateWord } from "../../words/words.ts";
import { AccountFilter } from "./named-filters.tsx";

type Row = Answer<"GET /batches">["batches"][number];
type Counts = Row["counts"];

const STATES = ["VALIDATING", "SCHEDULED", "QUEUED", "SENDING", "SETTLED", "REJECTED", "FAILED", "CANCELLED"];

/** States in which a batch no longer changes. */
export const ENDED = ["SETTLED", "REJECTED", "FAILED", "CANCELLED"];

export function Batches() {
  const { asked, key } = filtersAndPeriod("account", "status", "reference", "smpp");
  const list = useList({
    key,
    load: (before) => callApi("GET /batches", { query: { ...asked, before } }),
    rowsOf: ({ batches }) => batches,
    nextOf: ({ next }) => next,
  });
  const words = traffic.value;
  return (
    <Page title={words.batches.title}>
      <FilterBar>
        <Filter name="status" label={words.status} options={toOptions(STATES, stateWord)} />
        <Filter name="reference" label={words.batches.named} />
        {isStaff() && <AccountFilter />}
        <Filter
          name="smpp"
          label={words.batches.overSmpp}
          usual="no"
          options={[
            { value: "no", label: words.batches.overSmppNo },
            { value: "yes", label: words.batches.overSmppYes },
          ]}
        />
        <PeriodFilter />
      </FilterBar>
      <ListTable
        list={list}
        caption={words.batches.title}
        columns={columnsOf()}
        keyOf={(row) => row.batch_id}
        empty={<Empty title={words.batches.none}>{words.batches.noneHelp}</Empty>}
      />
    </Page>
  );
}

function columnsOf(): Columns<Row> {
  const words = traffic.value;
  return [
    column(words.batches.created, (row) => (
      <WithNote note={row.client_reference}>
        <a class="whole" href={`${HOME}/batches/${row.batch_id}`}>
          {figures.time(row.created_at)}
        </a>
      </WithNote>
    )),
    isStaff() && column(words.account, (row) => row.account),
    column(words.status, ({ status }) => <StateBadge state={status} />),
    column(words.sender, (row) => <WithNote note={classWord(row.message_class)}>{row.sender}</WithNote>),
    numberColumn(words.batches.accepted, ({ accepted, rejected, unreadable }) => (
      <WithNote note={rejected + unreadable > 0 && words.batches.left(rejected + unreadable)}>
        {figures.number(accepted)}
      </WithNote>
    )),
    column(words.batches.progress, ({ status, counts }) => (
      <Progress label={words.batches.progress} total={counts.total} shares={sharesOf(status, counts)} />
    )),
  ];
}

/**
 * How far a batch is: its counters add up whatever a message passed (docs/public-api.md section 2.2), these are where messages are now.
 * `waiting`: how many have not left; where unknown they count as under way.
 */
export function sharesOf(status: string, counts: Counts, waiting = 0): readonly ProgressShare[] {
  const { total, delivered, failed, cancelled } = counts;
  const open = total - delivered - failed - cancelled;
  return [
    { of: "delivered", count: delivered },
    { of: ENDED.includes(status) ? "unconfirmed" : "underway", count: open - waiting },
    { of: "failed", count: failed },
    { of: "waiting", count: waiting },
    { of: "cancelled", count: cancelled },
  ];
}
