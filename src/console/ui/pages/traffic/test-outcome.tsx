import type { Contract } from "../../api/contract.ts";
import { StateBadge } from "../../kit/badge.tsx";
import { HOME } from "../../state/router.ts";
import { may } from "../../state/session.ts";
import { trial } from "../../words/trial.ts";
import { figures } from "../../words/words.ts";

type Test = Contract["POST /operators/:code/test"]["answer"];

/** What came of a test text so far, and what to do now. */
export function TestOutcome({ test, name }: { readonly test: Test; readonly name: string }) {
  const { status, receipt_at, error, detail } = test;
  const said = trial.value;
  return (
    <div class="outcome">
      <p>
        <StateBadge state={status} />{" "}
        {status === "DELIVERED" && said.delivered({ time: figures.time(receipt_at) })}
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
