/**
 * Last step of sending a batch in the console: schedule, class, confirmation, and the submission, which is repeated under
 * one idempotency key when its outcome is unknown.
 */
import { useEffect, useState } from "preact/hooks";
import type { Problem } from "../../api/client.ts";
import { Alert, Button, Checkbox, Field, Note, Page, Radios, Section, showToast } from "../../kit/kit.ts";
import { go, HOME } from "../../state/router.ts";
import { isStaff } from "../../state/session.ts";
import { sending } from "../../words/send.ts";
import { classWord, words as common, figures, labelled } from "../../words/words.ts";
import {
  type ChosenClass,
  change,
  correctedBatch,
  form,
  type Pressed,
  type SendingAccount,
  startOver,
  type WantedBatch,
} from "./form.ts";
import { keepSent } from "./last-sent-notice.tsx";
import { FirstSent } from "./previews.tsx";
import { gapText, isEmptyForAll, QuoteFigures } from "./quote-figures.tsx";
import { blankTags, summarizeReach } from "./quote-summary.ts";
import { Refusal } from "./refusal.tsx";
import { discardUpload } from "./upload.ts";
import { type Quoted, type ShownQuote, sendOnce, useQuote } from "./use-quote.ts";

/** Sends the batch, and opens its page. What was pressed for is kept until an answer says what came of it. */
function useSending(account: string) {
  const [failed, setFailed] = useState<Problem | null>(null);
  const [isSending, setSending] = useState(false);
  /** How often the quote is to be repeated: it was outdated when pressed, or not known yet. */
  const [outdated, setOutdated] = useState(0);
  const askAnew = (): void => setOutdated((times) => times + 1);
  const send = async (pressed: Pressed): Promise<void> => {
    setSending(true);
    change({ pressed });
    const answer = await sendOnce(account, pressed.wanted);
    setSending(false);
    setFailed(answer.ok ? null : answer.problem);
    if (!answer.ok) {
      if (!isUnanswered(answer.problem)) change({ pressed: null });
      if (answer.problem.code === "CORRECTED_SINCE") askAnew();
      return;
    }
    const { check: words } = sending.value;
    showToast(answer.value.is_replayed ? words.sentBefore : words.sentNow);
    keepSent(answer.value.batch_id, pressed);
    void discardUpload();
    startOver();
    go(`${HOME}/batches/${answer.value.batch_id}`);
  };
  return { failed, isSending, outdated, askAnew, send };
}

type CheckProps = { readonly account: SendingAccount };

/** The last page: how many, how much, when, what is left. Then it is sent, once. */
export function ReviewStep({ account }: CheckProps) {
  const { send, ...state } = useSending(account.account_id);
  const words = sending.value;
  const { pressed } = form.value;
  const toForm = (): void => {
    change({ step: "write", pressed: null });
    go(`${HOME}/send`);
  };
  const back = <Button onPress={toForm}>{words.check.back}</Button>;
  return (
    <Page title={words.checkTitle} aside={back}>
      {pressed !== null && !state.isSending ? (
        <Unanswered pressed={pressed} onSend={send} />
      ) : (
        <LastLook account={account} {...state} onSend={send} />
      )}
    </Page>
  );
}

type SendingProps = { readonly onSend: (pressed: Pressed) => Promise<void> };

/** Sent with the outcome unknown: nothing else is offered than to ask again. */
function Unanswered({ pressed, onSend }: SendingProps & { readonly pressed: Pressed }) {
  const { check: words } = sending.value;
  return (
    <>
      <Alert title={words.noAnswer}>
        <p>{words.noAnswerHelp}</p>
      </Alert>
      <div class="actions">
        <Button kind="primary" onPress={() => void onSend(pressed)}>
          {verbOf(pressed)}
        </Button>
      </div>
    </>
  );
}

type LastLookProps = SendingProps &
  CheckProps & {
    readonly failed: Problem | null;
    readonly isSending: boolean;
    readonly outdated: number;
    readonly askAnew: () => void;
  };

function LastLook({ account, failed, isSending, outdated, askAnew, onSend }: LastLookProps) {
  const words = sending.value;
  const { quoted, problem, isNow } = useQuote(account.account_id, outdated);
  const isGone = problem?.status === 404;
  const { missing, blanksSeen } = form.value;
  const blanks = quoted
    ? blankTags(quoted.quote, missing ?? account.missing_attributes, correctedBatch(form.value) !== null)
    : [];
  const isAsked = blanks.length > 0 && blanksSeen !== named(blanks);
  return (
    <>
      <div role="status">{!isNow && <Note>{words.checking}</Note>}</div>
      {isGone && <p class="error">{words.check.fileGone}</p>}
      {problem && !isGone && <Refusal problem={problem} />}
      {problem?.code === "NOT_FINAL" && isNow && <Button onPress={askAnew}>{common.value.tryAgain}</Button>}
      {quoted && <WhatItIs wanted={quoted.wanted} account={account} />}
      {quoted && <QuoteFigures quote={quoted.quote} account={account} blanks={blanks} />}
      <div class="pair">
        <When account={account} />
        {quoted && <FirstSent quote={quoted.quote} />}
      </div>
      {failed && !isSaid(failed, problem, quoted) && <SendProblem problem={failed} />}
      {quoted && blanks.length > 0 && <Blanks tags={blanks} quote={quoted.quote} />}
      {isAsked ? (
        <Note>{words.check.blanksAsked}</Note>
      ) : (
        <SendButton quoted={isNow ? quoted : null} isBusy={isSending || !isNow} onSend={onSend} />
      )}
    </>
  );
}

/** Whether the quote says by now what the press was refused for. */
function isSaid({ code }: Problem, problem: Problem | null, quoted: Quoted | null): boolean {
  return code === problem?.code || code === quoted?.quote.refusal?.code;
}

function named(tags: readonly string[]): string {
  return tags.map((tag) => `{${tag}}`).join(", ");
}

type BlanksProps = { readonly tags: readonly string[]; readonly quote: ShownQuote };

/** A text with empty tags is paid like any other: it is sent only after somebody confirmed that. */
function Blanks({ tags, quote }: BlanksProps) {
  const { check: words } = sending.value;
  const all = named(tags);
  // The title says it of those that are empty for everybody.
  const partly = quote.gaps.filter((gap) => tags.includes(gap.tag) && !isEmptyForAll(gap, quote));
  return (
    <Alert title={words.blanks({ tags: all })}>
      {partly.map((gap) => (
        <p key={gap.tag}>{gapText(gap, quote)}</p>
      ))}
      <p>{words.blanksHelp}</p>
      <Checkbox
        name="blanks"
        isChecked={form.value.blanksSeen === all}
        onChecked={(isChecked) => change({ blanksSeen: isChecked ? all : "" })}
      >
        {words.blanksYes({ tags: all })}
      </Checkbox>
      {partly.length > 0 && (
        <Button onPress={() => change({ missing: "reject" })}>{words.gapToReject}</Button>
      )}
    </Alert>
  );
}

type WhatProps = { readonly wanted: WantedBatch; readonly account: SendingAccount };

/** Sender and class once more, with what the class decides; for users of several accounts also which one pays. */
function WhatItIs({ wanted: { sender, message_class: name }, account }: WhatProps) {
  const words = sending.value;
  const isChosen = isStaff();
  return (
    <ul class="said" aria-label={words.check.whatItIs}>
      <li>
        {labelled(words.sender.short, "")}
        <strong>{sender}</strong>
        {isChosen && ` · ${words.check.paidBy({ account: account.name })}`}
      </li>
      <li>
        {labelled(words.messageClass.label, "")}
        <strong>{classWord(name)}</strong>. {decidedBy(name, account)}
      </li>
    </ul>
  );
}

type SendButtonProps = SendingProps & { readonly quoted: Quoted | null; readonly isBusy: boolean };

function SendButton({ quoted, isBusy, onSend }: SendButtonProps) {
  const reach = quoted && summarizeReach(quoted.quote);
  const canSend = quoted?.quote.is_payable === true && reach !== null && reach.sent > 0;
  if (!canSend && !isBusy) return null;
  const pressed = quoted &&
    reach && {
      wanted: asQuoted(quoted),
      texts: reach.sent,
      recipients: quoted.quote.accepted,
      amount: reach.amount,
    };
  return (
    <div class="actions">
      <Button kind="primary" busy={isBusy} onPress={() => pressed && void onSend(pressed)}>
        {pressed === null ? sending.value.checking : verbOf(pressed)}
      </Button>
    </div>
  );
}

/** Corrected rows are sent by the outcomes at the moment of the quote. */
function asQuoted({ wanted, quote: { earlier } }: Quoted): WantedBatch {
  const { corrected } = wanted;
  if (!corrected || !earlier) return wanted;
  const { as_of, batches } = earlier;
  return { ...wanted, corrected: { ...corrected, as_of, batches: batches.map(({ batch_id: id }) => id) } };
}

function verbOf({ wanted, texts, amount }: Pressed): string {
  const { check: words } = sending.value;
  const verb = wanted.scheduled_at === undefined ? words.send : words.schedule;
  return verb({ people: words.texts(texts), cost: figures.money(amount) });
}

/** Whether the outcome is unknown. */
function isUnanswered({ code, status }: Problem): boolean {
  return code === "UNREACHABLE" || code === "REQUEST_IN_PROGRESS" || status >= 500;
}

/** Why a press did not send, and what to do. */
function SendProblem({ problem }: { readonly problem: Problem }) {
  const { check: words, startOver: again } = sending.value;
  if (problem.code !== "IDEMPOTENCY_KEY_REUSED") return <Refusal problem={problem} />;
  return (
    <Alert title={words.usedUp}>
      <p>{words.usedUpHelp}</p>
      <p>
        <a href={`${HOME}/batches`}>{words.toBatches}</a>
      </p>
      <Button
        onPress={() => {
          void discardUpload();
          startOver();
        }}
      >
        {again}
      </Button>
    </Alert>
  );
}

/** Now, or at a time of the account's zone. */
function When({ account }: { readonly account: SendingAccount }) {
  const { check: words } = sending.value;
  const { scheduledAt } = form.value;
  const [isAsked, setAsked] = useState(false);
  // A time may be chosen elsewhere too.
  const isLater = isAsked || scheduledAt !== "";
  return (
    <Section title={words.when}>
      <Radios
        name="when"
        legend={words.when}
        value={isLater ? "later" : "now"}
        options={[
          { value: "now", label: words.whenNow },
          { value: "later", label: words.whenLater },
        ]}
        onValue={(value) => {
          setAsked(value === "later");
          if (value === "now") change({ scheduledAt: "" });
        }}
        isRow
      />
      {isLater && (
        <div class="narrow">
          <Field
            label={words.at({ zone: account.timezone })}
            name="scheduled"
            value={scheduledAt}
            onValue={(value) => change({ scheduledAt: value })}
            type="datetime-local"
            required
          />
        </div>
      )}
    </Section>
  );
}

/** The most frequent first. */
const ORDER: readonly ChosenClass[] = ["MARKETING", "TRANSACTIONAL", "OTP"];

/** What kind of text it is, and what that means for hours and people. */
export function ClassPart({ account }: { readonly account: SendingAccount }) {
  const allowed = ORDER.filter((name) => account.classes.includes(name));
  const { messageClass } = form.value;
  const [first = null] = allowed;
  useEffect(() => {
    // What was chosen since this was rendered counts: effects run behind the frame.
    const { messageClass: chosen } = form.peek();
    if (chosen === null || !allowed.includes(chosen)) change({ messageClass: first });
  }, [account.account_id]);
  const { messageClass: words } = sending.value;
  const helpOf = (name: ChosenClass): string => `${words.IS[name]} ${decidedBy(name, account)}`;
  return (
    <Section title={words.title}>
      <Radios
        name="class"
        legend={words.title}
        value={messageClass}
        options={allowed.map((value) => ({ value, label: classWord(value), help: helpOf(value) }))}
        onValue={(value) => change({ messageClass: value })}
      />
    </Section>
  );
}

/** What a class decides: when texts leave, and who gets none. */
function decidedBy(name: ChosenClass, account: SendingAccount): string {
  const { messageClass: words } = sending.value;
  return name === "MARKETING"
    ? words.MARKETING({ hours: hoursOf(account), caps: capsOf(account) })
    : words[name];
}

function hoursOf({ policy }: SendingAccount): string {
  const { messageClass: words } = sending.value;
  const [from = "", to = ""] = policy.marketing_hours.split("-");
  return policy.marketing_hours === "00:00-24:00" ? words.allDay : words.hours({ from, to });
}

function capsOf({ policy }: SendingAccount): string {
  const { messageClass: words } = sending.value;
  const { marketing_per_day: day, marketing_per_week: week } = policy;
  if (day > 0 && week > 0) return words.capsBoth({ day, week });
  if (day > 0) return words.capDay({ day });
  return week > 0 ? words.capWeek({ week }) : "";
}
