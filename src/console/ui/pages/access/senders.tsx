/**
 * Console page of sender identities: an account requests them; staff approve, reject and register them with operators, and
 * see all that wait.
 */
import { useState } from "preact/hooks";
import { type ApiAnswer, callApi, type Problem } from "../../api/client.ts";
import type { Answer } from "../../api/contract.ts";
import {
  Button,
  type Column,
  type Columns,
  Confirm,
  column,
  Dialog,
  Empty,
  ErrorBox,
  Field,
  Page,
  ReasonDialog,
  Section,
  StateBadge,
  showToast,
  Table,
  timeColumn,
  WithNote,
} from "../../kit/kit.ts";
import { HOME } from "../../state/router.ts";
import { may, me } from "../../state/session.ts";
import { useRequest } from "../../state/use-request.ts";
import { access } from "../../words/access.ts";
import { words as common, labelled } from "../../words/words.ts";
import { AccountList, accountHere, CheckboxGroup, useAccountName, Whose } from "./access-parts.tsx";

type Own = Answer<"GET /accounts/:account/senders">["senders"][number];
type Waiting = Answer<"GET /senders/waiting">["senders"][number];

export function Senders() {
  const account = accountHere();
  const name = useAccountName(account);
  const [changes, setChanges] = useState(0);
  const [deciding, setDeciding] = useState<Deciding | null>(null);
  const [isAdding, setAdding] = useState(false);
  const [failed, setFailed] = useState<Problem | null>(null);
  const decided = async (told: string): Promise<void> => {
    showToast(told);
    setFailed(null);
    await deciding?.reload();
  };
  const requested = (told: string): void => {
    showToast(told);
    setFailed(null);
    setChanges(changes + 1);
  };
  const words = access.value.senders;
  const isOwn = me.value?.account != null;
  const mayAdd = !isOwn && may("senders.request") && may("senders.decide");
  return (
    <Page
      title={words.title}
      aside={
        account !== null ? (
          <Whose name={name} />
        ) : (
          mayAdd && <Button onPress={() => setAdding(true)}>{words.add}</Button>
        )
      }
    >
      <ErrorBox problem={failed} />
      {account === null ? (
        <>
          <WaitingSenders changes={changes} onDecide={setDeciding} />
          <AccountList title={words.ofWhose} />
        </>
      ) : (
        <>
          <AccountSenders account={account} name={name} changes={changes} onDecide={setDeciding} />
          {isOwn && may("senders.request") && <RequestSender account={account} onDone={requested} />}
          {mayAdd && (
            <Section title={words.addFor({ account: name })}>
              <AddSender account={account} onDone={requested} />
            </Section>
          )}
        </>
      )}
      {isAdding && <AddForAccount onDone={requested} onClose={() => setAdding(false)} />}
      {deciding && (
        <SenderDialogs
          deciding={deciding}
          onDone={decided}
          onFailed={setFailed}
          onClose={() => setDeciding(null)}
        />
      )}
    </Page>
  );
}

type ListProps = { readonly onDecide: (deciding: Deciding) => void };

type WaitingProps = ListProps & Pick<AccountProps, "changes">;

function WaitingSenders({ changes, onDecide }: WaitingProps) {
  const { value, problem, isLoading, reload } = useRequest(`waiting ${changes}`, () =>
    callApi("GET /senders/waiting"),
  );
  const words = access.value.senders;
  const columns: Columns<Waiting> = [
    column(access.value.of, (row) => <a href={`${HOME}/senders?account=${row.account_id}`}>{row.account}</a>),
    column(words.sender, ({ sender }) => <strong>{sender}</strong>),
    column(words.waitsFor, (row) => words.reasons[row.waits_for] ?? row.waits_for),
    timeColumn(access.value.since, (row) => row.created_at),
    ...decideColumn<Waiting>(({ account_id: account, account: accountName, sender, waits_for }) => (
      <Decisions
        account={account}
        accountName={accountName}
        sender={sender}
        onDecide={onDecide}
        reload={reload}
        status={waits_for === "approval" ? "REQUESTED" : "APPROVED"}
        operators={[]}
      />
    )),
  ];
  return (
    <Section title={words.waiting}>
      <ErrorBox problem={problem} onRetry={reload} />
      <Table
        caption={words.waiting}
        columns={columns}
        rows={value?.senders ?? []}
        keyOf={(row) => `${row.account_id} ${row.sender}`}
        isLoading={isLoading && value === null}
        empty={problem ? null : <Empty title={words.nothingWaits}>{words.nothingWaitsHelp}</Empty>}
      />
    </Section>
  );
}

type AccountProps = ListProps & {
  readonly account: string;
  readonly name: string;
  /** How many requests were made here: each makes another list. */
  readonly changes: number;
};

function AccountSenders({ account, name, changes, onDecide }: AccountProps) {
  const { value, problem, isLoading, reload } = useRequest(`${account} ${changes}`, () =>
    callApi("GET /accounts/:account/senders", { params: { account } }),
  );
  const words = access.value.senders;
  const title = me.value?.account === null ? words.ofAccount({ account: name }) : words.mine;
  const columns: Columns<Own> = [
    column(words.sender, ({ sender }) => <strong>{sender}</strong>),
    column(access.value.state, (row) => (
      <WithNote note={row.rejection_reason ?? noteOf(row)}>
        <StateBadge state={standingOf(row)} />
      </WithNote>
    )),
    column(words.operators, ({ known_by: known }) => (known.length === 0 ? words.nowhere : known.join(", "))),
    timeColumn(access.value.since, (row) => row.created_at),
    ...decideColumn<Own>(({ sender, status, operators }) => (
      <Decisions
        account={account}
        accountName={name}
        sender={sender}
        status={status}
        operators={operators}
        onDecide={onDecide}
        reload={reload}
      />
    )),
  ];
  return (
    <Section title={title}>
      <ErrorBox problem={problem} onRetry={reload} />
      <Table
        caption={title}
        columns={columns}
        rows={value?.senders ?? []}
        keyOf={({ sender }) => sender}
        isLoading={isLoading && value === null}
        empty={problem ? null : <Empty title={words.none}>{words.noneHelp}</Empty>}
      />
    </Section>
  );
}

/** Registered with some operators only: texts to the others fail. */
function isPartly({ is_sendable, known_by, unknown_to }: Own): boolean {
  return is_sendable && known_by.length > 0 && unknown_to.length > 0;
}

function standingOf(row: Own): string {
  if (isPartly(row)) return "PARTLY_REGISTERED";
  return row.is_sendable ? "REGISTERED" : row.status;
}

function noteOf(row: Own): string {
  const words = access.value.senders;
  if (isPartly(row))
    return words.partly({ known: row.known_by.join(", "), unknown: row.unknown_to.join(", ") });
  return row.is_sendable ? words.sendable : words.notSendable;
}

/** The column of decisions; none for those who decide nothing. */
function decideColumn<Row>(cell: Column<Row>["cell"]): Columns<Row> {
  return may("senders.decide") ? [column(access.value.actions, cell)] : [];
}

type DecisionProps = Omit<Deciding, "kind"> & {
  readonly status: string;
  readonly onDecide: (deciding: Deciding) => void;
};

function Decisions({ status, onDecide, ...of }: DecisionProps) {
  const words = access.value.senders;
  const kinds = [
    ...(status === "APPROVED" ? (["register"] as const) : (["approve"] as const)),
    ...(status === "REJECTED" ? [] : (["reject"] as const)),
  ];
  return (
    <div class="tools">
      {kinds.map((kind) => (
        <Button
          key={kind}
          kind="quiet"
          label={labelled(words[kind], of.sender)}
          onPress={() => onDecide({ kind, ...of })}
        >
          {words[kind]}
        </Button>
      ))}
    </div>
  );
}

type RequestProps = {
  readonly account: string;
  readonly onDone: (told: string) => void;
};

/** An account asks for a sender of its own. */
function RequestSender({ account, onDone }: RequestProps) {
  const [sender, setSender] = useState("");
  const [problem, setProblem] = useState<Problem | null>(null);
  const words = access.value.senders;
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const answer = await callApi("POST /accounts/:account/senders", {
      params: { account },
      body: { sender },
    });
    setProblem(answer.ok ? null : answer.problem);
    if (!answer.ok) return;
    setSender("");
    onDone(words.requested({ sender: answer.value.sender }));
  };
  return (
    <Section title={words.request}>
      <ErrorBox problem={problem} />
      <form class="stack narrow" onSubmit={(event) => void submit(event)}>
        <Field
          label={words.sender}
          name="sender"
          value={sender}
          onValue={setSender}
          hint={words.requestHint}
          required
          maxLength={32}
        />
        <div>
          <Button kind="primary" submits>
            {words.requestVerb}
          </Button>
        </div>
      </form>
    </Section>
  );
}

/** A decision about a sender of an account. */
type Deciding = {
  readonly kind: "approve" | "reject" | "register";
  readonly account: string;
  readonly accountName: string;
  readonly sender: string;
  /** Operators that know it now. */
  readonly operators: readonly string[];
  /** Reloads the list that it stands in; resolves when the new one is shown. */
  readonly reload: () => Promise<void>;
};

type DialogsProps = {
  readonly deciding: Deciding;
  /** A dialog closes only after it: what was opened from the old list would be decided twice. */
  readonly onDone: (told: string) => Promise<void>;
  readonly onFailed: (problem: Problem) => void;
  readonly onClose: () => void;
};

/** Says what a decision does before it is taken. */
function SenderDialogs({ deciding, onDone, onFailed, onClose }: DialogsProps) {
  const { account, accountName, sender } = deciding;
  const words = access.value.senders;
  const params = { account };
  const told = async (answer: ApiAnswer<unknown>, text: string): Promise<void> => {
    if (answer.ok) await onDone(text);
    else onFailed(answer.problem);
  };
  switch (deciding.kind) {
    case "approve":
      return (
        <Confirm
          title={words.approveTitle({ sender })}
          verb={words.approve}
          onConfirm={async () =>
            told(
              await callApi("POST /accounts/:account/senders/approve", { params, body: { sender } }),
              words.approved({ sender }),
            )
          }
          onClose={onClose}
        >
          <p>{words.approveText({ account: accountName })}</p>
        </Confirm>
      );
    case "reject":
      return (
        <ReasonDialog
          title={words.rejectTitle({ sender })}
          verb={words.reject}
          isDestructive
          onReason={async (reason) =>
            told(
              await callApi("POST /accounts/:account/senders/reject", { params, body: { sender, reason } }),
              words.rejectedNow({ sender }),
            )
          }
          onClose={onClose}
        >
          <p>{words.rejectText({ account: accountName })}</p>
        </ReasonDialog>
      );
    case "register":
      return <Registrations deciding={deciding} onDone={onDone} onFailed={onFailed} onClose={onClose} />;
  }
}

/** Which operators know a sender: ticked ones are noted, others taken back. */
function Registrations({ deciding, onDone, onFailed, onClose }: DialogsProps) {
  const { account, sender } = deciding;
  const [chosen, setChosen] = useState<readonly string[] | null>(null);
  const [isBusy, setBusy] = useState(false);
  const words = access.value.senders;
  const { value } = useRequest(`${account} ${sender}`, async () => {
    const [operators, senders] = await Promise.all([
      callApi("GET /operators"),
      callApi("GET /accounts/:account/senders", { params: { account } }),
    ]);
    if (!operators.ok) return operators;
    if (!senders.ok) return senders;
    const known = senders.value.senders.find((one) => one.sender === sender)?.operators ?? [];
    setChosen(known);
    return { ok: true, value: { known, operators: operators.value.operators } } as const;
  });
  const save = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (!value || chosen === null || isBusy) return;
    setBusy(true);
    const added = chosen.filter((code) => !value.known.includes(code));
    const gone = value.known.filter((code) => !chosen.includes(code));
    for (const [codes, name] of [
      [added, "POST /accounts/:account/senders/register"],
      [gone, "POST /accounts/:account/senders/unregister"],
    ] as const)
      for (const operator of codes) {
        const answer = await callApi(name, { params: { account }, body: { sender, operator } });
        if (answer.ok) continue;
        onFailed(answer.problem);
        onClose();
        return;
      }
    await onDone(words.registered({ sender }));
    onClose();
  };
  return (
    <Dialog title={words.registerTitle({ sender })} onClose={onClose}>
      <form class="stack" onSubmit={(event) => void save(event)}>
        <p>{words.registerText}</p>
        {value && value.operators.length === 0 && <p>{words.noOperators}</p>}
        {value && (
          <CheckboxGroup
            label={words.operators}
            options={value.operators.map(({ code, name }) => ({ value: code, label: name }))}
            chosen={chosen ?? []}
            onChosen={setChosen}
          />
        )}
        <div class="actions">
          <Button onPress={onClose}>{common.value.cancel}</Button>
          <Button kind="primary" submits busy={isBusy || !value}>
            {words.registerVerb}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

type AddProps = {
  readonly account: string;
  readonly onDone: (told: string) => void;
  readonly onCancel?: () => void;
};

/** Adds a sender of an account in one go, for those who decide about it anyway: its name, and who has registered it. */
function AddSender({ account, onDone, onCancel }: AddProps) {
  const [sender, setSender] = useState("");
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isBusy, setBusy] = useState(false);
  const operators = useRequest("operators", () => callApi("GET /operators"));
  const words = access.value.senders;
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    const failed = await add(account, sender, chosen);
    setBusy(false);
    setProblem(failed);
    if (failed) return;
    setSender("");
    setChosen([]);
    onDone(words.added({ sender: sender.trim() }));
  };
  return (
    <form class="stack narrow" onSubmit={(event) => void submit(event)}>
      <ErrorBox problem={problem} />
      <Field
        label={words.sender}
        name="sender"
        value={sender}
        onValue={setSender}
        hint={words.addHint}
        required
        maxLength={32}
      />
      {operators.value?.operators.length === 0 && <p>{words.noOperators}</p>}
      {operators.value && operators.value.operators.length > 0 && (
        <>
          <CheckboxGroup
            label={words.addOperators}
            options={operators.value.operators.map(({ code, name }) => ({ value: code, label: name }))}
            chosen={chosen}
            onChosen={setChosen}
          />
          <p class="note">{words.addText}</p>
        </>
      )}
      <div class="actions">
        {onCancel && <Button onPress={onCancel}>{common.value.cancel}</Button>}
        <Button kind="primary" submits busy={isBusy}>
          {words.addVerb}
        </Button>
      </div>
    </form>
  );
}

/** Requests, approves and registers; repeated, what is done already stays as it is. */
async function add(account: string, typed: string, operators: readonly string[]): Promise<Problem | null> {
  const params = { account };
  const asked = await callApi("POST /accounts/:account/senders", { params, body: { sender: typed } });
  if (!asked.ok) return asked.problem;
  const { sender } = asked.value;
  const approved = await callApi("POST /accounts/:account/senders/approve", { params, body: { sender } });
  if (!approved.ok) return approved.problem;
  for (const operator of operators) {
    const noted = await callApi("POST /accounts/:account/senders/register", {
      params,
      body: { sender, operator },
    });
    if (!noted.ok) return noted.problem;
  }
  return null;
}

type ForAccountProps = {
  readonly onDone: (told: string) => void;
  readonly onClose: () => void;
};

const MAX_OFFERED = 10;

/** The same where no account is before them: they choose it first. */
function AddForAccount({ onDone, onClose }: ForAccountProps) {
  const [search, setSearch] = useState("");
  const [chosen, setChosen] = useState<{ readonly id: string; readonly name: string } | null>(null);
  const asked = search.trim();
  const { value, problem } = useRequest(asked, () =>
    callApi("GET /accounts", { query: { limit: MAX_OFFERED, ...(asked === "" ? {} : { search: asked }) } }),
  );
  const words = access.value;
  const done = (told: string): void => {
    onDone(told);
    onClose();
  };
  const title = chosen === null ? words.senders.add : words.senders.addFor({ account: chosen.name });
  return (
    <Dialog title={title} onClose={onClose}>
      <ErrorBox problem={problem} />
      {chosen === null ? (
        <>
          <Field
            label={words.findAccount}
            name="request-account"
            value={search}
            onValue={setSearch}
            autofocus
            maxLength={100}
          />
          <ul class="picks">
            {value?.accounts.map(({ account_id: id, name, short_name: short }) => (
              <li key={id}>
                <button type="button" class="pick" onClick={() => setChosen({ id, name })}>
                  {name} {short !== null && <span class="note">{short}</span>}
                </button>
              </li>
            ))}
          </ul>
          {value?.accounts.length === 0 && <p role="status">{words.noneFits}</p>}
          <div class="actions">
            <Button onPress={onClose}>{common.value.cancel}</Button>
          </div>
        </>
      ) : (
        <AddSender account={chosen.id} onDone={done} onCancel={onClose} />
      )}
    </Dialog>
  );
}
