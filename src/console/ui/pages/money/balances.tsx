import { ask } from "../../api/client.ts";
import type { Contract } from "../../api/contract.ts";
import { type Column, Empty, ErrorBox, Section, StateBadge, Table } from "../../kit/kit.ts";
import { HOME } from "../../state/router.ts";
import { useList } from "../../state/use-answer.ts";
import { money } from "../../words/money.ts";
import { figures } from "../../words/words.ts";
import { titled } from "../traffic/parts.tsx";

type View = Contract["GET /accounts"]["answer"];
type Row = View["accounts"][number];

/** What each account has, with the way to its wallet. */
export function Balances() {
  const { rows, problem, isLoading, more, reload } = useList<Row, View>({
    key: "balances",
    load: (after) => ask("GET /accounts", { query: after === undefined ? {} : { after } }),
    rowsOf: ({ accounts }) => accounts,
    nextOf: ({ next }) => next,
  });
  const { money: words, accounts } = money.value;
  const amount = (of: (wallet: NonNullable<Row["wallet"]>) => number) => (row: Row) =>
    row.wallet === null ? "–" : figures.money(of(row.wallet));
  const columns: readonly Column<Row>[] = [
    {
      ...titled("account", accounts.name),
      cell: (row) => <a href={`${HOME}/accounts/${row.account_id}/money`}>{row.name}</a>,
    },
    { ...titled("status", accounts.status), cell: ({ status }) => <StateBadge state={status} /> },
    { ...titled("spendable", words.spendable), isNumber: true, cell: amount(({ spendable }) => spendable) },
    { ...titled("reserved", words.reserved), isNumber: true, cell: amount(({ reserved }) => reserved) },
    { ...titled("balance", words.balance), isNumber: true, cell: amount(({ balance }) => balance) },
  ];
  return (
    <Section title={words.balances}>
      {problem && <ErrorBox problem={problem} onRetry={reload} />}
      <Table
        caption={words.balances}
        columns={columns}
        rows={rows}
        keyOf={({ account_id }) => account_id}
        isLoading={isLoading}
        onMore={more}
        empty={
          problem ? null : (
            <Empty title={accounts.none}>
              <a href={`${HOME}/accounts`}>{accounts.makeFirst}</a>
            </Empty>
          )
        }
      />
    </Section>
  );
}
