import { useState } from "preact/hooks";
import { ask, type Problem } from "../../api/client.ts";
import type { Contract } from "../../api/contract.ts";
import { Button } from "../../kit/button.tsx";
import { Confirm } from "../../kit/dialog.tsx";
import { Empty } from "../../kit/empty.tsx";
import { ErrorBox } from "../../kit/error-box.tsx";
import { Filter, FilterBar } from "../../kit/filter-bar.tsx";
import { Page, Section } from "../../kit/page.tsx";
import { type Column, Table } from "../../kit/table.tsx";
import { say } from "../../kit/toast.tsx";
import { may, me } from "../../state/session.ts";
import { useAnswer, useList } from "../../state/use-answer.ts";
import { traffic } from "../../words/traffic.ts";
import { classWord, figures, labelled } from "../../words/words.ts";
import { AccountFilter, useAccountNamed } from "./named-filters.tsx";
import { filter, filtersNamed, titled } from "./parts.tsx";
import { AddSuppression, ImportSuppressions } from "./suppression-forms.tsx";

type View = Contract["GET /suppressions"]["answer"];
type Row = View["suppressions"][number];
type Class = Row["message_class"];
type Source = Contract["GET /suppressions/number"]["answer"]["lists"][number]["source"];

/** A number that is to come off a list; `account` null: the appliance-wide one. */
type Lifting = {
  readonly msisdn: string;
  readonly messageClass: Class;
  readonly source: Source;
  readonly account: string | null;
  /** The list by its account's name. */
  readonly where: string;
};

/** Who is sent nothing any more: one number over all lists, one list, add, import, lift. */
export function Suppressions() {
  const { asked, key } = filtersNamed("account");
  const { rows, page, problem, isLoading, more, reload } = useList<Row, View>({
    key,
    load: (after) =>
      ask("GET /suppressions", { query: { ...asked, ...(after === undefined ? {} : { after }) } }),
    rowsOf: ({ suppressions }) => suppressions,
    nextOf: ({ next_after: next }) => next,
  });
  const [failed, setFailed] = useState<Problem | null>(null);
  const [lifting, setLifting] = useState<Lifting | null>(null);
  const [changes, setChanges] = useState(0);
  const words = traffic.value.suppressions;
  const changed = (told: string): void => {
    say(told);
    setFailed(null);
    setChanges(changes + 1);
    reload();
  };
  const lift = async ({ msisdn, messageClass, source, account }: Lifting): Promise<void> => {
    const body = { account, msisdn, message_class: messageClass, source };
    const answer = await ask("POST /suppressions/lift", { body });
    if (answer.ok) changed(words.lifted);
    else setFailed(answer.problem);
  };
  const shown = failed ?? problem;
  const account = filter("account") ?? null;
  const named = useAccountNamed(account ?? undefined);
  const here = account === null ? (me.value?.account?.name ?? words.everywhere) : named;
  return (
    <Page title={words.title}>
      {shown && <ErrorBox problem={shown} onRetry={reload} />}
      <Section title={words.search}>
        <FilterBar>
          <Filter name="number" label={traffic.value.number} />
          {me.value?.account === null && <AccountFilter label={words.listOf} />}
        </FilterBar>
        <OneNumber changes={changes} onLift={setLifting} />
      </Section>
      {may("suppressions.change") && (
        <div class="pair">
          <AddSuppression account={account} onDone={() => changed(words.added)} />
          <ImportSuppressions account={account} onDone={changed} />
        </div>
      )}
      <Section title={labelled(words.list, here)}>
        <Table
          caption={words.list}
          columns={listColumns((row) =>
            setLifting({ ...row, messageClass: row.message_class, account, where: here }),
          )}
          rows={rows}
          keyOf={(row) => `${row.msisdn} ${row.message_class} ${row.source}`}
          isLoading={isLoading}
          onMore={more}
          empty={problem ? null : <Empty title={words.none}>{words.noneHelp}</Empty>}
        />
        {page !== null && page.erased > 0 && <p class="note">{figures.count(page.erased, words.erased)}</p>}
      </Section>
      {lifting && (
        <LiftDialog lifting={lifting} onLift={() => lift(lifting)} onClose={() => setLifting(null)} />
      )}
    </Page>
  );
}

type LiftProps = {
  readonly lifting: Lifting;
  readonly onLift: () => Promise<void>;
  readonly onClose: () => void;
};

function LiftDialog({ lifting: { msisdn, messageClass, where }, onLift, onClose }: LiftProps) {
  const { suppressions: words } = traffic.value;
  return (
    <Confirm
      title={words.liftTitle({ number: msisdn })}
      verb={words.lift}
      isDestructive
      onConfirm={onLift}
      onClose={onClose}
    >
      <p>{words.liftText({ messageClass: classWord(messageClass), where })}</p>
    </Confirm>
  );
}

type OnLists = Contract["GET /suppressions/number"]["answer"];
type OneProps = { readonly changes: number; readonly onLift: (lifting: Lifting) => void };

/** Every list that the number of the address stands on. */
function OneNumber({ changes, onLift }: OneProps) {
  const number = filter("number");
  const account = filter("account");
  const { value, problem } = useAnswer<OnLists | null>(`${number} ${account} ${changes}`, async () =>
    number === undefined
      ? ({ ok: true, value: null } as const)
      : ask("GET /suppressions/number", { query: { number, ...(account === undefined ? {} : { account }) } }),
  );
  const { suppressions: words, account: accountWord, messageClass } = traffic.value;
  if (number === undefined) return <p class="note">{words.searchHint}</p>;
  if (problem) return <ErrorBox problem={problem} />;
  if (value === null) return null;
  type Listed = (typeof value.lists)[number];
  const columns: readonly Column<Listed>[] = [
    { ...titled("account", accountWord), cell: (row) => row.account ?? words.everywhere },
    { ...titled("class", messageClass), cell: (row) => classWord(row.message_class) },
    { ...titled("source", words.source), cell: ({ source }) => (source && words.sources[source]) ?? "–" },
    { ...titled("note", words.note), cell: ({ note }) => note ?? "–" },
    liftColumn(
      (row: Listed) => {
        const { message_class: lifted, source, account_id: of } = row;
        const where = row.account ?? words.everywhere;
        onLift({ msisdn: value.msisdn, messageClass: lifted, source, account: of, where });
      },
      (row) => `${row.account ?? words.everywhere}, ${classWord(row.message_class)}`,
    ),
  ];
  return (
    <Table
      caption={value.msisdn}
      columns={columns}
      rows={value.lists}
      keyOf={(row) => `${row.account_id} ${row.message_class} ${row.source}`}
      empty={<p role="status">{words.free}</p>}
    />
  );
}

function listColumns(onLift: (row: Row) => void): readonly Column<Row>[] {
  const { suppressions: words, ...common } = traffic.value;
  return [
    { ...titled("number", common.number), cell: ({ msisdn }) => msisdn },
    { ...titled("class", common.messageClass), cell: (row) => classWord(row.message_class) },
    { ...titled("source", words.source), cell: ({ source }) => words.sources[source] ?? source },
    { ...titled("since", common.since), cell: (row) => figures.time(row.created_at) },
    { ...titled("note", words.note), cell: ({ note }) => note ?? "–" },
    liftColumn(onLift, (row) => row.msisdn),
  ];
}

/** `nameOf`: what tells a row from the others, for whoever hears the buttons alone. */
function liftColumn<Each>(onLift: (row: Each) => void, nameOf: (row: Each) => string): Column<Each> {
  const { lift } = traffic.value.suppressions;
  return {
    ...titled("lift", lift),
    cell: (row) =>
      may("suppressions.change") && (
        <Button kind="quiet" label={labelled(lift, nameOf(row))} onPress={() => onLift(row)}>
          {lift}
        </Button>
      ),
  };
}
