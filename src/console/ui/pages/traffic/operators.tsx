import { useState } from "preact/hooks";
import { ask, type Problem } from "../../api/client.ts";
import type { Contract } from "../../api/contract.ts";
import { Button } from "../../kit/button.tsx";
import { Empty } from "../../kit/empty.tsx";
import { ErrorBox } from "../../kit/error-box.tsx";
import { Facts } from "../../kit/facts.tsx";
import { Page, Section } from "../../kit/page.tsx";
import { Table } from "../../kit/table.tsx";
import { say } from "../../kit/toast.tsx";
import { live, useLive } from "../../state/live.ts";
import { HOME } from "../../state/router.ts";
import { may } from "../../state/session.ts";
import { useAnswer } from "../../state/use-answer.ts";
import { traffic } from "../../words/traffic.ts";
import { trial } from "../../words/trial.ts";
import { figures } from "../../words/words.ts";
import { NewOperatorLink } from "../connect/new-operator-link.tsx";
import { connectionColumns } from "./connection-columns.tsx";
import { WhatsappNumber } from "./number.tsx";
import { OperatorDelivery } from "./operator-delivery.tsx";
import { type Doing, DoingDialog, type Done } from "./operator-dialogs.tsx";
import { Slowed } from "./slowed.tsx";
import { useUntilBound } from "./until-bound.tsx";
import { asksBeforeResume, withWaitingNow } from "./waiting-now.ts";

type View = Contract["GET /operators"]["answer"];

/** What is to go on: a connection, or all of an operator. */
type Resumed = { readonly operator: string; readonly connection: number | null };

/** Each operator's connections, what waits for it, and what reaches phones by day. */
export function Operators() {
  useLive();
  const { value: read, problem, reload } = useAnswer("operators", () => ask("GET /operators", {}));
  const value = read && withWaitingNow(read, live.value?.kind === "staff" ? live.value : null);
  const [failed, setFailed] = useState<Problem | null>(null);
  const [doing, setDoing] = useState<Doing | null>(null);
  const words = traffic.value.operators;
  useUntilBound(value?.connections.every(isAtRest) ?? true, reload);
  const done = async (answer: Done): Promise<void> => {
    setFailed(answer.ok ? null : answer.problem);
    if (answer.ok) say(words.done);
    await reload();
  };
  const resume = async ({ operator: code, connection }: Resumed): Promise<void> => {
    if (value && asksBeforeResume(value, code, connection)) setDoing({ kind: "resume", code, connection });
    else await done(await ask("POST /operators/:code/resume", { params: { code }, body: { connection } }));
  };
  const shown = failed ?? problem;
  return (
    <Page
      title={words.title}
      aside={
        <div class="tools">
          {value && canPauseAll(value) && (
            <Button onPress={() => setDoing({ kind: "everything" })}>{words.pauseEverything}</Button>
          )}
          <NewOperatorLink isFirst={value?.operators.length === 0} />
        </div>
      }
    >
      {shown && <ErrorBox problem={shown} onRetry={() => void reload()} />}
      <NotInForce />
      {value?.operators.length === 0 && <Empty title={words.none}>{words.noneHelp}</Empty>}
      {value?.operators.map((operator) => (
        <OperatorSection
          key={operator.code}
          operator={operator}
          view={value}
          onDo={setDoing}
          onResume={(what) => void resume(what)}
        />
      ))}
      {value?.numbers.map((number) => (
        <WhatsappNumber
          key={number.operator}
          number={number}
          waiting={figures.number(waitingFor(value, number.operator))}
          onPause={() => setDoing({ kind: "pause", code: number.operator, connection: null })}
          onResume={() => void resume({ operator: number.operator, connection: null })}
        />
      ))}
      {doing && value && (
        <DoingDialog doing={doing} view={value} onDone={done} onClose={() => setDoing(null)} />
      )}
    </Page>
  );
}

/** Whoever wrote an operator into the file and left the page that puts it in force is led back there. */
function NotInForce() {
  const isAsked = may("appliance.change");
  const { value } = useAnswer<Contract["GET /configuration"]["answer"] | null>("configuration", async () =>
    isAsked ? ask("GET /configuration", {}) : NOT_ASKED,
  );
  const words = traffic.value.operators;
  if (!value?.changes.some(({ path }) => path.startsWith("operators."))) return null;
  return (
    <p class="notice">
      {words.notInForce} <a href={`${HOME}/state`}>{words.toInForce}</a>
    </p>
  );
}

const NOT_ASKED = { ok: true, value: null } as const;

type SectionProps = {
  readonly operator: View["operators"][number];
  readonly view: View;
  readonly onDo: (doing: Doing) => void;
  readonly onResume: (what: Resumed) => void;
};

function OperatorSection({ operator: { code, name, prefixes, price }, view, onDo, onResume }: SectionProps) {
  const words = traffic.value.operators;
  const own = view.connections.filter(({ operator }) => operator === code);
  const isPausedAlone = own.length > 1 && !isPausedWhole(view, code);
  return (
    <Section
      title={name}
      aside={<OperatorActions code={code} name={name} view={view} onDo={onDo} onResume={onResume} />}
    >
      <p class="note">{words.waiting({ count: figures.number(waitingFor(view, code)) })}</p>
      <Table
        caption={name}
        columns={connectionColumns(isPausedAlone, onDo, onResume)}
        rows={own}
        keyOf={({ connection }) => String(connection)}
        empty={<Empty title={words.none}>{words.noneHelp}</Empty>}
      />
      <Slowed by="SMPP" who={name} paces={own} />
      <OperatorFacts prefixes={prefixes} price={price} />
      <OperatorDelivery code={code} name={name} />
    </Section>
  );
}

function waitingFor({ queues }: View, code: string): number {
  return queues.find(({ operator }) => operator === code)?.waiting ?? 0;
}

/** Whether there are several that one could pause, and one of them is not. */
function canPauseAll(view: View): boolean {
  const standing = [
    ...view.operators.map(({ code }) => isPausedWhole(view, code)),
    ...view.numbers.map(({ paused }) => paused !== null),
  ];
  return may("operators.change") && standing.length > 1 && standing.includes(false);
}

/** Whether a connection is as it stays. */
function isAtRest({ state, paused }: View["connections"][number]): boolean {
  return state === "BOUND" || paused !== null;
}

type FactsProps = Pick<View["operators"][number], "prefixes" | "price">;

/** The numbers that an operator owns, and its price for those who may see money. */
function OperatorFacts({ prefixes, price }: FactsProps) {
  const words = traffic.value.operators;
  const priced = price === null ? words.noPrice : figures.money(price ?? 0);
  return (
    <Facts
      rows={[
        [words.prefixes, prefixes.map((prefix) => `+${prefix}`).join(", ")],
        ...(price === undefined ? [] : [[words.price, priced] as const]),
      ]}
    />
  );
}

function isPausedWhole({ connections }: View, code: string): boolean {
  const own = connections.filter(({ operator }) => operator === code);
  return own.length > 0 && own.every(({ paused }) => paused !== null);
}

type ActionsProps = Omit<SectionProps, "operator"> & { readonly code: string; readonly name: string };

function OperatorActions({ code, name, view, onDo, onResume }: ActionsProps) {
  if (!may("operators.change")) return null;
  const words = traffic.value.operators;
  const whole = { code, connection: null } as const;
  const canTest = view.connections.some(
    ({ operator, state, paused, bind }) =>
      operator === code && state === "BOUND" && paused === null && bind !== "receiver",
  );
  return (
    <div class="tools">
      {canTest && (
        <Button label={`${trial.value.button} (${name})`} onPress={() => onDo({ kind: "test", ...whole })}>
          {trial.value.button}
        </Button>
      )}
      {isPausedWhole(view, code) ? (
        <Button onPress={() => onResume({ operator: code, connection: null })}>
          {words.resume({ name })}
        </Button>
      ) : (
        <Button onPress={() => onDo({ kind: "pause", ...whole })}>{words.pause({ name })}</Button>
      )}
    </div>
  );
}
