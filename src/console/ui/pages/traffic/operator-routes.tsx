/** The routes of one operator as steps: the first that is able carries. What each carried this hour, and why one does not. */
import type { Answer } from "../../api/contract.ts";
import {
  Button,
  type Column,
  column,
  Empty,
  numberColumn,
  StateBadge,
  Table,
  WithNote,
} from "../../kit/kit.ts";
import { may } from "../../state/session.ts";
import { traffic } from "../../words/traffic.ts";
import { figures } from "../../words/words.ts";

type Route = Answer<"GET /operators">["routes"][number];

type Props = {
  /** The operator's name, for the table's caption. */
  readonly name: string;
  readonly routes: readonly Route[];
  /** With the code of a route, "orange/agg". */
  readonly onPause: (code: string) => void;
  readonly onResume: (code: string) => unknown;
};

/** Nothing where the operator has no routes. */
export function OperatorRoutes({ name, routes, onPause, onResume }: Props) {
  if (routes.length === 0) return null;
  const { operators, status } = traffic.value;
  const words = operators.routes;
  const columns: Column<Route>[] = [
    column(words.route, ({ route, order }) => <WithNote note={words.order({ order })}>{route}</WithNote>),
    column(status, ({ why, away_since: since }) => (
      <>
        <StateBadge state={why === null ? "BOUND" : why === "paused" ? "PAUSED" : "WAITING"} />
        {why !== null && <span class="note">{words.whys[why]}</span>}
        {since !== null && <span class="note">{operators.sinceTime({ time: since })}</span>}
      </>
    )),
    column(words.carries, ({ carries, message_classes: classes }) => (
      <WithNote note={words.of({ classes: classes.join(", ") })}>{carries.join(", ") || "–"}</WithNote>
    )),
    numberColumn(operators.rate, ({ rate }) => figures.number(rate)),
    numberColumn(words.lastHour, ({ segments_last_hour: segments }) => figures.number(segments)),
  ];
  if (may("operators.change")) columns.push(column(operators.actions, actionsFor(onPause, onResume)));
  return (
    <Table
      caption={words.caption({ name })}
      columns={columns}
      rows={routes.toSorted((one, other) => one.order - other.order)}
      keyOf={({ route }) => route}
      empty={<Empty title={operators.none} />}
    />
  );
}

function actionsFor(onPause: Props["onPause"], onResume: Props["onResume"]) {
  const { operators } = traffic.value;
  return ({ operator, route, why }: Route) => {
    const code = `${operator}/${route}`;
    return why === "paused" ? (
      <Button kind="quiet" onPress={() => onResume(code)}>
        {operators.resume({ name: code })}
      </Button>
    ) : (
      <Button kind="quiet" onPress={() => onPause(code)}>
        {operators.pause({ name: code })}
      </Button>
    );
  };
}
