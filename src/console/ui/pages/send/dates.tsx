import { dateWords } from "../../words/dates.ts";
import { figures } from "../../words/words.ts";
import type { ShownQuote } from "./use-quote.ts";

/** Columns whose dates are not written alike, with a row of each way: nobody reads them all in the preview. */
export function Dates({ dates }: Pick<ShownQuote, "dates">) {
  const words = dateWords.value;
  if (dates.length === 0) return null;
  return (
    <div class="notice">
      {dates.map(({ tag, usual, other }) => (
        <div key={tag}>
          <p>
            <strong>{words.title(tag)}</strong>
          </p>
          <p>{words.are(usual.value, figures.number(usual.line), other.value, figures.number(other.line))}</p>
        </div>
      ))}
      <p class="note">{words.help}</p>
    </div>
  );
}
