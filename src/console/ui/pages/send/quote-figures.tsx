import { dateTime } from "../../format.ts";
import { Button } from "../../kit/button.tsx";
import { Section } from "../../kit/page.tsx";
import { Stat, Stats } from "../../kit/stat.tsx";
import { Table } from "../../kit/table.tsx";
import { language } from "../../state/choices.ts";
import { HOME } from "../../state/router.ts";
import { sending } from "../../words/send.ts";
import { figures, rejectionWord } from "../../words/words.ts";
import { titled } from "../traffic/parts.tsx";
import { characterWord, isSeen } from "./character-word.ts";
import { change, form } from "./form.ts";
import type { ShownQuote } from "./use-quote.ts";

/** What it comes to: who gets it, what it costs, when it is out, and what would be cheaper. */
export function QuoteFigures({ quote, timezone }: { readonly quote: ShownQuote; readonly timezone: string }) {
  const { check: words } = sending.value;
  const time = (instant: string | null) => dateTime(language.value, timezone, instant);
  const left = quote.rejected + quote.bad;
  const isNow = form.value.scheduledAt === "";
  return (
    <>
      <Stats>
        <Stat
          label={words.sent}
          value={figures.number(quote.accepted)}
          note={figures.count(quote.total_segments, words.segments)}
        />
        <Stat
          label={words.notSent}
          value={figures.number(left)}
          note={left === 0 ? words.nobodyLeft : null}
        />
        <Stat label={words.cost} value={figures.money(quote.amount)} note={balanceNote(quote)} />
        <Stat
          label={words.ends}
          value={quote.ends_at === null ? words.endsUnknown : time(quote.ends_at)}
          note={`${words.starts} ${isNow ? words.now : time(quote.starts_at)}`}
        />
      </Stats>
      {quote.down.length > 0 && <p class="notice">{words.down(quote.down.join(", "))}</p>}
      {quote.accepted === 0 && <p class="error">{words.nobody}</p>}
      {quote.refusal && (
        <div class="error" role="alert">
          <p class="error-title">{words.unpayable}</p>
          <p>{quote.refusal.detail}</p>
        </div>
      )}
      <Dear quote={quote} />
      {left > 0 && <LeftOut quote={quote} />}
    </>
  );
}

function balanceNote({ spendable_before: before, spendable_after: after }: ShownQuote) {
  const { check: words } = sending.value;
  if (before === null || after === null) return null;
  return (
    <>
      <span>{`${words.before} ${figures.money(before)}`}</span>
      <span>{`${words.after} ${figures.money(after)}`}</span>
    </>
  );
}

const MOST_CHARACTERS = 6;

/** What rare characters cost, by name and place, and what replacing them saves. */
function Dear({ quote }: { readonly quote: ShownQuote }) {
  const { check: words } = sending.value;
  const dear = quote.encodings.UCS2 ?? 0;
  const { saved, examples } = quote.rewritten;
  if (dear === 0) return null;
  const [example] = examples;
  return (
    <div class="notice">
      <p class="notice-title">{words.dear(figures.count(dear, words.dearMessages))}</p>
      <ul>
        {quote.characters.slice(0, MOST_CHARACTERS).map(({ character, in: where, messages }) => (
          <li key={`${character} ${where}`}>
            {words.dearIn(
              isSeen(character) ? `${character} (${characterWord(character)})` : characterWord(character),
              placeOf(where),
              figures.count(messages, words.dearMessages),
            )}
          </li>
        ))}
      </ul>
      {saved > 0 && <p>{words.saves(figures.money(saved))}</p>}
      {saved > 0 && example && <p class="note">{words.savesExample(example.before, example.after)}</p>}
      {saved > 0 && (
        <Button onPress={() => change({ textPolicy: "rewrite" })}>
          {words.rewrite(figures.money(saved))}
        </Button>
      )}
    </div>
  );
}

function placeOf(where: string): string {
  const { check: words } = sending.value;
  return where === "body" ? words.inBody : words.inColumn(where.replace(/^attribute:/, ""));
}

function LeftOut({ quote }: { readonly quote: ShownQuote }) {
  const { check: words } = sending.value;
  const { account, file, column } = form.value;
  const rows = [
    ...(quote.bad > 0 ? [{ why: words.unreadable, count: quote.bad }] : []),
    ...Object.entries(quote.rejections_by_reason).map(([reason, count]) => ({
      ...{ why: rejectionWord(reason), count },
    })),
  ];
  const query = column === null ? "" : `?column=${column}`;
  return (
    <Section title={words.left}>
      <Table
        caption={words.leftCaption}
        columns={[
          { ...titled("why", sending.value.recipients.why), cell: ({ why }) => why },
          { ...titled("count", words.howMany), isNumber: true, cell: ({ count }) => figures.number(count) },
        ]}
        rows={rows}
        keyOf={({ why }) => why}
        empty={null}
      />
      {account !== null && file !== null && (
        <p>
          <a href={`${HOME}/api/send/${account}/files/${file.id}/left-out.csv${query}`} download>
            {words.leftFile}
          </a>
        </p>
      )}
    </Section>
  );
}
