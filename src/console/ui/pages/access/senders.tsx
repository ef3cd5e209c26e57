import { useState } from "preact/hooks";
import { ask, type Problem } from "../../api/client.ts";
import type { Contract } from "../../api/contract.ts";
import { StateBadge } from "../../kit/badge.tsx";
import { Button } from "../../kit/button.tsx";
import { Empty } from "../../kit/empty.tsx";
import { ErrorBox } from "../../kit/error-box.tsx";
import { Page, Section } from "../../kit/page.tsx";
import { type Column, Table } from "../../kit/table.tsx";
import { say } from "../../kit/toast.tsx";
import { HOME } from "../../state/router.ts";
import { may, me } from "../../state/session.ts";
import { useAnswer } from "../../state/use-answer.ts";
import { access } from "../../words/access.ts";
import { figures, labelled } from "../../words/words.ts";
import { titled } from "../traffic/parts.tsx";
import { AccountList, accountHere, useAccountName, Whose } from "./parts.tsx";
import { AddForAccount, AddSender } from "./sender-add.tsx";
import { type Deciding, SenderDialogs } from "./sender-dialogs.tsx";
import { RequestSender } from "./sender-request.tsx";

type Own = Contract["GET /accounts/:account/senders"]["answer"]["senders"][number];
type Waiting = Contract["GET /senders/waiting"]["answer"]["senders"][number];

/** Who may send under which name: what an account asked for, and for staff all that wait. */
export function Senders() {
  const account = accountHere();
  const name = useAccountName(account);
  const [changes, setChanges] = useState(0);
  const [deciding, setDeciding] = useState<Deciding | null>(null);
  const [isAdding, setAdding] = useState(false);
  const [failed, setFailed] = useState<Problem | null>(null);
  const decided = async (told: string): Promise<void> => {
    say(told);
    setFailed(null);
    await deciding?.reload();
  };
  const requested = (told: string): void => {
    say(told);
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
      {failed && <ErrorBox problem={failed} />}
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
  const { value, problem, isLoading, reload } = useAnswer(`waiting ${changes}`, () =>
    ask("GET /senders/waiting", {}),
  );
  const words = access.value.senders;
  const columns: readonly Column<Waiting>[] = [
    {
      ...titled("account", access.value.of),
      cell: (row) => <a href={`${HOME}/senders?account=${row.account_id}`}>{row.account}</a>,
    },
    { ...titled("sender", words.sender), cell: ({ sender }) => <strong>{sender}</strong> },
    {
      ...titled("waits", words.waitsFor),
      cell: (row) => words.reasons[row.waits_for] ?? row.waits_for,
    },
    { ...titled("since", access.value.since), cell: (row) => figures.time(row.created_at) },
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
      {problem && <ErrorBox problem={problem} onRetry={() => void reload()} />}
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
  /** How many were asked for here: each makes another list. */
  readonly changes: number;
};

function AccountSenders({ account, name, changes, onDecide }: AccountProps) {
  const { value, problem, isLoading, reload } = useAnswer(`${account} ${changes}`, () =>
    ask("GET /accounts/:account/senders", { params: { account } }),
  );
  const words = access.value.senders;
  const title = me.value?.account === null ? words.ofAccount({ account: name }) : words.mine;
  const columns: readonly Column<Own>[] = [
    { ...titled("sender", words.sender), cell: ({ sender }) => <strong>{sender}</strong> },
    {
      ...titled("state", access.value.state),
      cell: (row) => (
        <>
          <StateBadge state={standingOf(row)} />
          <span class="note">{row.rejection_reason ?? noteOf(row)}</span>
        </>
      ),
    },
    {
      ...titled("operators", words.operators),
      cell: ({ known_by: known }) => (known.length === 0 ? words.nowhere : known.join(", ")),
    },
    { ...titled("since", access.value.since), cell: (row) => figures.time(row.created_at) },
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
      {problem && <ErrorBox problem={problem} onRetry={() => void reload()} />}
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

/** Registered with some operators and not with others: texts to the others fail. */
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

/** The column of what may be decided; none for those who decide nothing. */
function decideColumn<Row>(cell: Column<Row>["cell"]): readonly Column<Row>[] {
  return may("senders.decide") ? [{ ...titled("actions", access.value.actions), cell }] : [];
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
