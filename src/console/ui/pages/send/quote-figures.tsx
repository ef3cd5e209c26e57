import { useRef } from "preact/hooks";
import { dateTime, wallTime } from "../../format.ts";
import { Button } from "../../kit/button.tsx";
import { Stat, Stats } from "../../kit/stat.tsx";
import { language } from "../../state/choices.ts";
import { sending } from "../../words/send.ts";
import { figures, labelled, rejectionWord } from "../../words/words.ts";
import { Cost } from "./cost.tsx";
import { Dates, Formats } from "./dates.tsx";
import { Dear } from "./dear.tsx";
import { Earlier } from "./earlier.tsx";
import { change, form, type MissingRule } from "./form.ts";
import { LeftOut } from "./left-out.tsx";
import { reachOf } from "./reach.ts";
import { Repeats } from "./repeats.tsx";
import type { SendingAccount } from "./send.tsx";
import { sumOf } from "./sum.ts";
import { Unpayable } from "./unpayable.tsx";
import { Unregistered } from "./unregistered.tsx";
import type { ShownQuote } from "./use-quote.ts";

type FiguresProps = { readonly quote: ShownQuote; readonly account: SendingAccount };

/** What it comes to: who gets it, what it costs, when it is out, and what would be cheaper. */
export function QuoteFigures({ quote, account }: FiguresProps) {
  const { timezone, missing_attributes: missing } = account;
  const { check: words } = sending.value;
  const figuresPart = useRef<HTMLDivElement>(null);
  const time = (instant: string | null) => dateTime(language.value, timezone, instant);
  const left = quote.rejected + quote.bad;
  const reach = reachOf(quote);
  const isNow = form.value.scheduledAt === "";
  const toFigures = () => figuresPart.current?.focus();
  return (
    <div ref={figuresPart} tabIndex={-1}>
      <Stats>
        <Stat
          label={words.sent}
          value={figures.number(reach.sent)}
          note={figures.count(reach.segments, words.segments)}
        />
        <Stat
          label={words.notSent}
          value={figures.number(left + reach.lost)}
          note={left + reach.lost === 0 ? words.nobodyLeft : null}
        />
        <Stat label={words.cost} value={figures.money(reach.amount)} note={balanceNote(quote)} />
        {reach.sent > 0 && (
          <Stat
            label={words.ends}
            value={quote.ends_at === null ? "–" : time(quote.ends_at)}
            note={[
              ...(quote.ends_at === null ? [words.endsUnknown] : []),
              startText(quote, isNow ? null : time(quote.starts_at)),
            ].join(" · ")}
          />
        )}
      </Stats>
      <Cost quote={quote} />
      <Sum quote={quote} />
      <Unregistered quote={quote} />
      {quote.down.map(({ operator, name, is_paused: isPaused }) => (
        <p key={operator} class="notice">
          {isPaused ? words.paused({ operator: name }) : words.down({ operator: name })}
        </p>
      ))}
      {quote.opens_at === null ? (
        quote.accepted === 0 && <p class="error">{words.nobody}</p>
      ) : (
        <Quiet opensAt={quote.opens_at} account={account} onChosen={toFigures} />
      )}
      {quote.refusal && <Unpayable quote={quote} refusal={quote.refusal} />}
      {quote.earlier && <Earlier earlier={quote.earlier} />}
      <Repeats quote={quote} />
      <Gaps quote={quote} rule={form.value.missing ?? missing} />
      <Told quote={quote} />
      <Dates dates={quote.dates} />
      <Formats formats={quote.formats} />
      <Dear quote={quote} rule={form.value.textPolicy ?? account.text_policy} onChosen={toFigures} />
      {left + reach.lost > 0 && <LeftOut quote={quote} />}
    </div>
  );
}

/** When the first leaves; `time` is null for now. Where every operator that is needed takes nothing, now is not when. */
function startText({ down, by_operator: loads }: ShownQuote, time: string | null): string {
  const { check: words } = sending.value;
  if (down.length === loads.length && time === null) return words.startsLater;
  return `${words.starts} ${time ?? words.now}`;
}

type QuietProps = {
  readonly opensAt: string;
  readonly account: SendingAccount;
  /** The notice goes with what was pressed in it: the focus needs another place. */
  readonly onChosen: () => void;
};

/** Marketing at an hour at which nobody gets any: which hours they are, and the next of them with one press. */
function Quiet({ opensAt, account, onChosen }: QuietProps) {
  const { check: words } = sending.value;
  const [from = "", to = ""] = account.policy.marketing_hours.split("-");
  const opens = wallTime(language.value, opensAt);
  return (
    <div class="error" role="alert">
      <p class="error-title">{words.quiet}</p>
      <p>{words.quietHours({ from, to, zone: account.timezone })}</p>
      <Button
        onPress={() => {
          change({ scheduledAt: opensAt });
          onChosen();
        }}
      >
        {words.quietOpen({ time: opens })}
      </Button>
    </div>
  );
}

/** Every row of what was brought stands somewhere: to be sent, or not, and then why. */
function Sum({ quote }: { readonly quote: ShownQuote }) {
  const { check: words } = sending.value;
  const { rows, sent, notSent, unreadable, doubled, unregistered } = sumOf({
    ...quote,
    lost: reachOf(quote).lost,
  });
  const others = Object.entries(quote.rejections_by_reason).filter(
    ([reason, count]) => reason !== "DUPLICATE_IN_BATCH" && count > 0,
  );
  const parts = [
    ...(unreadable > 0 ? [figures.count(unreadable, words.sumBad)] : []),
    ...(doubled > 0 ? [figures.count(doubled, words.sumDouble)] : []),
    ...(unregistered > 0 ? [figures.count(unregistered, words.sumUnregistered)] : []),
    ...others.map(([reason, count]) =>
      words.sumOther({ rows: figures.number(count), why: rejectionWord(reason) }),
    ),
  ];
  const left = `${figures.count(notSent, words.sumLeft)}${parts.length === 0 ? "" : ` (${parts.join(", ")})`}`;
  return (
    <p class="sum">
      {words.sum({
        rows: figures.count(rows, words.sumRows),
        parts: `${figures.count(sent, words.sumSent)} + ${left}`,
      })}
    </p>
  );
}

/** What stands in braces and is sent so, and texts that are long: most often neither is what somebody wants to pay for. */
function Told({ quote: { warnings } }: { readonly quote: ShownQuote }) {
  const { text, check } = sending.value;
  return warnings.map(({ code, tag, recipients, segments = 0 }) => {
    if (code === "TEXT_IN_BRACES") {
      return (
        <p key={`${code} ${tag}`} class="notice">
          {text.textInBraces({ text: tag })}
        </p>
      );
    }
    if (code !== "LONG_TEXT") return null;
    return (
      <p key={code} class="notice">
        {check.longTexts({
          texts: figures.count(recipients, check.texts),
          segments: figures.count(segments, check.segments),
        })}
      </p>
    );
  });
}

/** Tags that are empty for some: how many, on which lines first, and what becomes of them. */
function Gaps({ quote, rule }: { readonly quote: ShownQuote; readonly rule: MissingRule }) {
  const { check: words } = sending.value;
  const { gaps } = quote;
  if (gaps.length === 0) return null;
  const isSent = rule === "empty";
  return (
    <div class="notice">
      {gaps.map((gap) => (
        <p key={gap.tag} class="notice-title">
          {gapText(gap, quote.accepted + quote.rejected - (quote.earlier?.left ?? 0))}
        </p>
      ))}
      <p>{isSent ? words.gapEmpty : words.gapReject}</p>
      <Button onPress={() => change({ missing: isSent ? "reject" : "empty" })}>
        {isSent ? words.gapToReject : words.gapToEmpty}
      </Button>
    </div>
  );
}

function gapText({ tag, rows, lines }: ShownQuote["gaps"][number], all: number): string {
  const { check: words } = sending.value;
  if (rows === all && rows > 1) return words.gapAll({ tag });
  const named = `${lines.length === 1 ? words.gapLines.one : words.gapLines.other} ${lines.map(figures.number).join(", ")}`;
  const more = rows > lines.length ? ` ${words.gapMore}` : "";
  return `${labelled(words.gap({ tag, people: figures.count(rows, words.gapPeople) }), named)}${more}`;
}

/** The balance before and after; whoever may not see it is told that it is enough. */
function balanceNote(quote: ShownQuote) {
  const { check: words } = sending.value;
  const { accepted, is_payable, spendable_before: before, spendable_after: after } = quote;
  if (before === null || after === null) return accepted > 0 && is_payable ? words.enough : null;
  return (
    <>
      <span>{`${words.before} ${figures.money(before)}`}</span>
      <span>{`${words.after} ${figures.money(after + reachOf(quote).held)}`}</span>
    </>
  );
}
