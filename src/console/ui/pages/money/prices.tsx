/** Console page of an account's prices per segment: those in force, their history, and the form that sets or removes one. */

import { useState } from "preact/hooks";
import { type ApiAnswer, callApi } from "../../api/client.ts";
import type { Answer } from "../../api/contract.ts";
import {
  Button,
  Choice,
  type Columns,
  Confirm,
  column,
  Empty,
  ErrorBox,
  Field,
  moneyColumn,
  numberColumn,
  Page,
  Section,
  Table,
  TableSection,
  timeColumn,
  toOptions,
} from "../../kit/kit.ts";
import { may } from "../../state/session.ts";
import { useDraft } from "../../state/use-draft.ts";
import { useAction, useAnswer } from "../../state/use-request.ts";
import { money } from "../../words/money.ts";
import { classWord, figures } from "../../words/words.ts";
import type { PageProps } from "../lazy-page.tsx";
import { AccountTabs, accountCrumb, partOfAccount } from "./account-tabs.tsx";
import { parseFrancs } from "./amounts.ts";
import { derivePriceStanding, inForce } from "./price-standing.ts";

type Price = Answer<"GET /accounts/:account/prices">["prices"][number];

export function Prices({ parts: { account = "" } }: PageProps) {
  const params = { account };
  const [changes, setChanges] = useState(0);
  const { problem: failed, run } = useAction();
  const [leaving, setLeaving] = useState<Price | null>(null);
  const whose = useAnswer("GET /accounts/:account", { params });
  const { value, problem, reload } = useAnswer("GET /accounts/:account/prices", { params }, changes);
  const { prices: words, account: accountWords } = money.value;
  const change = async (asked: Promise<ApiAnswer<unknown>>): Promise<void> => {
    await run(asked, accountWords.done);
    setChanges(changes + 1);
  };
  const prices = value?.prices ?? [];
  const name = whose.value?.name ?? "";
  return (
    <Page
      title={name === "" ? null : partOfAccount(name, accountWords.prices)}
      question={words.title}
      trail={name === "" ? [] : accountCrumb(account, name)}
    >
      <AccountTabs account={account} name={name} />
      <ErrorBox problem={failed ?? problem ?? whose.problem} onRetry={reload} />
      <Table
        caption={words.title}
        columns={columnsOf(prices, setLeaving)}
        rows={prices}
        keyOf={(price) => `${price.source} ${price.operator} ${price.message_class}`}
        isLoading={value === null && problem === null}
        empty={<Empty title={words.noPrice} />}
      />
      {may("prices.change") && value && (
        <PriceForm account={account} name={name} prices={prices} onChange={change} />
      )}
      <History account={account} changes={changes} />
      {leaving && (
        <Confirm
          title={words.unsetTitle}
          verb={words.unset}
          isDestructive
          onConfirm={() => {
            const { operator, message_class } = leaving;
            const body = { operator, message_class };
            return change(callApi("POST /accounts/:account/prices/unset", { params, body }));
          }}
          onClose={() => setLeaving(null)}
        >
          <p>{words.unsetText({ general: priceText(behind(prices, leaving)) })}</p>
        </Confirm>
      )}
    </Page>
  );
}

/** The price that applies once another is removed. */
function behind(prices: readonly Price[], gone: Price): Price | undefined {
  return inForce(
    prices.filter((price) => price !== gone),
    gone.operator,
    gone.message_class,
  );
}

function priceText(price: Price | undefined): string {
  return price === undefined ? money.value.prices.noPrice : figures.money(price.amount);
}

function priceClassWord(messageClass: string | null): string {
  return messageClass === null ? money.value.prices.all : classWord(messageClass);
}

const CLASSES = ["OTP", "TRANSACTIONAL", "MARKETING"];

function columnsOf(prices: readonly Price[], onUnset: (price: Price) => void): Columns<Price> {
  const { prices: words, money: moneyWords } = money.value;
  return [
    column(moneyWords.operator, (price) => price.operator_name),
    column(moneyWords.messageClass, (price) => priceClassWord(price.message_class)),
    moneyColumn(words.amount, ({ amount }) => amount),
    column(words.standing, (price) => words.standings[derivePriceStanding(prices, price, CLASSES)]),
    column(words.source, (price) => (
      <>
        {price.source === "account" ? words.own : words.general}{" "}
        {price.source === "account" && may("prices.change") && (
          <Button
            kind="quiet"
            label={`${words.unset} ${price.operator_name} ${priceClassWord(price.message_class)}`}
            onPress={() => onUnset(price)}
          >
            {words.unset}
          </Button>
        )}
      </>
    )),
  ];
}

function History({ account, changes }: { readonly account: string; readonly changes: number }) {
  const { value } = useAnswer("GET /accounts/:account/prices/history", { params: { account } }, changes);
  const { prices: words, money: moneyWords } = money.value;
  type Change = Answer<"GET /accounts/:account/prices/history">["changes"][number];
  const columns: Columns<Change> = [
    timeColumn(moneyWords.at, ({ at }) => at),
    column(moneyWords.operator, (price) => price.operator_name),
    column(moneyWords.messageClass, (row) => priceClassWord(row.message_class)),
    numberColumn(words.amount, ({ amount }) => (amount === null ? words.takenAway : figures.money(amount))),
  ];
  return (
    <TableSection
      title={words.history}
      columns={columns}
      rows={value?.changes ?? []}
      keyOf={(row) => `${row.at} ${row.operator} ${row.message_class}`}
      isLoading={value === null}
      empty={<p class="note">{words.noHistory}</p>}
    />
  );
}

const OFFERED_CLASSES = ["", "OTP", "TRANSACTIONAL", "MARKETING"] as const;

type Props = {
  readonly account: string;
  readonly name: string;
  readonly prices: readonly Price[];
  readonly onChange: (asked: Promise<ApiAnswer<unknown>>) => Promise<void>;
};

/** Agrees a price with an account, after saying what it was and what it becomes. */
function PriceForm({ account, name, prices, onChange }: Props) {
  const names = new Map(prices.map((price) => [price.operator, price.operator_name]));
  const { draft, put, bind } = useDraft<{
    readonly operator: string;
    readonly of: (typeof OFFERED_CLASSES)[number];
    readonly price: string;
  }>({ operator: prices[0]?.operator ?? "", of: "", price: "" });
  const [isAsking, setAsking] = useState(false);
  const { prices: words, money: moneyWords } = money.value;
  const { operator } = draft;
  const francs = parseFrancs(draft.price);
  const isFit = francs !== null && francs >= 0;
  const message_class = draft.of || null;
  return (
    <Section title={words.agree}>
      <form
        class="line"
        onSubmit={(event) => {
          event.preventDefault();
          if (isFit) setAsking(true);
        }}
      >
        <Choice
          label={moneyWords.operator}
          options={[...names].map(([value, label]) => ({ value, label }))}
          {...bind("operator")}
        />
        <Choice
          label={moneyWords.messageClass}
          options={toOptions(OFFERED_CLASSES, (value) => priceClassWord(value || null))}
          {...bind("of")}
        />
        <Field
          label={words.amount}
          {...bind("price")}
          fault={draft.price.trim() !== "" && !isFit ? moneyWords.notWhole : null}
          required
          inputMode="numeric"
        />
        <Button submits>{words.set}</Button>
      </form>
      {isAsking && francs !== null && (
        <Confirm
          title={words.setTitle}
          verb={words.set}
          onConfirm={async () => {
            const body = { operator, message_class, amount: francs };
            await onChange(callApi("POST /accounts/:account/prices", { params: { account }, body }));
            put({ price: "" });
          }}
          onClose={() => setAsking(false)}
        >
          <p>
            {words.setText({
              name,
              operator: names.get(operator) ?? operator,
              messageClass: priceClassWord(message_class),
              before: priceText(inForce(prices, operator, message_class)),
              after: francs,
            })}
          </p>
          {francs === 0 && <p>{words.free}</p>}
        </Confirm>
      )}
    </Section>
  );
}
