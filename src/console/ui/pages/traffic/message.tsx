/**
 * Console page of one message: outcome and advice, then the timeline of its submits, responses and receipts, what it cost,
 * and its text on request.
 */
import { type ApiAnswer, callApi } from "../../api/client.ts";
import type { Answer } from "../../api/contract.ts";
import { ConfidentialText, type TextToRead, type Why } from "../../kit/confidential-text.tsx";
import { ErrorBox, Facts, Page, Section, Stat, StateBadge, Stats, Timeline } from "../../kit/kit.ts";
import { HOME } from "../../state/router.ts";
import { isStaff, may } from "../../state/session.ts";
import { useAnswer, usePollWhile } from "../../state/use-request.ts";
import { batchWords } from "../../words/batch.ts";
import { routeWords } from "../../words/routes.ts";
import { traffic } from "../../words/traffic.ts";
import { classWord, figures, stateWord } from "../../words/words.ts";
import { AccountOf } from "./batch-failures.tsx";
import { renderEvent, toMoment } from "./message-story.ts";

type Life = Answer<"GET /messages/:message">;

type MessageProps = { readonly parts: Readonly<Record<string, string>> };

export function Message({ parts }: MessageProps) {
  const message = parts.message ?? "";
  const { value, problem, reload } = useAnswer("GET /messages/:message", { params: { message } });
  usePollWhile(value !== null && !value.is_final, reload);
  const words = traffic.value.messages;
  const saying = { words, state: stateWord };
  return (
    <Page title={value && words.name({ number: figures.phone(value.msisdn) })} question={words.lifeTitle}>
      <ErrorBox problem={problem} onRetry={reload} />
      {value && (
        <>
          <Verdict life={value} />
          <Advice life={value} />
          <Summary life={value} />
          <Section title={words.life}>
            <Timeline
              moments={value.events
                .filter((event) => !event.is_of_detail)
                .map((event) => renderEvent(event, saying))}
            />
            <details class="more">
              <summary>{batchWords.value.technical}</summary>
              <Timeline moments={value.events.map((event) => toMoment(event, saying))} />
            </details>
          </Section>
          {may("messages.text") && (
            <ConfidentialText
              title={words.text}
              isFree={value.is_text_free}
              load={(why) => textOf(value.message_id, why)}
            />
          )}
        </>
      )}
    </Page>
  );
}

function Verdict({ life }: { readonly life: Life }) {
  const words = traffic.value.messages;
  const isSilent = life.status === "SENT" && life.is_final;
  const verdict = isSilent ? words.noReceipt : (words.verdicts[life.status] ?? "");
  const hold = life.route_hold && traffic.value.queue.holds[life.route_hold];
  return (
    <p class="lead">
      <StateBadge state={life.status} /> {life.wait ? waitWords(life.wait) : verdict}
      {hold && ` ${routeWords.value.hold({ why: hold })}`}
      {life.error && ` ${life.error.detail} ${life.error.is_permanent ? words.permanent : words.passing}`}
    </p>
  );
}

/** What to do about an error that only the operator can explain, and why an undelivered text is paid. */
function Advice({ life }: { readonly life: Life }) {
  const words = batchWords.value;
  const { error, amount, status } = life;
  const isPaid = status === "FAILED" && (amount ?? 0) > 0;
  const advice = error === null ? undefined : words.advice[error.code];
  if (!isPaid && advice === undefined) return null;
  const code = error?.operator_code ?? words.noCode;
  const whom = isStaff()
    ? words.askOperator({ operator: life.operator_name, code })
    : words.askUs({ id: life.message_id });
  return (
    <>
      {advice !== undefined && (
        <p>
          {advice} {whom}
        </p>
      )}
      {isPaid && <p>{words.whyPaidOne({ amount: amount ?? 0 })}</p>}
    </>
  );
}

function waitWords({ code, answer, times, last_at, again_at }: NonNullable<Life["wait"]>): string {
  const words = traffic.value.messages;
  const said = words.putOff({
    times: words.times(times),
    answer: `${code} (${answer})`,
    time: last_at,
  });
  return `${said} ${again_at === null ? words.againNow : words.againAt({ time: again_at })}`;
}

function Summary({ life }: { readonly life: Life }) {
  const words = traffic.value;
  return (
    <Section title={words.messages.summary}>
      <Stats>
        <Stat label={words.messages.segments} value={life.segments} />
        <Stat label={words.messages.attempts} value={life.attempts} />
        {life.amount !== null && <Stat label={words.cost} value={figures.money(life.amount)} />}
      </Stats>
      <Facts
        rows={[
          [words.number, figures.phone(life.msisdn)],
          [words.sender, life.sender],
          [words.operator, life.operator_name],
          [words.messageClass, classWord(life.message_class)],
          [
            words.messages.batch,
            <a key="batch" href={`${HOME}/batches/${life.batch_id}`}>
              {batchOf(life)}
            </a>,
          ],
          isStaff() && [words.account, <AccountOf key="account" view={life} />],
        ]}
      />
    </Section>
  );
}

/** What its batch is called. */
function batchOf({ batch_client_reference: reference, batch_id: id }: Life): string {
  return reference ?? id;
}

async function textOf(message: string, body: Why): Promise<ApiAnswer<readonly TextToRead[]>> {
  const answer = await callApi("POST /messages/:message/text", { params: { message }, body });
  if (!answer.ok) return answer;
  const { text } = answer.value;
  return { ok: true, value: text === "" ? [] : [{ text }] };
}
