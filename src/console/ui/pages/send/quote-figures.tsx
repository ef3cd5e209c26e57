/**
 * Quote of a batch before it is sent: cost, end of sending, balance, and every recipient left out, gap, repeated number or
 * costly character.
 */
import { useRef } from "preact/hooks";
import { dateTime, wallTime } from "../../format.ts";
import {
  Alert,
  Button,
  type Columns,
  column,
  countColumn,
  Note,
  Notice,
  Section,
  Stat,
  Stats,
  Table,
} from "../../kit/kit.ts";
import { language } from "../../state/preferences.ts";
import { HOME } from "../../state/router.ts";
import { may } from "../../state/session.ts";
import { dateWords } from "../../words/dates.ts";
import { earlierWords } from "../../words/earlier.ts";
import { sending } from "../../words/send.ts";
import { figures, labelled, rejectionWord } from "../../words/words.ts";
import { NumberWarnings } from "./file-preview.tsx";
import {
  change,
  form,
  type MissingRule,
  type RewriteRule,
  type SendingAccount,
  toQueryText,
} from "./form.ts";
import { QuoteMargin } from "./quote-margin.tsx";
import { summarizeQuote, summarizeReach } from "./quote-summary.ts";
import { PaymentRefused } from "./refusal.tsx";
import { characterNamed } from "./text-editor.tsx";
import { look } from "./upload.ts";
import type { ShownQuote } from "./use-quote.ts";

type FiguresProps = {
  readonly quote: ShownQuote;
  readonly account: SendingAccount;
  /** Tags whose emptiness is confirmed elsewhere on the page. */
  readonly blanks: readonly string[];
};

export function QuoteFigures({ quote, account, blanks }: FiguresProps) {
  const { timezone, missing_attributes: missing } = account;
  const { check: words } = sending.value;
  const figuresPart = useRef<HTMLDivElement>(null);
  const time = (instant: string | null) => dateTime(language.value, timezone, instant);
  const left = quote.rejected + quote.bad;
  const reach = summarizeReach(quote);
  const isNow = form.value.scheduledAt === "";
  const toFigures = () => figuresPart.current?.focus();
  return (
    <div ref={figuresPart} tabIndex={-1}>
      <Stats>
        <Stat label={words.sent} value={reach.sent} note={words.segments(reach.segments)} />
        <Stat
          label={words.notSent}
          value={left + reach.lost}
          note={left + reach.lost === 0 ? words.nobodyLeft : null}
        />
        <Stat label={words.cost} value={figures.money(reach.amount)} note={balanceNote(quote)} />
        {reach.sent > 0 && (
          <Stat
            label={words.ends}
            value={quote.ends_at === null ? "–" : time(quote.ends_at)}
            isText
            note={[
              ...(quote.ends_at === null ? [words.endsUnknown] : []),
              startText(quote, isNow ? null : time(quote.starts_at)),
            ].join(" · ")}
          />
        )}
      </Stats>
      <Cost quote={quote} />
      <QuoteMargin quote={quote} />
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
      {quote.refusal && <PaymentRefused quote={quote} refusal={quote.refusal} />}
      {quote.earlier && <Earlier earlier={quote.earlier} />}
      <Repeats quote={quote} />
      <Gaps
        quote={quote}
        gaps={quote.gaps.filter(({ tag }) => !blanks.includes(tag))}
        rule={form.value.missing ?? missing}
      />
      <Told quote={quote} />
      <Dates dates={quote.dates} />
      <Formats formats={quote.formats} />
      <Dear quote={quote} rule={form.value.textPolicy ?? account.text_policy} onChosen={toFigures} />
      {left + reach.lost > 0 && <LeftOut quote={quote} />}
    </div>
  );
}

/** When the first text leaves; `time` is null for now. Where every needed operator takes nothing, it is not now. */
function startText({ down, by_operator: loads }: ShownQuote, time: string | null): string {
  const { check: words } = sending.value;
  if (down.length === loads.length && time === null) return words.startsLater;
  return `${words.starts} ${time ?? words.now}`;
}

type QuietProps = {
  readonly opensAt: string;
  readonly account: SendingAccount;
  /** The pressed notice disappears: the focus needs another place. */
  readonly onChosen: () => void;
};

/** Marketing outside its hours: which hours they are, and the next of them with one press. */
function Quiet({ opensAt, account, onChosen }: QuietProps) {
  const { check: words } = sending.value;
  const [from = "", to = ""] = account.policy.marketing_hours.split("-");
  const opens = wallTime(language.value, opensAt);
  return (
    <Alert title={words.quiet}>
      <p>{words.quietHours({ from, to, zone: account.timezone })}</p>
      <Button
        onPress={() => {
          change({ scheduledAt: opensAt });
          onChosen();
        }}
      >
        {words.quietOpen({ time: opens })}
      </Button>
    </Alert>
  );
}

/** Accounts for every uploaded row: sent, or not, and then why. */
function Sum({ quote }: { readonly quote: ShownQuote }) {
  const { check: words } = sending.value;
  const { rows, sent, notSent, unreadable, doubled, unregistered } = summarizeQuote({
    ...quote,
    lost: summarizeReach(quote).lost,
  });
  const others = Object.entries(quote.rejections_by_reason).filter(
    ([reason, count]) => reason !== "DUPLICATE_IN_BATCH" && count > 0,
  );
  const parts = [
    ...(unreadable > 0 ? [words.sumBad(unreadable)] : []),
    ...(doubled > 0 ? [words.sumDouble(doubled)] : []),
    ...(unregistered > 0 ? [words.sumUnregistered(unregistered)] : []),
    ...others.map(([reason, count]) => words.sumOther({ rows: count, why: rejectionWord(reason) })),
  ];
  const left = `${words.sumLeft(notSent)}${parts.length === 0 ? "" : ` (${parts.join(", ")})`}`;
  return (
    <p class="sum">
      {words.sum({
        rows: words.sumRows(rows),
        parts: `${words.sumSent(sent)} + ${left}`,
      })}
    </p>
  );
}

/** Texts in braces that are sent as they are, and long texts: most often neither is meant. */
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
          texts: check.texts(recipients),
          segments: check.segments(segments),
        })}
      </p>
    );
  });
}

type GapsProps = {
  readonly quote: ShownQuote;
  readonly gaps: ShownQuote["gaps"];
  readonly rule: MissingRule;
};

/** Tags that are empty for some: how many, on which lines first, and what is done about it. */
function Gaps({ quote, gaps, rule }: GapsProps) {
  const { check: words } = sending.value;
  if (gaps.length === 0) return null;
  const isSent = rule === "empty";
  return (
    <div class="notice">
      {gaps.map((gap) => (
        <p key={gap.tag} class="notice-title">
          {gapText(gap, quote)}
        </p>
      ))}
      <p>{isSent ? words.gapEmpty : words.gapReject}</p>
      <Button onPress={() => change({ missing: isSent ? "reject" : "empty" })}>
        {isSent ? words.gapToReject : words.gapToEmpty}
      </Button>
    </div>
  );
}

type Gap = ShownQuote["gaps"][number];

export function isEmptyForAll({ rows }: Gap, { accepted, rejected, earlier }: ShownQuote): boolean {
  return rows === accepted + rejected - (earlier?.left ?? 0);
}

/** For whom a tag is empty: everybody, or the first lines of them. */
export function gapText(gap: Gap, quote: ShownQuote): string {
  const { check: words } = sending.value;
  const { tag, rows, lines } = gap;
  if (isEmptyForAll(gap, quote) && rows > 1) return words.gapAll({ tag });
  const named = `${words.gapLines(lines.length)} ${lines.map(figures.number).join(", ")}`;
  const more = rows > lines.length ? ` ${words.gapMore}` : "";
  return `${labelled(words.gap({ tag, people: words.gapPeople(rows) }), named)}${more}`;
}

/** The balance before and after; whoever may not see it reads that it suffices. */
function balanceNote(quote: ShownQuote) {
  const { check: words } = sending.value;
  const { accepted, is_payable, spendable_before: before, spendable_after: after } = quote;
  if (before === null || after === null) return accepted > 0 && is_payable ? words.enough : null;
  return (
    <>
      <span>{`${words.before} ${figures.money(before)}`}</span>
      <span>{`${words.after} ${figures.money(after + summarizeReach(quote).held)}`}</span>
    </>
  );
}

/** The parts of the amount: how many SMS the texts take, and what each operator charges for them. */
function Cost({ quote }: { readonly quote: ShownQuote }) {
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
    texts: words.texts(messages),
    segments: text.segments(segments),
  });
}

function shareText({ segments, price, amount, fallback_amount: beyond }: ShownQuote["by_operator"][number]) {
  const { check: words, text } = sending.value;
  const own = words.costShare({
    segments: text.segments(segments),
    price,
    amount: amount - beyond,
  });
  return beyond === 0 ? own : `${own} ${words.costBeyond({ amount: beyond })}`;
}

/** Columns with dates of several formats, with a row of each: nobody reads them all in the preview. */
function Dates({ dates }: Pick<ShownQuote, "dates">) {
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
              line: usual.line,
              other: other.value,
              otherLine: other.line,
            })}
          </p>
        </div>
      ))}
      <Note>{words.help}</Note>
    </div>
  );
}

/** Columns with numbers that a workbook displays otherwise than they are sent, with the first row. */
function Formats({ formats }: Pick<ShownQuote, "formats">) {
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
              line,
              sent,
              format,
              rows: words.formatRows(rows),
            })}
          </p>
        </div>
      ))}
      <Note>{words.formatHelp}</Note>
    </div>
  );
}

const MAX_CHARACTERS = 6;

type DearProps = {
  readonly quote: ShownQuote;
  /** What is done with rare characters at present. */
  readonly rule: RewriteRule;
  /** The pressed notice disappears: the focus needs another place. */
  readonly onChosen: () => void;
};

/** What rare characters cost, by name and place, and what replacing them saves; of those replaced, how to undo it. */
function Dear({ quote, rule, onChosen }: DearProps) {
  const { check: words } = sending.value;
  const { dearer, rewritten } = quote;
  const choose = (textPolicy: RewriteRule): void => {
    change({ textPolicy });
    onChosen();
  };
  return (
    <>
      {rule !== "as_is" && rewritten.saved > 0 && (
        <div class="notice calm">
          <p>{words.replaced({ saved: rewritten.saved })}</p>
          <Example quote={quote} isChosen />
          <Button onPress={() => choose("as_is")}>{words.asWritten}</Button>
        </div>
      )}
      {dearer.messages > 0 && (
        <Notice title={words.dear(dearer.messages)}>
          <Characters quote={quote} />
          {rule === "as_is" && rewritten.saved > 0 && (
            <>
              <Example quote={quote} isChosen={false} />
              <Button onPress={() => choose("rewrite")}>{words.rewrite({ saved: rewritten.saved })}</Button>
            </>
          )}
        </Notice>
      )}
    </>
  );
}

function Characters({ quote }: { readonly quote: ShownQuote }) {
  const { check: words } = sending.value;
  return (
    <ul>
      {quote.dearer.characters.slice(0, MAX_CHARACTERS).map(({ character, in: where, messages }) => (
        <li key={`${character} ${where}`}>
          {words.dearIn({
            name: characterNamed(character),
            place: placeOf(where),
            messages: words.dearMessages(messages),
          })}
        </li>
      ))}
    </ul>
  );
}

type ExampleProps = { readonly quote: ShownQuote; readonly isChosen: boolean };

/** One text as it will leave, or as it would. */
function Example({ quote, isChosen }: ExampleProps) {
  const { check: words } = sending.value;
  const [example] = quote.rewritten.examples;
  if (!example) return null;
  return (
    <Note>
      {(isChosen ? words.savesExample : words.wouldSave)({ before: example.before, after: example.after })}
    </Note>
  );
}

function placeOf(where: string): string {
  const { check: words } = sending.value;
  return where === "body" ? words.inBody : words.inColumn({ column: where.replace(/^attribute:/, "") });
}

type Earlier = NonNullable<ShownQuote["earlier"]>;
type Served = Earlier["served"]["first"][number];
type Props = { readonly earlier: Earlier };

/** Corrected rows beside the batches that they come from, before anything is paid: who got nothing, who was reached, who failed. */
function Earlier({ earlier }: Props) {
  const words = earlierWords.value;
  return (
    <>
      <Note>{comparedWith(earlier)}</Note>
      {earlier.forgotten > 0 && <p class="notice">{words.forgotten(earlier.forgotten)}</p>}
      <p class="sum">{words.fresh(earlier.fresh)}</p>
      {earlier.unlocked > 0 && <p class="sum">{words.unlocked(earlier.unlocked)}</p>}
      {earlier.served.rows > 0 && <ServedBefore earlier={earlier} />}
      {earlier.failed.rows > earlier.failed.lasting && <FailedForNow earlier={earlier} />}
      {earlier.failed.lasting > 0 && <FailedForGood earlier={earlier} />}
    </>
  );
}

/** With which batches: rows that one of them reached are told. */
function comparedWith({ batches }: Earlier): string {
  const { compared, comparedAll } = earlierWords.value;
  const [first = "", ...others] = batches.map(({ created_at: at }) => figures.time(at));
  return others.length === 0 ? compared({ first }) : comparedAll({ first, others: others.join(", ") });
}

function ServedBefore({ earlier: { served, batches } }: Props) {
  const words = earlierWords.value;
  const { sendsServed } = form.value;
  const columns: Columns<Served> = [
    column(sending.value.recipients.line, ({ line }) => figures.number(line)),
    column(words.number, ({ msisdn }) => figures.phone(msisdn)),
    column(words.became, (row) => becameOf(row, batches)),
  ];
  return (
    <Notice title={words.served(served.rows)}>
      <p>{sendsServed ? words.servedSent : words.servedLeft}</p>
      {served.first.length < served.rows && <Note>{words.servedFirst({ shown: served.first.length })}</Note>}
      <Table caption={words.servedCaption} columns={columns} rows={served.first} keyOf={({ line }) => line} />
      <Button onPress={() => change({ sendsServed: !sendsServed })}>
        {sendsServed ? words.leaveServed : words.sendServed}
      </Button>
    </Notice>
  );
}

/** What became of a number, and in which batch where there are several. */
function becameOf({ state, batch }: Served, batches: Earlier["batches"]): string {
  const { states, inBatch } = earlierWords.value;
  const word = states[state] ?? state;
  return batches.length > 1 ? inBatch({ state: word, time: batches[batch]?.created_at ?? "" }) : word;
}

function FailedForNow({ earlier: { failed } }: Props) {
  const words = earlierWords.value;
  const { sendsFailed } = form.value;
  return (
    <Notice title={words.failed(failed.rows - failed.lasting)}>
      <Causes failed={failed} isPassing={true} />
      <p>{sendsFailed ? words.failedSent : words.failedLeft}</p>
      <Button onPress={() => change({ sendsFailed: !sendsFailed })}>
        {sendsFailed ? words.leaveFailed : words.sendFailed}
      </Button>
    </Notice>
  );
}

/** A retry changes nothing for them, and would be paid: they are left out unless confirmed. */
function FailedForGood({ earlier: { failed } }: Props) {
  const words = earlierWords.value;
  const { sendsLasting } = form.value;
  return (
    <Notice title={words.lasting(failed.lasting)}>
      <Causes failed={failed} isPassing={false} />
      <p>{sendsLasting ? words.lastingSent : words.lastingLeft}</p>
      <Button onPress={() => change({ sendsLasting: !sendsLasting })}>
        {sendsLasting ? words.leaveLasting : words.sendLasting}
      </Button>
    </Notice>
  );
}

function Causes({ failed, isPassing }: Pick<Earlier, "failed"> & { readonly isPassing: boolean }) {
  const words = earlierWords.value;
  const causes = failed.causes.filter((cause) => cause.is_passing === isPassing);
  return (
    <ul>
      {causes.map(({ code, detail, rows }) => (
        <li key={code}>{words.cause({ cause: detail.replace(/\.$/, ""), rows })}</li>
      ))}
    </ul>
  );
}

type Repeat = ShownQuote["repeats"][number];

/** Rows that repeat a number: which of them counts, and what they differ in, before anything is paid. */
function Repeats({ quote }: { readonly quote: ShownQuote }) {
  const { check: words, recipients } = sending.value;
  const { repeats } = quote;
  if (repeats.length === 0) return null;
  const { DUPLICATE_IN_BATCH: sent = 0, DUPLICATE_OF_REFUSED: refused = 0 } = quote.rejections_by_reason;
  const columns: Columns<Repeat> = [
    column(words.repeatLine, ({ line }) => figures.number(line)),
    column(words.repeatKept, ({ first, is_first_sent: isSent }) =>
      isSent ? figures.number(first) : words.repeatRefused({ line: first }),
    ),
    column(words.repeatDiffers, Differences),
  ];
  return (
    <Notice title={words.repeats(sent + refused)}>
      <p>{words.repeatsHelp}</p>
      {repeats.length < sent + refused && <Note>{recipients.badMore({ shown: repeats.length })}</Note>}
      <Table caption={words.repeatsCaption} columns={columns} rows={repeats} keyOf={({ line }) => line} />
    </Notice>
  );
}

function Differences({ differs }: Repeat) {
  const { check: words } = sending.value;
  if (differs.length === 0) return <>{words.repeatSame}</>;
  return (
    <>
      {differs.map(({ column: tag, first, here }) => (
        <div key={tag}>
          {labelled(
            tag,
            words.repeatValues({ kept: first || words.repeatEmpty, here: here || words.repeatEmpty }),
          )}
        </div>
      ))}
    </>
  );
}

/** Texts that fail because their operator does not know the sender: shown before sending, with what is done and what helps. */
function Unregistered({ quote }: { readonly quote: ShownQuote }) {
  const { check: words } = sending.value;
  const { sent, lost, held } = summarizeReach(quote);
  if (lost === 0) return null;
  const sender = form.value.sender ?? "";
  return (
    <div class="error" role="alert">
      {quote.by_operator.map(({ operator, name, messages, is_registered: isKnown }) =>
        isKnown || messages === 0 ? null : (
          <p key={operator} class="error-title">
            {words.unregistered({ people: messages, operator: name, sender })}
          </p>
        ),
      )}
      <p>{sent === 0 ? words.nobodyRegistered : words.unregisteredHelp({ held })}</p>
      {may("senders.decide") ? (
        <p>
          <a href={`${HOME}/senders`}>{words.toSenders}</a>
        </p>
      ) : (
        <p>{words.askToRegister}</p>
      )}
    </div>
  );
}

type LeftRow = {
  readonly why: string;
  readonly count: number;
  readonly lines: readonly number[] | undefined;
};

/** Who is sent nothing: why, how many, on which lines first, and all of them as a file. */
function LeftOut({ quote }: { readonly quote: ShownQuote }) {
  const { check: words } = sending.value;
  const { account, file } = form.value;
  const isCut = quote.rejections.length + (quote.earlier?.left ?? 0) < quote.rejected;
  const { bad, rejections_by_reason: reasons, left_lines: lines } = quote;
  const left = quote.rejected + bad;
  const unregistered = quote.by_operator.filter((one) => !one.is_registered && one.messages > 0);
  const rows: readonly LeftRow[] = [
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
  return (
    <Section title={words.left}>
      {look.value && <NumberWarnings look={look.value} />}
      <Table<LeftRow>
        caption={words.leftCaption}
        columns={[
          column(sending.value.recipients.why, ({ why }) => why),
          countColumn(words.howMany, ({ count }) => count),
          column(words.leftLines, ({ lines = [], count }) => linesText(lines, count)),
        ]}
        rows={rows}
        keyOf={({ why }) => why}
      />
      {account !== null && file !== null && (
        <p>
          <a
            href={`${HOME}/api/send/${account}/files/${file.id}/left-out.csv${toQueryText(form.value)}`}
            download
          >
            {words.leftFile}
          </a>{" "}
        </p>
      )}
      <Note>
        {left > 0 ? words.leftFileHelp : words.leftFileUnregistered}
        {isCut && ` ${words.leftFirst({ shown: quote.rejections.length })}`}
      </Note>
    </Section>
  );
}

/** `3, 14, 22 and 5 more`: the first lines of so many; a dash where none is known. */
function linesText(lines: readonly number[], count: number): string {
  const { check: words } = sending.value;
  if (lines.length === 0) return "–";
  const shown = lines.map(figures.number).join(", ");
  const more = count - lines.length;
  return more > 0 ? `${shown} ${words.leftMore({ more })}` : shown;
}
