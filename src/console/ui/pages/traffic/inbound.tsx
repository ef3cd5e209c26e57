/**
 * Console page of texts that subscribers sent in, newest first. Staff give a reason before a text is shown, and that is
 * audited.
 */
import { useState } from "preact/hooks";
import { callApi, type Problem } from "../../api/client.ts";
import type { Contract } from "../../api/contract.ts";
import { Button } from "../../kit/button.tsx";
import type { Why } from "../../kit/confidential-text.tsx";
import { Dialog, ReasonDialog } from "../../kit/dialog.tsx";
import { ErrorBox } from "../../kit/error-box.tsx";
import { Filter, FilterBar, filtersNamed, toPlainColumn } from "../../kit/filter-bar.tsx";
import { Empty, Page } from "../../kit/page.tsx";
import { type Column, Table } from "../../kit/table.tsx";
import { may, me } from "../../state/session.ts";
import { useList } from "../../state/use-request.ts";
import { traffic } from "../../words/traffic.ts";
import { words as all, figures, labelled } from "../../words/words.ts";
import { type Names, OperatorFilter, operatorName, useNames } from "./named-filters.tsx";

type View = Contract["GET /inbound"]["answer"];
type Row = View["texts"][number];

export function Inbound() {
  const { asked, key } = filtersNamed("operator", "from");
  const { rows, page, problem, isLoading, more, reload } = useList<Row, View>({
    key,
    load: (before) =>
      callApi("GET /inbound", { query: { ...asked, ...(before === undefined ? {} : { before }) } }),
    rowsOf: ({ texts }) => texts,
    nextOf: ({ next_before: next }) => (next === null ? null : String(next)),
  });
  const names = useNames();
  const [asking, setAsking] = useState<number | null>(null);
  const [failed, setFailed] = useState<Problem | null>(null);
  const [text, setText] = useState<string | null>(null);
  const { inbound, ...words } = traffic.value;
  const isOwn = me.value?.account != null;
  const show = async (inbound: number, body: Why): Promise<void> => {
    const answer = await callApi("POST /inbound/:inbound/text", {
      params: { inbound: String(inbound) },
      body,
    });
    setFailed(answer.ok ? null : answer.problem);
    if (answer.ok) setText(answer.value.text ?? answer.value.hex ?? "");
  };
  const shown = failed ?? problem;
  return (
    <Page title={inbound.title}>
      {!isOwn && (
        <FilterBar>
          <OperatorFilter names={names} />
          <Filter name="from" label={words.from} />
        </FilterBar>
      )}
      {shown && <ErrorBox problem={shown} onRetry={reload} />}
      {page !== null && (page.waiting_for_parts ?? 0) > 0 && (
        <p class="note">{figures.count(page.waiting_for_parts ?? 0, inbound.waitingParts)}</p>
      )}
      <Table
        caption={inbound.title}
        columns={columnsOf(names, isOwn ? (id) => void show(id, {}) : setAsking)}
        rows={rows}
        keyOf={(row) => String(row.inbound_id)}
        isLoading={isLoading}
        onMore={more}
        empty={problem ? null : <Empty title={inbound.none}>{inbound.noneHelp}</Empty>}
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

function columnsOf(names: Names | null, onAsk: (id: number) => void): readonly Column<Row>[] {
  const { inbound, ...words } = traffic.value;
  return [
    { ...toPlainColumn("at", words.at), cell: (row) => figures.time(row.received_at) },
    { ...toPlainColumn("from", words.number), cell: ({ from }) => from },
    { ...toPlainColumn("to", words.to), cell: ({ to }) => to },
    { ...toPlainColumn("operator", words.operator), cell: ({ operator }) => operatorName(names, operator) },
    {
      ...toPlainColumn("length", inbound.length),
      cell: ({ characters }) =>
        characters === null ? inbound.noText : figures.count(characters, inbound.characters),
    },
    { ...toPlainColumn("optout", inbound.optOut), cell: optOutOf },
    ...(may("inbound.text")
      ? [
          {
            ...toPlainColumn("show", inbound.show),
            cell: (row: Row) => (
              <Button
                kind="quiet"
                label={labelled(inbound.show, row.from)}
                onPress={() => onAsk(row.inbound_id)}
              >
                {inbound.show}
              </Button>
            ),
          },
        ]
      : []),
  ];
}

/** The word that opted the sender out; a note beside it where that applied to no account yet. */
function optOutOf({ opt_out, opted_out_of }: Row) {
  if (opt_out === null) return "–";
  return (
    <>
      {opt_out}
      {opted_out_of.length === 0 && <span class="note">{traffic.value.inbound.unheeded}</span>}
    </>
  );
}
