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
            <strong>{words.title({ tag })}</strong>
          </p>
          <p>
            {words.are({
              usual: usual.value,
              line: figures.number(usual.line),
              other: other.value,
              otherLine: figures.number(other.line),
            })}
          </p>
        </div>
      ))}
      <p class="note">{words.help}</p>
    </div>
  );
}

/** Columns with numbers that a workbook shows otherwise than they are sent, with the first row. */
export function Formats({ formats }: Pick<ShownQuote, "formats">) {
  const words = dateWords.value;
  if (formats.length === 0) return null;
  return (
    <div class="notice">
      {formats.map(({ column, rows, line, sent_as: sent, format }) => (
        <div key={column}>
          <p>
            <strong>{words.formatTitle({ tag: column })}</strong>
          </p>
          <p>
            {words.formatFirst({
              line: figures.number(line),
              sent,
              format,
              rows: figures.count(rows, words.formatRows),
            })}
          </p>
        </div>
      ))}
      <p class="note">{words.formatHelp}</p>
    </div>
  );
}
