/** Console pages of money: one wallet with top-up and adjustment; for staff, all balances and the last proof of the books. */

import { useState } from "preact/hooks";
import { callApi } from "../../api/client.ts";
import type { Answer } from "../../api/contract.ts";
import { newKey } from "../../browser.ts";
import {
  Alert,
  AllClear,
  Button,
  Choice,
  type Columns,
  column,
  Dialog,
  Empty,
  ErrorBox,
  Facts,
  Field,
  FormDialog,
  ListTable,
  Loaded,
  moneyColumn,
  Note,
  Page,
  Section,
  Stat,
  StateBadge,
  Stats,
  showToast,
  toOptions,
} from "../../kit/kit.ts";
import { HOME } from "../../state/router.ts";
import { may, me } from "../../state/session.ts";
import { useDraft } from "../../state/use-draft.ts";
import { useAction, useAnswer, useList } from "../../state/use-request.ts";
import { money } from "../../words/money.ts";
import { words as common, figures } from "../../words/words.ts";
import type { PageProps } from "../lazy-page.tsx";
import { AccountTabs, accountCrumb, partOfAccount } from "./account-tabs.tsx";
import { parseFrancs } from "./amounts.ts";

/** The own wallet of an account's people; for staff, whether the books are right and the way to every wallet. */
export function Money() {
  const own = me.value?.account;
  return own ? <Wallet parts={{ account: own.id }} /> : <Books />;
}

/** What one wallet holds, and what is moved into it by hand. */
export function Wallet({ parts: { account = "" } }: PageProps) {
  const [booked, setBooked] = useState(0);
  const request = useAnswer("GET /accounts/:account/wallet", { params: { account } }, booked);
  const { money: words, account: accountWords } = money.value;
  const name = request.value?.account ?? null;
  return (
    <Page
      title={name === null ? null : partOfAccount(name, accountWords.money)}
      question={words.title}
      trail={name === null ? [] : accountCrumb(account, name)}
    >
      <AccountTabs account={account} name={name ?? ""} />
      <Loaded of={request}>
        {({ account_id: id, spendable, balance, reserved, credit_limit: limit }) => (
          <>
            <Stats>
              <Stat label={words.spendable} value={figures.money(spendable)} />
              <Stat label={words.balance} value={figures.money(balance)} />
              <Stat label={words.reserved} value={figures.money(reserved)} />
              {limit > 0 && <Stat label={words.creditLimit} value={figures.money(limit)} />}
            </Stats>
            {may("money.change") && <Movement account={id} onBooked={() => setBooked(booked + 1)} />}
          </>
        )}
      </Loaded>
    </Page>
  );
}

const KINDS = ["topup", "adjustment"] as const;
/** `because`: the payment's reference, or the reason of a correction. */
type Draft = { readonly kind: (typeof KINDS)[number]; readonly amount: string; readonly because: string };

const NOTHING: Draft = { kind: "topup", amount: "", because: "" };

type Props = { readonly account: string; readonly onBooked: () => void };

/**
 * Pays in or corrects, after a preview with the account's name and the balance after it. A correction gets its id
 * when the form is opened, so that a second press counts once, as with a payment's reference.
 */
function Movement({ account, onBooked }: Props) {
  const { draft, put, bind } = useDraft(NOTHING);
  const [once, setOnce] = useState(newKey);
  const [preview, setPreview] = useState<MovementPreview | null>(null);
  const { problem, run } = useAction();
  const { money: words } = money.value;
  const { kind, amount } = draft;
  const isTopup = kind === "topup";
  const because = draft.because.trim();
  const francs = parseFrancs(amount);
  const params = { account };
  const look = async (): Promise<void> => {
    if (francs === null) return;
    const body = isTopup
      ? ({ kind: "topup", amount: francs, reference: because } as const)
      : ({ kind: "adjustment", amount: francs } as const);
    const looked = await run(callApi("POST /accounts/:account/wallet/preview", { params, body }));
    if (looked) setPreview(looked);
  };
  const book = async (shown: MovementPreview): Promise<void> => {
    const into = { account: shown.account_id };
    const booked = isTopup
      ? await run(
          callApi("POST /accounts/:account/wallet/topup", {
            params: into,
            body: { amount: shown.amount, reference: because },
          }),
        )
      : await run(
          callApi("POST /accounts/:account/wallet/adjust", {
            params: into,
            body: { amount: shown.amount, reason: because, reference: once },
          }),
        );
    setPreview(null);
    if (booked === null) return;
    // Somebody else may have booked it since the preview.
    const countedAt = "already_counted_at" in booked ? booked.already_counted_at : null;
    showToast(
      countedAt === null
        ? words.booked({ name: shown.account, amount: shown.amount })
        : words.already({ time: countedAt }),
    );
    put({ ...NOTHING, kind });
    setOnce(newKey());
    onBooked();
  };
  return (
    <Section title={words.move}>
      <ErrorBox problem={problem} />
      <form
        class="line"
        onSubmit={(event) => {
          event.preventDefault();
          void look();
        }}
      >
        <Choice
          label={words.kind}
          options={toOptions(KINDS, (value) => words.kinds[value])}
          {...bind("kind")}
        />
        <Field
          label={words.amount}
          {...bind("amount")}
          hint={isTopup ? words.topupHint : words.amountHint}
          fault={amount.trim() !== "" && francs === null ? words.notWhole : null}
          required
          inputMode="numeric"
        />
        <Field
          label={isTopup ? words.reference : words.reason}
          {...bind("because")}
          hint={isTopup ? words.referenceHint : undefined}
          required
          maxLength={isTopup ? 100 : 500}
        />
        <Button submits>{words.look}</Button>
      </form>
      {preview && (
        <MovementCheck
          preview={preview}
          kind={kind}
          because={because}
          onBook={() => book(preview)}
          onClose={() => setPreview(null)}
        />
      )}
    </Section>
  );
}

/** What a movement would make of a wallet. */
type MovementPreview = Answer<"POST /accounts/:account/wallet/preview">;

/** From this amount on the account's name is typed before money moves. */
const NAME_FROM_XOF = 1_000_000;

type CheckProps = {
  readonly preview: MovementPreview;
  readonly kind: Draft["kind"];
  /** The payment's reference, or the reason of a correction. */
  readonly because: string;
  readonly onBook: () => Promise<void>;
  readonly onClose: () => void;
};

/** Whose wallet, how much, and the balance before and after: the last look before money is booked. */
function MovementCheck({ preview, kind, because, onBook, onClose }: CheckProps) {
  const [typed, setTyped] = useState("");
  const { money: words, account: accountWords } = money.value;
  const { account, already_counted_at: countedAt } = preview;
  const isLarge = Math.abs(preview.amount) >= NAME_FROM_XOF;
  const facts = (
    <Facts
      rows={[
        [words.toWhom, <strong key="account">{account}</strong>],
        [words.amount, figures.money(preview.amount)],
        [kind === "topup" ? words.reference : words.reason, because],
        [words.before, figures.money(preview.balance_before)],
        [words.afterIt, <strong key="after">{figures.money(preview.balance_after)}</strong>],
      ]}
    />
  );
  // A payment that is booked already is not booked again: there is nothing to press for.
  if (countedAt !== null)
    return (
      <Dialog title={words.alreadyTitle} onClose={onClose}>
        {facts}
        <p role="status">{words.already({ time: countedAt })}</p>
        <div class="actions">
          <Button onPress={onClose}>{common.value.close}</Button>
        </div>
      </Dialog>
    );
  return (
    <FormDialog
      title={words.checkTitles[kind]}
      verb={words.book[kind]({ amount: preview.amount, account })}
      onSubmit={() => (isLarge && typed.trim() !== account ? undefined : onBook())}
      onClose={onClose}
    >
      {facts}
      {isLarge && (
        <Field
          label={accountWords.typeName({ name: account })}
          name="typed"
          value={typed}
          onValue={setTyped}
          required
          autofocus
        />
      )}
    </FormDialog>
  );
}

/** Whether the books are right, by their last check. */
function Books() {
  const request = useAnswer("GET /books");
  const { money: words } = money.value;
  return (
    <Page title={words.all}>
      {may("money.read") && <Balances />}
      <Loaded of={request}>
        {({ last_check: check }) => (
          <Section title={words.proof}>
            {check === null ? <p>{words.neverProved}</p> : <Check check={check} />}
          </Section>
        )}
      </Loaded>
    </Page>
  );
}

type CheckOfBooks = NonNullable<Answer<"GET /books">["last_check"]>;

function Check({ check }: { readonly check: CheckOfBooks }) {
  const { money: words } = money.value;
  const time = figures.time(check.checked_at);
  return (
    <>
      {check.differences === 0 && check.failure === null ? (
        <AllClear text={words.proved({ time })} />
      ) : (
        <Alert title={words.differences({ count: words.differenceCount(check.differences), time })}>
          <p class="detail">{check.failure ?? check.detail}</p>
        </Alert>
      )}
      <Note>
        {words.proofOf({
          entries: words.proofEntries(check.entries),
          batches: words.proofBatches(check.batches),
          messages: words.proofMessages(check.messages),
        })}
      </Note>
    </>
  );
}

type Row = Answer<"GET /accounts">["accounts"][number];

/** What each account has, with the way to its wallet. */
function Balances() {
  const list = useList({
    key: "balances",
    load: (after) => callApi("GET /accounts", { query: { after } }),
    rowsOf: ({ accounts }) => accounts,
    nextOf: ({ next }) => next,
  });
  const { money: words, accounts } = money.value;
  const columns: Columns<Row> = [
    column(accounts.name, (row) => <a href={`${HOME}/accounts/${row.account_id}/money`}>{row.name}</a>),
    column(accounts.status, ({ status }) => <StateBadge state={status} />),
    moneyColumn(words.spendable, ({ wallet }) => wallet?.spendable),
    moneyColumn(words.reserved, ({ wallet }) => wallet?.reserved),
    moneyColumn(words.balance, ({ wallet }) => wallet?.balance),
  ];
  return (
    <Section title={words.balances}>
      <ListTable
        list={list}
        caption={words.balances}
        columns={columns}
        keyOf={({ account_id }) => account_id}
        empty={
          <Empty title={accounts.none}>
            <a href={`${HOME}/accounts`}>{accounts.makeFirst}</a>
          </Empty>
        }
      />
    </Section>
  );
}
