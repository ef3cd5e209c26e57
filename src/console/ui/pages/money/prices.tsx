import { useState } from "preact/hooks";
import { type ApiAnswer, ask, type Problem } from "../../api/client.ts";
import type { Contract } from "../../api/contract.ts";
import { Button, type Column, Confirm, Empty, ErrorBox, Page, Section, say, Table } from "../../kit/kit.ts";
import { HOME } from "../../state/router.ts";
import { may } from "../../state/session.ts";
import { useAnswer } from "../../state/use-answer.ts";
import { money } from "../../words/money.ts";
import { classWord, figures } from "../../words/words.ts";
import { titled } from "../traffic/parts.tsx";
import { PriceForm } from "./price-form.tsx";
import { inForce, standingOf } from "./price-standing.ts";

export type Price = Contract["GET /accounts/:account/prices"]["answer"]["prices"][number];

/** What an account pays for a segment: agreed prices before those of operators, and what they were. */
export function Prices({ parts }: { readonly parts: Readonly<Record<string, string>> }) {
  const account = parts.account ?? "";
  const params = { account };
  const [changes, setChanges] = useState(0);
  const [failed, setFailed] = useState<Problem | null>(null);
  const [leaving, setLeaving] = useState<Price | null>(null);
  const whose = useAnswer(account, () => ask("GET /accounts/:account", { params }));
  const { value, problem, reload } = useAnswer(`${account} ${changes}`, () =>
    ask("GET /accounts/:account/prices", { params }),
  );
  const { prices: words, account: accountWords } = money.value;
  const done = (answer: ApiAnswer<unknown>): void => {
    setFailed(answer.ok ? null : answer.problem);
    if (answer.ok) say(accountWords.done);
    setChanges(changes + 1);
  };
  const shown = failed ?? problem ?? whose.problem;
  const name = whose.value?.name ?? "";
  return (
    <Page title={words.title}>
      {shown && <ErrorBox problem={shown} onRetry={() => void reload()} />}
      <p class="lead">
        <a href={`${HOME}/accounts/${account}`}>{name}</a>
      </p>
      <Table
        caption={words.title}
        columns={columnsOf(value?.prices ?? [], setLeaving)}
        rows={value?.prices ?? []}
        keyOf={(price) => `${price.source} ${price.operator} ${price.message_class}`}
        isLoading={value === null && problem === null}
        empty={<Empty title={words.noPrice} />}
      />
      {may("prices.change") && value && (
        <PriceForm account={account} name={name} prices={value.prices} onAnswer={done} />
      )}
      <History account={account} changes={changes} />
      {leaving && (
        <Confirm
          title={words.unsetTitle}
          verb={words.unset}
          isDestructive
          onConfirm={async () => {
            const { operator, message_class } = leaving;
            done(
              await ask("POST /accounts/:account/prices/unset", {
                params,
                body: { operator, message_class },
              }),
            );
          }}
          onClose={() => setLeaving(null)}
        >
          <p>{words.unsetText({ general: priceText(behind(value?.prices ?? [], leaving)) })}</p>
        </Confirm>
      )}
    </Page>
  );
}

/** The price that counts once another is taken away. */
function behind(prices: readonly Price[], gone: Price): Price | undefined {
  return inForce(
    prices.filter((price) => price !== gone),
    gone.operator,
    gone.message_class,
  );
}

export function priceText(price: Price | undefined): string {
  return price === undefined ? money.value.prices.noPrice : figures.money(price.amount);
}

export function priceClassWord(messageClass: string | null): string {
  return messageClass === null ? money.value.prices.all : classWord(messageClass);
}

const CLASSES = ["OTP", "TRANSACTIONAL", "MARKETING"];

function columnsOf(prices: readonly Price[], onUnset: (price: Price) => void): readonly Column<Price>[] {
  const { prices: words, money: moneyWords } = money.value;
  return [
    { ...titled("operator", moneyWords.operator), cell: (price) => price.operator_name },
    { ...titled("class", moneyWords.messageClass), cell: (price) => priceClassWord(price.message_class) },
    { ...titled("amount", words.amount), isNumber: true, cell: ({ amount }) => figures.money(amount) },
    {
      ...titled("standing", words.standing),
      cell: (price) => words.standings[standingOf(prices, price, CLASSES)],
    },
    {
      ...titled("source", words.source),
      cell: (price) => (
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
      ),
    },
  ];
}

function History({ account, changes }: { readonly account: string; readonly changes: number }) {
  const { value } = useAnswer(`${account} ${changes}`, () =>
    ask("GET /accounts/:account/prices/history", { params: { account } }),
  );
  const { prices: words, money: moneyWords } = money.value;
  type Change = Contract["GET /accounts/:account/prices/history"]["answer"]["changes"][number];
  const columns: readonly Column<Change>[] = [
    { ...titled("at", moneyWords.at), cell: ({ at }) => figures.time(at) },
    { ...titled("operator", moneyWords.operator), cell: (price) => price.operator_name },
    { ...titled("class", moneyWords.messageClass), cell: (row) => priceClassWord(row.message_class) },
    {
      ...titled("amount", words.amount),
      isNumber: true,
      cell: ({ amount }) => (amount === null ? words.takenAway : figures.money(amount)),
    },
  ];
  return (
    <Section title={words.history}>
      <Table
        caption={words.history}
        columns={columns}
        rows={value?.changes ?? []}
        keyOf={(row) => `${row.at} ${row.operator} ${row.message_class}`}
        isLoading={value === null}
        empty={<p class="note">{words.noHistory}</p>}
      />
    </Section>
  );
}
