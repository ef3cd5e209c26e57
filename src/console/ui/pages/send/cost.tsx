import { sending } from "../../words/send.ts";
import { figures, labelled } from "../../words/words.ts";
import type { ShownQuote } from "./use-quote.ts";

/** How the amount comes about: how many SMS the texts take, and what each operator's price makes of them. */
export function Cost({ quote }: { readonly quote: ShownQuote }) {
  const { check: words } = sending.value;
  const { lengths } = quote;
  const operators = quote.by_operator.filter((one) => one.is_registered);
  if (operators.length === 0) return null;
  const isLong = lengths.some(({ segments }) => segments > 1);
  return (
    <div class="cost">
      <p>
        <strong>{words.costTitle}</strong>
      </p>
      {isLong && <p>{`${words.costLengths} ${lengths.map(lengthText).join(", ")}.`}</p>}
      <ul>
        {operators.map((share) => (
          <li key={share.operator}>{labelled(share.name, shareText(share))}</li>
        ))}
      </ul>
    </div>
  );
}

function lengthText({ segments, messages }: ShownQuote["lengths"][number]): string {
  const { check: words, text } = sending.value;
  return words.costLength({
    texts: figures.count(messages, words.texts),
    segments: figures.count(segments, text.segments),
  });
}

function shareText({ segments, price, amount, fallback_amount: beyond }: ShownQuote["by_operator"][number]) {
  const { check: words, text } = sending.value;
  const own = words.costShare({
    segments: figures.count(segments, text.segments),
    price: figures.money(price),
    amount: figures.money(amount - beyond),
  });
  return beyond === 0 ? own : `${own} ${words.costBeyond({ amount: figures.money(beyond) })}`;
}
