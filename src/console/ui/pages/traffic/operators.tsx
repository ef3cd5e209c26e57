/**
 * Console page of operators and WhatsApp numbers: connections, queues, delivery by day; pauses, resumes, reconnects and
 * tests them.
 */
import type { ComponentChildren } from "preact";
import { useMemo, useState } from "preact/hooks";
import type { Text } from "../../../../i18n/phrase.ts";
import type { TrafficWords } from "../../../../i18n/words.gen.d.ts";
import { type ApiAnswer, callApi } from "../../api/client.ts";
import type { Answer } from "../../api/contract.ts";
import { duration } from "../../format.ts";
import {
  Button,
  Chart,
  type Column,
  type Columns,
  Confirm,
  column,
  countColumn,
  Empty,
  ErrorBox,
  Facts,
  Note,
  numberColumn,
  Page,
  ReasonDialog,
  Section,
  StateBadge,
  Table,
  WithNote,
} from "../../kit/kit.ts";
import { live, useLive } from "../../state/live.ts";
import { language } from "../../state/preferences.ts";
import { HOME } from "../../state/router.ts";
import { may } from "../../state/session.ts";
import { useAction, useAnswer } from "../../state/use-request.ts";
import { routeWords } from "../../words/routes.ts";
import { traffic } from "../../words/traffic.ts";
import { trial } from "../../words/trial.ts";
import { figures, labelled, told } from "../../words/words.ts";
import { AddRouteLink } from "../configure/add-route-link.tsx";
import { NewOperatorLink } from "../connect/new-operator-link.tsx";
import type { PageProps } from "../lazy-page.tsx";
import { asksBeforeResume, mergeLiveQueues } from "./live-queues.ts";
import { OperatorRoutes } from "./operator-routes.tsx";
import { usePollUntilBound } from "./poll-until-bound.tsx";
import { TestDialog } from "./test-dialog.tsx";

type View = Answer<"GET /operators">;

/** What is resumed: a connection, or all of an operator. */
type Resumed = { readonly operator: string; readonly connection: number | null };

/** What is known of operators, and what is asked of them from their pages. */
function useOperators() {
  useLive();
  const request = useAnswer("GET /operators");
  const { value: read, reload } = request;
  const value = read && mergeLiveQueues(read, live.value?.kind === "staff" ? live.value : null);
  const { problem: failed, run } = useAction();
  const [doing, setDoing] = useState<OperatorAction | null>(null);
  const words = traffic.value.operators;
  usePollUntilBound(value?.connections.every(isAtRest) ?? true, reload);
  const act: Act = async (asked) => {
    await run(asked, words.done);
    await reload();
  };
  const resume = ({ operator: code, connection }: Resumed): unknown =>
    value && asksBeforeResume(value, code, connection)
      ? setDoing({ kind: "resume", code, connection })
      : act(callApi("POST /operators/:code/resume", { params: { code }, body: { connection } }));
  return { value, problem: failed ?? request.problem, reload, doing, setDoing, act, resume };
}

export function Operators() {
  const { value, problem, reload, doing, setDoing, act, resume } = useOperators();
  const words = traffic.value.operators;
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
      <ErrorBox problem={problem} onRetry={reload} />
      <NotInForce />
      {value?.operators.length === 0 && <Empty title={words.none}>{words.noneHelp}</Empty>}
      {value?.operators.map((operator) => (
        <OperatorSection
          key={operator.code}
          title={<a href={`${HOME}/operators/${encodeURIComponent(operator.code)}`}>{operator.name}</a>}
          operator={operator}
          view={value}
          onDo={setDoing}
          onResume={resume}
        />
      ))}
      {value?.numbers.map((number) => (
        <WhatsappNumber
          key={number.operator}
          title={<a href={`${HOME}/operators/${encodeURIComponent(number.operator)}`}>{number.operator}</a>}
          number={number}
          waiting={figures.number(waitingFor(value, number.operator))}
          onPause={() => setDoing({ kind: "pause", code: number.operator, connection: null })}
          onResume={() => resume({ operator: number.operator, connection: null })}
        />
      ))}
      {doing && value && (
        <OperatorActionDialog doing={doing} view={value} act={act} onClose={() => setDoing(null)} />
      )}
    </Page>
  );
}

/** One operator, or one number of WhatsApp. */
export function Operator({ parts: { operator: code = "" } }: PageProps) {
  const { value, problem, reload, doing, setDoing, act, resume } = useOperators();
  const words = traffic.value.operators;
  const operator = value?.operators.find((one) => one.code === code);
  const number = value?.numbers.find((one) => one.operator === code);
  return (
    <Page
      title={operator?.name ?? number?.operator ?? null}
      question={words.oneTitle}
      aside={
        operator && (
          <AddRouteLink
            code={code}
            hasRoutes={value?.routes.some((route) => route.operator === code) ?? false}
          />
        )
      }
    >
      <ErrorBox problem={problem} onRetry={reload} />
      {value && !operator && !number && <Empty title={words.unknown} />}
      {value && operator && (
        <OperatorSection
          title={words.connections}
          operator={operator}
          view={value}
          onDo={setDoing}
          onResume={resume}
        />
      )}
      {value && number && (
        <WhatsappNumber
          title={words.connections}
          number={number}
          waiting={figures.number(waitingFor(value, code))}
          onPause={() => setDoing({ kind: "pause", code, connection: null })}
          onResume={() => resume({ operator: code, connection: null })}
        />
      )}
      {doing && value && (
        <OperatorActionDialog doing={doing} view={value} act={act} onClose={() => setDoing(null)} />
      )}
    </Page>
  );
}

/** Leads back to the page that puts an operator in force that was only written into the file. */
function NotInForce() {
  const isAsked = may("appliance.change");
  const { value } = useAnswer("GET /configuration", isAsked ? {} : null);
  const words = traffic.value.operators;
  if (!value?.changes.some(({ path }) => path.startsWith("operators."))) return null;
  return (
    <p class="notice">
      {words.notInForce} <a href={`${HOME}/state`}>{words.toInForce}</a>
    </p>
  );
}

type SectionProps = ActionsProps & { readonly title: ComponentChildren };

type ActionsProps = {
  readonly operator: View["operators"][number];
  readonly view: View;
  readonly onDo: (doing: OperatorAction) => void;
  readonly onResume: (what: Resumed) => unknown;
};

function OperatorSection({ title, operator, view, onDo, onResume }: SectionProps) {
  const { code, name, prefixes, price } = operator;
  const words = traffic.value.operators;
  const own = view.connections.filter((one) => one.operator === code);
  return (
    <Section
      title={title}
      aside={<OperatorActions operator={operator} view={view} onDo={onDo} onResume={onResume} />}
    >
      <Note>{words.waiting({ count: figures.number(waitingFor(view, code)) })}</Note>
      <Table
        caption={name}
        columns={connectionColumns(own.length > 1 && !isPausedWhole(view, code), onDo, onResume)}
        rows={own}
        keyOf={({ connection }) => connection}
        empty={<Empty title={words.none}>{words.noneHelp}</Empty>}
      />
      <OperatorRoutes
        name={name}
        routes={view.routes.filter((one) => one.operator === code)}
        onPause={(route) => onDo({ kind: "pause", code: route, connection: null })}
        onResume={(route) => onResume({ operator: route, connection: null })}
      />
      <Slowed by="SMPP" who={name} paces={own} />
      <Facts
        rows={[
          [words.prefixes, prefixes.map(figures.prefix).join(", ")],
          // Absent for those who may see no money.
          price !== undefined && [words.price, price === null ? words.noPrice : figures.money(price)],
        ]}
      />
      <OperatorDelivery code={code} name={name} />
    </Section>
  );
}

function waitingFor({ queues }: View, code: string): number {
  return queues.find(({ operator }) => operator === code)?.waiting ?? 0;
}

/** Whether there are several connections to pause, and one of them is not paused. */
function canPauseAll(view: View): boolean {
  const standing = [
    ...view.operators.map(({ code }) => isPausedWhole(view, code)),
    ...view.numbers.map(({ paused }) => paused !== null),
  ];
  return may("operators.change") && standing.length > 1 && standing.includes(false);
}

/** Whether a connection is bound or paused. */
function isAtRest({ state, paused }: View["connections"][number]): boolean {
  return state === "BOUND" || paused !== null;
}

function isPausedWhole({ connections }: View, code: string): boolean {
  const own = connections.filter(({ operator }) => operator === code);
  return own.length > 0 && own.every(({ paused }) => paused !== null);
}

function OperatorActions({ operator: { code, name }, view, onDo, onResume }: ActionsProps) {
  if (!may("operators.change")) return null;
  const words = traffic.value.operators;
  const canTest = view.connections.some(
    ({ operator, state, paused, bind }) =>
      operator === code && state === "BOUND" && paused === null && bind !== "receiver",
  );
  return (
    <div class="tools">
      {canTest && (
        <Button
          label={`${trial.value.button} (${name})`}
          onPress={() => onDo({ kind: "test", code, connection: null })}
        >
          {trial.value.button}
        </Button>
      )}
      {isPausedWhole(view, code) ? (
        <Button onPress={() => onResume({ operator: code, connection: null })}>
          {words.resume({ name })}
        </Button>
      ) : (
        <Button onPress={() => onDo({ kind: "pause", code, connection: null })}>
          {words.pause({ name })}
        </Button>
      )}
    </div>
  );
}

type NumberView = Answer<"GET /operators">["numbers"][number];

type Props = {
  readonly title: ComponentChildren;
  readonly number: NumberView;
  /** How many messages wait for it, in words. */
  readonly waiting: string;
  readonly onPause: () => void;
  readonly onResume: () => unknown;
};

/** A number of WhatsApp: whether messages leave by it, how fast, and to how many people a day. */
function WhatsappNumber({ title, number, waiting, onPause, onResume }: Props) {
  const words = traffic.value.operators;
  const { operator } = number;
  const isHeld = number.paused !== null || number.state === "STOPPED";
  const verb = isHeld ? words.resume({ name: operator }) : words.pause({ name: operator });
  return (
    <Section
      title={title}
      aside={may("operators.change") && <Button onPress={isHeld ? onResume : onPause}>{verb}</Button>}
    >
      <Note>{words.waiting({ count: waiting })}</Note>
      <Table
        caption={operator}
        columns={numberColumns()}
        rows={[number]}
        keyOf={() => operator}
        empty={<Empty title={words.none}>{words.noneHelp}</Empty>}
      />
      <Slowed by="META" who="Meta" paces={[number]} />
      <OperatorDelivery code={operator} name={operator} />
    </Section>
  );
}

function numberColumns(): Columns<NumberView> {
  const { operators, status } = traffic.value;
  return [
    column(status, ({ state, since, paused }) => (
      <>
        <StateBadge state={paused === null ? state : "PAUSED"} />
        {since !== null && <span class="note">{operators.sinceTime({ time: since })}</span>}
        {paused !== null && <span class="note">{operators.paused({ reason: paused })}</span>}
      </>
    )),
    column(operators.rate, rateCell),
    column(operators.window, ({ in_flight, window }) => operators.windowOf({ used: in_flight, all: window })),
    column(operators.people, ({ recipients_of_day, recipients_per_day }) =>
      recipients_per_day === null
        ? figures.number(recipients_of_day)
        : operators.windowOf({
            used: recipients_of_day,
            all: recipients_per_day,
          }),
    ),
    column(operators.lastError, ({ last_error }) => (last_error === null ? "–" : told(last_error))),
  ];
}

type Connection = Answer<"GET /operators">["connections"][number];

/**
 * The columns of an operator's connections, with the actions on each. With all of them paused the operator is resumed, and an
 * only one is paused with its operator: `isPausedAlone` says whether a pause of its own can be meant.
 */
function connectionColumns(
  isPausedAlone: boolean,
  onDo: (doing: OperatorAction) => void,
  onResume: (what: Resumed) => unknown,
): Columns<Connection> {
  const { operators, status } = traffic.value;
  const columns: Column<Connection>[] = [
    column(operators.connection({ place: 1 }).replace(/ 1$/, ""), ({ connection, kind, host, port }) => (
      <WithNote note={kind === "bendre" ? operators.otherBendre({ host }) : `${host}:${port}`}>
        {connection}
      </WithNote>
    )),
    column(status, (row) => (
      <>
        <StateBadge state={row.paused === null ? row.state : "PAUSED"} />
        <Since {...row} />
      </>
    )),
    column(operators.rate, rateCell),
    column(operators.window, (row) => (
      <span class="whole">{operators.windowOf({ used: row.in_flight, all: row.window })}</span>
    )),
    countColumn(operators.throttled, (row) => row.throttled),
    numberColumn(operators.receipts, receiptsCell),
    column(operators.lastError, (row) => (
      <>
        {row.refusing && <Refusing {...row.refusing} />}
        {lastErrorOf(row)}
        {row.last_error_at !== null && <span class="note">{figures.time(row.last_error_at)}</span>}
        {isSolved(row) && <span class="note">{operators.solved({ time: row.since })}</span>}
      </>
    )),
  ];
  if (!may("operators.change")) return columns;
  return [
    ...columns,
    column(operators.actions, (row) => (
      <ConnectionActions row={row} isPausedAlone={isPausedAlone} onDo={onDo} onResume={onResume} />
    )),
  ];
}

/** Since when it is in its state: paused by whom and why, bound, or down and when the next attempt is due. */
function Since({ paused, paused_since, paused_by, since, state, reconnect_in_seconds }: Connection) {
  const { operators } = traffic.value;
  return (
    <>
      <span class="note whole">{operators.sinceTime({ time: paused === null ? since : paused_since })}</span>
      {paused !== null && (
        <>
          {paused_by !== null && <span class="note">{operators.pausedBy({ who: paused_by })}</span>}
          <span class="note">{operators.paused({ reason: paused })}</span>
        </>
      )}
      {paused === null && state === "WAITING" && reconnect_in_seconds !== null && (
        <span class="note">
          {operators.nextTry({ time: duration(language.value, reconnect_in_seconds) })}
        </span>
      )}
    </>
  );
}

/** Whether it was bound after its last error. */
function isSolved({ state, since, last_error_at: failedAt, refusing }: Connection): boolean {
  return state === "BOUND" && refusing === null && failedAt !== null && since !== null && failedAt <= since;
}

function lastErrorOf({ last_error, refusing }: Connection): string | Text {
  if (last_error !== null) return told(last_error);
  return refusing === null ? "–" : "";
}

function Refusing({ answers, code, answer, last_at }: NonNullable<Connection["refusing"]>) {
  const { operators } = traffic.value;
  return (
    <>
      <strong>{operators.takesNothing(answers)}</strong>
      <span class="note">
        {operators.answers({ code, answer })} ({figures.time(last_at)})
      </span>
    </>
  );
}

function rateCell({
  sent_last_second,
  rate,
  throughput,
}: Pick<Connection, "sent_last_second" | "rate" | "throughput">) {
  const { operators } = traffic.value;
  return (
    <WithNote note={rate < throughput && operators.rateAsked({ asked: throughput })}>
      {operators.rateOf({ sent: sent_last_second, granted: rate })}
    </WithNote>
  );
}

function receiptsCell({ receipts_matched, receipts_unmatched }: Connection) {
  const { unmatched } = traffic.value.operators;
  return (
    <WithNote note={receipts_unmatched > 0 && unmatched({ count: receipts_unmatched })}>
      {figures.number(receipts_matched)}
    </WithNote>
  );
}

type ConnectionProps = {
  readonly row: Connection;
  readonly isPausedAlone: boolean;
  readonly onDo: (doing: OperatorAction) => void;
  readonly onResume: (what: Resumed) => unknown;
};

function ConnectionActions({ row, isPausedAlone, onDo, onResume }: ConnectionProps) {
  const { operators } = traffic.value;
  const { operator: code, connection } = row;
  const name = `${code} ${connection}`;
  const isPaused = row.paused !== null;
  const verb = (isPaused ? operators.resumeConnection : operators.pauseConnection)({ place: connection });
  return (
    <>
      {isPausedAlone && (
        <Button
          kind="quiet"
          label={`${verb} (${code})`}
          onPress={() => (isPaused ? onResume(row) : onDo({ kind: "pause", code, connection }))}
        >
          {verb}
        </Button>
      )}
      <Button
        kind="quiet"
        label={`${operators.reconnect} ${name}`}
        onPress={() => onDo({ kind: "reconnect", code, connection })}
      >
        {operators.reconnect}
      </Button>
    </>
  );
}

/** Codes that say "too fast": of SMPP ESME_RTHROTTLED, of Meta its limit of a number. */
const TOO_FAST = { SMPP: "0x58", META: "130429" };

type SlowedProps = {
  readonly by: keyof typeof TOO_FAST;
  /** Who asks to slow down. */
  readonly who: string;
  readonly paces: readonly {
    readonly rate: number;
    readonly throughput: number;
    readonly throttled: number;
  }[];
};

/** Why less leaves than the configuration allows, and what helps; nothing where all of it may. */
function Slowed({ by, who, paces }: SlowedProps) {
  const slow = paces.filter(({ rate, throughput }) => rate < throughput);
  if (slow.length === 0) return null;
  const sum = (of: (pace: SlowedProps["paces"][number]) => number) =>
    slow.reduce((all, one) => all + of(one), 0);
  const words = traffic.value.operators;
  const [granted, asked] = [sum(({ rate }) => rate), sum(({ throughput }) => throughput)];
  const complaints = sum(({ throttled }) => throttled);
  return (
    <p class="notice">
      {complaints > 0 && `${words.tooFast(complaints, { who, code: TOO_FAST[by] })} `}
      {words.slowed({ granted, asked })}
    </p>
  );
}

type Day = Answer<"GET /operators/:code/delivery">["rows"][number];

/** Share delivered and delay of one operator by day: a picture, and the same as a table. */
function OperatorDelivery({ code, name }: { readonly code: string; readonly name: string }) {
  const { value, problem } = useAnswer("GET /operators/:code/delivery", { params: { code }, query: {} });
  const words = traffic.value.operators;
  const rows = value?.rows ?? [];
  const times = useMemo(() => rows.map(({ key }) => Date.parse(`${key}T12:00:00Z`) / 1000), [rows]);
  const values = useMemo(
    () => rows.map(({ delivered_share: share }) => (share === null ? null : share * 100)),
    [rows],
  );
  const lines = useMemo(() => [{ label: words.share, values }], [words.share, values]);
  if (problem) return <ErrorBox problem={problem} />;
  if (value === null) return null;
  return (
    <details>
      <summary>{words.delivery}</summary>
      {rows.length > 1 && (
        <Chart label={words.deliveryChart({ name })} times={times} lines={lines} isTabled />
      )}
      <Table
        caption={labelled(name, words.delivery)}
        columns={dayColumns()}
        rows={[...rows].reverse()}
        keyOf={({ key }) => key ?? ""}
        empty={<Note>{words.noDelivery}</Note>}
      />
    </details>
  );
}

function dayColumns(): Columns<Day> {
  const words = traffic.value.operators;
  const seconds = (value: number | null) => (value === null ? "–" : duration(language.value, value));
  return [
    column(words.day, ({ key }) => (key === null ? "–" : figures.day(key))),
    countColumn(words.sent, ({ sent }) => sent),
    numberColumn(words.share, (row) => figures.share(row.delivered_share)),
    numberColumn(words.median, (row) => seconds(row.receipt_seconds.p50)),
    numberColumn(words.slow, (row) => seconds(row.receipt_seconds.p90)),
  ];
}

/** The pending action on all operators, on one, or on one of its connections. */
type OperatorAction =
  | { readonly kind: "everything" }
  | {
      readonly kind: "pause" | "resume" | "reconnect" | "test";
      readonly code: string;
      readonly connection: number | null;
    };

/** Waits for an answer, and shows what came of it. */
type Act = (asked: Promise<ApiAnswer<unknown>>) => Promise<void>;

type DialogProps = {
  readonly doing: OperatorAction;
  readonly view: View;
  readonly act: Act;
  readonly onClose: () => void;
};

/** Says exactly what will happen, and asks for confirmation. */
function OperatorActionDialog({ doing, view, act, onClose }: DialogProps) {
  if (doing.kind === "everything") return <PauseEverything view={view} act={act} onClose={onClose} />;
  const words = traffic.value.operators;
  const { code, connection, kind } = doing;
  const name = view.operators.find((one) => one.code === code)?.name ?? code;
  const meant = connection === null ? name : words.ofConnection({ name, place: connection });
  const params = { code };
  const waiting = waitingFor(view, code);
  switch (kind) {
    case "test":
      return <TestDialog code={code} name={name} onClose={onClose} />;
    case "resume":
      return (
        <Confirm
          title={words.resumeTitle({ name: meant })}
          verb={words.resumeVerb}
          onConfirm={() => act(callApi("POST /operators/:code/resume", { params, body: { connection } }))}
          onClose={onClose}
        >
          <p>{words.resumeLeaves(waiting)}</p>
        </Confirm>
      );
    case "pause":
      return (
        <ReasonDialog
          title={words.pauseTitle({ name: meant })}
          verb={words.pauseVerb}
          isDestructive
          onReason={(reason) =>
            act(callApi("POST /operators/:code/pause", { params, body: { connection, reason } }))
          }
          onClose={onClose}
        >
          <p>{pauseText(words, { name, waiting, connection, isRoute: code.includes("/") })}</p>
        </ReasonDialog>
      );
    case "reconnect":
      return (
        <Confirm
          title={words.reconnectTitle({ name: meant })}
          verb={words.reconnect}
          onConfirm={() => act(callApi("POST /operators/:code/reconnect", { params, body: { connection } }))}
          onClose={onClose}
        >
          <p>{words.reconnectText}</p>
        </Confirm>
      );
  }
}

type Paused = {
  readonly name: string;
  readonly waiting: number;
  readonly connection: number | null;
  /** No operator's code has a slash, and a route's has one. */
  readonly isRoute: boolean;
};

function pauseText(words: TrafficWords["operators"], { name, waiting, connection, isRoute }: Paused): string {
  if (isRoute) return routeWords.value.pauseText({ name });
  if (connection !== null) return words.pauseConnectionText({ name });
  return words.pauseText({ waiting: words.pauseWaits(waiting) });
}

function PauseEverything({ view, act, onClose }: Omit<DialogProps, "doing">) {
  const words = traffic.value.operators;
  const names = [...view.operators.map(({ name }) => name), ...view.numbers.map(({ operator }) => operator)];
  const waiting = view.queues.reduce((sum, queue) => sum + queue.waiting, 0);
  return (
    <ReasonDialog
      title={words.everythingTitle}
      verb={words.pauseEverything}
      isDestructive
      onReason={(reason) => act(callApi("POST /operators/pause", { body: { reason } }))}
      onClose={onClose}
    >
      <p>{words.everythingText({ names: names.join(", ") })}</p>
      <p>{words.everythingWaits(waiting)}</p>
    </ReasonDialog>
  );
}
