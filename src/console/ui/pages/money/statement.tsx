/** Console page of an account's statement: what went in and out of its wallet, with the balance after each entry. */
import { callApi } from "../../api/client.ts";
import type { Answer } from "../../api/contract.ts";
import {
  type Columns,
  column,
  Empty,
  FilterBar,
  ListTable,
  moneyColumn,
  Note,
  numberColumn,
  Page,
  PeriodFilter,
  periodAsked,
  timeColumn,
} from "../../kit/kit.ts";
import { LIST_PERIODS } from "../../state/period.ts";
import { HOME } from "../../state/router.ts";
import { may } from "../../state/session.ts";
import { useAnswer, useList } from "../../state/use-request.ts";
import { money } from "../../words/money.ts";
import { figures } from "../../words/words.ts";
import type { PageProps } from "../lazy-page.tsx";
import { AccountTabs, accountCrumb, partOfAccount } from "./account-tabs.tsx";
import { Seller } from "./seller.tsx";

type Entry = Answer<"GET /accounts/:account/statement">["entries"][number] & { readonly place: string };

const USUAL_PERIOD = "30d";

/** What went in and out of a wallet in a period, oldest first. */
export function Statement({ parts: { account = "" } }: PageProps) {
  const whose = useAnswer("GET /accounts/:account/wallet", { params: { account } });
  const asked = periodAsked(USUAL_PERIOD);
  const { money: words } = money.value;
  const file = new URLSearchParams(asked).toString();
  const name = whose.value?.account ?? null;
  return (
    <Page
      title={name === null ? null : partOfAccount(name, words.statement)}
      question={words.statementQuestion}
      trail={name === null ? [] : accountCrumb(account, name)}
      aside={
        <a
          class="button"
          href={`${HOME}/api/accounts/${account}/statement.csv${file && `?${file}`}`}
          download
        >
          {words.file}
        </a>
      }
    >
      <AccountTabs account={account} name={name ?? ""} />
      <FilterBar>
        <PeriodFilter offered={[...LIST_PERIODS, "year"]} usual={USUAL_PERIOD} />
      </FilterBar>
      <Entries account={account} asked={asked} />
    </Page>
  );
}

type EntriesProps = {
  readonly account: string;
  readonly asked: { readonly from?: string; readonly to?: string };
};

function Entries({ account, asked }: EntriesProps) {
  const list = useList({
    key: `${account} ${JSON.stringify(asked)}`,
    load: (next) =>
      callApi("GET /accounts/:account/statement", {
        params: { account },
        query: { ...asked, from: next ?? asked.from },
      }),
    rowsOf: ({ entries }): readonly Entry[] =>
      entries.map((entry, at) => ({ ...entry, place: `${entry.at} ${at}` })),
    nextOf: ({ next }) => next,
  });
  const { rows, page } = list;
  const { money: words } = money.value;
  return (
    <>
      <Seller seller={page?.seller} />
      {rows.length > 0 && page && <Note>{openingOf(rows)}</Note>}
      <ListTable
        list={list}
        caption={words.statement}
        columns={statementColumns()}
        keyOf={({ place }) => place}
        empty={<Empty title={words.noEntries}>{words.noEntriesHelp}</Empty>}
      />
      {rows.length > 0 && page && (
        <p>
          {words.closing({ amount: page.closing_balance })}
          {page.not_entered_yet.charged > 0 && (
            <span class="note"> {words.unentered({ amount: page.not_entered_yet.charged })}</span>
          )}
        </p>
      )}
    </>
  );
}

function openingOf(rows: readonly Entry[]): string {
  const [first] = rows;
  return first === undefined ? "" : money.value.money.opening({ amount: first.balance - first.change });
}

type OfBatchProps = { readonly id: string; readonly reference: string | null };

/** The batch of an entry, as a link for those who may read batches: finance reads none. */
function OfBatch({ id, reference }: OfBatchProps) {
  const name = reference === null ? id : `${reference} · ${id}`;
  return may("batches.read") ? <a href={`${HOME}/batches/${id}`}>{name}</a> : name;
}

function statementColumns(): Columns<Entry> {
  const { money: words } = money.value;
  return [
    timeColumn(words.at, ({ at }) => at),
    column(words.entry, (row) => (
      <>
        {words.entries[row.kind] ?? row.kind}
        {row.batch_id === null ? (
          <span class="note">{row.note ?? row.cause.split(":").slice(1).join(":")}</span>
        ) : (
          <span class="note">
            <OfBatch id={row.batch_id} reference={row.batch_reference} />
          </span>
        )}
      </>
    )),
    numberColumn(words.change, ({ kind, amount, change }) =>
      change !== 0 || (kind !== "RESERVE" && kind !== "RELEASE") ? (
        figures.money(change)
      ) : (
        <span class="note">
          {kind === "RESERVE" ? words.setAside({ amount }) : words.setFree({ amount })}
        </span>
      ),
    ),
    moneyColumn(words.running, ({ balance }) => balance),
  ];
}
