import { Section } from "../../kit/page.tsx";
import { Table } from "../../kit/table.tsx";
import { HOME } from "../../state/router.ts";
import { sending } from "../../words/send.ts";
import { figures, rejectionWord } from "../../words/words.ts";
import { toPlainColumn } from "../traffic/parts.tsx";
import { look } from "./bring.ts";
import { NumberWarnings } from "./file-look.tsx";
import { form } from "./form.ts";
import type { ShownQuote } from "./use-quote.ts";

/** Who is sent nothing: why, how many, on which lines first, and all of them as a file. */
export function LeftOut({ quote }: { readonly quote: ShownQuote }) {
  const { check: words } = sending.value;
  const { account, file, column } = form.value;
  const isCut = quote.rejections.length + (quote.earlier?.left ?? 0) < quote.rejected;
  const { bad, rejections_by_reason: reasons, left_lines: lines } = quote;
  const left = quote.rejected + bad;
  const unregistered = quote.by_operator.filter((one) => !one.is_registered && one.messages > 0);
  const rows = [
    ...(bad > 0
      ? [
          {
            why: words.unreadable,
            count: bad,
            lines: lines.by_reason.UNREADABLE_ROW,
          },
        ]
      : []),
    ...Object.entries(reasons).map(([reason, count]) => ({
      why: rejectionWord(reason),
      count,
      lines: lines.by_reason[reason],
    })),
    ...unregistered.map(({ operator, name, messages }) => ({
      why: words.leftUnregistered({ operator: name }),
      count: messages,
      lines: lines.by_operator[operator],
    })),
  ];
  const query = column === null ? "" : `?column=${column}`;
  return (
    <Section title={words.left}>
      {look.value && <NumberWarnings look={look.value} />}
      <Table
        caption={words.leftCaption}
        columns={[
          { ...toPlainColumn("why", sending.value.recipients.why), cell: ({ why }) => why },
          { ...toPlainColumn("count", words.howMany), isNumber: true, cell: ({ count }) => figures.number(count) },
          { ...toPlainColumn("lines", words.leftLines), cell: ({ lines = [], count }) => linesText(lines, count) },
        ]}
        rows={rows}
        keyOf={({ why }) => why}
        empty={null}
      />
      {account !== null && file !== null && (
        <p>
          <a href={`${HOME}/api/send/${account}/files/${file.id}/left-out.csv${query}`} download>
            {words.leftFile}
          </a>{" "}
        </p>
      )}
      <p class="note">
        {left > 0 ? words.leftFileHelp : words.leftFileUnregistered}
        {isCut && ` ${words.leftFirst({ shown: figures.number(quote.rejections.length) })}`}
      </p>
    </Section>
  );
}

/** `3, 14, 22 and 5 more`: the first lines of so many; a dash where none is known. */
function linesText(lines: readonly number[], count: number): string {
  const { check: words } = sending.value;
  if (lines.length === 0) return "–";
  const shown = lines.map(figures.number).join(", ");
  const more = count - lines.length;
  return more > 0 ? `${shown} ${words.leftMore({ more: figures.number(more) })}` : shown;
}
