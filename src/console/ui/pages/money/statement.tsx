import { callApi } from "../../api/client.ts";
import type { Contract } from "../../api/contract.ts";
import { type Column, Empty, ErrorBox, Filter, FilterBar, Section, Table } from "../../kit/kit.ts";
import { HOME } from "../../state/router.ts";
import { may } from "../../state/session.ts";
import { useList } from "../../state/use-answer.ts";
import { money } from "../../words/money.ts";
import { traffic } from "../../words/traffic.ts";
import { figures } from "../../words/words.ts";
import { filtersNamed, toPlainColumn } from "../traffic/parts.tsx";
import { Seller } from "./seller.tsx";

type StatementAnswer = Contract["GET /accounts/:account/statement"]["answer"];
type Entry = StatementAnswer["entries"][number] & { readonly place: string };

type StatementProps = {
  readonly account: string /** Changes when something was booked here. */;
  readonly booked: number;
};

/** What went in and out of a wallet, oldest first, with the balance after each entry. */
export function Statement({ account, booked }: StatementProps) {
  const { asked, key } = filtersNamed("from", "to");
  const { rows, page, problem, isLoading, more, reload } = useList<Entry, StatementAnswer>({
    key: `${account} ${key} ${booked}`,
    load: (next) =>
      callApi("GET /accounts/:account/statement", {
        params: { account },
        query: { ...asked, ...(next === undefined ? {} : { from: next }) },
      }),
    rowsOf: ({ entries }) => entries.map((entry, at) => ({ ...entry, place: `${entry.at} ${at}` })),
    nextOf: ({ next }) => next,
  });
  const { money: words } = money.value;
  const { instantHint } = traffic.value;
  const file = new URLSearchParams(asked).toString();
  return (
    <Section
      title={words.statement}
      aside={
        <a href={`${HOME}/api/accounts/${account}/statement.csv${file && `?${file}`}`} download>
          {words.file}
        </a>
      }
    >
      <FilterBar of={words.statement}>
        <Filter name="from" label={words.from} />
        <Filter name="to" label={words.to} />
      </FilterBar>
      <p class="note">{instantHint}</p>
      {problem && <ErrorBox problem={problem} onRetry={reload} />}
      <Seller seller={page?.seller} />
      {rows.length > 0 && page && <p class="note">{openingOf(rows)}</p>}
      <Table
        caption={words.statement}
        columns={statementColumns()}
        rows={rows}
        keyOf={({ place }) => place}
        isLoading={isLoading}
        onMore={more}
        empty={problem ? null : <Empty title={words.noEntries}>{words.noEntriesHelp}</Empty>}
      />
      {rows.length > 0 && page && (
        <p>
          {words.closing({ amount: figures.money(page.closing_balance) })}
          {page.not_entered_yet.charged > 0 && (
            <span class="note">
              {" "}
              {words.unentered({ amount: figures.money(page.not_entered_yet.charged) })}
            </span>
          )}
        </p>
      )}
    </Section>
  );
}

function openingOf(rows: readonly Entry[]): string {
  const [first] = rows;
  return first === undefined
    ? ""
    : money.value.money.opening({ amount: figures.money(first.balance - first.change) });
}

type OfBatchProps = { readonly id: string; readonly reference: string | null };

/** Of which batch an entry is, with the way to it for whoever may read batches: finance reads none. */
function OfBatch({ id, reference }: OfBatchProps) {
  const name = reference === null ? id : `${reference} · ${id}`;
  return may("batches.read") ? <a href={`${HOME}/batches/${id}`}>{name}</a> : name;
}

function statementColumns(): readonly Column<Entry>[] {
  const { money: words } = money.value;
  return [
    { ...toPlainColumn("at", words.at), cell: ({ at }) => figures.time(at) },
    {
      ...toPlainColumn("entry", words.entry),
      cell: (row) => (
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
      ),
    },
    {
      ...toPlainColumn("change", words.change),
      isNumber: true,
      cell: ({ kind, amount, change }) =>
        change !== 0 || (kind !== "RESERVE" && kind !== "RELEASE") ? (
          figures.money(change)
        ) : (
          <span class="note">
            {kind === "RESERVE"
              ? words.setAside({ amount: figures.money(amount) })
              : words.setFree({ amount: figures.money(amount) })}
          </span>
        ),
    },
    { ...toPlainColumn("balance", words.running), isNumber: true, cell: ({ balance }) => figures.money(balance) },
  ];
}
