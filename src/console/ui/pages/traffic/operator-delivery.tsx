import { useMemo } from "preact/hooks";
import { ask } from "../../api/client.ts";
import type { Contract } from "../../api/contract.ts";
import { duration } from "../../format.ts";
import { Chart } from "../../kit/chart.tsx";
import { ErrorBox } from "../../kit/error-box.tsx";
import { type Column, Table } from "../../kit/table.tsx";
import { language } from "../../state/choices.ts";
import { useAnswer } from "../../state/use-answer.ts";
import { traffic } from "../../words/traffic.ts";
import { figures, labelled } from "../../words/words.ts";
import { titled } from "./parts.tsx";

type Day = Contract["GET /operators/:code/delivery"]["answer"]["rows"][number];

/** Share delivered and delay of one operator by day: a picture, and the same as a table. */
export function OperatorDelivery({ code, name }: { readonly code: string; readonly name: string }) {
  const { value, problem } = useAnswer(`delivery ${code}`, () =>
    ask("GET /operators/:code/delivery", { params: { code }, query: {} }),
  );
  const words = traffic.value.operators;
  const rows = value?.rows ?? [];
  const times = useMemo(() => rows.map(({ key }) => Date.parse(`${key}T12:00:00Z`) / 1000), [rows]);
  const values = useMemo(
    () => rows.map(({ delivered_share: share }) => (share === null ? null : share * 100)),
    [rows],
  );
  const lines = useMemo(() => [{ label: words.share, values }], [words.share, values]);
  if (problem) return <ErrorBox problem={problem} />;
  if (value === null) return null;
  return (
    <details>
      <summary>{words.delivery}</summary>
      {rows.length > 1 && <Chart label={words.deliveryChart({ name })} times={times} lines={lines} />}
      <Table
        caption={labelled(name, words.delivery)}
        columns={dayColumns()}
        rows={[...rows].reverse()}
        keyOf={({ key }) => key ?? ""}
        empty={<p class="note">{words.noDelivery}</p>}
      />
    </details>
  );
}

function dayColumns(): readonly Column<Day>[] {
  const words = traffic.value.operators;
  const seconds = (value: number | null) => (value === null ? "–" : duration(language.value, value));
  return [
    { ...titled("day", words.day), cell: ({ key }) => (key === null ? "–" : figures.day(key)) },
    { ...titled("sent", words.sent), isNumber: true, cell: ({ sent }) => figures.number(sent) },
    { ...titled("share", words.share), isNumber: true, cell: (row) => figures.share(row.delivered_share) },
    { ...titled("median", words.median), isNumber: true, cell: (row) => seconds(row.receipt_seconds.p50) },
    { ...titled("slow", words.slow), isNumber: true, cell: (row) => seconds(row.receipt_seconds.p90) },
  ];
}
