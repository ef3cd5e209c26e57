import { type Column, Table } from "../../kit/table.tsx";
import { sending } from "../../words/send.ts";
import { figures, labelled } from "../../words/words.ts";
import { titled } from "../traffic/parts.tsx";
import type { ShownQuote } from "./use-quote.ts";

type Repeat = ShownQuote["repeats"][number];

/** Rows that repeat a number: which of them counts, which does not, and what they differ in, before anything is paid. */
export function Repeats({ quote }: { readonly quote: ShownQuote }) {
  const { check: words, recipients } = sending.value;
  const { repeats } = quote;
  if (repeats.length === 0) return null;
  const { DUPLICATE_IN_BATCH: sent = 0, DUPLICATE_OF_REFUSED: refused = 0 } = quote.rejections_by_reason;
  const columns: readonly Column<Repeat>[] = [
    { ...titled("line", words.repeatLine), cell: ({ line }) => figures.number(line) },
    {
      ...titled("kept", words.repeatKept),
      cell: ({ first, is_first_sent: isSent }) =>
        isSent ? figures.number(first) : words.repeatRefused({ line: figures.number(first) }),
    },
    { ...titled("differs", words.repeatDiffers), cell: Differences },
  ];
  return (
    <div class="notice">
      <p class="notice-title">{figures.count(sent + refused, words.repeats)}</p>
      <p>{words.repeatsHelp}</p>
      {repeats.length < sent + refused && (
        <p class="note">{recipients.badMore({ shown: figures.number(repeats.length) })}</p>
      )}
      <Table
        caption={words.repeatsCaption}
        columns={columns}
        rows={repeats}
        keyOf={({ line }) => String(line)}
        empty={null}
      />
    </div>
  );
}

function Differences({ differs }: Repeat) {
  const { check: words } = sending.value;
  if (differs.length === 0) return <>{words.repeatSame}</>;
  return (
    <>
      {differs.map(({ column, first, here }) => (
        <div key={column}>
          {labelled(
            column,
            words.repeatValues({ kept: first || words.repeatEmpty, here: here || words.repeatEmpty }),
          )}
        </div>
      ))}
    </>
  );
}
