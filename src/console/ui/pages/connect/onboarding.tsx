/** Console page of the first steps after the first start. */
import type { ComponentChildren } from "preact";
import { AllClear, Badge, Loaded, Page } from "../../kit/kit.ts";
import { isSetUp, type OnboardingState } from "../../state/onboarding-steps.ts";
import { HOME } from "../../state/router.ts";
import { may } from "../../state/session.ts";
import { readOnboarding } from "../../state/setup-checklist.ts";
import { useRequest } from "../../state/use-request.ts";
import { access } from "../../words/access.ts";
import { trial } from "../../words/trial.ts";
import { useCommands } from "./commands.ts";
import { ConnectOperator } from "./new-operator.tsx";
import { NewOperatorLink } from "./new-operator-link.tsx";

/** First steps after the first start: an operator, an account, a text. */
export function First() {
  const request = useRequest("first", readOnboarding);
  const words = access.value.first;
  return (
    <Page title={words.title}>
      <Loaded of={request}>
        {(steps) => (
          <>
            {isSetUp(steps) ? <AllClear text={words.finished} /> : <p class="prose">{words.lead}</p>}
            <Steps steps={steps} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Steps({ steps }: { readonly steps: OnboardingState }) {
  const { reached, away, unreached, code, accounts, hasSent } = steps;
  const words = access.value.first;
  const commands = useCommands();
  return (
    <ol class="steps">
      <Step place={1} title={words.operator} isDone={reached.length > 0}>
        {reached.length > 0 && <p>{words.operatorDone({ names: reached.join(", ") })}</p>}
        {away.length > 0 && <p>{words.operatorAway({ names: away.join(", ") })}</p>}
        {unreached.length > 0 && <p>{words.operatorWaits({ names: unreached.join(", ") })}</p>}
        {away.length + unreached.length > 0 && (
          <p>
            <a href={`${HOME}/operators`}>{words.operatorsGo}</a>
          </p>
        )}
        {reached.length + unreached.length > 0 ? <NewOperatorLink isFirst={false} /> : <ConnectOperator />}
      </Step>
      <Step place={2} title={words.account} isDone={accounts > 0}>
        <p>{accounts > 0 ? words.accountDone(accounts) : words.accountHelp}</p>
        {may("accounts.read") && (
          <p>
            <a href={`${HOME}/accounts`}>{words.accountGo}</a>
          </p>
        )}
      </Step>
      <Step place={3} title={words.send} isDone={hasSent}>
        <p>{hasSent ? words.sendDone : words.sendHelp}</p>
        {may("batches.send") && (
          <p>
            <a href={`${HOME}/send`}>{words.sendGo}</a>
          </p>
        )}
        {reached.length > 0 && may("operators.change") && (
          <p>
            {words.sendTest} <a href={`${HOME}/operators`}>{trial.value.button}</a>
          </p>
        )}
        {commands && (
          <>
            <p class="note">{words.sendByCommand}</p>
            <p>
              <code class="command">{commands.typed(words.sendHow({ code: code ?? "orange" }))}</code>
            </p>
          </>
        )}
      </Step>
    </ol>
  );
}

type StepProps = {
  readonly place: number;
  readonly title: string;
  readonly isDone: boolean;
  readonly children: ComponentChildren;
};

function Step({ place, title, isDone, children }: StepProps) {
  const words = access.value.first;
  const tone = isDone ? "good" : "wait";
  return (
    <li>
      <div class="section-head">
        <h2>{`${place}. ${title}`}</h2>
        <Badge tone={tone}>{isDone ? words.isDone : words.isOpen}</Badge>
      </div>
      {children}
    </li>
  );
}
