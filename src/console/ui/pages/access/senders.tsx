/**
 * Console page of sender identities: an account requests them; staff approve, reject and register them with operators, and
 * see all that wait.
 */

import { useState } from "preact/hooks";
import { type ApiAnswer, callApi } from "../../api/client.ts";
import type { Answer } from "../../api/contract.ts";
import {
  Button,
  type Columns,
  Confirm,
  column,
  Dialog,
  DialogButton,
  Empty,
  ErrorBox,
  Field,
  Form,
  FormDialog,
  ListTable,
  Page,
  ReasonDialog,
  Section,
  StateBadge,
  showToast,
  timeColumn,
  WithNote,
} from "../../kit/kit.ts";
import { HOME } from "../../state/router.ts";
import { isStaff, may } from "../../state/session.ts";
import { useDraft } from "../../state/use-draft.ts";
import { type Action, toList, useAction, useAnswer, useRequest } from "../../state/use-request.ts";
import { access } from "../../words/access.ts";
import { accessNames } from "../../words/access-nav.ts";
import { routeWords } from "../../words/routes.ts";
import { words as common, labelled } from "../../words/words.ts";
import {
  AccountList,
  accountHere,
  CheckboxGroup,
  headOfList,
  useAccountName,
  Whose,
} from "./access-parts.tsx";
import { planRegistrations } from "./plan-registrations.ts";

type Own = Answer<"GET /accounts/:account/senders">["senders"][number];
type Waiting = Answer<"GET /senders/waiting">["senders"][number];

export function Senders() {
  const account = accountHere();
  const name = useAccountName(account);
  const [changes, setChanges] = useState(0);
  const [deciding, setDeciding] = useState<Deciding | null>(null);
  const action = useAction();
  const requested = (told: string): void => {
    showToast(told);
    setChanges(changes + 1);
  };
  const words = access.value.senders;
  const mayAdd = isStaff() && may("senders.request") && may("senders.decide");
  return (
    <Page
      {...headOfList(account, name, accessNames.value.senders, words.title)}
      aside={
        account !== null ? (
          <Whose />
        ) : (
          mayAdd && (
            <DialogButton verb={words.add}>
              {(close) => <AddForAccount onDone={requested} onClose={close} />}
            </DialogButton>
          )
        )
      }
    >
      <ErrorBox problem={action.problem} />
      {account === null ? (
        <>
          <WaitingSenders changes={changes} onDecide={setDeciding} />
          <AccountList title={words.ofWhose} />
        </>
      ) : (
        <>
          <AccountSenders account={account} name={name} changes={changes} onDecide={setDeciding} />
          {!isStaff() && may("senders.request") && <RequestSender account={account} onDone={requested} />}
          {mayAdd && (
            <Section title={words.addFor({ account: name })}>
              <AddSender account={account} onDone={requested} />
            </Section>
          )}
        </>
      )}
      {deciding && <SenderDialog deciding={deciding} run={action.run} onClose={() => setDeciding(null)} />}
    </Page>
  );
}

type ListProps = {
  /** How many requests were made here: each makes another list. */
  readonly changes: number;
  readonly onDecide: (deciding: Deciding) => void;
};

function WaitingSenders({ changes, onDecide }: ListProps) {
  const request = useAnswer("GET /senders/waiting", {}, changes);
  const words = access.value.senders;
  const columns: Columns<Waiting> = [
    column(access.value.of, (row) => <a href={`${HOME}/senders?account=${row.account_id}`}>{row.account}</a>),
    column(words.sender, ({ sender }) => <strong>{sender}</strong>),
    column(words.waitsFor, (row) => words.reasons[row.waits_for] ?? row.waits_for),
    timeColumn(access.value.since, (row) => row.created_at),
    may("senders.decide") &&
      column(access.value.actions, (row) => (
        <Decisions
          account={row.account_id}
          accountName={row.account}
          sender={row.sender}
          status={row.waits_for === "approval" ? "REQUESTED" : "APPROVED"}
          onDecide={onDecide}
          reload={request.reload}
        />
      )),
  ];
  return (
    <Section title={words.waiting}>
      <ListTable
        list={toList(request, ({ senders }) => senders)}
        caption={words.waiting}
        columns={columns}
        keyOf={(row) => `${row.account_id} ${row.sender}`}
        empty={<Empty title={words.nothingWaits}>{words.nothingWaitsHelp}</Empty>}
      />
    </Section>
  );
}

type AccountProps = ListProps & { readonly account: string; readonly name: string };

function AccountSenders({ account, name, changes, onDecide }: AccountProps) {
  const request = useAnswer("GET /accounts/:account/senders", { params: { account } }, changes);
  const words = access.value.senders;
  const title = isStaff() ? words.ofAccount({ account: name }) : words.mine;
  const columns: Columns<Own> = [
    column(words.sender, ({ sender }) => <strong>{sender}</strong>),
    column(access.value.state, (row) => (
      <WithNote note={row.rejection_reason ?? noteOf(row)}>
        <StateBadge state={standingOf(row)} />
      </WithNote>
    )),
    column(words.operators, ({ known_by: known }) => (known.length === 0 ? words.nowhere : known.join(", "))),
    timeColumn(access.value.since, (row) => row.created_at),
    may("senders.decide") &&
      column(access.value.actions, ({ sender, status }) => (
        <Decisions
          account={account}
          accountName={name}
          sender={sender}
          status={status}
          onDecide={onDecide}
          reload={request.reload}
        />
      )),
  ];
  return (
    <Section title={title}>
      <ListTable
        list={toList(request, ({ senders }) => senders)}
        caption={title}
        columns={columns}
        keyOf={({ sender }) => sender}
        empty={<Empty title={words.none}>{words.noneHelp}</Empty>}
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

type DecisionProps = Omit<Deciding, "kind"> & {
  readonly status: string;
  readonly onDecide: (deciding: Deciding) => void;
};

function Decisions({ status, onDecide, ...of }: DecisionProps) {
  const words = access.value.senders;
  const first = status === "APPROVED" ? "register" : "approve";
  const kinds: readonly Deciding["kind"][] = status === "REJECTED" ? [first] : [first, "reject"];
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
  const { problem, run } = useAction();
  const words = access.value.senders;
  const submit = async (): Promise<void> => {
    const body = { sender };
    const asked = await run(callApi("POST /accounts/:account/senders", { params: { account }, body }));
    if (asked === null) return;
    setSender("");
    onDone(words.requested({ sender: asked.sender }));
  };
  return (
    <Section title={words.request}>
      <Form class="stack narrow" verb={words.requestVerb} problem={problem} onSubmit={submit}>
        <Field
          label={words.sender}
          name="sender"
          value={sender}
          onValue={setSender}
          hint={words.requestHint}
          required
          maxLength={32}
        />
      </Form>
    </Section>
  );
}

/** A decision about a sender of an account. */
type Deciding = {
  readonly kind: "approve" | "reject" | "register";
  readonly account: string;
  readonly accountName: string;
  readonly sender: string;
  /** Reloads the list that it stands in; resolves when the new one is shown. */
  readonly reload: () => Promise<void>;
};

type DialogProps = {
  readonly deciding: Deciding;
  readonly run: Action["run"];
  readonly onClose: () => void;
};

/**
 * Says what a decision does before it is taken. It closes only when the list was reloaded: what was opened from the old one would
 * be decided twice.
 */
function SenderDialog({ deciding, run, onClose }: DialogProps) {
  const { kind, account, accountName, sender, reload } = deciding;
  const words = access.value.senders;
  const params = { account };
  const decide = async (asked: Promise<ApiAnswer<unknown>>, told: string): Promise<void> => {
    if (await run(asked, told)) await reload();
  };
  switch (kind) {
    case "approve":
      return (
        <Confirm
          title={words.approveTitle({ sender })}
          verb={words.approve}
          onConfirm={() =>
            decide(
              callApi("POST /accounts/:account/senders/approve", { params, body: { sender } }),
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
          onReason={(reason) =>
            decide(
              callApi("POST /accounts/:account/senders/reject", { params, body: { sender, reason } }),
              words.rejectedNow({ sender }),
            )
          }
          onClose={onClose}
        >
          <p>{words.rejectText({ account: accountName })}</p>
        </ReasonDialog>
      );
    case "register":
      return <Registrations deciding={deciding} run={run} onClose={onClose} />;
  }
}

/** What may be ticked: each operator, and while it is not, each of its routes. */
function registrationOptions(
  { operators, routes }: Pick<Answer<"GET /operators">, "operators" | "routes">,
  chosen: readonly string[],
) {
  const words = routeWords.value;
  return operators.flatMap(({ code, name }) => {
    const own = routes.filter(({ operator }) => operator === code);
    if (own.length === 0) return [{ value: code, label: name }];
    const all = { value: code, label: words.allRoutes({ operator: name }) };
    if (chosen.includes(code)) return [all];
    const each = own.map(({ route }) => ({
      value: `${code}/${route}`,
      label: words.byRoute({ operator: name, route }),
    }));
    return [all, ...each];
  });
}

/** Which operators know a sender: ticked ones are noted, others taken back. */
function Registrations({ deciding: { account, sender, reload }, run, onClose }: DialogProps) {
  const [chosen, setChosen] = useState<readonly string[] | null>(null);
  const words = access.value.senders;
  const params = { account };
  const { value } = useRequest(`${account} ${sender}`, async () => {
    const [operators, senders] = await Promise.all([
      callApi("GET /operators"),
      callApi("GET /accounts/:account/senders", { params }),
    ]);
    if (!operators.ok) return operators;
    if (!senders.ok) return senders;
    const known = senders.value.senders.find((one) => one.sender === sender)?.registrations ?? [];
    setChosen(known);
    return { ok: true, value: { known, ...operators.value } } as const;
  });
  const save = async (): Promise<void> => {
    if (!value || chosen === null) return;
    for (const { verb, operator } of planRegistrations(value.known, chosen, value.routes)) {
      const asked = callApi(`POST /accounts/:account/senders/${verb}`, {
        params,
        body: { sender, operator },
      });
      if ((await run(asked)) === null) return onClose();
    }
    showToast(words.registered({ sender }));
    await reload();
    onClose();
  };
  return (
    <FormDialog
      title={words.registerTitle({ sender })}
      verb={words.registerVerb}
      onSubmit={save}
      onClose={onClose}
    >
      <p>{words.registerText}</p>
      {value && value.operators.length === 0 && <p>{words.noOperators}</p>}
      {value && (
        <CheckboxGroup
          label={words.operators}
          options={registrationOptions(value, chosen ?? [])}
          chosen={chosen ?? []}
          onChosen={setChosen}
        />
      )}
    </FormDialog>
  );
}

type AddProps = RequestProps & { readonly onCancel?: () => void };

/** Adds a sender of an account in one go, for those who decide about it anyway: its name, and who has registered it. */
function AddSender({ account, onDone, onCancel }: AddProps) {
  const { draft, put, bind } = useDraft<{ readonly sender: string; readonly chosen: readonly string[] }>({
    sender: "",
    chosen: [],
  });
  const { problem, run } = useAction();
  const { value } = useAnswer("GET /operators");
  const words = access.value.senders;
  const submit = async (): Promise<void> => {
    if ((await run(add(account, draft.sender, draft.chosen))) === null) return;
    put({ sender: "", chosen: [] });
    onDone(words.added({ sender: draft.sender.trim() }));
  };
  return (
    <Form class="stack narrow" verb={words.addVerb} problem={problem} onSubmit={submit} onCancel={onCancel}>
      <Field label={words.sender} {...bind("sender")} hint={words.addHint} required maxLength={32} />
      {value?.operators.length === 0 && <p>{words.noOperators}</p>}
      {value && value.operators.length > 0 && (
        <>
          <CheckboxGroup
            label={words.addOperators}
            options={registrationOptions(value, draft.chosen)}
            chosen={draft.chosen}
            onChosen={(chosen) => put({ chosen })}
          />
          <p class="note">{words.addText}</p>
        </>
      )}
    </Form>
  );
}

/** Requests, approves and registers; repeated, what is done already stays as it is. */
async function add(
  account: string,
  typed: string,
  operators: readonly string[],
): Promise<ApiAnswer<unknown>> {
  const params = { account };
  const asked = await callApi("POST /accounts/:account/senders", { params, body: { sender: typed } });
  if (!asked.ok) return asked;
  const { sender } = asked.value;
  let last: ApiAnswer<unknown> = await callApi("POST /accounts/:account/senders/approve", {
    params,
    body: { sender },
  });
  for (const { operator } of planRegistrations([], operators, [])) {
    if (!last.ok) break;
    const body = { sender, operator };
    last = await callApi("POST /accounts/:account/senders/register", { params, body });
  }
  return last;
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
  const { value, problem } = useAnswer("GET /accounts", { query: { limit: MAX_OFFERED, search: asked } });
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
