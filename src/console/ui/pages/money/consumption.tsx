/** Console page of an account's statement of consumption, by month. */
import { useRef } from "preact/hooks";
import type { Answer } from "../../api/contract.ts";
import { nowMs, printPart } from "../../browser.ts";
import {
  Button,
  type Columns,
  column,
  countColumn,
  Empty,
  ErrorBox,
  Filter,
  FilterBar,
  moneyColumn,
  monthOptions,
  Note,
  Page,
  Section,
  Table,
  today,
} from "../../kit/kit.ts";
import { lastMonths } from "../../state/period.ts";
import { HOME, query } from "../../state/router.ts";
import { useAnswer } from "../../state/use-request.ts";
import { money } from "../../words/money.ts";
import { classWord, figures } from "../../words/words.ts";
import type { PageProps } from "../lazy-page.tsx";
import { AccountTabs, accountCrumb, partOfAccount } from "./account-tabs.tsx";
import { monthSpan, readPreviousDay } from "./amounts.ts";
import { Seller, SellerMissing } from "./seller.tsx";

type View = Answer<"GET /accounts/:account/invoice">;
type Line = View["lines"][number];

/** Months that are offered. */
const MONTHS = 36;

/** What was sent in a month, by operator, class and price. It is no invoice, and says so on paper too. */
export function Consumption({ parts: { account = "" } }: PageProps) {
  const thisMonth = today().slice(0, "2026-03".length);
  const month = query.value.get("month") ?? thisMonth;
  const span = monthSpan(month);
  const { value, problem } = useAnswer(
    "GET /accounts/:account/invoice",
    span === null ? null : { params: { account }, query: span },
  );
  const whose = useAnswer("GET /accounts/:account/wallet", { params: { account } });
  const { money: words } = money.value;
  const paper = useRef<HTMLDivElement>(null);
  const toPaper = () => paper.current && printPart(paper.current);
  const name = whose.value?.account ?? null;
  return (
    <Page
      title={name === null ? null : partOfAccount(name, words.consumption)}
      question={words.consumptionQuestion}
      trail={name === null ? [] : accountCrumb(account, name)}
      aside={
        <>
          {span && (
            <a
              class="button"
              download
              href={`${HOME}/api/accounts/${account}/invoice.pdf?${new URLSearchParams(span)}`}
            >
              {words.pdf}
            </a>
          )}
          <Button onPress={toPaper}>{words.print}</Button>
        </>
      }
    >
      <AccountTabs account={account} name={name ?? ""} />
      <FilterBar of={words.invoice}>
        <Filter
          name="month"
          label={words.month}
          options={monthOptions(lastMonths(today(), MONTHS), month)}
          usual={thisMonth}
        />
      </FilterBar>
      <ErrorBox problem={whose.problem ?? problem} />
      <div ref={paper}>
        {value && span && name !== null && (
          <Section title={`${words.invoice} · ${figures.monthName(month)}`}>
            {value.seller ? <Seller seller={value.seller} /> : <SellerMissing />}
            <p>
              <strong>{name}</strong>
            </p>
            <p>
              {value.number !== null && (
                <>
                  <strong>{words.number({ number: value.number })}</strong>
                  <br />
                </>
              )}
              {words.issued({ day: figures.day(new Date(nowMs()).toISOString()) })}
              <br />
              {words.period({ from: figures.day(span.from), to: readPreviousDay(span.to) })}
              {value.due_on !== null && (
                <>
                  <br />
                  {words.due({ day: figures.day(value.due_on) })}
                </>
              )}
            </p>
            {value.is_provisional && (
              <p>
                <strong>{words.provisional}</strong>
              </p>
            )}
            <p>{words.noInvoicePaper}</p>
            <Table
              caption={`${words.invoice} ${figures.monthName(month)}`}
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
            {value.taxes.length > 0 && (
              <p>
                {value.taxes.map(({ name: tax, percent, amount }) => (
                  <>
                    {words.tax({ name: tax, percent: figures.number(percent) })} {figures.money(amount)}
                    <br />
                  </>
                ))}
                {words.totalWithTaxes} <strong>{figures.money(value.total_with_taxes)}</strong>
              </p>
            )}
            {value.payment !== null && <p>{value.payment}</p>}
            {value.total.free_segments > 0 && <p>{words.free(value.total.free_segments)}</p>}
            <Note>{words.invoiceCounts}</Note>
          </Section>
        )}
      </div>
    </Page>
  );
}

/** Whether a line is billed: not where all of it was given back. */
function isBilled({ charged, still_reserved, free_segments: free, segments }: Line): boolean {
  return charged > 0 || still_reserved > 0 || free < segments;
}

/** The figures of each line multiply: unit price, billed count, cost. */
function columnsOf(view: View): Columns<Line> {
  const { money: words } = money.value;
  return [
    column(words.operator, ({ name }) => name),
    column(words.messageClass, (line) => classWord(line.message_class)),
    moneyColumn(words.price, ({ price }) => price),
    countColumn(words.billed, (line) => line.billed_segments),
    moneyColumn(words.charged, ({ charged }) => charged),
    view.total.still_reserved !== 0 && moneyColumn(words.open, (line) => line.still_reserved),
  ];
}
