/** Console page of all accounts by name, with the form that makes one. A user of an account sees that account instead. */

import { useState } from "preact/hooks";
import { callApi } from "../../api/client.ts";
import type { Answer } from "../../api/contract.ts";
import {
  Button,
  Choice,
  type Columns,
  column,
  Empty,
  Field,
  Filter,
  FilterBar,
  FormDialog,
  filtersNamed,
  ListTable,
  numberColumn,
  Page,
  StateBadge,
  showToast,
  timeColumn,
  toOptions,
  WithNote,
} from "../../kit/kit.ts";
import { go, HOME } from "../../state/router.ts";
import { may, me } from "../../state/session.ts";
import { useDraft } from "../../state/use-draft.ts";
import { useAction, useList } from "../../state/use-request.ts";
import { money } from "../../words/money.ts";
import { classWord, figures, stateWord } from "../../words/words.ts";
import { Account } from "./account.tsx";
import { parseFrancs } from "./amounts.ts";

type Row = Answer<"GET /accounts">["accounts"][number];

const STATES = ["ACTIVE", "SUSPENDED", "CLOSED"];

export function Accounts() {
  const own = me.value?.account;
  return own ? <Account parts={{ account: own.id }} /> : <AllAccounts />;
}

function AllAccounts() {
  const [isMaking, setMaking] = useState(false);
  const { asked, key } = filtersNamed("search", "status");
  const list = useList({
    key,
    load: (after) => callApi("GET /accounts", { query: { ...asked, after } }),
    rowsOf: ({ accounts }) => accounts,
    nextOf: ({ next }) => next,
  });
  const { accounts: words } = money.value;
  return (
    <Page
      title={words.title}
      aside={may("accounts.change") && <Button onPress={() => setMaking(true)}>{words.create}</Button>}
    >
      <FilterBar>
        <Filter name="search" label={words.search} />
        <Filter name="status" label={words.status} options={toOptions(STATES, stateWord)} />
      </FilterBar>
      <ListTable
        list={list}
        caption={words.title}
        columns={columnsOf()}
        keyOf={(row) => row.account_id}
        empty={<Nothing isSought={Object.keys(asked).length > 0} onMake={() => setMaking(true)} />}
      />
      {isMaking && <NewAccount onClose={() => setMaking(false)} />}
    </Page>
  );
}

/** No account at all, or none that fits. */
function Nothing({ isSought, onMake }: { readonly isSought: boolean; readonly onMake: () => void }) {
  const { accounts: words } = money.value;
  if (isSought) return <Empty title={words.empty}>{words.emptySearch}</Empty>;
  return (
    <Empty title={words.none}>
      <p>{words.noneHelp}</p>
      {may("accounts.change") && <Button onPress={onMake}>{words.makeFirst}</Button>}
    </Empty>
  );
}

function columnsOf(): Columns<Row> {
  const { accounts: words } = money.value;
  return [
    column(words.name, (row) => (
      <WithNote note={row.short_name}>
        <a href={`${HOME}/accounts/${row.account_id}`}>{row.name}</a>
      </WithNote>
    )),
    column(words.status, ({ status }) => <StateBadge state={status} />),
    column(words.classes, ({ classes }) => classes.map(classWord).join(", ")),
    column(words.billing, (row) => words.billings[row.billing_mode] ?? row.billing_mode),
    may("money.read") &&
      numberColumn(words.spendable, ({ wallet }) =>
        wallet === null ? "–" : figures.money(wallet.spendable),
      ),
    timeColumn(words.created, (row) => row.created_at),
  ];
}

const BILLINGS = ["PREPAID", "POSTPAID"] as const;

/** Makes an account with an empty wallet, and goes to it. */
function NewAccount({ onClose }: { readonly onClose: () => void }) {
  const { draft, bind } = useDraft<{
    readonly name: string;
    readonly short_name: string;
    readonly billing: (typeof BILLINGS)[number];
    readonly credit_limit: string;
  }>({ name: "", short_name: "", billing: "PREPAID", credit_limit: "0" });
  const { problem, run } = useAction();
  const { accounts: text, money: moneyWords } = money.value;
  const isPostpaid = draft.billing === "POSTPAID";
  const creditLimit = parseFrancs(draft.credit_limit);
  const submit = async (): Promise<void> => {
    if (isPostpaid && creditLimit === null) return;
    const body = {
      name: draft.name.trim(),
      billing: draft.billing,
      credit_limit: isPostpaid && creditLimit !== null ? creditLimit : undefined,
      short_name: draft.short_name.trim() || undefined,
    };
    const made = await run(callApi("POST /accounts", { body }));
    if (made === null) return;
    showToast(text.created1({ name: made.name }));
    go(`${HOME}/accounts/${made.account_id}`);
  };
  return (
    <FormDialog title={text.create} verb={text.create} problem={problem} onSubmit={submit} onClose={onClose}>
      <Field label={text.company} {...bind("name")} required maxLength={200} autofocus />
      <Field label={text.shortName} {...bind("short_name")} hint={text.shortNameHint} maxLength={20} />
      <Choice
        label={text.billing}
        options={toOptions(BILLINGS, (value) => text.billings[value] ?? value)}
        {...bind("billing")}
      />
      <p class="note">{text.billingHint}</p>
      {isPostpaid && (
        <Field
          label={text.creditLimit}
          {...bind("credit_limit")}
          fault={creditLimit === null ? moneyWords.notWhole : null}
          required
          inputMode="numeric"
        />
      )}
    </FormDialog>
  );
}
