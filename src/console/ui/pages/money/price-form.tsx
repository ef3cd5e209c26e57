import { useState } from "preact/hooks";
import { type ApiAnswer, ask } from "../../api/client.ts";
import { Button, Choice, Confirm, Field, Section } from "../../kit/kit.ts";
import { money } from "../../words/money.ts";
import { classWord, figures } from "../../words/words.ts";
import { typedFrancs } from "./amounts.ts";
import { inForce } from "./price-standing.ts";
import { type Price, priceClassWord, priceText } from "./prices.tsx";

const CLASSES = ["", "OTP", "TRANSACTIONAL", "MARKETING"] as const;

type Props = {
  readonly account: string;
  readonly name: string;
  readonly prices: readonly Price[];
  readonly onAnswer: (answer: ApiAnswer<unknown>) => void;
};

/** Agrees a price with an account, after saying what it was and what it becomes. */
export function PriceForm({ account, name, prices, onAnswer }: Props) {
  const names = new Map(prices.map((price) => [price.operator, price.operator_name]));
  const [operator, setOperator] = useState(prices[0]?.operator ?? "");
  const [ofClass, setClass] = useState<(typeof CLASSES)[number]>("");
  const [amount, setAmount] = useState("");
  const [isAsking, setAsking] = useState(false);
  const { prices: words, money: moneyWords } = money.value;
  const francs = typedFrancs(amount);
  const isFit = francs !== null && francs >= 0;
  const message_class = ofClass === "" ? null : ofClass;
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
          value={operator}
          options={[...names].map(([value, label]) => ({ value, label }))}
          onValue={setOperator}
        />
        <Choice
          label={moneyWords.messageClass}
          value={ofClass}
          options={CLASSES.map((value) => ({ value, label: value === "" ? words.all : classWord(value) }))}
          onValue={setClass}
        />
        <Field
          label={words.amount}
          name="price"
          value={amount}
          onValue={setAmount}
          fault={amount.trim() !== "" && !isFit ? moneyWords.notWhole : null}
          input={{ required: true, inputMode: "numeric", autocomplete: "off" }}
        />
        <Button submits>{words.set}</Button>
      </form>
      {isAsking && francs !== null && (
        <Confirm
          title={words.setTitle}
          verb={words.set}
          onConfirm={async () => {
            const body = { operator, message_class, amount: francs };
            onAnswer(await ask("POST /accounts/:account/prices", { params: { account }, body }));
            setAmount("");
          }}
          onClose={() => setAsking(false)}
        >
          <p>
            {words.setText({
              name,
              operator: names.get(operator) ?? operator,
              messageClass: priceClassWord(message_class),
              before: priceText(inForce(prices, operator, message_class)),
              after: figures.money(francs),
            })}
          </p>
          {francs === 0 && <p>{words.free}</p>}
        </Confirm>
      )}
    </Section>
  );
}
