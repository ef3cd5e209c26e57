import { useRef } from "preact/hooks";
import { ask } from "../../api/client.ts";
import type { Contract } from "../../api/contract.ts";
import { nowMs, printPart } from "../../browser.ts";
import { Button, type Column, Empty, ErrorBox, Filter, FilterBar, Section, Table } from "../../kit/kit.ts";
import { query } from "../../state/router.ts";
import { useAnswer } from "../../state/use-answer.ts";
import { money } from "../../words/money.ts";
import { classWord, figures } from "../../words/words.ts";
import { titled } from "../traffic/parts.tsx";
import { dayBefore, monthSpan } from "./amounts.ts";
import { Seller, SellerMissing } from "./seller.tsx";

type View = Contract["GET /accounts/:account/invoice"]["answer"];
type Line = View["lines"][number];

/** The statement of consumption: what was sent in a month, by operator, class and price. It is no invoice, and says so on paper too. */
export function Invoice({ account, name }: { readonly account: string; readonly name: string }) {
  const month = query.value.get("month") ?? new Date(nowMs()).toISOString().slice(0, 7);
  const span = monthSpan(month);
  const { value, problem } = useAnswer<View | null>(`${account} ${month}`, async () =>
    span === null
      ? ({ ok: true, value: null } as const)
      : ask("GET /accounts/:account/invoice", { params: { account }, query: span }),
  );
  const { money: words } = money.value;
  const paper = useRef<HTMLDivElement>(null);
  const toPaper = () => paper.current && printPart(paper.current);
  return (
    <div ref={paper}>
      <Section title={words.invoice} aside={<Button onPress={toPaper}>{words.print}</Button>}>
        <FilterBar of={words.invoice}>
          <Filter name="month" label={words.month} />
        </FilterBar>
        <p class="note unprinted">{words.monthHint}</p>
        {problem && <ErrorBox problem={problem} />}
        {value && span && (
          <>
            {value.seller ? <Seller seller={value.seller} /> : <SellerMissing />}
            <p>
              <strong>{name}</strong>
            </p>
            <p>
              {words.issued({ day: figures.day(new Date(nowMs()).toISOString()) })}
              <br />
              {words.period({ from: figures.day(span.from), to: figures.day(dayBefore(span.to)) })}
            </p>
            <p>{words.noInvoicePaper}</p>
            <Table
              caption={`${words.invoice} ${figures.month(month)}`}
              columns={columnsOf(value)}
              rows={value.lines.filter(isBilled)}
              keyOf={(line) => `${line.operator} ${line.message_class} ${line.price}`}
              empty={<Empty title={words.noInvoice} />}
            />
            <p>
              {words.total} <strong>{figures.money(value.total.charged)}</strong>
              {value.total.still_reserved > 0 &&
                ` · ${words.open} ${figures.money(value.total.still_reserved)}`}
            </p>
            {value.total.free_segments > 0 && <p>{figures.count(value.total.free_segments, words.free)}</p>}
            <p class="note">{words.invoiceCounts}</p>
          </>
        )}
      </Section>
    </div>
  );
}

/** Whether a line is for the bookkeeper: not where all of it was given back. */
function isBilled({ charged, still_reserved, free_segments: free, segments }: Line): boolean {
  return charged > 0 || still_reserved > 0 || free < segments;
}

/** Each line multiplies: what one costs, how many are billed, what they cost. */
function columnsOf(view: View): readonly Column<Line>[] {
  const { money: words } = money.value;
  const number = (key: string, title: string, cell: (line: Line) => string): Column<Line> => ({
    ...titled(key, title),
    isNumber: true,
    cell,
  });
  return [
    { ...titled("operator", words.operator), cell: ({ name }) => name },
    { ...titled("class", words.messageClass), cell: (line) => classWord(line.message_class) },
    number("price", words.price, ({ price }) => figures.money(price)),
    number("billed", words.billed, (line) => figures.number(line.billed_segments)),
    number("charged", words.charged, ({ charged }) => figures.money(charged)),
    ...(view.total.still_reserved === 0
      ? []
      : [number("open", words.open, (line) => figures.money(line.still_reserved))]),
  ];
}
