import { useState } from "preact/hooks";
import { type ApiAnswer, ask, type Problem } from "../../api/client.ts";
import type { Contract } from "../../api/contract.ts";
import { StateBadge } from "../../kit/badge.tsx";
import { Button } from "../../kit/button.tsx";
import { ErrorBox } from "../../kit/error-box.tsx";
import { HiddenText, type TextToRead, type Why } from "../../kit/hidden-text.tsx";
import { Page } from "../../kit/page.tsx";
import { Progress } from "../../kit/progress.tsx";
import { ReasonDialog } from "../../kit/reason-dialog.tsx";
import { Stat, Stats } from "../../kit/stat.tsx";
import { say } from "../../kit/toast.tsx";
import { useLookAgain } from "../../state/look-again.ts";
import { HOME } from "../../state/router.ts";
import { may } from "../../state/session.ts";
import { useAnswer } from "../../state/use-answer.ts";
import { batchWords } from "../../words/batch.ts";
import { batchReportWords } from "../../words/batch-report.ts";
import { traffic } from "../../words/traffic.ts";
import { classWord, figures } from "../../words/words.ts";
import { type FailureCause, Failures, useFailures, WhoseBatch } from "./batch-failures.tsx";
import { Corrects, FamilyOfBatch, sentSince } from "./batch-family.tsx";
import { Missed } from "./batch-missed.tsx";
import { BatchRows } from "./batch-rows.tsx";
import { ENDED, sharesOf } from "./batches.tsx";
import { SendAgain } from "./send-again.tsx";

type View = Contract["GET /batches/:batch"]["answer"];

/** One batch: progress by state, money, who was rejected and why; calls it off. */
export function Batch({ parts }: { readonly parts: Readonly<Record<string, string>> }) {
  const batch = parts.batch ?? "";
  const { value, problem, reload } = useAnswer(batch, () =>
    ask("GET /batches/:batch", { params: { batch } }),
  );
  const [failed, setFailed] = useState<Problem | null>(null);
  const [isCancelling, setCancelling] = useState(false);
  const [isSendingAgain, setSendingAgain] = useState(false);
  const words = traffic.value.batches;
  const isOpen = value !== null && !ENDED.includes(value.status);
  useLookAgain(isOpen, reload);
  const cancel = async (reason: string): Promise<void> => {
    const answer = await ask("POST /batches/:batch/cancel", { params: { batch }, body: { reason } });
    setFailed(answer.ok ? null : answer.problem);
    if (answer.ok) say(words.cancelled);
    await reload();
  };
  const shown = failed ?? problem;
  const failures = useFailures(value);
  const canSendAgain =
    value !== null && may("batches.send") && ENDED.includes(value.status) && value.counts.failed > 0;
  const canCancel = value !== null && may("batches.cancel") && !ENDED.includes(value.status);
  return (
    <Page
      title={words.oneTitle}
      aside={
        <>
          {canCancel && <Button onPress={() => setCancelling(true)}>{words.cancel}</Button>}
          {canSendAgain && (
            <AgainButton view={value} failures={failures} onPress={() => setSendingAgain(true)} />
          )}
        </>
      }
    >
      {shown && <ErrorBox problem={shown} onRetry={() => void reload()} />}
      {value && <Figures view={value} />}
      {value && value.counts.failed > 0 && <Failures view={value} failures={failures} />}
      {value && may("messages.text") && (
        <HiddenText title={words.text} load={(why) => textOf(value.batch_id, why)} />
      )}
      {value && <Missed view={value} />}
      {value && value.rejected + value.unreadable + value.sent_already > 0 && <BatchRows view={value} />}
      {value && <FamilyOfBatch view={value} />}
      {value && isSendingAgain && (
        <SendAgain view={value} failures={failures ?? []} onClose={() => setSendingAgain(false)} />
      )}
      {value && isCancelling && (
        <ReasonDialog
          title={words.cancelTitle}
          verb={words.cancel}
          isDestructive
          onReason={cancel}
          onClose={() => setCancelling(false)}
        >
          <p>{cancelText(value)}</p>
          <p>{words.cancelTold}</p>
        </ReasonDialog>
      )}
    </Page>
  );
}

type AgainProps = {
  readonly view: View;
  readonly failures: readonly FailureCause[] | null;
  readonly onPress: () => void;
};

/** Says to how many of those that failed it would be sent again, once that is known; not where a later batch may have reached some. */
function AgainButton({ view, failures, onPress }: AgainProps) {
  const passing =
    failures?.reduce((sum, { is_passing, messages }) => sum + (is_passing ? messages : 0), 0) ?? 0;
  const { again, againOne, failed } = batchWords.value;
  const some =
    view.counts.failed === 1
      ? againOne
      : again({ passing: figures.number(passing), failed: figures.count(view.counts.failed, failed) });
  const isKnown = passing > 0 && sentSince(view) === null;
  return <Button onPress={onPress}>{isKnown ? some : traffic.value.batches.again}</Button>;
}

async function textOf(batch: string, body: Why): Promise<ApiAnswer<readonly TextToRead[]>> {
  const answer = await ask("POST /batches/:batch/text", { params: { batch }, body });
  if (!answer.ok) return answer;
  const { text, fallback } = answer.value;
  const second = fallback === null ? [] : [{ title: traffic.value.texts.fallback, text: fallback }];
  return { ok: true, value: text === null ? [] : [{ text }, ...second] };
}

/** Messages that have left, whatever became of them. */
function goneOf({ counts, waiting }: View): number {
  return counts.total - waiting - counts.cancelled;
}

/** What calling a batch off does, in numbers. */
function cancelText(view: View): string {
  const { cancelWaiting, cancelNone, cancelGone, cancelGoneNone } = traffic.value.batches;
  const gone = goneOf(view);
  const told = gone === 0 ? cancelGoneNone : figures.count(gone, cancelGone);
  return view.waiting === 0 ? cancelNone : `${figures.count(view.waiting, cancelWaiting)} ${told}`;
}

function Figures({ view }: { readonly view: View }) {
  const words = traffic.value;
  const { batches } = words;
  return (
    <>
      <p class="lead">
        <StateBadge state={view.status} /> {view.client_reference} <span class="note">{view.batch_id}</span>
      </p>
      <WhoseBatch view={view} />
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
        <Stat label={batches.accepted} value={figures.number(view.accepted)} note={notSent(view)} />
        <Stat label={words.sender} value={view.sender} note={classWord(view.message_class)} />
        <Stat
          label={batches.created}
          value={figures.time(view.created_at)}
          note={view.ended_at === null ? null : `${batches.ended} ${figures.time(view.ended_at)}`}
        />
        <Charged view={view} />
      </Stats>
      <p>
        <a href={`${HOME}/messages?batch=${view.batch_id}`}>{batches.messages}</a>
        {" · "}
        <a href={`${HOME}/batches/${view.batch_id}/report`}>{batchReportWords.value.link}</a>
      </p>
    </>
  );
}

/** How many rows nothing was sent for, and what corrections took up since. */
function notSent(view: View): string {
  const { left } = traffic.value.batches;
  const all = figures.count(view.rejected + view.unreadable + view.sent_already, left);
  const since = sentSince(view);
  return since === null ? all : `${all} · ${since}`;
}

/** Why messages of it stay although they wait: what their operator is in, since when, and who paused it why where that is told. */
function holdText({ name, messages, pause, away }: View["holds"][number]): string {
  const { held, paused, pausedBy, away: unreached } = batchWords.value;
  const waiting = figures.count(messages, held);
  if (pause === null)
    return unreached({ waiting, operator: name, since: away?.since ? figures.time(away.since) : null });
  const by = pause.reason === null ? "" : pausedBy({ by: pause.by, reason: pause.reason });
  return `${paused({ waiting, operator: name, since: figures.time(pause.since) })}${by}`;
}

/** What it cost, and what is held back for messages that have not ended. */
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
