/** The columns of margins: what was charged, what routes cost, what is left. */
import type { ComponentChildren } from "preact";
import type { Answer } from "../../api/contract.ts";
import {
  type Columns,
  column,
  countColumn,
  moneyColumn,
  numberColumn,
  Term,
  WithNote,
} from "../../kit/kit.ts";
import { margin } from "../../words/margin.ts";
import { figures } from "../../words/words.ts";

type Figures = Answer<"GET /reports/margin">["totals"];

/** `nameOf`: what a row is about, below `first`. */
export function marginColumns<Row extends Figures>(
  first: string,
  nameOf: (row: Row) => ComponentChildren,
): Columns<Row> {
  const words = margin.value;
  const { glossary } = words;
  const unknownCost = ({ unknown_cost_segments: segments }: Row) =>
    segments > 0 && words.unknownCost(segments);
  const term = (label: string, says: string) => <Term says={says}>{label}</Term>;
  return [
    column(first, nameOf),
    {
      ...countColumn<Row>(words.segments, ({ segments }) => segments),
      title: term(words.segments, glossary.segments),
    },
    {
      ...moneyColumn<Row>(words.charged, ({ charged }) => charged),
      title: term(words.charged, glossary.charged),
    },
    numberColumn(
      words.cost,
      (row) => <WithNote note={unknownCost(row)}>{figures.exactMoney(row.cost)}</WithNote>,
      term(words.cost, glossary.cost),
    ),
    numberColumn(words.margin, (row) => figures.exactMoney(row.margin), term(words.margin, glossary.margin)),
    numberColumn(words.share, (row) => figures.share(row.margin_share)),
  ];
}
