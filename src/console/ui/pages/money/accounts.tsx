/** Console page of all accounts by name, with the form that makes one. A user of an account sees that account instead. */
import { useState } from "preact/hooks";
import { callApi, type Problem } from "../../api/client.ts";
import type { Answer } from "../../api/contract.ts";
import {
  Button,
  Choice,
  type Columns,
  column,
  Dialog,
  Empty,
  ErrorBox,
  Field,
  Filter,
  FilterBar,
  filtersNamed,
  numberColumn,
  Page,
  StateBadge,
  showToast,
  Table,
  timeColumn,
  WithNote,
} from "../../kit/kit.ts";
import { go, HOME } from "../../state/router.ts";
import { may, me } from "../../state/session.ts";
import { useList } from "../../state/use-request.ts";
import { money } from "../../words/money.ts";
import { classWord, figures, stateWord, words } from "../../words/words.ts";
import { Account } from "./account.tsx";
import { parseFrancs } from "./amounts.ts";

type View = Answer<"GET /accounts">;
type Row = View["accounts"][number];

const STATES = ["ACTIVE", "SUSPENDED", "CLOSED"];

export function Accounts() {
  const own = me.value?.account;
  return own ? <Account parts={{ account: own.id }} /> : <AllAccounts />;
}

function AllAccounts() {
  const [isMaking, setMaking] = useState(false);
  const { asked, key } = filtersNamed("search", "status");
  const { rows, problem, isLoading, more, reload } = useList<Row, View>({
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
        <Filter
          name="status"
          label={words.status}
          options={STATES.map((value) => ({ value, label: stateWord(value) }))}
        />
      </FilterBar>
      <ErrorBox problem={problem} onRetry={reload} />
      <Table
        caption={words.title}
        columns={columnsOf()}
        rows={rows}
        keyOf={(row) => row.account_id}
        isLoading={isLoading}
        onMore={more}
        empty={
          problem ? null : <Nothing isSought={Object.keys(asked).length > 0} onMake={() => setMaking(true)} />
        }
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
  const [name, setName] = useState("");
  const [shortName, setShortName] = useState("");
  const [billing, setBilling] = useState<(typeof BILLINGS)[number]>("PREPAID");
  const [limit, setLimit] = useState("0");
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isBusy, setBusy] = useState(false);
  const { accounts: text, money: moneyWords } = money.value;
  const creditLimit = parseFrancs(limit);
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (isBusy || (billing === "POSTPAID" && creditLimit === null)) return;
    setBusy(true);
    const body = {
      name: name.trim(),
      billing,
      ...(billing === "POSTPAID" && creditLimit !== null ? { credit_limit: creditLimit } : {}),
      ...(shortName.trim() === "" ? {} : { short_name: shortName.trim() }),
    };
    const answer = await callApi("POST /accounts", { body });
    setBusy(false);
    setProblem(answer.ok ? null : answer.problem);
    if (!answer.ok) return;
    showToast(text.created1({ name: answer.value.name }));
    go(`${HOME}/accounts/${answer.value.account_id}`);
  };
  return (
    <Dialog title={text.create} onClose={onClose}>
      <form onSubmit={(event) => void submit(event)}>
        <ErrorBox problem={problem} />
        <Field
          label={text.company}
          name="name"
          value={name}
          onValue={setName}
          required
          maxLength={200}
          autofocus
        />
        <Field
          label={text.shortName}
          hint={text.shortNameHint}
          name="short_name"
          value={shortName}
          onValue={setShortName}
          maxLength={20}
        />
        <Choice
          label={text.billing}
          value={billing}
          options={BILLINGS.map((value) => ({ value, label: text.billings[value] ?? value }))}
          onValue={setBilling}
        />
        <p class="note">{text.billingHint}</p>
        {billing === "POSTPAID" && (
          <Field
            label={text.creditLimit}
            name="credit_limit"
            value={limit}
            onValue={setLimit}
            fault={creditLimit === null ? moneyWords.notWhole : null}
            required
            inputMode="numeric"
          />
        )}
        <div class="actions">
          <Button onPress={onClose}>{words.value.cancel}</Button>
          <Button kind="primary" submits busy={isBusy}>
            {text.create}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
