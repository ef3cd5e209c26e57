/**
 * What routes leave: what accounts were charged beside what operators with routes will bill, by route, account, operator, class or day
 * (docs/administration.md#what-routes-cost). Charges are those of the delivery report; the ledger is not read.
 */
import { listRouteCosts, NO_ACCOUNT, type RouteCostRow } from "../../channels/sms/route-costs.ts";
import { countUnknownByRoute } from "../../channels/sms/sent-segments.ts";
import { routeCode } from "../../config/config.ts";
import { createYielder } from "../../core/concurrency.ts";
import { renderMilli, type Xof } from "../../core/money.ts";
import type { Reader } from "../../db/reader.ts";
import { accountById } from "../../domain/accounts/accounts.ts";
import type { AdminContext } from "../operations/context.ts";
import { operation } from "../operations/operation.ts";
import { FROM, otherwise, readInstantRange, TO, text, typedAs } from "../operations/parameters.ts";
import { type AdminOutcome, done, refuse } from "../operations/refusal.ts";
import { type DayCharge, listCharges, toDays, USUAL_DAYS_MS } from "./delivery.ts";

const MARGIN_KEYS = ["route", "account", "operator", "class", "day"] as const;
type MarginKey = (typeof MARGIN_KEYS)[number];

type MarginFigures = Readonly<ReturnType<typeof figuresView>>;
/** `key` is null of tests and alerts, which are nobody's; `account` is the name of a key that is an account. */
type MarginRow = { readonly key: string | null; readonly account?: string } & MarginFigures;

type MarginView = {
  readonly by: MarginKey;
  readonly from: string;
  /** The last day, included. */
  readonly to: string;
  readonly timezone: string;
  readonly rows: readonly MarginRow[];
  readonly totals: MarginFigures;
  /** Segments of unknown outcome at this moment, which may still be accepted; in no row. `route` is "" where it is not known. */
  readonly unknown_outcomes: readonly {
    readonly operator: string;
    readonly route: string;
    readonly segments: number;
  }[];
};

type MarginQuery = { readonly by: string; readonly from: string | null; readonly to: string | null };

/** Margins on a range of days of the appliance's timezone; without times the last 31. */
async function marginReport(context: AdminContext, query: MarginQuery): Promise<AdminOutcome<MarginView>> {
  const { store, config, clock } = context;
  const by = MARGIN_KEYS.find((key) => key === query.by);
  if (by === undefined) return refuse("INVALID_KEY", { known: MARGIN_KEYS.join(", ") });
  const { timezone } = config.defaults;
  const time = readInstantRange(query, timezone, clock.nowMs(), USUAL_DAYS_MS);
  if (!time.ok) return time;
  const days = toDays(time.value, timezone);
  const book = await readBook(context, days);
  const charges = attributeCharges(book, await listCharges(context, time.value));
  const sums = sumByKey(book, charges, by);
  const totals = newSum();
  for (const sum of sums.values()) addSum(totals, sum);
  return done({
    by,
    from: days.fromDay,
    to: days.toDay,
    timezone,
    rows: [...sums]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, sum]) => ({ ...nameOf(store.read, by, key), ...figuresView(sum) })),
    totals: figuresView(totals),
    unknown_outcomes: countUnknownByRoute(store.read),
  });
}

/** Rows of the book read at once. */
const PAGE = 500;

async function readBook(
  { store, clock }: AdminContext,
  days: { readonly fromDay: string; readonly toDay: string },
): Promise<RouteCostRow[]> {
  const pause = createYielder(clock);
  const rows: RouteCostRow[] = [];
  for (let after: RouteCostRow | null | undefined = null; after !== undefined; ) {
    const page: readonly RouteCostRow[] = listRouteCosts(store.read, days, after, PAGE);
    rows.push(...page);
    after = page.length < PAGE ? undefined : page.at(-1);
    await pause();
  }
  return rows;
}

/** What is charged of the segments of one route. */
type RouteCharge = DayCharge & { readonly route: string };

const NO_WEIGHTS: ReadonlyMap<string, number> = new Map();

/** What is charged for is of one account, operator and class; on a day, or on any. */
const nameOfDay = ({ day, ...charge }: Omit<DayCharge, "charged">): string =>
  JSON.stringify([day, nameOfAnyDay(charge)]);
const nameOfAnyDay = ({ operator, accountId, messageClass }: Omit<DayCharge, "charged" | "day">): string =>
  JSON.stringify([operator, accountId, messageClass]);

/**
 * Shares charges among the routes that accepted segments of the same account, operator and class on the same day, or else on any day of
 * the range, by their segments: a charge is of a message, at one price a segment, and does not say by which route it left. Charges of
 * operators without routes, and of days before the first and after the last that an operator has in the book, are left out. The
 * book is in the order of its days. Pure; the sum of what is shared is exact.
 */
export function attributeCharges(
  book: readonly RouteCostRow[],
  charges: readonly DayCharge[],
): RouteCharge[] {
  const span = new Map<string, { first: string; last: string }>();
  const weights = new Map<string, Map<string, number>>();
  for (const row of book) {
    const { day, operator, route, segments } = row;
    span.set(operator, { first: span.get(operator)?.first ?? day, last: day });
    for (const name of [nameOfDay(row), nameOfAnyDay(row)]) {
      const routes = weights.get(name) ?? new Map<string, number>();
      weights.set(name, routes.set(route, (routes.get(route) ?? 0) + segments));
    }
  }
  return charges.flatMap((charge) => {
    const days = span.get(charge.operator);
    if (!days || charge.day < days.first || charge.day > days.last) return [];
    const routes = weights.get(nameOfDay(charge)) ?? weights.get(nameOfAnyDay(charge)) ?? NO_WEIGHTS;
    return share(charge.charged, routes).map(([route, charged]) => ({ ...charge, route, charged }));
  });
}

/** Shares whole francs by weights, exactly: what rounding leaves goes to the largest fractions. All of it to "" where nothing weighs. */
function share(amount: Xof, weights: ReadonlyMap<string, number>): readonly (readonly [string, Xof])[] {
  const weighing = [...weights].filter(([, weight]) => weight > 0);
  const total = weighing.reduce((sum, [, weight]) => sum + weight, 0);
  if (total === 0) return [["", amount]];
  const shares = weighing.map(([route, weight]) => {
    const whole = Math.floor((amount * weight) / total);
    return { route, whole, fraction: (amount * weight) / total - whole };
  });
  const left = amount - shares.reduce((sum, { whole }) => sum + whole, 0);
  const byFraction = shares.toSorted((one, other) => other.fraction - one.fraction);
  return byFraction.map(({ route, whole }, place) => [route, whole + (place < left ? 1 : 0)] as const);
}

/** Running sums. */
type Sum = { segments: number; charged: Xof; costMilli: number; unknownCostSegments: number };

function newSum(): Sum {
  return { segments: 0, charged: 0, costMilli: 0, unknownCostSegments: 0 };
}

function addSum(sum: Sum, { segments, charged, costMilli, unknownCostSegments }: Sum): void {
  sum.segments += segments;
  sum.charged += charged;
  sum.costMilli += costMilli;
  sum.unknownCostSegments += unknownCostSegments;
}

function sumByKey(
  book: readonly RouteCostRow[],
  charges: readonly RouteCharge[],
  by: MarginKey,
): Map<string, Sum> {
  const sums = new Map<string, Sum>();
  const sumAt = (key: string): Sum => {
    const sum = sums.get(key) ?? newSum();
    sums.set(key, sum);
    return sum;
  };
  for (const row of book) addSum(sumAt(keyOf(row, by)), { ...row, charged: 0 });
  for (const charge of charges) sumAt(keyOf(charge, by)).charged += charge.charged;
  for (const [key, { segments, charged }] of sums) if (segments === 0 && charged === 0) sums.delete(key);
  return sums;
}

function keyOf(
  { day, operator, route, accountId, messageClass }: Omit<RouteCharge, "charged">,
  by: MarginKey,
): string {
  switch (by) {
    case "route":
      return route === "" ? operator : routeCode(operator, route);
    case "account":
      return String(accountId);
    case "operator":
      return operator;
    case "class":
      return messageClass;
    case "day":
      return day;
  }
}

/** A key as it is shown: an account's by its id, with its name. */
function nameOf(read: Reader, by: MarginKey, key: string): Pick<MarginRow, "key" | "account"> {
  if (by !== "account") return { key };
  if (Number(key) === NO_ACCOUNT) return { key: null, account: "" };
  const account = accountById(read, Number(key));
  return { key: account?.ulid ?? key, account: account?.name ?? "" };
}

/** Sums as they are shown. Costs and margins are XOF with three decimals; null where they are not known. */
function figuresView({ segments, charged, costMilli, unknownCostSegments }: Sum) {
  const marginMilli = unknownCostSegments > 0 ? null : charged * 1000 - costMilli;
  const isNothingKnown = unknownCostSegments > 0 && unknownCostSegments === segments;
  return {
    /** Accepted by routes, each acceptance once. */
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

export const MARGIN_OPERATIONS = {
  "report margin": operation({
    does: "reads",
    may: "books.read",
    params: {
      by: otherwise("route", typedAs({ choices: MARGIN_KEYS }, text("KEY", 20))),
      from: FROM,
      to: TO,
    },
    run: marginReport,
  }),
};
