import { callApi } from "../../api/client.ts";
import type { Contract } from "../../api/contract.ts";
import { ErrorBox } from "../../kit/error-box.tsx";
import { Section } from "../../kit/page.tsx";
import { type Column, Table } from "../../kit/table.tsx";
import { HOME } from "../../state/router.ts";
import { me } from "../../state/session.ts";
import { useRequest } from "../../state/use-answer.ts";
import { traffic } from "../../words/traffic.ts";
import { classWord, figures, labelled, rejectionWord } from "../../words/words.ts";
import { toPlainColumn } from "./parts.tsx";

type LeftOutQuery = Contract["GET /left-out"]["query"];
type LeftOutEntry = Contract["GET /left-out"]["answer"]["left_out"][number];

/** "Why did she not get it?": the batches that a number was left out of, with the reason of each. Nothing where there is none. */
export function LeftOut({ asked }: { readonly asked: LeftOutQuery }) {
  const { value, problem } = useRequest(JSON.stringify(asked), () => callApi("GET /left-out", { query: asked }));
  const { leftOut: words, searchedBack } = traffic.value;
  // A number that cannot be read is told by the list above already.
  if (problem) return problem.status === 422 ? null : <ErrorBox problem={problem} />;
  if (value === null) return null;
  const { left_out: rows, searched_back_to: back } = value;
  if (rows.length === 0 && back === null) return null;
  return (
    <Section title={words.title({ number: value.msisdn })}>
      <p class="note">{words.help}</p>
      <Table
        caption={words.title({ number: value.msisdn })}
        columns={leftOutColumns()}
        rows={rows}
        keyOf={({ batch_id, index, line }) => `${batch_id} ${index} ${line}`}
        empty={<p class="note">{words.none}</p>}
      />
      {value.is_more && <p class="note">{words.more({ shown: figures.number(rows.length) })}</p>}
      {back !== null && <p class="note">{searchedBack({ time: figures.time(back) })}</p>}
    </Section>
  );
}

function leftOutColumns(): readonly Column<LeftOutEntry>[] {
  const { leftOut: words, ...common } = traffic.value;
  return [
    {
      ...toPlainColumn("batch", words.batch),
      cell: (row) => (
        <>
          <a href={`${HOME}/batches/${row.batch_id}`}>{figures.time(row.created_at)}</a>
          {row.client_reference !== null && <span class="note">{row.client_reference}</span>}
        </>
      ),
    },
    {
      ...toPlainColumn("why", words.why),
      cell: (row) => (
        <>
          {rejectionWord(row.reason_code)}
          {row.line !== null && row.cause && (
            <span class="note">{labelled(words.line({ line: figures.number(row.line) }), row.cause)}</span>
          )}
        </>
      ),
    },
    {
      ...toPlainColumn("sender", common.sender),
      cell: (row) => (
        <>
          {row.sender}
          <span class="note">{classWord(row.message_class)}</span>
        </>
      ),
    },
    ...(me.value?.account === null
      ? [{ ...toPlainColumn("account", common.account), cell: (row: LeftOutEntry) => row.account }]
      : []),
  ];
}
