import { callApi } from "../../api/client.ts";
import type { Contract } from "../../api/contract.ts";
import { ErrorBox } from "../../kit/error-box.tsx";
import { Section } from "../../kit/page.tsx";
import { type Column, Table } from "../../kit/table.tsx";
import { HOME } from "../../state/router.ts";
import { me } from "../../state/session.ts";
import { useRequest } from "../../state/use-answer.ts";
import { rowWords } from "../../words/rows.ts";
import { traffic } from "../../words/traffic.ts";
import { figures, labelled } from "../../words/words.ts";
import { CorrectedSince } from "./corrected-since.tsx";
import { toPlainColumn } from "./parts.tsx";

type HoldingQuery = Contract["GET /left-out/rows"]["query"];
type HoldingEntry = Contract["GET /left-out/rows"]["answer"]["rows"][number];

type HoldingProps = {
  readonly asked: HoldingQuery;
  /** Whether what was typed is no number: then it is said too that no row holds it. */
  readonly isNone: boolean;
};

/** "Her number is not whole": the rows of the last days that were not sent and hold it as it is written. */
export function RowsHolding({ asked, isNone }: HoldingProps) {
  const { value, problem } = useRequest(JSON.stringify(asked), () =>
    callApi("GET /left-out/rows", { query: asked }),
  );
  const words = rowWords.value;
  if (problem) return <ErrorBox problem={problem} />;
  if (value === null || (value.rows.length === 0 && !isNone)) return null;
  const days = figures.number(value.days);
  return (
    <Section title={words.holding({ typed: asked.typed })}>
      <p class="note">{words.holdingHelp({ days })}</p>
      <Table
        caption={words.holding({ typed: asked.typed })}
        columns={holdingColumns(asked.typed)}
        rows={value.rows}
        keyOf={({ batch_id, line }) => `${batch_id} ${line}`}
        empty={
          <p class="note">
            {words.holdingNone({ days })} <a href={`${HOME}/batches?from=1d`}>{words.toBatches}</a>
          </p>
        }
      />
      {value.is_more && <p class="note">{words.more({ shown: figures.number(value.rows.length) })}</p>}
    </Section>
  );
}

function holdingColumns(typed: string): readonly Column<HoldingEntry>[] {
  const words = rowWords.value;
  return [
    {
      ...toPlainColumn("batch", words.batch),
      cell: (row) => (
        <>
          <a href={`${HOME}/batches/${row.batch_id}?row=${encodeURIComponent(typed)}`}>
            {figures.time(row.created_at)}
          </a>
          {row.client_reference !== null && <span class="note">{row.client_reference}</span>}
        </>
      ),
    },
    {
      ...toPlainColumn("number", words.number),
      cell: ({ written, values, match }) => (
        <>
          {[written, ...values].join(" · ")}
          {match === "nearly" && <span class="note">{words.nearly}</span>}
        </>
      ),
    },
    {
      ...toPlainColumn("why", words.why),
      cell: ({ line, cause, corrected }) => (
        <>
          {labelled(traffic.value.leftOut.line({ line: figures.number(line) }), cause)}
          {corrected && <CorrectedSince by={corrected} />}
        </>
      ),
    },
    ...(me.value?.account === null
      ? [{ ...toPlainColumn("account", traffic.value.account), cell: (row: HoldingEntry) => row.account }]
      : []),
  ];
}
