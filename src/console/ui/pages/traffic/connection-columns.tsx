import type { Text } from "../../../../i18n/phrase.ts";
import type { Contract } from "../../api/contract.ts";
import { duration } from "../../format.ts";
import { StateBadge } from "../../kit/badge.tsx";
import { Button } from "../../kit/button.tsx";
import type { Column } from "../../kit/table.tsx";
import { language } from "../../state/choices.ts";
import { may } from "../../state/session.ts";
import { told } from "../../words/phrases.ts";
import { traffic } from "../../words/traffic.ts";
import { figures } from "../../words/words.ts";
import type { Doing } from "./operator-dialogs.tsx";
import { titled } from "./parts.tsx";

type Connection = Contract["GET /operators"]["answer"]["connections"][number];

/**
 * What is told of each connection of an operator, and what may be done to it. With all of them paused the operator is resumed, and an
 * only one is paused with its operator: `isPausedAlone` says whether a pause of its own can be meant.
 */
export function connectionColumns(
  isPausedAlone: boolean,
  onDo: (doing: Doing) => void,
  onResume: (row: Connection) => void,
): readonly Column<Connection>[] {
  const { operators, status } = traffic.value;
  const columns: Column<Connection>[] = [
    {
      ...titled("connection", operators.connection({ place: 1 }).replace(/ 1$/, "")),
      cell: ({ connection, host, port }) => (
        <>
          {connection}
          <span class="note">{`${host}:${port}`}</span>
        </>
      ),
    },
    {
      ...titled("state", status),
      cell: (row) => (
        <>
          <StateBadge state={row.paused === null ? row.state : "PAUSED"} />
          <Since {...row} />
        </>
      ),
    },
    { ...titled("rate", operators.rate), cell: rateCell },
    {
      ...titled("window", operators.window),
      cell: (row) => (
        <span class="whole">
          {operators.windowOf({ used: figures.number(row.in_flight), all: figures.number(row.window) })}
        </span>
      ),
    },
    {
      ...titled("throttled", operators.throttled),
      isNumber: true,
      cell: (row) => figures.number(row.throttled),
    },
    { ...titled("receipts", operators.receipts), isNumber: true, cell: receiptsCell },
    {
      ...titled("error", operators.lastError),
      cell: (row) => (
        <>
          {row.refusing && <Refusing {...row.refusing} />}
          {lastErrorOf(row)}
          {row.last_error_at !== null && <span class="note">{figures.time(row.last_error_at)}</span>}
          {isSolved(row) && <span class="note">{operators.solved({ time: figures.time(row.since) })}</span>}
        </>
      ),
    },
  ];
  if (!may("operators.change")) return columns;
  return [
    ...columns,
    {
      ...titled("actions", operators.actions),
      cell: (row) => (
        <ConnectionActions row={row} isPausedAlone={isPausedAlone} onDo={onDo} onResume={onResume} />
      ),
    },
  ];
}

/** Since when it is as it is: paused by whom and why, bound, or not and when it is tried again. */
function Since({ paused, paused_since, paused_by, since, state, reconnect_in_seconds }: Connection) {
  const { operators } = traffic.value;
  if (paused !== null)
    return (
      <>
        <span class="note whole">{operators.sinceTime({ time: figures.time(paused_since) })}</span>
        {paused_by !== null && <span class="note">{operators.pausedBy({ who: paused_by })}</span>}
        <span class="note">{operators.paused({ reason: paused })}</span>
      </>
    );
  return (
    <>
      <span class="note whole">{operators.sinceTime({ time: figures.time(since) })}</span>
      {state === "WAITING" && reconnect_in_seconds !== null && (
        <span class="note">
          {operators.nextTry({ time: duration(language.value, reconnect_in_seconds) })}
        </span>
      )}
    </>
  );
}

/** Whether it was bound after what went wrong last. */
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
      <strong>{figures.count(answers, operators.takesNothing)}</strong>
      <span class="note">
        {operators.answers({ code, answer })} ({figures.time(last_at)})
      </span>
    </>
  );
}

function rateCell({ sent_last_second, rate, throughput }: Connection) {
  const { operators } = traffic.value;
  return (
    <>
      {operators.rateOf({ sent: figures.number(sent_last_second), granted: figures.number(rate) })}
      {rate < throughput && (
        <span class="note">{operators.rateAsked({ asked: figures.number(throughput) })}</span>
      )}
    </>
  );
}

function receiptsCell({ receipts_matched, receipts_unmatched }: Connection) {
  const { unmatched } = traffic.value.operators;
  return (
    <>
      {figures.number(receipts_matched)}
      {receipts_unmatched > 0 && (
        <span class="note">{unmatched({ count: figures.number(receipts_unmatched) })}</span>
      )}
    </>
  );
}

type ConnectionProps = {
  readonly row: Connection;
  readonly isPausedAlone: boolean;
  readonly onDo: (doing: Doing) => void;
  readonly onResume: (row: Connection) => void;
};

function ConnectionActions({ row, isPausedAlone, onDo, onResume }: ConnectionProps) {
  const { operators } = traffic.value;
  const { operator: code, connection } = row;
  const name = `${code} ${connection}`;
  return (
    <>
      {isPausedAlone && row.paused === null && (
        <Button
          kind="quiet"
          label={`${operators.pauseConnection({ place: connection })} (${code})`}
          onPress={() => onDo({ kind: "pause", code, connection })}
        >
          {operators.pauseConnection({ place: connection })}
        </Button>
      )}
      {isPausedAlone && row.paused !== null && (
        <Button
          kind="quiet"
          label={`${operators.resumeConnection({ place: connection })} (${code})`}
          onPress={() => onResume(row)}
        >
          {operators.resumeConnection({ place: connection })}
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
