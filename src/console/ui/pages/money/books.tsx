import { callApi } from "../../api/client.ts";
import type { Contract } from "../../api/contract.ts";
import { AllClear, type Column, Empty, ErrorBox, Page, Section, StateBadge, Table } from "../../kit/kit.ts";
import { HOME } from "../../state/router.ts";
import { may } from "../../state/session.ts";
import { useRequest, useList } from "../../state/use-answer.ts";
import { money } from "../../words/money.ts";
import { figures } from "../../words/words.ts";
import { toPlainColumn } from "../traffic/parts.tsx";

/** Whether every franc is where it belongs, as the last check of the books found it. */
export function Books() {
  const { value, problem, reload } = useRequest("books", () => callApi("GET /books", {}));
  const { money: words } = money.value;
  const check = value?.last_check;
  return (
    <Page title={words.all}>
      {may("money.read") && <Balances />}
      {problem && <ErrorBox problem={problem} onRetry={() => void reload()} />}
      {value && (
        <Section title={words.proof}>
          {!check && <p>{words.neverProved}</p>}
          {check && check.differences === 0 && check.failure === null && (
            <AllClear text={words.proved({ time: figures.time(check.checked_at) })} />
          )}
          {check && (check.differences > 0 || check.failure !== null) && (
            <div class="error" role="alert">
              <p class="error-title">
                {words.differences({
                  count: figures.count(check.differences, words.differenceCount),
                  time: figures.time(check.checked_at),
                })}
              </p>
              <p class="detail">{check.failure ?? check.detail}</p>
            </div>
          )}
          {check && (
            <p class="note">
              {words.proofOf({
                entries: figures.count(check.entries, words.proofEntries),
                batches: figures.count(check.batches, words.proofBatches),
                messages: figures.count(check.messages, words.proofMessages),
              })}
            </p>
          )}
        </Section>
      )}
    </Page>
  );
}

type BooksAnswer = Contract["GET /accounts"]["answer"];
type Row = BooksAnswer["accounts"][number];

/** What each account has, with the way to its wallet. */
function Balances() {
  const { rows, problem, isLoading, more, reload } = useList<Row, BooksAnswer>({
    key: "balances",
    load: (after) => callApi("GET /accounts", { query: after === undefined ? {} : { after } }),
    rowsOf: ({ accounts }) => accounts,
    nextOf: ({ next }) => next,
  });
  const { money: words, accounts } = money.value;
  const amount = (of: (wallet: NonNullable<Row["wallet"]>) => number) => (row: Row) =>
    row.wallet === null ? "–" : figures.money(of(row.wallet));
  const columns: readonly Column<Row>[] = [
    {
      ...toPlainColumn("account", accounts.name),
      cell: (row) => <a href={`${HOME}/accounts/${row.account_id}/money`}>{row.name}</a>,
    },
    { ...toPlainColumn("status", accounts.status), cell: ({ status }) => <StateBadge state={status} /> },
    { ...toPlainColumn("spendable", words.spendable), isNumber: true, cell: amount(({ spendable }) => spendable) },
    { ...toPlainColumn("reserved", words.reserved), isNumber: true, cell: amount(({ reserved }) => reserved) },
    { ...toPlainColumn("balance", words.balance), isNumber: true, cell: amount(({ balance }) => balance) },
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
