/** Dialog that sends a test message over one operator, outside all accounts, and polls until its receipt has come. */

import { useEffect, useState } from "preact/hooks";
import { callApi, type Problem } from "../../api/client.ts";
import type { Answer } from "../../api/contract.ts";
import { every } from "../../browser.ts";
import { Button, Dialog, ErrorBox, Field, StateBadge } from "../../kit/kit.ts";
import { HOME } from "../../state/router.ts";
import { may } from "../../state/session.ts";
import { useDraft } from "../../state/use-draft.ts";
import { trial } from "../../words/trial.ts";
import { figures, words } from "../../words/words.ts";

type Test = Answer<"POST /operators/:code/test">;

type TestProps = {
  readonly code: string;
  readonly name: string;
  readonly onClose: () => void;
};

const LOOK_MS = 2000;
/** Polls for two minutes; a receipt may still come later. */
const MAX_LOOKS = 60;

export function TestDialog({ code, name, onClose }: TestProps) {
  const { draft, put, bind } = useDraft({ msisdn: "", sender: "" });
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [test, setTest] = useState<Test | null>(null);
  const said = trial.value;
  useFollowed(code, test, setTest);
  const send = async (anyNumber: boolean): Promise<void> => {
    const msisdn = draft.msisdn.trim();
    if (isBusy || msisdn === "") return;
    setBusy(true);
    setTest(null);
    const body = { msisdn, sender: draft.sender.trim() || null, any_number: anyNumber };
    const answer = await callApi("POST /operators/:code/test", { params: { code }, body });
    setBusy(false);
    setProblem(answer.ok ? null : answer.problem);
    setTest(answer.ok ? answer.value : null);
  };
  const submit = (event: Event): void => {
    event.preventDefault();
    void send(false);
  };
  return (
    <Dialog title={said.title({ name })} onClose={onClose}>
      <form onSubmit={submit}>
        <p class="prose">{said.lead}</p>
        <Field
          label={said.msisdn}
          name="msisdn"
          value={draft.msisdn}
          onValue={(msisdn) => {
            put({ msisdn });
            // The answer about another number allows nothing of this one.
            setProblem(null);
          }}
          hint={said.msisdnHint}
          required
          inputMode="tel"
          maxLength={30}
          autofocus
        />
        <Field label={said.sender} {...bind("sender")} hint={said.senderHint} maxLength={16} />
        <div aria-live="polite">
          {problem && <NotSent problem={problem} name={name} onAnyway={() => send(true)} />}
          {test && <TestOutcome test={test} name={name} />}
        </div>
        <div class="actions">
          <Button onPress={onClose}>{test === null ? words.value.cancel : said.close}</Button>
          <Button kind="primary" submits busy={isBusy}>
            {test === null ? said.send : said.sendAgain}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

type NotSentProps = {
  readonly problem: Problem;
  readonly name: string;
  readonly onAnyway: () => unknown;
};

/** Why the test was not sent; where the prefix is another operator's, a further press sends it. */
function NotSent({ problem, name, onAnyway }: NotSentProps) {
  if (problem.code !== "NUMBER_OF_ANOTHER") return <ErrorBox problem={problem} />;
  const said = trial.value;
  return (
    <div class="error" role="alert">
      <p>{said.another({ told: figures.saying(problem.detail) })}</p>
      <Button onPress={onAnyway}>{said.sendAnyway({ name })}</Button>
    </div>
  );
}

/** Whether its outcome may still change. */
function isOpen({ status, error }: Test): boolean {
  return status === "QUEUED" || status === "SUBMITTED" || (status === "SENT" && error !== null);
}

/** Polls the outcome of a test message as long as it may change. */
function useFollowed(code: string, test: Test | null, onNews: (test: Test) => void): void {
  const followed = test !== null && isOpen(test) ? test.message_id : null;
  useEffect(() => {
    if (followed === null) return;
    let looks = 0;
    return every(LOOK_MS, () => {
      if (document.visibilityState === "hidden" || looks >= MAX_LOOKS) return;
      looks += 1;
      void callApi("GET /operators/:code/tests", { params: { code } }).then((answer) => {
        const news = answer.ok && answer.value.tests.find(({ message_id }) => message_id === followed);
        if (news) onNews(news);
      });
    });
  }, [followed]);
}

/** The outcome of a test message so far, and what to do now. */
function TestOutcome({ test, name }: { readonly test: Test; readonly name: string }) {
  const { status, receipt_at, error, detail } = test;
  const said = trial.value;
  return (
    <div class="outcome">
      <p>
        <StateBadge state={status} /> {status === "DELIVERED" && said.delivered({ time: receipt_at })}
        {status === "SENT" && (error === null ? said.sentForGood({ name }) : said.sent)}
        {status === "SUBMITTED" && said.submitted({ name })}
        {status === "QUEUED" && said.queued}
        {status === "FAILED" && detail !== null && figures.saying(detail)}
      </p>
      {status === "FAILED" && <p>{todoOf(test)}</p>}
      {(status === "DELIVERED" || (status === "SENT" && error === null)) && <Then />}
    </div>
  );
}

function todoOf({ error, action }: Test): string {
  const { todo } = trial.value;
  if (error !== null && Object.hasOwn(todo, error)) return todo[error as keyof typeof todo];
  return action === null ? todo.OTHER : figures.saying(action);
}

/** What is left to do before a client sends over the operator. */
function Then() {
  const said = trial.value;
  return (
    <ul class="then">
      {may("senders.read") && (
        <li>
          {said.thenSenders} <a href={`${HOME}/senders`}>{said.toSenders}</a>
        </li>
      )}
      {may("batches.send") && (
        <li>
          {said.thenSend} <a href={`${HOME}/send`}>{said.toSend}</a>
        </li>
      )}
    </ul>
  );
}
