/**
 * What routes leave: sums of what accounts are charged beside what routes cost, in thousandths of XOF, and the margin of a batch that is
 * quoted, by the routes that would carry it now (docs/administration.md#what-routes-cost). Pure.
 */
import type { RouteStatus } from "../../channels/sms/operator-routes.ts";
import type { OperatorConfig } from "../../config/config.ts";
import { parseCostMilli } from "../../config/route-schema.ts";
import { renderMilli, type Xof } from "../../core/money.ts";
import { toRecord } from "../../core/own-value.ts";
import type { MessageClass } from "../../domain/accounts/message-class.ts";
import { ALL_ROUTES, type SenderRoutes } from "../../domain/accounts/senders.ts";

/** Running sums. */
export type MarginSum = { segments: number; charged: Xof; costMilli: number; unknownCostSegments: number };

export function newMarginSum(): MarginSum {
  return { segments: 0, charged: 0, costMilli: 0, unknownCostSegments: 0 };
}

export function addToMargin(
  sum: MarginSum,
  { segments, charged, costMilli, unknownCostSegments }: MarginSum,
): void {
  sum.segments += segments;
  sum.charged += charged;
  sum.costMilli += costMilli;
  sum.unknownCostSegments += unknownCostSegments;
}

export type MarginFigures = Readonly<ReturnType<typeof toMarginFigures>>;

/** Sums as they are shown. Costs and margins are XOF with three decimals; null where they are not known. */
export function toMarginFigures({ segments, charged, costMilli, unknownCostSegments }: MarginSum) {
  const marginMilli = unknownCostSegments > 0 ? null : charged * 1000 - costMilli;
  const isNothingKnown = unknownCostSegments > 0 && unknownCostSegments === segments;
  return {
    /** Accepted by routes, each acceptance once; of a quote, those that would leave. */
    segments,
    charged,
    /** Of the segments whose cost is known. */
    cost: isNothingKnown ? null : renderMilli(costMilli),
    unknown_cost_segments: unknownCostSegments,
    margin: marginMilli === null ? null : renderMilli(marginMilli),
    /** Of what was charged; null where nothing was. */
    margin_share:
      marginMilli === null || charged === 0
        ? null
        : Math.round((marginMilli / (charged * 1000)) * 10_000) / 10_000,
  };
}

/**
 * Shares a whole amount by weights, exactly: what rounding leaves goes to the largest fractions. All of it to "" where nothing weighs.
 */
export function shareByWeight(
  amount: number,
  weights: ReadonlyMap<string, number>,
): readonly (readonly [string, number])[] {
  const weighing = [...weights].filter(([, weight]) => weight > 0);
  const total = weighing.reduce((sum, [, weight]) => sum + weight, 0);
  if (total === 0) return [["", amount]];
  const shares = weighing.map(([key, weight]) => {
    const whole = Math.floor((amount * weight) / total);
    return { key, whole, fraction: (amount * weight) / total - whole };
  });
  const left = amount - shares.reduce((sum, { whole }) => sum + whole, 0);
  const byFraction = shares.toSorted((one, other) => other.fraction - one.fraction);
  return byFraction.map(({ key, whole }, place) => [key, whole + (place < left ? 1 : 0)] as const);
}

/** What a quote has for one operator. */
type QuotedOperator = {
  readonly operator: string;
  /** Of one segment. */
  readonly price: Xof;
  readonly segments: number;
  /** The routes that the sender is registered for. */
  readonly senderRoutes: SenderRoutes;
};

type QuotedMarginRow = { readonly operator: string; readonly route: string } & MarginFigures;

/** The margin of a batch, of operators with routes. */
export type QuotedMargin = {
  readonly margin_by_route: readonly QuotedMarginRow[];
  readonly margin_totals: MarginFigures;
};

type QuotedBatch = {
  readonly messageClass: MessageClass;
  /** Operators to whose subscribers it is sent. */
  readonly operators: readonly QuotedOperator[];
};

/** The routes as they stand, by operator; nothing of an operator where no server runs. */
export type StandingRoutes = ReadonlyMap<string, readonly Pick<RouteStatus, "route" | "carries">[]>;

/** The margin of a batch if all of it left now. Operators without routes are left out: nobody knows what they cost. */
export function quoteMargin(
  operators: Readonly<Record<string, Pick<OperatorConfig, "routes">>>,
  standing: StandingRoutes,
  { messageClass, operators: quoted }: QuotedBatch,
): QuotedMargin {
  const totals = newMarginSum();
  const rows = quoted.flatMap(({ operator, price, segments, senderRoutes }) => {
    const configured = operators[operator]?.routes ?? {};
    const routes = toRecord(
      Object.entries(configured).filter(
        ([name]) => senderRoutes === ALL_ROUTES || senderRoutes.includes(name),
      ),
    );
    if (Object.keys(routes).length === 0) return [];
    const weights = weighCarriers(routes, standing.get(operator) ?? [], messageClass);
    return shareByWeight(segments, weights).map(([route, carried]): QuotedMarginRow => {
      const cost = routes[route]?.cost;
      const costMilli = cost === undefined ? null : parseCostMilli(cost);
      const sum: MarginSum = {
        segments: carried,
        charged: price * carried,
        costMilli: carried * (costMilli ?? 0),
        unknownCostSegments: costMilli === null ? carried : 0,
      };
      addToMargin(totals, sum);
      return { operator, route, ...toMarginFigures(sum) };
    });
  });
  return { margin_by_route: rows, margin_totals: toMarginFigures(totals) };
}

/**
 * The routes that carry a class now, with their shares. Where none does, since all are away or no server runs, the best by order: what is
 * queued waits for it first.
 */
function weighCarriers(
  routes: OperatorConfig["routes"],
  standing: readonly Pick<RouteStatus, "route" | "carries">[],
  messageClass: MessageClass,
): ReadonlyMap<string, number> {
  const carrying = standing
    .filter(({ route, carries }) => Object.hasOwn(routes, route) && carries.includes(messageClass))
    .map(({ route }) => route);
  const configured = Object.entries(routes).filter(([, { classes }]) => classes.includes(messageClass));
  const best = Math.min(...configured.map(([, { order }]) => order));
  const carriers = configured.filter(([name, { order }]) =>
    carrying.length > 0 ? carrying.includes(name) : order === best,
  );
  // A route without a share carries alone while its siblings are away.
  const hasShares = carriers.some(([, { share }]) => share > 0);
  return new Map(carriers.map(([name, { share }]) => [name, hasShares ? share : 1]));
}
