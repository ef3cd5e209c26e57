/** What is left of a quote once routes are paid, for those who may know; closed, since clients may look on. */
import { Table } from "../../kit/kit.ts";
import { margin } from "../../words/margin.ts";
import { figures } from "../../words/words.ts";
import { marginColumns } from "../reports/margin-columns.tsx";
import type { ShownQuote } from "./use-quote.ts";

export function QuoteMargin({ quote }: { readonly quote: ShownQuote }) {
  const { margin_by_route: rows = [], margin_totals: totals } = quote;
  if (rows.length === 0 || totals === undefined) return null;
  const words = margin.value;
  const share = totals.margin_share === null ? null : figures.share(totals.margin_share);
  const left = totals.margin === null ? words.notKnown : figures.exactMoney(totals.margin);
  return (
    <details>
      <summary>{words.quoted({ margin: left, share })}</summary>
      <Table
        caption={words.margin}
        columns={marginColumns<(typeof rows)[number]>(
          words.keys.route,
          ({ operator, route }) => `${operator}/${route}`,
        )}
        rows={rows}
        keyOf={({ operator, route }) => `${operator}/${route}`}
      />
    </details>
  );
}
