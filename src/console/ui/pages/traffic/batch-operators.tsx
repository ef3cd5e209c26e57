import { Section } from "../../kit/page.tsx";
import { type Column, Table } from "../../kit/table.tsx";
import { batchReportWords } from "../../words/batch-report.ts";
import { figures } from "../../words/words.ts";
import { type OutcomeSum, type ReportLine, sumsByOperator } from "./batch-sums.ts";
import { titled } from "./parts.tsx";

export type LinesProps = {
  readonly lines: readonly ReportLine[];
  readonly hasMoney: boolean;
  /** Of a family its people, each once. */
  readonly isOfPeople?: boolean;
};

/** What became of texts, or of people, operator by operator. */
export function ByOperator({ lines, hasMoney, isOfPeople = false }: LinesProps) {
  const words = batchReportWords.value;
  const number = (key: keyof typeof NUMBERS): Column<OutcomeSum> => ({
    ...titled(key, words[NUMBERS[key]]),
    isNumber: true,
    cell: (sum) => figures.number(sum[key]),
  });
  const columns: readonly Column<OutcomeSum>[] = [
    { ...titled("operator", words.operator), cell: ({ name }) => name },
    { ...number("accepted"), ...(isOfPeople ? titled("accepted", words.people) : {}) },
    number("delivered"),
    {
      ...titled("share", isOfPeople ? words.shareOfPeople : words.share),
      isNumber: true,
      cell: ({ delivered, accepted }) => figures.share(shareOf(delivered, accepted)),
    },
    ...(["failed", "noReceipt", "open", "cancelled", "segments"] as const).map(number),
    ...(hasMoney ? [amountColumn(words.charged)] : []),
  ];
  return (
    <Section title={words.byOperator}>
      <Table
        caption={words.byOperator}
        columns={columns}
        rows={sumsByOperator(lines)}
        keyOf={({ key }) => key}
        empty={<p class="note">{words.none}</p>}
      />
      {isOfPeople && <p class="note">{words.byOperatorHelp}</p>}
    </Section>
  );
}

/** Columns that are numbers, and their words. */
const NUMBERS = {
  ...({ accepted: "accepted", delivered: "delivered", failed: "failed", noReceipt: "noReceipt" } as const),
  ...({ open: "open", cancelled: "cancelled", segments: "segments" } as const),
};

/** What it cost, where amounts are shown. */
export function amountColumn(title: string): Column<OutcomeSum> {
  return {
    ...titled("amount", title),
    isNumber: true,
    cell: ({ amount }) => (amount === null ? "–" : figures.money(amount)),
  };
}

export function shareOf(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}
