/**
 * Console page of texts that subscribers sent in, newest first. Staff give a reason before a text is shown, and that is
 * audited.
 */
import { useState } from "preact/hooks";
import { callApi } from "../../api/client.ts";
import type { Answer } from "../../api/contract.ts";
import type { Why } from "../../kit/confidential-text.tsx";
import {
  Button,
  type Columns,
  column,
  Dialog,
  Empty,
  FilterBar,
  filtersAndPeriod,
  ListTable,
  Page,
  PeriodFilter,
  ReasonDialog,
  timeColumn,
  WithNote,
} from "../../kit/kit.ts";
import { isStaff, may } from "../../state/session.ts";
import { useAction, useList } from "../../state/use-request.ts";
import { traffic } from "../../words/traffic.ts";
import { words as all, figures, labelled } from "../../words/words.ts";
import { type Names, OperatorFilter, operatorName, useNames } from "./named-filters.tsx";

type Row = Answer<"GET /inbound">["texts"][number];

export function Inbound() {
  const { asked, key } = filtersAndPeriod("operator");
  const list = useList({
    key,
    load: (before) => callApi("GET /inbound", { query: { ...asked, before } }),
    rowsOf: ({ texts }) => texts,
    nextOf: ({ next_before: next }) => (next === null ? null : String(next)),
  });
  const names = useNames();
  const [asking, setAsking] = useState<number | null>(null);
  const { problem: failed, run } = useAction();
  const [text, setText] = useState<string | null>(null);
  const { inbound } = traffic.value;
  const show = async (id: number, body: Why): Promise<void> => {
    const params = { inbound: String(id) };
    const shown = await run(callApi("POST /inbound/:inbound/text", { params, body }));
    if (shown) setText(shown.text ?? shown.hex ?? "");
  };
  const waiting = list.page?.waiting_for_parts ?? 0;
  return (
    <Page title={inbound.title}>
      {isStaff() && (
        <FilterBar>
          <OperatorFilter names={names} />
          <PeriodFilter isOpenEnded />
        </FilterBar>
      )}
      {waiting > 0 && <p class="note">{inbound.waitingParts(waiting)}</p>}
      <ListTable
        list={list}
        failed={failed}
        caption={inbound.title}
        columns={columnsOf(names, isStaff() ? setAsking : (id) => show(id, {}))}
        keyOf={(row) => row.inbound_id}
        empty={<Empty title={inbound.none}>{inbound.noneHelp}</Empty>}
      />
      {asking !== null && (
        <ReasonDialog
          title={inbound.show}
          verb={inbound.show}
          onReason={(reason) => show(asking, { reason })}
          onClose={() => setAsking(null)}
        />
      )}
      {text !== null && (
        <Dialog title={inbound.textTitle} onClose={() => setText(null)}>
          <blockquote class="prose">{text}</blockquote>
          <div class="actions">
            <Button onPress={() => setText(null)}>{all.value.close}</Button>
          </div>
        </Dialog>
      )}
    </Page>
  );
}

function columnsOf(names: Names | null, onAsk: (id: number) => unknown): Columns<Row> {
  const { inbound, ...words } = traffic.value;
  return [
    timeColumn(words.at, (row) => row.received_at),
    column(words.number, ({ from }) => figures.phone(from)),
    column(words.to, ({ to }) => figures.phone(to)),
    column(words.operator, ({ operator }) => operatorName(names, operator)),
    column(inbound.length, ({ characters }) =>
      characters === null ? inbound.noText : inbound.characters(characters),
    ),
    column(inbound.optOut, optOutOf),
    may("inbound.text") &&
      column(inbound.show, (row) => (
        <Button kind="quiet" label={labelled(inbound.show, row.from)} onPress={() => onAsk(row.inbound_id)}>
          {inbound.show}
        </Button>
      )),
  ];
}

/** The word that opted the sender out; a note beside it where that applied to no account yet. */
function optOutOf({ opt_out, opted_out_of }: Row) {
  if (opt_out === null) return "–";
  return <WithNote note={opted_out_of.length === 0 && traffic.value.inbound.unheeded}>{opt_out}</WithNote>;
}
