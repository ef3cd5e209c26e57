import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { ask, type Problem } from "../../api/client.ts";
import type { Contract } from "../../api/contract.ts";
import { Facts } from "../../kit/facts.tsx";
import {
  Button,
  Choice,
  Dialog,
  ErrorBox,
  Field,
  Page,
  Section,
  Stat,
  StateBadge,
  Stats,
  say,
} from "../../kit/kit.ts";
import { Sign } from "../../kit/sign.tsx";
import { HOME } from "../../state/router.ts";
import { may, me } from "../../state/session.ts";
import { useAnswer } from "../../state/use-answer.ts";
import { access } from "../../words/access.ts";
import { accessNames } from "../../words/access-nav.ts";
import { money } from "../../words/money.ts";
import { classWord, words as common, figures } from "../../words/words.ts";
import { AccountActions } from "./account-actions.tsx";
import { AccountSettings } from "./account-settings.tsx";
import { typedFrancs, typedOrEmpty } from "./amounts.ts";

export type ShownAccount = Contract["GET /accounts/:account"]["answer"];

/** One client company: what it has, what holds for it, and what may be done to it. */
export function Account({ parts }: { readonly parts: Readonly<Record<string, string>> }) {
  const account = parts.account ?? "";
  const { value, problem, reload } = useAnswer(account, () =>
    ask("GET /accounts/:account", { params: { account } }),
  );
  const words = money.value.account;
  const isOwn = me.value?.account != null;
  const again = () => void reload();
  return (
    <Page title={isOwn ? words.ownTitle : words.title}>
      {problem && <ErrorBox problem={problem} onRetry={again} />}
      {value && (
        <>
          <Head view={value} />
          {!isOwn && may("accounts.change") && value.status === "ACTIVE" && <AccountNext view={value} />}
          <Links view={value} />
          <AccountSettings view={value} onSaved={again} />
          {value.credit_limit !== null && <BillingSettings view={value} onSaved={again} />}
          {may("accounts.change") && <AccountActions view={value} onDone={again} />}
        </>
      )}
    </Page>
  );
}

function Head({ view }: { readonly view: ShownAccount }) {
  const { account: words, accounts } = money.value;
  return (
    <>
      <p class="lead">
        <StateBadge state={view.status} /> <strong>{view.name}</strong>{" "}
        <span class="note">{view.account_id}</span>
      </p>
      {view.suspended_reason !== null && <p>{words.suspended({ reason: view.suspended_reason })}</p>}
      {view.closed_at !== null && <p>{words.closed({ time: figures.time(view.closed_at) })}</p>}
      <Stats>
        {view.wallet && (
          <Stat
            label={accounts.spendable}
            value={figures.money(view.wallet.spendable)}
            note={`${figures.money(view.wallet.reserved)} ${words.reserved}`}
          />
        )}
        <Stat label={accounts.billing} value={accounts.billings[view.billing_mode] ?? view.billing_mode} />
        <Stat
          label={accounts.classes}
          value={String(view.classes.length)}
          note={view.classes.map(classWord).join(", ")}
        />
      </Stats>
    </>
  );
}

/** Pages about this account, of those that the reader may open. */
function Links({ view: { account_id: id } }: { readonly view: ShownAccount }) {
  const words = money.value.account;
  const isOwn = me.value?.account != null;
  const of = (page: string) => `${HOME}/${page}${isOwn ? "" : `?account=${id}`}`;
  const links: readonly (readonly [boolean, string, ComponentChildren])[] = [
    [may("money.read"), isOwn ? `${HOME}/money` : `${HOME}/accounts/${id}/money`, words.money],
    [may("prices.read"), `${HOME}/accounts/${id}/prices`, words.prices],
    [may("messages.read"), of("messages"), words.messages],
    [may("batches.read"), of("batches"), words.batches],
    [may("suppressions.read"), of("suppressions"), words.suppressions],
    [may("senders.read"), of("senders"), accessNames.value.senders],
    [may("keys.read"), of("keys"), accessNames.value.keys],
    [may("webhooks.read"), of("webhooks"), accessNames.value.webhooks],
    [may("users.read"), of("users"), accessNames.value.users],
  ];
  return (
    <Section title={words.links}>
      <ul class="links">
        {links.flatMap(([isOpen, to, name]) =>
          isOpen
            ? [
                <li key={to}>
                  <a href={to}>{name}</a>
                </li>,
              ]
            : [],
        )}
      </ul>
    </Section>
  );
}

type Step = { readonly to: string; readonly name: string; readonly isDone: boolean };

/** What a new account still needs, in order, of what the reader may see; nothing once all of it is done. */
function AccountNext({ view }: { readonly view: ShownAccount }) {
  const { value } = useAnswer(`next ${view.account_id}`, () => foundOf(view.account_id));
  const { account: words } = money.value;
  const { isDone: done, isOpen: open } = access.value.first;
  if (value === null) return null;
  const steps = stepsOf(view, value);
  if (steps.every(({ isDone }) => isDone)) return null;
  return (
    <Section title={words.next.title}>
      <ol>
        {steps.map(({ to, name, isDone }, at) => (
          <li key={to}>
            {at + 1}. <a href={to}>{name}</a>{" "}
            <span class={`badge ${isDone ? "good" : "wait"}`}>
              <Sign tone={isDone ? "good" : "wait"} />
              {isDone ? done : open}
            </span>
          </li>
        ))}
      </ol>
    </Section>
  );
}

type Found = {
  readonly hasSender: boolean | null;
  readonly hasPrices: boolean | null;
  readonly hasUser: boolean | null;
};

/** What there is of an account; null: the reader may not see it. */
async function foundOf(account: string) {
  const params = { account };
  const [senders, prices, users] = await Promise.all([
    may("senders.read") ? ask("GET /accounts/:account/senders", { params }) : null,
    may("prices.read") ? ask("GET /accounts/:account/prices", { params }) : null,
    may("users.read") ? ask("GET /users", { query: { account } }) : null,
  ]);
  const value: Found = {
    hasSender: senders?.ok ? senders.value.senders.some(({ is_sendable }) => is_sendable) : null,
    hasPrices: prices?.ok ? prices.value.prices.length > 0 : null,
    hasUser: users?.ok ? users.value.users.length > 0 : null,
  };
  return { ok: true, value } as const;
}

function stepsOf({ account_id: id, wallet, billing_mode }: ShownAccount, found: Found): readonly Step[] {
  const { next } = money.value.account;
  const hasCredit = wallet && (wallet.spendable > 0 || wallet.reserved > 0 || billing_mode === "POSTPAID");
  const of = (to: string, name: string, isDone: boolean | null) =>
    isDone === null ? [] : [{ to: `${HOME}/${to}`, name, isDone }];
  return [
    ...of(`accounts/${id}/money`, next.credit, hasCredit ?? null),
    ...of(`senders?account=${id}`, next.sender, found.hasSender),
    ...of(`accounts/${id}/prices`, next.prices, found.hasPrices),
    ...of(`users?account=${id}`, next.client, found.hasUser),
  ];
}

type Props = { readonly view: ShownAccount; readonly onSaved: () => void };
type ChargeOn = "accepted" | "delivered" | "";

/** How an account pays. */
function BillingSettings({ view, onSaved }: Props) {
  const [isEditing, setEditing] = useState(false);
  const { account: words, accounts, change, asConfigured } = money.value;
  const { credit_limit, low_balance, charge_on, usual_charge_on } = view;
  const isOwn = me.value?.account != null;
  const charged = words.chargeOns[charge_on ?? usual_charge_on] ?? usual_charge_on;
  return (
    <Section
      title={words.money2}
      aside={may("money.change") && <Button onPress={() => setEditing(true)}>{change}</Button>}
    >
      <Facts
        rows={[
          [accounts.billing, accounts.billings[view.billing_mode] ?? view.billing_mode],
          [words.creditLimit, figures.money(credit_limit ?? 0)],
          [
            isOwn ? words.ownLowBalance : words.lowBalance,
            low_balance === null ? words.nobodyTold : figures.money(low_balance),
          ],
          [words.chargeOn, charge_on === null ? asConfigured({ value: charged }) : charged],
        ]}
      />
      {isEditing && (
        <BillingForm
          view={view}
          onSaved={() => {
            setEditing(false);
            onSaved();
          }}
          onClose={() => setEditing(false)}
        />
      )}
    </Section>
  );
}

function BillingForm({ view, onSaved, onClose }: Props & { readonly onClose: () => void }) {
  const [billing, setBilling] = useState(view.billing_mode);
  const [limit, setLimit] = useState(String(view.credit_limit ?? 0));
  const [low, setLow] = useState(view.low_balance === null ? "" : String(view.low_balance));
  const [chargeOn, setChargeOn] = useState<ChargeOn>(view.charge_on ?? "");
  const [problem, setProblem] = useState<Problem | null>(null);
  const { account: words, save, saved, money: moneyWords } = money.value;
  const [creditLimit, lowBalance] = [typedFrancs(limit), typedOrEmpty(low)];
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (creditLimit === null || lowBalance === undefined) return;
    const body = {
      ...(billing === view.billing_mode ? {} : { billing_mode: billing }),
      ...(creditLimit === (view.credit_limit ?? 0) ? {} : { credit_limit: creditLimit }),
      ...(lowBalance === view.low_balance ? {} : { low_balance: lowBalance }),
      ...(chargeOn === (view.charge_on ?? "") ? {} : { charge_on: chargeOn === "" ? null : chargeOn }),
    };
    if (Object.keys(body).length === 0) return onClose();
    const answer = await ask("PATCH /accounts/:account/money", {
      params: { account: view.account_id },
      body,
    });
    setProblem(answer.ok ? null : answer.problem);
    if (!answer.ok) return;
    say(saved);
    onSaved();
  };
  return (
    <Dialog title={`${words.money2} · ${view.name}`} onClose={onClose}>
      <form onSubmit={(event) => void submit(event)}>
        <p class="note">{words.moneyHelp}</p>
        {problem && <ErrorBox problem={problem} />}
        <BillingChoice value={billing} onValue={setBilling} />
        <Field
          label={words.creditLimit}
          name="credit_limit"
          value={limit}
          onValue={setLimit}
          fault={creditLimit === null ? moneyWords.notWhole : null}
          input={{ inputMode: "numeric", autocomplete: "off" }}
        />
        <Field
          label={words.lowBalance}
          name="low_balance"
          value={low}
          onValue={setLow}
          hint={words.lowHint}
          fault={lowBalance === undefined ? moneyWords.notWhole : null}
          input={{ inputMode: "numeric", autocomplete: "off" }}
        />
        <ChargeChoice value={chargeOn} onValue={setChargeOn} />
        <div class="actions">
          <Button onPress={onClose}>{common.value.cancel}</Button>
          <Button kind="primary" submits>
            {save}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

type ChoosingProps<Value> = { readonly value: Value; readonly onValue: (value: Value) => void };

function BillingChoice({ value, onValue }: ChoosingProps<"PREPAID" | "POSTPAID">) {
  const { billing, billings } = money.value.accounts;
  const options = (["PREPAID", "POSTPAID"] as const).map((each) => ({
    value: each,
    label: billings[each] ?? each,
  }));
  return <Choice label={billing} value={value} options={options} onValue={onValue} />;
}

function ChargeChoice({ value, onValue }: ChoosingProps<ChargeOn>) {
  const { chargeOn, chargeOns, configured } = money.value.account;
  const options = (["", "accepted", "delivered"] as const).map((each) => ({
    value: each,
    label: each === "" ? configured : (chargeOns[each] ?? each),
  }));
  return <Choice label={chargeOn} value={value} options={options} onValue={onValue} />;
}
