import { useState } from "preact/hooks";
import { ask, type Problem } from "../../api/client.ts";
import type { Contract } from "../../api/contract.ts";
import { Button } from "../../kit/button.tsx";
import { Confirm } from "../../kit/dialog.tsx";
import { Empty } from "../../kit/empty.tsx";
import { ErrorBox } from "../../kit/error-box.tsx";
import { Facts } from "../../kit/facts.tsx";
import { Page, Section } from "../../kit/page.tsx";
import { ReasonDialog } from "../../kit/reason-dialog.tsx";
import { Table } from "../../kit/table.tsx";
import { say } from "../../kit/toast.tsx";
import { may } from "../../state/session.ts";
import { useAnswer } from "../../state/use-answer.ts";
import { traffic } from "../../words/traffic.ts";
import { figures } from "../../words/words.ts";
import { NewOperatorLink } from "../connect/new-operator-link.tsx";
import { connectionColumns, type Doing } from "./connection-columns.tsx";
import { WhatsappNumber } from "./number.tsx";
import { OperatorDelivery } from "./operator-delivery.tsx";
import { Slowed } from "./slowed.tsx";
import { useUntilBound } from "./until-bound.tsx";

type View = Contract["GET /operators"]["answer"];

/** What is to go on: a connection, or all of an operator. */
type Resumed = { readonly operator: string; readonly connection: number | null };

type Done = { readonly ok: true } | { readonly ok: false; readonly problem: Problem };

/** Each operator's connections, what waits for it, and what reaches phones by day. */
export function Operators() {
  const { value, problem, reload } = useAnswer("operators", () => ask("GET /operators", {}));
  const [failed, setFailed] = useState<Problem | null>(null);
  const [doing, setDoing] = useState<Doing | null>(null);
  const words = traffic.value.operators;
  useUntilBound(value?.connections.every(isAtRest) ?? true, reload);
  const done = async (answer: Done): Promise<void> => {
    setFailed(answer.ok ? null : answer.problem);
    if (answer.ok) say(words.done);
    await reload();
  };
  const resume = async ({ operator: code, connection }: Resumed) =>
    done(await ask("POST /operators/:code/resume", { params: { code }, body: { connection } }));
  const waitingFor = (code: string): number =>
    value?.queues.find(({ operator }) => operator === code)?.waiting ?? 0;
  const shown = failed ?? problem;
  return (
    <Page title={words.title} aside={<NewOperatorLink isFirst={value?.operators.length === 0} />}>
      {shown && <ErrorBox problem={shown} onRetry={() => void reload()} />}
      {value?.operators.length === 0 && <Empty title={words.none}>{words.noneHelp}</Empty>}
      {value?.operators.map(({ code, name, prefixes, price }) => (
        <Section
          key={code}
          title={name}
          aside={
            <OperatorActions
              code={code}
              view={value}
              onPause={() => setDoing({ kind: "pause", code, connection: null })}
              onResume={() => void resume({ operator: code, connection: null })}
            />
          }
        >
          <p class="note">{words.waiting(figures.number(waitingFor(code)))}</p>
          <Table
            caption={name}
            columns={connectionColumns(isPausedWhole(value, code), setDoing, (row) => void resume(row))}
            rows={value.connections.filter(({ operator }) => operator === code)}
            keyOf={({ connection }) => String(connection)}
            empty={<Empty title={words.none}>{words.noneHelp}</Empty>}
          />
          <Slowed
            by="SMPP"
            who={name}
            paces={value.connections.filter(({ operator }) => operator === code)}
          />
          <OperatorFacts {...{ prefixes, price }} />
          <OperatorDelivery code={code} name={name} />
        </Section>
      ))}
      {value?.numbers.map((number) => (
        <WhatsappNumber
          key={number.operator}
          number={number}
          waiting={figures.number(waitingFor(number.operator))}
          onPause={() => setDoing({ kind: "pause", code: number.operator, connection: null })}
          onResume={() => void resume({ operator: number.operator, connection: null })}
        />
      ))}
      {doing && (
        <DoingDialog
          doing={doing}
          waiting={waitingFor(doing.code)}
          onDone={done}
          onClose={() => setDoing(null)}
        />
      )}
    </Page>
  );
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

function nameOf({ code, connection }: Doing): string {
  return connection === null ? code : `${code} ${connection}`;
}

function isPausedWhole({ connections }: View, code: string): boolean {
  const own = connections.filter(({ operator }) => operator === code);
  return own.length > 0 && own.every(({ paused }) => paused !== null);
}

type ActionsProps = {
  readonly code: string;
  readonly view: View;
  readonly onPause: () => void;
  readonly onResume: () => void;
};

function OperatorActions({ code, view, onPause, onResume }: ActionsProps) {
  if (!may("operators.change")) return null;
  const words = traffic.value.operators;
  return isPausedWhole(view, code) ? (
    <Button label={`${words.resumeAll} ${code}`} onPress={onResume}>
      {words.resumeAll}
    </Button>
  ) : (
    <Button label={`${words.pauseAll} ${code}`} onPress={onPause}>
      {words.pauseAll}
    </Button>
  );
}

type DialogProps = {
  readonly doing: Doing;
  /** How many messages wait for the operator. */
  readonly waiting: number;
  readonly onDone: (answer: Done) => Promise<void>;
  readonly onClose: () => void;
};

function DoingDialog({ doing, waiting, onDone, onClose }: DialogProps) {
  const words = traffic.value.operators;
  const { code, connection, kind } = doing;
  const params = { code };
  return kind === "pause" ? (
    <ReasonDialog
      title={words.pauseTitle(nameOf(doing))}
      verb={words.pause}
      isDestructive
      onReason={async (reason) =>
        onDone(await ask("POST /operators/:code/pause", { params, body: { connection, reason } }))
      }
      onClose={onClose}
    >
      <p>{words.pauseText(figures.count(waiting, words.pauseWaits))}</p>
    </ReasonDialog>
  ) : (
    <Confirm
      title={words.reconnectTitle(nameOf(doing))}
      verb={words.reconnect}
      onConfirm={async () =>
        onDone(await ask("POST /operators/:code/reconnect", { params, body: { connection } }))
      }
      onClose={onClose}
    >
      <p>{words.reconnectText}</p>
    </Confirm>
  );
}
