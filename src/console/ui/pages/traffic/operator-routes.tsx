/** The routes of one operator as steps: the first that is able carries. What each carried this hour, and why one does not. */
import type { Answer } from "../../api/contract.ts";
import {
  Badge,
  Button,
  type Column,
  column,
  numberColumn,
  StateBadge,
  Table,
  WithNote,
} from "../../kit/kit.ts";
import { may } from "../../state/session.ts";
import { routeWords } from "../../words/routes.ts";
import { traffic } from "../../words/traffic.ts";
import { classWord, figures } from "../../words/words.ts";

type Route = Answer<"GET /operators">["routes"][number];

type Props = {
  /** The operator's name, for the table's caption. */
  readonly name: string;
  readonly routes: readonly Route[];
  /** With the code of a route, "orange/agg". */
  readonly onPause: (code: string) => void;
  readonly onResume: (code: string) => unknown;
};

/** That it is able, or why it is not: one may be bound and answer nothing. */
function RouteBadge({ why }: Pick<Route, "why">) {
  const { whys } = routeWords.value;
  switch (why) {
    case null:
      return <StateBadge state="BOUND" />;
    case "paused":
      return <StateBadge state="PAUSED" />;
    case "resting":
      return <Badge tone="wait">{whys.resting}</Badge>;
    case "down":
    case "silent":
    case "ill":
      return <Badge tone="bad">{whys[why]}</Badge>;
  }
}

/** Nothing where the operator has no routes. */
export function OperatorRoutes({ name, routes, onPause, onResume }: Props) {
  if (routes.length === 0) return null;
  const { operators, status } = traffic.value;
  const words = routeWords.value;
  const columns: Column<Route>[] = [
    column(words.route, ({ route, order }) => <WithNote note={words.order({ order })}>{route}</WithNote>),
    column(status, ({ why, away_since: since }) => (
      <>
        <RouteBadge why={why} />
        {since !== null && <span class="note">{operators.sinceTime({ time: since })}</span>}
      </>
    )),
    column(words.carries, ({ carries, message_classes: classes, why }) => (
      <>
        <WithNote note={words.of({ classes: classes.map(classWord).join(", ") })}>
          {carries.map(classWord).join(", ") || "–"}
        </WithNote>
        {why === null && carries.length === 0 && <span class="note">{words.waits}</span>}
      </>
    )),
    numberColumn(operators.rate, ({ rate }) => figures.number(rate)),
    numberColumn(words.lastHour, ({ segments_last_hour: segments }) => figures.number(segments)),
  ];
  if (may("operators.change")) columns.push(column(operators.actions, actionsFor(onPause, onResume)));
  return (
    <>
      <p>
        <strong>{words.steps}</strong>
      </p>
      <Table
        caption={words.caption({ name })}
        columns={columns}
        rows={routes.toSorted((one, other) => one.order - other.order)}
        keyOf={({ route }) => route}
      />
    </>
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
