/**
 * Console page of one account: balance, steps left to set it up, billing and traffic settings, and rename, suspend, resume,
 * close.
 */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { type ApiAnswer, callApi, type Problem } from "../../api/client.ts";
import type { Answer, Contract } from "../../api/contract.ts";
import {
  Button,
  Choice,
  Confirm,
  Dialog,
  ErrorBox,
  Facts,
  Field,
  Page,
  ReasonDialog,
  Section,
  Stat,
  StateBadge,
  Stats,
  showToast,
  ToneIcon,
} from "../../kit/kit.ts";
import { HOME } from "../../state/router.ts";
import { may, me } from "../../state/session.ts";
import { useRequest } from "../../state/use-request.ts";
import { access } from "../../words/access.ts";
import { accessNames } from "../../words/access-nav.ts";
import { money } from "../../words/money.ts";
import { classWord, words as common, figures } from "../../words/words.ts";
import { parseFrancs, parseOptionalFrancs } from "./amounts.ts";

type ShownAccount = Answer<"GET /accounts/:account">;

export function Account({ parts }: { readonly parts: Readonly<Record<string, string>> }) {
  const account = parts.account ?? "";
  const { value, problem, reload } = useRequest(account, () =>
    callApi("GET /accounts/:account", { params: { account } }),
  );
  const words = money.value.account;
  const isOwn = me.value?.account != null;
  const again = () => void reload();
  return (
    <Page title={isOwn ? words.ownTitle : words.title}>
      <ErrorBox problem={problem} onRetry={again} />
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
            <span class={`badge ${isDone ? "good" : "wait"}`}>
              <ToneIcon tone={isDone ? "good" : "wait"} />
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
  const [creditLimit, lowBalance] = [parseFrancs(limit), parseOptionalFrancs(low)];
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
    const answer = await callApi("PATCH /accounts/:account/money", {
      params: { account: view.account_id },
      body,
    });
    setProblem(answer.ok ? null : answer.problem);
    if (!answer.ok) return;
    showToast(saved);
    onSaved();
  };
  return (
    <Dialog title={`${words.money2} · ${view.name}`} onClose={onClose}>
      <form onSubmit={(event) => void submit(event)}>
        <p class="note">{words.moneyHelp}</p>
        <ErrorBox problem={problem} />
        <BillingChoice value={billing} onValue={setBilling} />
        <Field
          label={words.creditLimit}
          name="credit_limit"
          value={limit}
          onValue={setLimit}
          fault={creditLimit === null ? moneyWords.notWhole : null}
          inputMode="numeric"
        />
        <Field
          label={words.lowBalance}
          name="low_balance"
          value={low}
          onValue={setLow}
          hint={words.lowHint}
          fault={lowBalance === undefined ? moneyWords.notWhole : null}
          inputMode="numeric"
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

type ActionsProps = { readonly view: ShownAccount; readonly onDone: () => void };
type Doing = "rename" | "suspend" | "resume" | "close";

/** Renames, suspends, resumes and closes, each after saying what will happen. */
function AccountActions({ view, onDone }: ActionsProps) {
  const [doing, setDoing] = useState<Doing | null>(null);
  const [problem, setProblem] = useState<Problem | null>(null);
  const { account: words } = money.value;
  if (view.status === "CLOSED") return null;
  const params = { account: view.account_id };
  const done = (answer: ApiAnswer<unknown>): void => {
    setProblem(answer.ok ? null : answer.problem);
    if (answer.ok) showToast(words.done);
    onDone();
  };
  const close = () => setDoing(null);
  return (
    <Section title={words.actions}>
      <ErrorBox problem={problem} />
      <div class="row">
        <Button onPress={() => setDoing("rename")}>{words.rename}</Button>
        {view.status === "SUSPENDED" ? (
          <Button onPress={() => setDoing("resume")}>{words.resume}</Button>
        ) : (
          <Button onPress={() => setDoing("suspend")}>{words.suspend}</Button>
        )}
        <Button kind="danger" onPress={() => setDoing("close")}>
          {words.close}
        </Button>
      </div>
      {doing === "rename" && <Rename view={view} onAnswer={done} onClose={close} />}
      {doing === "suspend" && <Suspend view={view} onAnswer={done} onClose={close} />}
      {doing === "resume" && (
        <Confirm
          title={words.resumeTitle({ name: view.name })}
          verb={words.resume}
          onConfirm={async () => done(await callApi("POST /accounts/:account/resume", { params }))}
          onClose={close}
        >
          <p>{words.resumeText}</p>
        </Confirm>
      )}
      {doing === "close" && <CloseForGood view={view} onAnswer={done} onClose={close} />}
    </Section>
  );
}

type Asking = {
  readonly view: ShownAccount;
  readonly onAnswer: (answer: ApiAnswer<unknown>) => void;
  readonly onClose: () => void;
};

function Suspend({ view, onAnswer, onClose }: Asking) {
  const { account: words } = money.value;
  const params = { account: view.account_id };
  const { value } = useRequest(view.account_id, () => callApi("GET /accounts/:account/waiting", { params }));
  return (
    <ReasonDialog
      title={words.suspendTitle({ name: view.name })}
      verb={words.suspend}
      isDestructive
      onReason={async (reason) =>
        onAnswer(await callApi("POST /accounts/:account/suspend", { params, body: { reason } }))
      }
      onClose={onClose}
    >
      <p>
        {words.suspendText({
          waiting: value === null ? "…" : figures.count(value.messages, words.suspendWaits),
        })}
      </p>
    </ReasonDialog>
  );
}

function Rename({ view, onAnswer, onClose }: Asking) {
  const [name, setName] = useState(view.name);
  const { account: words } = money.value;
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    onAnswer(
      await callApi("POST /accounts/:account/rename", {
        params: { account: view.account_id },
        body: { name: name.trim() },
      }),
    );
    onClose();
  };
  return (
    <Dialog title={words.renameTitle({ name: view.name })} onClose={onClose}>
      <form onSubmit={(event) => void submit(event)}>
        <Field
          label={words.newName}
          name="name"
          value={name}
          onValue={setName}
          required
          maxLength={200}
          autofocus
        />
        <div class="actions">
          <Button onPress={onClose}>{common.value.cancel}</Button>
          <Button kind="primary" submits>
            {words.rename}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

/** Asks to type the name, since nothing brings the account back. */
function CloseForGood({ view, onAnswer, onClose }: Asking) {
  const [typed, setTyped] = useState("");
  const [isForced, setForced] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const { account: words } = money.value;
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (typed.trim() !== view.name || isBusy) return;
    setBusy(true);
    onAnswer(
      await callApi("POST /accounts/:account/close", {
        params: { account: view.account_id },
        body: { force: isForced },
      }),
    );
    onClose();
  };
  const { balance = 0, reserved = 0 } = view.wallet ?? {};
  return (
    <Dialog title={words.closeTitle({ name: view.name })} onClose={onClose}>
      <form onSubmit={(event) => void submit(event)}>
        <p class="prose">
          {words.closeText({ balance: figures.money(balance), reserved: figures.money(reserved) })}
        </p>
        <Field
          label={words.typeName({ name: view.name })}
          name="typed"
          value={typed}
          onValue={setTyped}
          required
          autofocus
        />
        <p>
          <label>
            <input
              type="checkbox"
              checked={isForced}
              onChange={({ currentTarget: { checked } }) => setForced(checked)}
            />{" "}
            {words.closeForce}
          </label>
        </p>
        <div class="actions">
          <Button onPress={onClose}>{common.value.cancel}</Button>
          <Button kind="danger" submits busy={isBusy}>
            {words.close}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

type SettingsProps = { readonly view: ShownAccount; readonly onSaved: () => void };

/** Ceilings by their names in the answer and in the words. */
const CEILINGS = [
  ["recipients_per_minute", "recipientsPerMinute"],
  ["recipients_per_day", "recipientsPerDay"],
  ["marketing_per_day", "marketingPerDay"],
  ["marketing_per_week", "marketingPerWeek"],
] as const;

/** Settings of an account except money; its own come before those of the configuration. */
function AccountSettings({ view, onSaved }: SettingsProps) {
  const [isEditing, setEditing] = useState(false);
  const { account: words, change, asConfigured, noLimit } = money.value;
  const ceiling = (own: number | null, inForce: number) => {
    const shown = inForce === 0 ? noLimit : figures.number(inForce);
    return own === null ? asConfigured({ value: shown }) : shown;
  };
  return (
    <Section
      title={words.settings}
      aside={may("accounts.change") && <Button onPress={() => setEditing(true)}>{change}</Button>}
    >
      <Facts
        rows={[
          [words.timezone, view.timezone],
          ...CEILINGS.slice(0, 2).map(
            ([name, label]) => [words[label], ceiling(view[name], view.policy[name])] as const,
          ),
          [
            words.marketingHours,
            view.marketing_hours === null
              ? asConfigured({ value: view.policy.marketing_hours })
              : view.policy.marketing_hours,
          ],
          ...CEILINGS.slice(2).map(
            ([name, label]) => [words[label], ceiling(view[name], view.policy[name])] as const,
          ),
          [words.textPolicy, words.textPolicies[view.text_policy] ?? view.text_policy],
          [words.missing, words.missings[view.missing_attributes] ?? view.missing_attributes],
        ]}
      />
      {isEditing && (
        <SettingsForm
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

type Body = Contract["PATCH /accounts/:account"]["body"];
type FormProps = {
  readonly view: ShownAccount;
  readonly onSaved: () => void;
  readonly onClose: () => void;
};

const CLASSES = ["OTP", "TRANSACTIONAL", "MARKETING"] as const;

type Draft = Readonly<Record<(typeof CEILINGS)[number][0], string>> & {
  readonly timezone: string;
  readonly marketing_hours: string;
  readonly classes: readonly (typeof CLASSES)[number][];
  readonly text_policy: NonNullable<Body["text_policy"]>;
  readonly missing_attributes: NonNullable<Body["missing_attributes"]>;
};

function draftOf(view: ShownAccount): Draft {
  const typed = (value: number | null) => (value === null ? "" : String(value));
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

/** The changed fields of a draft; null where a number cannot be read. */
function changesOf(before: Draft, draft: Draft): Body | null {
  const body: { -readonly [Name in keyof Body]: Body[Name] } = {};
  for (const [name] of CEILINGS) {
    if (draft[name] === before[name]) continue;
    const value = parseOptionalFrancs(draft[name]);
    if (value === undefined) return null;
    body[name] = value;
  }
  if (draft.timezone !== before.timezone) body.timezone = draft.timezone.trim();
  if (draft.marketing_hours !== before.marketing_hours)
    body.marketing_hours = draft.marketing_hours.trim() || null;
  if (draft.classes.join() !== before.classes.join()) body.classes = [...draft.classes];
  if (draft.text_policy !== before.text_policy) body.text_policy = draft.text_policy;
  if (draft.missing_attributes !== before.missing_attributes)
    body.missing_attributes = draft.missing_attributes;
  return body;
}

/** Edits settings except money; only changes are sent. */
function SettingsForm({ view, onSaved, onClose }: FormProps) {
  const [before] = useState(() => draftOf(view));
  const [draft, setDraft] = useState(before);
  const [problem, setProblem] = useState<Problem | null>(null);
  const { account: words, save, saved, unchanged, money: moneyWords } = money.value;
  const put = (part: Partial<Draft>) => setDraft({ ...draft, ...part });
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const body = changesOf(before, draft);
    if (body === null) return;
    if (Object.keys(body).length === 0) {
      showToast(unchanged);
      return onClose();
    }
    const answer = await callApi("PATCH /accounts/:account", { params: { account: view.account_id }, body });
    setProblem(answer.ok ? null : answer.problem);
    if (!answer.ok) return;
    showToast(saved);
    onSaved();
  };
  const line = (name: keyof Draft & string, label: string, value: string, fault: string | null) => (
    <Field label={label} name={name} value={value} onValue={(text) => put({ [name]: text })} fault={fault} />
  );
  return (
    <Dialog title={words.settings} onClose={onClose}>
      <form onSubmit={(event) => void submit(event)}>
        <ErrorBox problem={problem} />
        <p class="note">{words.emptyHint}</p>
        <Classes chosen={draft.classes} onChosen={(classes) => put({ classes })} />
        {line("timezone", words.timezone, draft.timezone, null)}
        {CEILINGS.map(([name, label]) =>
          line(
            name,
            words[label],
            draft[name],
            parseOptionalFrancs(draft[name]) === undefined ? moneyWords.notWhole : null,
          ),
        )}
        {line("marketing_hours", words.marketingHours, draft.marketing_hours, null)}
        <TextRules draft={draft} onPut={put} />
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

type ClassesProps = {
  readonly chosen: Draft["classes"];
  readonly onChosen: (classes: Draft["classes"]) => void;
};

function Classes({ chosen, onChosen }: ClassesProps) {
  return (
    <fieldset class="choices">
      <legend>{money.value.accounts.classes}</legend>
      {CLASSES.map((each) => (
        <label key={each}>
          <input
            type="checkbox"
            checked={chosen.includes(each)}
            onChange={({ currentTarget: { checked } }) =>
              onChosen(CLASSES.filter((one) => (one === each ? checked : chosen.includes(one))))
            }
          />{" "}
          {classWord(each)}
        </label>
      ))}
    </fieldset>
  );
}

const POLICIES = ["as_is", "rewrite", "gsm_only"] as const;
const MISSINGS = ["empty", "reject"] as const;

type RulesProps = { readonly draft: Draft; readonly onPut: (part: Partial<Draft>) => void };

function TextRules({ draft, onPut }: RulesProps) {
  const { account: words } = money.value;
  return (
    <>
      <Choice
        label={words.textPolicy}
        value={draft.text_policy}
        options={POLICIES.map((value) => ({ value, label: words.textPolicies[value] ?? value }))}
        onValue={(text_policy) => onPut({ text_policy })}
      />
      <Choice
        label={words.missing}
        value={draft.missing_attributes}
        options={MISSINGS.map((value) => ({ value, label: words.missings[value] ?? value }))}
        onValue={(missing_attributes) => onPut({ missing_attributes })}
      />
    </>
  );
}
