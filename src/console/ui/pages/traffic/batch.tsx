/**
 * Console page of one batch: progress, cost, rejected recipients and unreadable rows; cancels it, sends it again to those
 * who failed, or opens a correction.
 */

import { useEffect, useRef, useState } from "preact/hooks";
import { type ApiAnswer, callApi, type Problem } from "../../api/client.ts";
import type { Answer } from "../../api/contract.ts";
import { ConfidentialText, type TextToRead, type Why } from "../../kit/confidential-text.tsx";
import {
  Button,
  type Columns,
  Confirm,
  column,
  countColumn,
  Dialog,
  ErrorBox,
  Facts,
  Filter,
  FilterBar,
  filter,
  Loaded,
  Note,
  Page,
  Progress,
  ReasonDialog,
  Section,
  Stat,
  StateBadge,
  Stats,
  showToast,
  Table,
  WithNote,
} from "../../kit/kit.ts";
import { go, HOME } from "../../state/router.ts";
import { isStaff, may } from "../../state/session.ts";
import { useAction, useAnswer, usePollWhile } from "../../state/use-request.ts";
import { batchWords } from "../../words/batch.ts";
import { batchReportWords } from "../../words/batch-report.ts";
import { rowWords } from "../../words/rows.ts";
import { sending } from "../../words/send.ts";
import { traffic } from "../../words/traffic.ts";
import { classWord, words as common, figures, labelled, rejectionWord } from "../../words/words.ts";
import type { PageProps } from "../lazy-page.tsx";
import { change, form, startOver } from "../send/form.ts";
import { keepSent } from "../send/last-sent-notice.tsx";
import { withRepeats } from "../send/quote-summary.ts";
import { PaymentRefused, Refusal } from "../send/refusal.tsx";
import { discardUpload } from "../send/upload.ts";
import { AccountOf, batchName, type FailureCause, Failures, useFailures } from "./batch-failures.tsx";
import { Corrects, FamilyOfBatch, sentSince } from "./batch-family.tsx";
import { ENDED, sharesOf } from "./batches.tsx";
import { CorrectedSince } from "./messages.tsx";

type View = Answer<"GET /batches/:batch">;

export function Batch({ parts: { batch = "" } }: PageProps) {
  const request = useAnswer("GET /batches/:batch", { params: { batch } });
  const { value, reload } = request;
  const { problem: failed, run } = useAction();
  const [doing, setDoing] = useState<"cancel" | "again" | null>(null);
  const words = traffic.value.batches;
  const isOpen = value !== null && !ENDED.includes(value.status);
  usePollWhile(isOpen, reload);
  const cancel = async (reason: string): Promise<void> => {
    await run(
      callApi("POST /batches/:batch/cancel", { params: { batch }, body: { reason } }),
      words.cancelled,
    );
    await reload();
  };
  const failures = useFailures(value);
  const canSendAgain = value !== null && !isOpen && may("batches.send") && value.counts.failed > 0;
  return (
    <Page
      title={value && batchName(value)}
      question={words.oneTitle}
      aside={
        <>
          {isOpen && may("batches.cancel") && (
            <Button onPress={() => setDoing("cancel")}>{words.cancel}</Button>
          )}
          {canSendAgain && <AgainButton view={value} failures={failures} onPress={() => setDoing("again")} />}
        </>
      }
    >
      <Loaded of={request} failed={failed}>
        {(view) => (
          <>
            <Figures view={view} />
            {view.counts.failed > 0 && <Failures view={view} failures={failures} />}
            {may("messages.text") && (
              <ConfidentialText
                title={words.text}
                isFree={view.is_text_free}
                load={(why) => readTexts(view.batch_id, why)}
              />
            )}
            <RejectedRows view={view} />
            {view.rejected + view.unreadable + view.sent_already > 0 && <BatchRows view={view} />}
            <FamilyOfBatch view={view} />
            {doing === "again" && (
              <SendAgain view={view} failures={failures ?? []} onClose={() => setDoing(null)} />
            )}
            {doing === "cancel" && (
              <ReasonDialog
                title={words.cancelTitle}
                verb={words.cancel}
                isDestructive
                onReason={cancel}
                onClose={() => setDoing(null)}
              >
                <p>{cancelText(view)}</p>
                <p>{words.cancelTold}</p>
              </ReasonDialog>
            )}
          </>
        )}
      </Loaded>
    </Page>
  );
}

type AgainProps = {
  readonly view: View;
  readonly failures: readonly FailureCause[] | null;
  readonly onPress: () => void;
};

/** Says to how many of the failed it would be sent again, once known; absent where a later batch may have reached some. */
function AgainButton({ view, failures, onPress }: AgainProps) {
  const passing =
    failures?.reduce((sum, { is_passing, messages }) => sum + (is_passing ? messages : 0), 0) ?? 0;
  const { again, againOne, failed } = batchWords.value;
  const some = view.counts.failed === 1 ? againOne : again({ passing, failed: failed(view.counts.failed) });
  const isKnown = passing > 0 && sentSince(view) === null;
  return <Button onPress={onPress}>{isKnown ? some : traffic.value.batches.again}</Button>;
}

async function readTexts(batch: string, body: Why): Promise<ApiAnswer<readonly TextToRead[]>> {
  const answer = await callApi("POST /batches/:batch/text", { params: { batch }, body });
  if (!answer.ok) return answer;
  const { text, fallback } = answer.value;
  const second = fallback === null ? [] : [{ title: traffic.value.texts.fallback, text: fallback }];
  return { ok: true, value: text === null ? [] : [{ text }, ...second] };
}

/** Messages that have left, whatever became of them. */
function goneOf({ counts, waiting }: View): number {
  return counts.total - waiting - counts.cancelled;
}

/** The effect of cancelling a batch, in numbers. */
function cancelText(view: View): string {
  const { cancelWaiting, cancelNone, cancelGone, cancelGoneNone } = traffic.value.batches;
  const gone = goneOf(view);
  const told = gone === 0 ? cancelGoneNone : cancelGone(gone);
  return view.waiting === 0 ? cancelNone : `${cancelWaiting(view.waiting)} ${told}`;
}

function Figures({ view }: { readonly view: View }) {
  const words = traffic.value;
  const { batches } = words;
  return (
    <>
      <p class="lead">
        <StateBadge state={view.status} /> <span class="note">{view.batch_id}</span>
      </p>
      <Corrects view={view} />
      {view.failure && (
        <p>
          <strong>{batches.failure}</strong> {view.failure.detail}
        </p>
      )}
      {view.cancellation && (
        <p>{batches.calledOff({ reason: view.cancellation.reason ?? view.cancellation.code })}</p>
      )}
      <Progress
        label={batches.progress}
        total={view.counts.total}
        shares={sharesOf(view.status, view.counts, view.waiting)}
      />
      {view.holds.map((hold) => (
        <p key={hold.operator} class="notice">
          {holdText(hold)}
        </p>
      ))}
      <Stats>
        <Stat label={batches.accepted} value={view.accepted} note={notSent(view)} />
        <Charged view={view} />
      </Stats>
      <Facts
        rows={[
          isStaff() && [words.account, <AccountOf key="account" view={view} />],
          [words.sender, view.sender],
          [words.messageClass, classWord(view.message_class)],
          [batches.created, figures.time(view.created_at)],
          view.ended_at !== null && [batches.ended, figures.time(view.ended_at)],
        ]}
      />
      <p>
        <a href={`${HOME}/messages?batch=${view.batch_id}`}>{batches.messages}</a>
        {" · "}
        <a href={`${HOME}/batches/${view.batch_id}/report`}>{batchReportWords.value.link}</a>
      </p>
    </>
  );
}

/** How many rows nothing was sent for, and how many of them corrections sent since. */
function notSent(view: View): string {
  const { left } = traffic.value.batches;
  const all = left(view.rejected + view.unreadable + view.sent_already);
  const since = sentSince(view);
  return since === null ? all : `${all} · ${since}`;
}

/** Why messages wait: the state of their operator, since when, and who paused it why where that may be seen. */
function holdText({ name, messages, pause, away }: View["holds"][number]): string {
  const { held, paused, pausedBy, away: unreached } = batchWords.value;
  const waiting = held(messages);
  if (pause === null)
    return unreached({ waiting, operator: name, since: away?.since ? figures.time(away.since) : null });
  const by = pause.reason === null ? "" : pausedBy({ by: pause.by, reason: pause.reason });
  return `${paused({ waiting, operator: name, since: pause.since })}${by}`;
}

/** What it cost, and what is reserved for messages that have not ended. */
function Charged({ view }: { readonly view: View }) {
  const { charged_amount, reserved_amount, released_amount } = view;
  if (charged_amount === null) return null;
  const { batches } = traffic.value;
  const held = (reserved_amount ?? 0) - charged_amount - (released_amount ?? 0);
  return (
    <Stat
      label={batches.charged}
      value={figures.money(charged_amount)}
      note={held > 0 ? `${batches.reserved} ${figures.money(held)}` : null}
    />
  );
}

/** Who got nothing of a batch, and why: rejected recipients, and unreadable rows of its file. */
function RejectedRows({ view }: { readonly view: View }) {
  const { batches } = traffic.value;
  const { missedFileHelp, valuesHidden, valuesKept } = batchWords.value;
  const isOwn = !isStaff();
  const reasons = withRepeats(view.rejections_by_reason, view.sent_already);
  const rejected = Object.entries(reasons).map(([why, count]) => ({ why, count }));
  const rows = view.unreadable > 0 ? [...rejected, { why: UNREADABLE, count: view.unreadable }] : rejected;
  return (
    <Section title={batches.missed}>
      <Table<{ readonly why: string; readonly count: number }>
        caption={batches.missed}
        columns={[
          column(batches.why, ({ why }) => rejectionWord(why)),
          countColumn(batches.count, ({ count }) => count),
        ]}
        rows={rows}
        keyOf={({ why }) => why}
        empty={<Note>{batches.noneMissed}</Note>}
      />
      <Unreadable view={view} />
      <Repeated view={view} />
      {rows.length === 0 && view.family.length > 0 && <SendCorrected view={view} />}
      {rows.length > 0 && (
        <div class="stack">
          {!isOwn && <Note>{valuesHidden}</Note>}
          <p>
            <a href={`${HOME}/api/batches/${view.batch_id}/left-out.csv`} download>
              {batches.missedFile}
            </a>
          </p>
          <Note>
            {isOwn && `${valuesKept} `}
            {missedFileHelp}
          </Note>
          <SendCorrected view={view} />
        </div>
      )}
    </Section>
  );
}

const UNREADABLE = "UNREADABLE_ROW";

/** The first rows that repeat a number, each with the line that counted. */
function Repeated({ view }: { readonly view: View }) {
  const { repeated_rows: rows } = view;
  const all = (view.rejections_by_reason.DUPLICATE_IN_BATCH ?? 0) + view.sent_already || rows.length;
  return <FirstRows title={batchWords.value.repeated(all)} all={all} rows={rows} isOpen />;
}

/** The first unreadable rows, each with its line in the file. */
function Unreadable({ view: { unreadable, unreadable_rows: rows } }: { readonly view: View }) {
  return <FirstRows title={traffic.value.batches.unreadable(unreadable)} all={unreadable} rows={rows} />;
}

type FirstRowsProps = {
  readonly title: string;
  /** How many there are, shown or not. */
  readonly all: number;
  readonly rows: View["unreadable_rows"];
  readonly isOpen?: boolean;
};

/** Rows of a file with what is said of each; nothing where there is none. */
function FirstRows({ title, all, rows, isOpen = false }: FirstRowsProps) {
  const { batches } = traffic.value;
  if (rows.length === 0) return null;
  return (
    <details class="more" open={isOpen}>
      <summary>{title}</summary>
      {rows.length < all && <Note>{batches.unreadableFirst({ shown: rows.length })}</Note>}
      <ul>
        {rows.map(({ line, cause }) => (
          <li key={line}>{labelled(batches.line({ line }), cause || rejectionWord(UNREADABLE))}</li>
        ))}
      </ul>
    </details>
  );
}

type Again = NonNullable<Answer<"GET /batches/:batch/again">["quote"]>;
type Props = {
  readonly view: View;
  /** Why messages failed; empty while unknown. */
  readonly failures: readonly FailureCause[];
  readonly onClose: () => void;
};

/** Says to how many a batch would be sent again, what it costs and who is left out, before it is sent. */
function SendAgain({ view, failures, onClose }: Props) {
  const { batch_id: batch } = view;
  const lasting = failures.filter((one) => !one.is_passing && one.nothing > 0);
  const { value, problem, isLoading, reload } = useAnswer("GET /batches/:batch/again", { params: { batch } });
  const [failed, setFailed] = useState<Problem | null>(null);
  const [isBusy, setBusy] = useState(false);
  const { batches: words } = traffic.value;
  const send = async (): Promise<void> => {
    if (isBusy) return;
    setBusy(true);
    const answer = await callApi("POST /batches/:batch/again", { params: { batch } });
    setFailed(answer.ok ? null : answer.problem);
    // The figures were outdated: the new ones are shown before it is pressed again.
    if (!answer.ok && answer.problem.code === "CORRECTED_SINCE") await reload();
    setBusy(false);
    if (!answer.ok) return;
    showToast(answer.value.is_replayed ? words.againBefore : words.againSent);
    const texts = value?.quote?.accepted ?? 0;
    keepSent(answer.value.batch_id, { texts, recipients: texts });
    onClose();
    go(`${HOME}/batches/${answer.value.batch_id}`);
  };
  const quote = value?.quote ?? null;
  const canSend = quote?.is_payable === true && quote.accepted > 0;
  const shown = failed ?? problem;
  return (
    <Dialog title={words.againTitle} onClose={onClose}>
      <div class="prose">
        <p>{words.againHelp}</p>
        {lasting.length > 0 && <p>{batchWords.value.notAgain}</p>}
        {lasting.length > 0 && (
          <ul>
            {lasting.map(({ code, detail, nothing }) => (
              <li key={code}>{labelled(detail.replace(/\.$/, ""), figures.number(nothing))}</li>
            ))}
          </ul>
        )}
        {value === null && !problem && <Note>{common.value.loading}</Note>}
        {value && value.reached > 0 && <p>{batchWords.value.againReached(value.reached)}</p>}
        {value && (quote?.accepted ?? 0) === 0 && <p>{words.againNone}</p>}
        {quote && <Told quote={quote} account={view.account} />}
      </div>
      {shown && <Refusal problem={shown} />}
      <div class="actions">
        <Button onPress={onClose}>{common.value.cancel}</Button>
        {canSend && (
          <Button kind="primary" busy={isBusy || isLoading} onPress={send}>
            {words.againSend({
              texts: words.againTexts(quote.accepted),
              cost: quote.amount,
            })}
          </Button>
        )}
      </div>
    </Dialog>
  );
}

function Told({ quote, account }: { readonly quote: Again; readonly account: string }) {
  const { batches: words } = traffic.value;
  const { check } = sending.value;
  const { spendable_before: before, spendable_after: after } = quote;
  return (
    <>
      {quote.rejected > 0 && <p>{words.againLeft(quote.rejected)}</p>}
      {quote.rejected > 0 && (
        <ul>
          {Object.entries(quote.rejections_by_reason).map(([reason, count]) => (
            <li key={reason}>{labelled(rejectionWord(reason), figures.number(count))}</li>
          ))}
        </ul>
      )}
      {quote.accepted > 0 && before !== null && after !== null && (
        <p>
          {isStaff()
            ? batchWords.value.againBalance({
                account,
                before,
                after,
              })
            : words.againBalance({ before, after })}
        </p>
      )}
      {quote.accepted > 0 && before === null && quote.is_payable && <p>{check.enough}</p>}
      {quote.refusal && <PaymentRefused quote={quote} refusal={quote.refusal} />}
    </>
  );
}

type Row = Answer<"GET /batches/:batch/rows">["rows"][number];

/** The unsent rows of a batch, with a box to search one of them by what a caller says. */
function BatchRows({ view }: { readonly view: View }) {
  const { batch_id: batch, rejected, unreadable, sent_already: back } = view;
  const sought = filter("row");
  const all = rejected + unreadable + back;
  const { value, problem, isLoading } = useAnswer(
    "GET /batches/:batch/rows",
    {
      params: { batch },
      query: { row: sought },
    },
    all,
  );
  // Whoever comes from the search wants this list, which stands far down.
  const place = useRef<HTMLDivElement>(null);
  const isThere = value !== null;
  useEffect(() => {
    if (isThere && sought !== undefined) place.current?.scrollIntoView();
  }, [isThere]);
  const words = rowWords.value;
  const rows = value?.rows ?? [];
  const isRead = value?.reads_values === true;
  return (
    <div ref={place}>
      <Section title={words.title}>
        <Note>{isRead ? words.helpValues : words.help}</Note>
        <FilterBar of={words.title}>
          <Filter name="row" label={value && !isRead ? words.soughtNumber : words.sought} maxLength={100} />
        </FilterBar>
        {value && !isRead && <Note>{words.hidden}</Note>}
        <ErrorBox problem={problem} />
        <Table
          caption={words.title}
          columns={columnsOf(isRead)}
          rows={rows}
          keyOf={({ line, index }) => `${line} ${index}`}
          isLoading={isLoading}
          empty={problem ? null : <Note>{isRead ? words.none : words.noneOfNumbers}</Note>}
        />
        {value?.is_more && <Note>{words.more({ shown: rows.length })}</Note>}
      </Section>
    </div>
  );
}

function columnsOf(isRead: boolean): Columns<Row> {
  const words = rowWords.value;
  return [
    countColumn(words.line, ({ line }) => line),
    column(words.number, ({ written, client_reference: reference }) => (
      <WithNote note={reference}>{written}</WithNote>
    )),
    isRead && column(words.values, ({ values }) => Object.values(values ?? {}).join(" · ")),
    column(words.why, ({ why, corrected }) => (
      <>
        {figures.saying(why)}
        {corrected && <CorrectedSince by={corrected} />}
      </>
    )),
  ];
}

/** Opens the page "Send" with the text and options of a batch, so that only its corrected file is to be uploaded. */
function SendCorrected({ view }: { readonly view: View }) {
  const [isAsking, setAsking] = useState(false);
  const [isGone, setGone] = useState(false);
  const { problem, run } = useAction();
  const { corrected: words } = sending.value;
  const isOwn = view.is_text_free;
  const isWriting = form.value.text.trim() !== "" || form.value.file !== null;
  if (view.channel !== "SMS" || !may("batches.send") || !may("messages.text")) return null;
  const begin = async (body: Why): Promise<void> => {
    const { batch_id: batch } = view;
    const written = await run(callApi("POST /batches/:batch/text", { params: { batch }, body }));
    if (written === null) return;
    setGone(written.text === null);
    await openWith(view, written);
  };
  const dialog = { title: words.open, verb: words.open, onClose: () => setAsking(false) };
  return (
    <>
      <ErrorBox problem={problem} />
      <p>
        <Button onPress={() => (isOwn && !isWriting ? void begin({}) : setAsking(true))}>{words.send}</Button>
      </p>
      <Note>{isGone ? traffic.value.texts.gone : words.help}</Note>
      {isAsking && isOwn && (
        <Confirm {...dialog} onConfirm={() => begin({})}>
          <p>{words.opensOnly}</p>
          <p>{words.putsAside}</p>
        </Confirm>
      )}
      {isAsking && !isOwn && (
        <ReasonDialog {...dialog} onReason={(reason) => begin({ reason })}>
          <p>{words.opensOnly}</p>
          {isWriting && <p>{words.putsAside}</p>}
          <p>{words.why}</p>
        </ReasonDialog>
      )}
    </>
  );
}

type Written = Answer<"POST /batches/:batch/text">;

/** A resend to the failed opens with the text and options of the batch before. */
async function openWith(view: View, written: Written): Promise<void> {
  const { text, text_policy: textPolicy, missing_attributes: missing } = written;
  if (text === null) return;
  await discardUpload();
  startOver();
  change({
    account: view.account_id,
    sender: view.sender,
    messageClass: view.message_class,
    text,
    textPolicy,
    missing,
    reference: view.client_reference ?? "",
    correctedOf: view.batch_id,
  });
  go(`${HOME}/send`);
}
