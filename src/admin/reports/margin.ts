/**
 * What routes leave: what accounts were charged beside what operators with routes will bill, by route, account, operator, class or day
 * (docs/administration.md#what-routes-cost). Charges are those of the delivery report; the ledger is not read.
 */
import { listRouteCosts, NO_ACCOUNT, type RouteCostRow } from "../../channels/sms/route-costs.ts";
import { countUnknownByRoute } from "../../channels/sms/sent-segments.ts";
import { routeCode } from "../../config/config.ts";
import { createYielder } from "../../core/concurrency.ts";
import type { Reader } from "../../db/reader.ts";
import { accountById } from "../../domain/accounts/accounts.ts";
import type { AdminContext } from "../operations/context.ts";
import {
  addToMargin,
  type MarginFigures,
  type MarginSum,
  newMarginSum,
  shareByWeight,
  toMarginFigures,
} from "../operations/margin.ts";
import { operation } from "../operations/operation.ts";
import { FROM, otherwise, readInstantRange, TO, text, typedAs } from "../operations/parameters.ts";
import { type AdminOutcome, done, refuse } from "../operations/refusal.ts";
import { type DayCharge, listCharges, toDays, USUAL_DAYS_MS } from "./delivery.ts";

export const MARGIN_KEYS = ["route", "account", "operator", "class", "day"] as const;
type MarginKey = (typeof MARGIN_KEYS)[number];

/** `key` is null of tests and alerts, which are nobody's; `account` is the name of a key that is an account. */
type MarginRow = { readonly key: string | null; readonly account?: string } & MarginFigures;

export type MarginView = {
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
export async function marginReport(
  context: AdminContext,
  query: MarginQuery,
): Promise<AdminOutcome<MarginView>> {
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
  const totals = newMarginSum();
  for (const sum of sums.values()) addToMargin(totals, sum);
  return done({
    by,
    from: days.fromDay,
    to: days.toDay,
    timezone,
    rows: [...sums]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([key, sum]) => ({ ...nameOf(store.read, by, key), ...toMarginFigures(sum) })),
    totals: toMarginFigures(totals),
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
    return shareByWeight(charge.charged, routes).map(([route, charged]) => ({ ...charge, route, charged }));
  });
}

function sumByKey(
  book: readonly RouteCostRow[],
  charges: readonly RouteCharge[],
  by: MarginKey,
): Map<string, MarginSum> {
  const sums = new Map<string, MarginSum>();
  const sumAt = (key: string): MarginSum => {
    const sum = sums.get(key) ?? newMarginSum();
    sums.set(key, sum);
    return sum;
  };
  for (const row of book) addToMargin(sumAt(keyOf(row, by)), { ...row, charged: 0 });
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
