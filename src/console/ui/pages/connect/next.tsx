import { useState } from "preact/hooks";
import { ask, type Problem } from "../../api/client.ts";
import type { Contract } from "../../api/contract.ts";
import { duration } from "../../format.ts";
import { StateBadge } from "../../kit/badge.tsx";
import { Button } from "../../kit/button.tsx";
import { ErrorBox } from "../../kit/error-box.tsx";
import { Section } from "../../kit/page.tsx";
import { language } from "../../state/choices.ts";
import { HOME } from "../../state/router.ts";
import { may } from "../../state/session.ts";
import { connect } from "../../words/connect.ts";
import { downCause } from "../../words/down-advice.ts";
import { sayingWithin } from "../../words/phrases.ts";
import { traffic } from "../../words/traffic.ts";
import { trial } from "../../words/trial.ts";
import { TestDialog } from "../traffic/test-dialog.tsx";

type View = Contract["GET /operators"]["answer"];
type Connection = View["connections"][number];

type NextProps = {
  readonly code: string;
  readonly view: View;
  readonly onChanged: () => Promise<void>;
};

/** Whether a connection is as it stays. */
export function isAtRest({ state, paused }: Connection): boolean {
  return state === "BOUND" || paused !== null;
}

/** What comes after an operator is in force: whether its connections are open, what to do where they are not, and a test text. */
export function Next({ code, view, onChanged }: NextProps) {
  const [problem, setProblem] = useState<Problem | null>(null);
  const [isTesting, setTesting] = useState(false);
  const words = connect.value.next;
  const name = view.operators.find((one) => one.code === code)?.name ?? code;
  const own = view.connections.filter(({ operator }) => operator === code);
  const mayChange = may("operators.change");
  const canTest = own.some(({ state, paused, bind }) => state === "BOUND" && !paused && bind !== "receiver");
  const again = async (connection: number): Promise<void> => {
    const answer = await ask("POST /operators/:code/reconnect", { params: { code }, body: { connection } });
    setProblem(answer.ok ? null : answer.problem);
    await onChanged();
  };
  return (
    <Section title={words.title({ name })}>
      {problem && <ErrorBox problem={problem} />}
      <ul class="stack next" aria-live="polite">
        {own.map((row) => (
          <li key={row.connection}>
            <p>
              {traffic.value.operators.connection({ place: row.connection })}{" "}
              <StateBadge state={row.paused === null ? row.state : "PAUSED"} /> {saidOf(row)}
            </p>
            {isRefused(row) && <p>{words.todo[downCause(row.last_error)]}</p>}
            {isRefused(row) && mayChange && (
              <p>
                <Button
                  label={`${words.again} ${code} ${row.connection}`}
                  onPress={() => void again(row.connection)}
                >
                  {words.again}
                </Button>
              </p>
            )}
          </li>
        ))}
      </ul>
      {canTest && <p>{words.open}</p>}
      <div class="tools">
        {canTest && mayChange && (
          <Button kind="primary" onPress={() => setTesting(true)}>
            {trial.value.button}
          </Button>
        )}
        <a href={`${HOME}/operators`}>{words.toOperators}</a>
      </div>
      {isTesting && <TestDialog code={code} name={name} onClose={() => setTesting(false)} />}
    </Section>
  );
}

/** Whether something went wrong with it that somebody can do something about. */
function isRefused(row: Connection): boolean {
  return !isAtRest(row) && row.last_error !== null;
}

/** What it does at this moment, in words: why it is not open, and when it is tried again. */
function saidOf(row: Connection): string {
  const words = connect.value.next;
  if (row.paused !== null) return words.paused;
  if (row.state === "BOUND") return words.bound;
  if (row.last_error === null) return words.underWay;
  const shown = sayingWithin(row.last_error);
  const seconds = row.reconnect_in_seconds;
  if (seconds === null || row.state !== "WAITING") return shown;
  return `${shown}. ${words.nextTry({ time: duration(language.value, seconds) })}`;
}
