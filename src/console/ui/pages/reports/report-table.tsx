import { useState } from "preact/hooks";
import type { Contract } from "../../api/contract.ts";
import { Button } from "../../kit/button.tsx";
import { Empty } from "../../kit/empty.tsx";
import { type Column, Table } from "../../kit/table.tsx";
import { Term } from "../../kit/term.tsx";
import { HOME } from "../../state/router.ts";
import { may, me } from "../../state/session.ts";
import { reports } from "../../words/reports.ts";
import { classWord, figures } from "../../words/words.ts";
import { titled } from "../traffic/parts.tsx";
import type { ReportKey } from "./asked.ts";

export type Report = Contract["GET /reports/delivery"]["answer"];
type Row = Report["rows"][number];

/** Rows that are shown at first. */
const FIRST = 14;

type TableProps = {
  readonly report: Report;
  readonly isLoading: boolean;
};

/** The figures by key; the largest first, days from the latest. */
export function ReportTable({ report, isLoading }: TableProps) {
  const [isWhole, setWhole] = useState(false);
  const words = reports.value;
  const rows = report.by === "day" ? [...report.rows].reverse() : report.rows;
  const shown = isWhole ? rows : rows.slice(0, FIRST);
  return (
    <>
      <Table
        caption={words.table}
        columns={columnsOf(report)}
        rows={shown}
        keyOf={({ key }) => key ?? ""}
        isLoading={isLoading}
        empty={<Empty title={words.none}>{words.noneHelp}</Empty>}
      />
      {shown.length < rows.length && (
        <p class="actions">
          <Button onPress={() => setWhole(true)}>
            {figures.count(rows.length - shown.length, words.showAll)}
          </Button>
        </p>
      )}
    </>
  );
}

type Named = Pick<Report, "by" | "operators" | "errors">;

/** How a key is called. */
export function keyName(
  { by, operators, errors }: Named,
  { key, account }: Pick<Row, "key" | "account">,
): string {
  if (by === "account") return account || (key ?? "–");
  if (key === null) return by === "error" ? reports.value.noError : "–";
  switch (by) {
    case "day":
      return figures.day(key);
    case "class":
      return classWord(key);
    case "error":
      return (errors[key] ?? key).replace(/\.$/, "");
    case "operator":
      return operators.find(({ code }) => code === key)?.name ?? key;
    default:
      return key;
  }
}

/** The filter of the list of messages by which a key's messages are found. */
const FILTERS: Partial<Record<ReportKey, string>> = {
  operator: "operator",
  sender: "sender",
  account: "account",
  error: "error",
};

function Key({ report, row }: { readonly report: Report; readonly row: Row }) {
  const name = keyName(report, row);
  const filter = FILTERS[report.by];
  if (!filter || row.key === null || !may("messages.read")) return <>{name}</>;
  const found = new URLSearchParams({ [filter]: row.key, from: report.from });
  return (
    <>
      <a href={`${HOME}/messages?${found}`} title={reports.value.see({ what: name })}>
        {name}
      </a>
      {report.by === "error" && name !== row.key && me.value?.account === null && (
        <span class="note">{row.key}</span>
      )}
    </>
  );
}

function columnsOf(report: Report): readonly Column<Row>[] {
  const words = reports.value;
  const term = (key: string, title: string, says: string) => ({
    key,
    label: title,
    isNumber: true,
    title: <Term says={says}>{title}</Term>,
  });
  const { glossary } = words;
  const number = (value: number) => (value === 0 ? "–" : figures.number(value));
  const hasMoney = report.totals.charged !== null;
  const first = words.keys[report.by];
  const key = { ...titled("key", first), cell: (row: Row) => <Key report={report} row={row} /> };
  const accepted = {
    ...term("accepted", words.accepted, glossary.accepted),
    cell: (row: Row) => number(row.accepted),
  };
  const money: Column<Row> = {
    ...term("charged", words.charged, glossary.charged),
    cell: ({ charged }: Row) => (charged === null ? "–" : figures.money(charged)),
  };
  return [
    report.by === "error" ? { ...key, title: <Term says={glossary.error}>{first}</Term> } : key,
    accepted,
    { ...titled("delivered", words.delivered), isNumber: true, cell: (row) => number(row.delivered) },
    { ...term("share", words.share, glossary.share), cell: (row) => figures.share(row.delivered_share) },
    { ...titled("failed", words.failed), isNumber: true, cell: (row) => number(row.failed) },
    {
      ...term("noReceipt", words.noReceipt, glossary.noReceipt),
      cell: (row) => number(row.without_receipt),
    },
    {
      ...term("median", words.median, glossary.median),
      cell: (row) => figures.delay(row.receipt_seconds.p50),
    },
    { ...term("slow", words.slow, glossary.slow), cell: (row) => figures.delay(row.receipt_seconds.p90) },
    { ...term("segments", words.segments, glossary.segment), cell: (row) => number(row.segments) },
    ...(hasMoney ? [money] : []),
  ];
}
