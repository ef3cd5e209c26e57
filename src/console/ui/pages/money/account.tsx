/**
 * Console page of one account: balance, steps left to set it up, billing and traffic settings, and rename, suspend, resume,
 * close.
 */

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { type ApiAnswer, callApi } from "../../api/client.ts";
import type { Answer, Contract } from "../../api/contract.ts";
import {
  Badge,
  Button,
  Checkbox,
  Choice,
  Confirm,
  DialogButton,
  ErrorBox,
  Facts,
  Field,
  FormDialog,
  Loaded,
  Note,
  Page,
  ReasonDialog,
  Section,
  Stat,
  StateBadge,
  Stats,
  showToast,
  toOptions,
} from "../../kit/kit.ts";
import { HOME } from "../../state/router.ts";
import { isStaff, may } from "../../state/session.ts";
import { listChanges, useDraft } from "../../state/use-draft.ts";
import { useAction, useAnswer, useRequest } from "../../state/use-request.ts";
import { access } from "../../words/access.ts";
import { accessNames } from "../../words/access-nav.ts";
import { money } from "../../words/money.ts";
import { classWord, figures } from "../../words/words.ts";
import type { PageProps } from "../lazy-page.tsx";
import { AccountTabs } from "./account-tabs.tsx";
import { parseFrancs, parseOptionalFrancs } from "./amounts.ts";

type ShownAccount = Answer<"GET /accounts/:account">;

export function Account({ parts: { account = "" } }: PageProps) {
  const request = useAnswer("GET /accounts/:account", { params: { account } });
  const words = money.value.account;
  const isOwn = !isStaff();
  return (
    <Page title={request.value?.name ?? null} question={isOwn ? words.ownTitle : words.title}>
      <AccountTabs account={account} name={request.value?.name ?? ""} />
      <Loaded of={request}>
        {(view) => (
          <>
            <Head view={view} />
            {!isOwn && may("accounts.change") && view.status === "ACTIVE" && <AccountNext view={view} />}
            <Links view={view} />
            <AccountSettings view={view} onSaved={request.reload} />
            {view.credit_limit !== null && <BillingSettings view={view} onSaved={request.reload} />}
            {may("accounts.change") && <AccountActions view={view} onDone={request.reload} />}
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Head({ view }: { readonly view: ShownAccount }) {
  const { account: words, accounts, money: moneyWords } = money.value;
  return (
    <>
      <p class="lead">
        <StateBadge state={view.status} /> <span class="note">{view.account_id}</span>
      </p>
      {view.suspended_reason !== null && <p>{words.suspended({ reason: view.suspended_reason })}</p>}
      {view.closed_at !== null && <p>{words.closed({ time: view.closed_at })}</p>}
      {view.wallet && (
        <Stats>
          <Stat label={accounts.spendable} value={figures.money(view.wallet.spendable)} />
          <Stat
            label={moneyWords.reserved}
            value={figures.money(view.wallet.reserved)}
            note={words.reserved}
          />
        </Stats>
      )}
    </>
  );
}

/** Pages about this account, of those that the reader may open. */
function Links({ view: { account_id: id } }: { readonly view: ShownAccount }) {
  const words = money.value.account;
  const isOwn = !isStaff();
  const of = (page: string) => `${HOME}/${page}${isOwn ? "" : `?account=${id}`}`;
  const links: readonly (readonly [boolean, string, ComponentChildren])[] = [
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
        {links.map(
          ([isOpen, to, name]) =>
            isOpen && (
              <li key={to}>
                <a href={to}>{name}</a>
              </li>
            ),
        )}
      </ul>
    </Section>
  );
}

type Step = { readonly to: string; readonly name: string; readonly isDone: boolean };

/** What a new account still needs, in order, as far as the reader may see; nothing once all is done. */
function AccountNext({ view }: { readonly view: ShownAccount }) {
  const { value } = useRequest(`next ${view.account_id}`, () => foundOf(view.account_id));
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
            <Badge tone={isDone ? "good" : "wait"}>{isDone ? done : open}</Badge>
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

/** Loads an account; null: the reader may not see it. */
async function foundOf(account: string) {
  const params = { account };
  const [senders, prices, users] = await Promise.all([
    may("senders.read") ? callApi("GET /accounts/:account/senders", { params }) : null,
    may("prices.read") ? callApi("GET /accounts/:account/prices", { params }) : null,
    may("users.read") ? callApi("GET /users", { query: { account } }) : null,
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

type EditProps = { readonly view: ShownAccount; readonly onSaved: () => unknown };
type FormProps = EditProps & { readonly onClose: () => void };

/** How an account pays. */
function BillingSettings({ view, onSaved }: EditProps) {
  const { account: words, accounts, change, asConfigured } = money.value;
  const { credit_limit, low_balance, charge_on, usual_charge_on } = view;
  const charged = words.chargeOns[charge_on ?? usual_charge_on] ?? usual_charge_on;
  return (
    <Section
      title={words.money2}
      aside={
        may("money.change") && (
          <DialogButton verb={change}>
            {(close) => <BillingForm view={view} onSaved={onSaved} onClose={close} />}
          </DialogButton>
        )
      }
    >
      <Facts
        rows={[
          [accounts.billing, accounts.billings[view.billing_mode] ?? view.billing_mode],
          [words.creditLimit, figures.money(credit_limit ?? 0)],
          [
            isStaff() ? words.lowBalance : words.ownLowBalance,
            low_balance === null ? words.nobodyTold : figures.money(low_balance),
          ],
          [words.chargeOn, charge_on === null ? asConfigured({ value: charged }) : charged],
        ]}
      />
    </Section>
  );
}

const BILLINGS = ["PREPAID", "POSTPAID"] as const;
const CHARGED_ON = ["", "accepted", "delivered"] as const;

function BillingForm({ view, onSaved, onClose }: FormProps) {
  const { draft, bind } = useDraft<{
    readonly billing: (typeof BILLINGS)[number];
    readonly credit_limit: string;
    readonly low_balance: string;
    readonly chargeOn: (typeof CHARGED_ON)[number];
  }>({
    billing: view.billing_mode,
    credit_limit: String(view.credit_limit ?? 0),
    low_balance: typed(view.low_balance),
    chargeOn: view.charge_on ?? "",
  });
  const { problem, run } = useAction();
  const { account: words, accounts, save, saved, money: moneyWords } = money.value;
  const [creditLimit, lowBalance] = [parseFrancs(draft.credit_limit), parseOptionalFrancs(draft.low_balance)];
  const submit = async (): Promise<void> => {
    if (creditLimit === null || lowBalance === undefined) return;
    const body = listChanges<Contract["PATCH /accounts/:account/money"]["body"]>(
      {
        billing_mode: view.billing_mode,
        credit_limit: view.credit_limit ?? 0,
        low_balance: view.low_balance,
        charge_on: view.charge_on,
      },
      {
        billing_mode: draft.billing,
        credit_limit: creditLimit,
        low_balance: lowBalance,
        charge_on: draft.chargeOn || null,
      },
    );
    if (Object.keys(body).length === 0) return onClose();
    const params = { account: view.account_id };
    if ((await run(callApi("PATCH /accounts/:account/money", { params, body }), saved)) === null) return;
    onClose();
    onSaved();
  };
  return (
    <FormDialog
      title={`${words.money2} · ${view.name}`}
      verb={save}
      problem={problem}
      onSubmit={submit}
      onClose={onClose}
    >
      <Note>{words.moneyHelp}</Note>
      <Choice
        label={accounts.billing}
        options={toOptions(BILLINGS, (each) => accounts.billings[each] ?? each)}
        {...bind("billing")}
      />
      <Field
        label={words.creditLimit}
        {...bind("credit_limit")}
        fault={creditLimit === null ? moneyWords.notWhole : null}
        inputMode="numeric"
      />
      <Field
        label={words.lowBalance}
        {...bind("low_balance")}
        hint={words.lowHint}
        fault={lowBalance === undefined ? moneyWords.notWhole : null}
        inputMode="numeric"
      />
      <Choice
        label={words.chargeOn}
        options={toOptions(CHARGED_ON, (each) =>
          each === "" ? words.configured : (words.chargeOns[each] ?? each),
        )}
        {...bind("chargeOn")}
      />
    </FormDialog>
  );
}

type ActionsProps = { readonly view: ShownAccount; readonly onDone: () => unknown };
type Doing = "rename" | "suspend" | "resume" | "close";

/** Renames, suspends, resumes and closes, each after saying what will happen. */
function AccountActions({ view, onDone }: ActionsProps) {
  const [doing, setDoing] = useState<Doing | null>(null);
  const { problem, run } = useAction();
  const { account: words } = money.value;
  if (view.status === "CLOSED") return null;
  const dialog: DialogProps = {
    view,
    onAct: async (asked) => {
      await run(asked, words.done);
      onDone();
    },
    onClose: () => setDoing(null),
  };
  return (
    <Section title={words.actions}>
      <ErrorBox problem={problem} />
      <div class="row">
        {(["rename", view.status === "SUSPENDED" ? "resume" : "suspend", "close"] as const).map((kind) => (
          <Button key={kind} kind={kind === "close" ? "danger" : "plain"} onPress={() => setDoing(kind)}>
            {words[kind]}
          </Button>
        ))}
      </div>
      {doing === "rename" && <Rename {...dialog} />}
      {doing === "suspend" && <Suspend {...dialog} />}
      {doing === "resume" && <Resume {...dialog} />}
      {doing === "close" && <CloseForGood {...dialog} />}
    </Section>
  );
}

type DialogProps = {
  readonly view: ShownAccount;
  readonly onAct: (asked: Promise<ApiAnswer<unknown>>) => Promise<void>;
  readonly onClose: () => void;
};

function Resume({ view: { account_id: account, name }, onAct, onClose }: DialogProps) {
  const { account: words } = money.value;
  return (
    <Confirm
      title={words.resumeTitle({ name })}
      verb={words.resume}
      onConfirm={() => onAct(callApi("POST /accounts/:account/resume", { params: { account } }))}
      onClose={onClose}
    >
      <p>{words.resumeText}</p>
    </Confirm>
  );
}

function Suspend({ view: { account_id: account, name }, onAct, onClose }: DialogProps) {
  const { account: words } = money.value;
  const params = { account };
  const { value } = useAnswer("GET /accounts/:account/waiting", { params });
  return (
    <ReasonDialog
      title={words.suspendTitle({ name })}
      verb={words.suspend}
      isDestructive
      onReason={(reason) => onAct(callApi("POST /accounts/:account/suspend", { params, body: { reason } }))}
      onClose={onClose}
    >
      <p>
        {words.suspendText({
          waiting: value === null ? "…" : words.suspendWaits(value.messages),
        })}
      </p>
    </ReasonDialog>
  );
}

function Rename({ view, onAct, onClose }: DialogProps) {
  const [name, setName] = useState(view.name);
  const { account: words } = money.value;
  const submit = async (): Promise<void> => {
    const params = { account: view.account_id };
    await onAct(callApi("POST /accounts/:account/rename", { params, body: { name: name.trim() } }));
    onClose();
  };
  return (
    <FormDialog
      title={words.renameTitle({ name: view.name })}
      verb={words.rename}
      onSubmit={submit}
      onClose={onClose}
    >
      <Field
        label={words.newName}
        name="name"
        value={name}
        onValue={setName}
        required
        maxLength={200}
        autofocus
      />
    </FormDialog>
  );
}

/** Asks to type the name, since nothing brings the account back. */
function CloseForGood({ view, onAct, onClose }: DialogProps) {
  const { draft, put, bind } = useDraft({ typed: "", force: false });
  const { account: words } = money.value;
  const submit = async (): Promise<void> => {
    if (draft.typed.trim() !== view.name) return;
    const params = { account: view.account_id };
    await onAct(callApi("POST /accounts/:account/close", { params, body: { force: draft.force } }));
    onClose();
  };
  const { balance = 0, reserved = 0 } = view.wallet ?? {};
  return (
    <FormDialog
      title={words.closeTitle({ name: view.name })}
      verb={words.close}
      kind="danger"
      onSubmit={submit}
      onClose={onClose}
    >
      <p class="prose">{words.closeText({ balance, reserved })}</p>
      <Field label={words.typeName({ name: view.name })} {...bind("typed")} required autofocus />
      <p>
        <Checkbox isChecked={draft.force} onChecked={(force) => put({ force })}>
          {words.closeForce}
        </Checkbox>
      </p>
    </FormDialog>
  );
}

/** Ceilings by their names in the answer and in the words. */
const CEILINGS = [
  ["recipients_per_minute", "recipientsPerMinute"],
  ["recipients_per_day", "recipientsPerDay"],
  ["marketing_per_day", "marketingPerDay"],
  ["marketing_per_week", "marketingPerWeek"],
] as const;

/** Settings of an account except money; its own come before those of the configuration. */
function AccountSettings({ view, onSaved }: EditProps) {
  const { account: words, accounts, change, asConfigured, noLimit } = money.value;
  const ceilings = CEILINGS.map(([name, label]): readonly [string, string] => {
    const shown = view.policy[name] === 0 ? noLimit : figures.number(view.policy[name]);
    return [words[label], view[name] === null ? asConfigured({ value: shown }) : shown];
  });
  return (
    <Section
      title={words.settings}
      aside={
        may("accounts.change") && (
          <DialogButton verb={change}>
            {(close) => <SettingsForm view={view} onSaved={onSaved} onClose={close} />}
          </DialogButton>
        )
      }
    >
      <Facts
        rows={[
          [accounts.classes, view.classes.map(classWord).join(", ")],
          [words.timezone, view.timezone],
          ...ceilings.slice(0, 2),
          [
            words.marketingHours,
            view.marketing_hours ?? asConfigured({ value: view.policy.marketing_hours }),
          ],
          ...ceilings.slice(2),
          [words.textPolicy, words.textPolicies[view.text_policy] ?? view.text_policy],
          [words.missing, words.missings[view.missing_attributes] ?? view.missing_attributes],
        ]}
      />
    </Section>
  );
}

type Body = Contract["PATCH /accounts/:account"]["body"];

const CLASSES = ["OTP", "TRANSACTIONAL", "MARKETING"] as const;
const POLICIES = ["as_is", "rewrite", "gsm_only"] as const;
const MISSINGS = ["empty", "reject"] as const;

type Draft = Readonly<Record<(typeof CEILINGS)[number][0] | "timezone" | "marketing_hours", string>> & {
  readonly classes: readonly (typeof CLASSES)[number][];
  readonly text_policy: (typeof POLICIES)[number];
  readonly missing_attributes: (typeof MISSINGS)[number];
};

/** A number as it is typed; nothing for none. */
function typed(value: number | null): string {
  return value === null ? "" : String(value);
}

function toDraft(view: ShownAccount): Draft {
  return {
    timezone: view.timezone,
    classes: CLASSES.filter((each) => view.classes.includes(each)),
    recipients_per_minute: typed(view.recipients_per_minute),
    recipients_per_day: typed(view.recipients_per_day),
    marketing_per_day: typed(view.marketing_per_day),
    marketing_per_week: typed(view.marketing_per_week),
    marketing_hours: view.marketing_hours ?? "",
    text_policy: view.text_policy,
    missing_attributes: view.missing_attributes,
  };
}

/** The settings of a draft; undefined stands for a number that cannot be read. */
function toBody(draft: Draft) {
  return {
    timezone: draft.timezone.trim(),
    classes: [...draft.classes],
    recipients_per_minute: parseOptionalFrancs(draft.recipients_per_minute),
    recipients_per_day: parseOptionalFrancs(draft.recipients_per_day),
    marketing_per_day: parseOptionalFrancs(draft.marketing_per_day),
    marketing_per_week: parseOptionalFrancs(draft.marketing_per_week),
    marketing_hours: draft.marketing_hours.trim() || null,
    text_policy: draft.text_policy,
    missing_attributes: draft.missing_attributes,
  };
}

/** Edits settings except money; only changes are sent. */
function SettingsForm({ view, onSaved, onClose }: FormProps) {
  const [before] = useState(() => toDraft(view));
  const { draft, put, bind } = useDraft(before);
  const { problem, run } = useAction();
  const { account: words, accounts, save, saved, unchanged, money: moneyWords } = money.value;
  const submit = async (): Promise<void> => {
    const wanted = toBody(draft);
    if (CEILINGS.some(([name]) => wanted[name] === undefined)) return;
    const body = listChanges(toBody(before), wanted) as Body;
    if (Object.keys(body).length === 0) {
      showToast(unchanged);
      return onClose();
    }
    const params = { account: view.account_id };
    if ((await run(callApi("PATCH /accounts/:account", { params, body }), saved)) === null) return;
    onClose();
    onSaved();
  };
  return (
    <FormDialog title={words.settings} verb={save} problem={problem} onSubmit={submit} onClose={onClose}>
      <Note>{words.emptyHint}</Note>
      <fieldset class="choices">
        <legend>{accounts.classes}</legend>
        {CLASSES.map((each) => (
          <Checkbox
            key={each}
            isChecked={draft.classes.includes(each)}
            onChecked={(isChecked) =>
              put({
                classes: CLASSES.filter((one) => (one === each ? isChecked : draft.classes.includes(one))),
              })
            }
          >
            {classWord(each)}
          </Checkbox>
        ))}
      </fieldset>
      <Field label={words.timezone} {...bind("timezone")} />
      {CEILINGS.map(([name, label]) => (
        <Field
          key={name}
          label={words[label]}
          {...bind(name)}
          fault={parseOptionalFrancs(draft[name]) === undefined ? moneyWords.notWhole : null}
        />
      ))}
      <Field label={words.marketingHours} {...bind("marketing_hours")} />
      <Choice
        label={words.textPolicy}
        options={toOptions(POLICIES, (value) => words.textPolicies[value] ?? value)}
        {...bind("text_policy")}
      />
      <Choice
        label={words.missing}
        options={toOptions(MISSINGS, (value) => words.missings[value] ?? value)}
        {...bind("missing_attributes")}
      />
    </FormDialog>
  );
}
