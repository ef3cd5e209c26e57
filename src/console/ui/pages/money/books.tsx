import { ask } from "../../api/client.ts";
import { AllWell, ErrorBox, Page, Section } from "../../kit/kit.ts";
import { may } from "../../state/session.ts";
import { useAnswer } from "../../state/use-answer.ts";
import { money } from "../../words/money.ts";
import { figures } from "../../words/words.ts";
import { Balances } from "./balances.tsx";

/** Whether every franc is where it belongs, as the last check of the books found it. */
export function Books() {
  const { value, problem, reload } = useAnswer("books", () => ask("GET /books", {}));
  const { money: words } = money.value;
  const check = value?.last_check;
  return (
    <Page title={words.all}>
      {may("money.read") && <Balances />}
      {problem && <ErrorBox problem={problem} onRetry={() => void reload()} />}
      {value && (
        <Section title={words.proof}>
          {!check && <p>{words.neverProved}</p>}
          {check && check.differences === 0 && check.failure === null && (
            <AllWell text={words.proved({ time: figures.time(check.checked_at) })} />
          )}
          {check && (check.differences > 0 || check.failure !== null) && (
            <div class="error" role="alert">
              <p class="error-title">
                {words.differences({
                  count: figures.count(check.differences, words.differenceCount),
                  time: figures.time(check.checked_at),
                })}
              </p>
              <p class="detail">{check.failure ?? check.detail}</p>
            </div>
          )}
          {check && (
            <p class="note">
              {words.proofOf({
                entries: figures.count(check.entries, words.proofEntries),
                batches: figures.count(check.batches, words.proofBatches),
                messages: figures.count(check.messages, words.proofMessages),
              })}
            </p>
          )}
        </Section>
      )}
    </Page>
  );
}
