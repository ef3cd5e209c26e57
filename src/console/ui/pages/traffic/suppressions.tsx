/** Console page of suppression lists: one number over all lists, one list, and adding, importing from a file and lifting. */

import { useRef, useState } from "preact/hooks";
import { decodeText } from "../../../../core/decode-text.ts";
import { callApi } from "../../api/client.ts";
import type { Answer } from "../../api/contract.ts";
import {
  Button,
  Checkbox,
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
  Form,
  filter,
  filtersNamed,
  ListTable,
  Note,
  Page,
  Section,
  showToast,
  Table,
  timeColumn,
  toOptions,
} from "../../kit/kit.ts";
import { isStaff, may, me } from "../../state/session.ts";
import { useDraft } from "../../state/use-draft.ts";
import { useAction, useAnswer, useList } from "../../state/use-request.ts";
import { traffic } from "../../words/traffic.ts";
import { classWord, figures, labelled } from "../../words/words.ts";
import { AccountFilter, useAccountNamed } from "./named-filters.tsx";

type Row = Answer<"GET /suppressions">["suppressions"][number];
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
  const list = useList({
    key,
    load: (after) => callApi("GET /suppressions", { query: { ...asked, after } }),
    rowsOf: ({ suppressions }) => suppressions,
    nextOf: ({ next_after: next }) => next,
  });
  const { problem, run } = useAction();
  const [lifting, setLifting] = useState<Lifting | null>(null);
  const [changes, setChanges] = useState(0);
  const words = traffic.value.suppressions;
  const changed = (told: string): void => {
    showToast(told);
    setChanges(changes + 1);
    list.reload();
  };
  const lift = async ({ msisdn, messageClass, source, account }: Lifting): Promise<void> => {
    const body = { account, msisdn, message_class: messageClass, source };
    if (await run(callApi("POST /suppressions/lift", { body }))) changed(words.lifted);
  };
  const account = filter("account") ?? null;
  const named = useAccountNamed(account ?? undefined);
  const own = me.value?.account?.name;
  /** The list that numbers are added to. */
  const here = account === null ? (own ?? words.everywhere) : named;
  const erased = list.page?.erased ?? 0;
  return (
    <Page title={words.title}>
      <ErrorBox problem={problem} onRetry={list.reload} />
      <Section title={words.search}>
        <FilterBar>
          <Filter name="number" label={traffic.value.number} />
          {isStaff() && <AccountFilter label={words.listOf} />}
        </FilterBar>
        <OneNumber changes={changes} onLift={setLifting} />
      </Section>
      {may("suppressions.change") && (
        <div class="pair">
          <AddSuppression account={account} where={here} onDone={() => changed(words.added)} />
          <ImportSuppressions account={account} where={here} onDone={changed} />
        </div>
      )}
      <Section title={account === null && isStaff() ? words.lists : labelled(words.list, here)}>
        <ListTable
          list={list}
          caption={words.list}
          columns={listColumns((row) =>
            setLifting({
              ...row,
              messageClass: row.message_class,
              account: row.account_id,
              where: row.account ?? words.everywhere,
            }),
          )}
          keyOf={(row) => `${row.account_id} ${row.msisdn} ${row.message_class} ${row.source}`}
          empty={<Empty title={words.none}>{words.noneHelp}</Empty>}
        />
        {erased > 0 && <Note>{words.erased(erased)}</Note>}
      </Section>
      {lifting && (
        <Confirm
          title={words.liftTitle({ number: figures.phone(lifting.msisdn) })}
          verb={words.lift}
          isDestructive
          onConfirm={() => lift(lifting)}
          onClose={() => setLifting(null)}
        >
          <p>{words.liftText({ messageClass: classWord(lifting.messageClass), where: lifting.where })}</p>
        </Confirm>
      )}
    </Page>
  );
}

type OneProps = { readonly changes: number; readonly onLift: (lifting: Lifting) => void };

/** Every list that the number of the address stands on. */
function OneNumber({ changes, onLift }: OneProps) {
  const number = filter("number");
  const account = filter("account");
  const { value, problem } = useAnswer(
    "GET /suppressions/number",
    number === undefined ? null : { query: { number, account } },
    changes,
  );
  const { suppressions: words, account: accountWord, messageClass } = traffic.value;
  if (number === undefined) return <Note>{words.searchHint}</Note>;
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
      caption={figures.phone(value.msisdn)}
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
    column(common.number, ({ msisdn }) => figures.phone(msisdn)),
    ...(isStaff() ? [column(words.onList, (row: Row) => row.account ?? words.everywhere)] : []),
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
  return toOptions(CLASSES, (value) => (value === "all" ? all : classWord(value)));
}

type AddProps = {
  readonly account: string | null;
  /** The list, by its account's name. */
  readonly where: string;
  readonly onDone: () => void;
};

/** Puts one number on the list. */
function AddSuppression({ account, where, onDone }: AddProps) {
  const { draft, put, bind } = useDraft<{
    readonly msisdn: string;
    readonly note: string;
    readonly message_class: Asked;
  }>({ msisdn: "", note: "", message_class: "MARKETING" });
  const { problem, run } = useAction();
  const { suppressions: words, ...common } = traffic.value;
  const submit = async (): Promise<void> => {
    const body = { ...draft, account, note: draft.note.trim() === "" ? null : draft.note };
    if ((await run(callApi("POST /suppressions", { body }))) === null) return;
    put({ msisdn: "", note: "" });
    onDone();
  };
  return (
    <Section title={words.add}>
      {isStaff() && <Note>{words.goesTo({ where })}</Note>}
      <Form class="" verb={words.add} problem={problem} onSubmit={submit}>
        <Field
          label={common.number}
          {...bind("msisdn")}
          hint={words.searchHint}
          required
          maxLength={100}
          inputMode="tel"
        />
        <Choice label={common.messageClass} options={options()} {...bind("message_class")} />
        <Field label={words.note} {...bind("note")} maxLength={200} />
      </Form>
    </Section>
  );
}

type ImportProps = {
  readonly account: string | null;
  readonly where: string;
  readonly onDone: (told: string) => void;
};

/** Puts the numbers of a file on the list: all of them, or none where a line cannot be read. */
function ImportSuppressions({ account, where, onDone }: ImportProps) {
  const input = useRef<HTMLInputElement>(null);
  const [messageClass, setClass] = useState<Asked>("MARKETING");
  const [skips, setSkips] = useState(false);
  const { problem, run } = useAction();
  const { suppressions: words, messageClass: classLabel } = traffic.value;
  const submit = async (): Promise<void> => {
    const file = input.current?.files?.[0];
    if (!file) return;
    const text = decodeText(new Uint8Array(await file.arrayBuffer()));
    const body = { account, message_class: messageClass, text, skip_invalid: skips };
    const imported = await run(callApi("POST /suppressions/import", { body }));
    if (imported === null) return;
    const { added, already_listed, skipped } = imported;
    const told = [
      words.importedNow(added),
      words.importedBefore(already_listed),
      ...(skipped > 0 ? [words.importSkipped(skipped)] : []),
    ];
    onDone(`${told.join(" · ")}.`);
  };
  return (
    <Section title={words.import}>
      {isStaff() && <Note>{words.goesTo({ where })}</Note>}
      <Form class="" kind="plain" verb={words.import} problem={problem} onSubmit={submit}>
        <div class="field">
          <label for="suppression-file">{words.file}</label>
          <p class="hint">{words.importHint}</p>
          <input id="suppression-file" type="file" accept=".csv,.txt,text/csv" required ref={input} />
        </div>
        <Choice label={classLabel} value={messageClass} options={options()} onValue={setClass} />
        <p>
          <Checkbox isChecked={skips} onChecked={setSkips}>
            {words.skip}
          </Checkbox>
        </p>
      </Form>
    </Section>
  );
}
