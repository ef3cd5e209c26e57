/** Console page of suppression lists: one number over all lists, one list, and adding, importing from a file and lifting. */
import { useRef, useState } from "preact/hooks";
import { decodeText } from "../../../../core/decode-text.ts";
import { callApi, type Problem } from "../../api/client.ts";
import type { Answer } from "../../api/contract.ts";
import {
  Button,
  Choice,
  type Column,
  type Columns,
  Confirm,
  column,
  Empty,
  ErrorBox,
  Field,
  Filter,
  FilterBar,
  filter,
  filtersNamed,
  Page,
  Section,
  showToast,
  Table,
  timeColumn,
} from "../../kit/kit.ts";
import { may, me } from "../../state/session.ts";
import { useList, useRequest } from "../../state/use-request.ts";
import { traffic } from "../../words/traffic.ts";
import { classWord, figures, labelled } from "../../words/words.ts";
import { AccountFilter, useAccountNamed } from "./named-filters.tsx";

type View = Answer<"GET /suppressions">;
type Row = View["suppressions"][number];
type Class = Row["message_class"];
type Source = Answer<"GET /suppressions/number">["lists"][number]["source"];

/** A number to be taken off a list; `account` null: the appliance-wide one. */
type Lifting = {
  readonly msisdn: string;
  readonly messageClass: Class;
  readonly source: Source;
  readonly account: string | null;
  /** The list by its account's name. */
  readonly where: string;
};

export function Suppressions() {
  const { asked, key } = filtersNamed("account");
  const { rows, page, problem, isLoading, more, reload } = useList<Row, View>({
    key,
    load: (after) => callApi("GET /suppressions", { query: { ...asked, after } }),
    rowsOf: ({ suppressions }) => suppressions,
    nextOf: ({ next_after: next }) => next,
  });
  const [failed, setFailed] = useState<Problem | null>(null);
  const [lifting, setLifting] = useState<Lifting | null>(null);
  const [changes, setChanges] = useState(0);
  const words = traffic.value.suppressions;
  const changed = (told: string): void => {
    showToast(told);
    setFailed(null);
    setChanges(changes + 1);
    reload();
  };
  const lift = async ({ msisdn, messageClass, source, account }: Lifting): Promise<void> => {
    const body = { account, msisdn, message_class: messageClass, source };
    const answer = await callApi("POST /suppressions/lift", { body });
    if (answer.ok) changed(words.lifted);
    else setFailed(answer.problem);
  };
  const shown = failed ?? problem;
  const account = filter("account") ?? null;
  const named = useAccountNamed(account ?? undefined);
  const here = account === null ? (me.value?.account?.name ?? words.everywhere) : named;
  return (
    <Page title={words.title}>
      <ErrorBox problem={shown} onRetry={reload} />
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

type OnLists = Answer<"GET /suppressions/number">;
type OneProps = { readonly changes: number; readonly onLift: (lifting: Lifting) => void };

/** Every list that the number of the address stands on. */
function OneNumber({ changes, onLift }: OneProps) {
  const number = filter("number");
  const account = filter("account");
  const { value, problem } = useRequest<OnLists | null>(`${number} ${account} ${changes}`, async () =>
    number === undefined
      ? ({ ok: true, value: null } as const)
      : callApi("GET /suppressions/number", {
          query: { number, account },
        }),
  );
  const { suppressions: words, account: accountWord, messageClass } = traffic.value;
  if (number === undefined) return <p class="note">{words.searchHint}</p>;
  if (problem) return <ErrorBox problem={problem} />;
  if (value === null) return null;
  type Listed = (typeof value.lists)[number];
  const columns: Columns<Listed> = [
    column(accountWord, (row) => row.account ?? words.everywhere),
    column(messageClass, (row) => classWord(row.message_class)),
    column(words.source, ({ source }) => (source && words.sources[source]) ?? "–"),
    column(words.note, ({ note }) => note ?? "–"),
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

function listColumns(onLift: (row: Row) => void): Columns<Row> {
  const { suppressions: words, ...common } = traffic.value;
  return [
    column(common.number, ({ msisdn }) => msisdn),
    column(common.messageClass, (row) => classWord(row.message_class)),
    column(words.source, ({ source }) => words.sources[source] ?? source),
    timeColumn(common.since, (row) => row.created_at),
    column(words.note, ({ note }) => note ?? "–"),
    liftColumn(onLift, (row) => row.msisdn),
  ];
}

/** `nameOf`: what distinguishes a row, for screen readers. */
function liftColumn<Each>(onLift: (row: Each) => void, nameOf: (row: Each) => string): Column<Each> {
  const { lift } = traffic.value.suppressions;
  return column(
    lift,
    (row) =>
      may("suppressions.change") && (
        <Button kind="quiet" label={labelled(lift, nameOf(row))} onPress={() => onLift(row)}>
          {lift}
        </Button>
      ),
  );
}

const CLASSES = ["MARKETING", "TRANSACTIONAL", "OTP", "all"] as const;
type Asked = (typeof CLASSES)[number];

function options() {
  const { all } = traffic.value.suppressions;
  return CLASSES.map((value) => ({ value, label: value === "all" ? all : classWord(value) }));
}

type AddProps = { readonly account: string | null; readonly onDone: () => void };

/** Puts one number on the list. */
function AddSuppression({ account, onDone }: AddProps) {
  const [msisdn, setNumber] = useState("");
  const [note, setNote] = useState("");
  const [messageClass, setClass] = useState<Asked>("MARKETING");
  const [problem, setProblem] = useState<Problem | null>(null);
  const { suppressions: words, ...common } = traffic.value;
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const body = { account, msisdn, message_class: messageClass, note: note.trim() === "" ? null : note };
    const answer = await callApi("POST /suppressions", { body });
    setProblem(answer.ok ? null : answer.problem);
    if (!answer.ok) return;
    setNumber("");
    setNote("");
    onDone();
  };
  return (
    <Section title={words.add}>
      <ErrorBox problem={problem} />
      <form onSubmit={(event) => void submit(event)}>
        <Field
          label={common.number}
          name="msisdn"
          value={msisdn}
          onValue={setNumber}
          hint={words.searchHint}
          required
          maxLength={100}
          inputMode="tel"
        />
        <Choice label={common.messageClass} value={messageClass} options={options()} onValue={setClass} />
        <Field label={words.note} name="note" value={note} onValue={setNote} maxLength={200} />
        <div class="actions">
          <Button kind="primary" submits>
            {words.add}
          </Button>
        </div>
      </form>
    </Section>
  );
}

type ImportProps = { readonly account: string | null; readonly onDone: (told: string) => void };

/** Puts the numbers of a file on the list: all of them, or none where a line cannot be read. */
function ImportSuppressions({ account, onDone }: ImportProps) {
  const input = useRef<HTMLInputElement>(null);
  const [messageClass, setClass] = useState<Asked>("MARKETING");
  const [skips, setSkips] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const { suppressions: words, messageClass: classLabel } = traffic.value;
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const file = input.current?.files?.[0];
    if (!file || isBusy) return;
    setBusy(true);
    const text = decodeText(new Uint8Array(await file.arrayBuffer()));
    const body = { account, message_class: messageClass, text, skip_invalid: skips };
    const answer = await callApi("POST /suppressions/import", { body });
    setBusy(false);
    setProblem(answer.ok ? null : answer.problem);
    if (!answer.ok) return;
    const { added, already_listed, skipped } = answer.value;
    const told = [
      figures.count(added, words.importedNow),
      figures.count(already_listed, words.importedBefore),
      ...(skipped > 0 ? [figures.count(skipped, words.importSkipped)] : []),
    ];
    onDone(`${told.join(" · ")}.`);
  };
  return (
    <Section title={words.import}>
      <ErrorBox problem={problem} />
      <form onSubmit={(event) => void submit(event)}>
        <div class="field">
          <label for="suppression-file">{words.file}</label>
          <p class="hint">{words.importHint}</p>
          <input id="suppression-file" type="file" accept=".csv,.txt,text/csv" required ref={input} />
        </div>
        <Choice label={classLabel} value={messageClass} options={options()} onValue={setClass} />
        <p>
          <label>
            <input
              type="checkbox"
              checked={skips}
              onChange={({ currentTarget }) => setSkips(currentTarget.checked)}
            />{" "}
            {words.skip}
          </label>
        </p>
        <div class="actions">
          <Button submits busy={isBusy}>
            {words.import}
          </Button>
        </div>
      </form>
    </Section>
  );
}
