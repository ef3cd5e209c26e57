/** Routes of an operator of a run: its connections become the first, and another to a second centre, where there is one, the next. */
import type { Chance } from "../../../src/core/chance.ts";
import { between, happens, oneOf } from "../chance.ts";
import type { CentrePlan } from "../plan.ts";
import { pick, shuffled, weighted } from "./draw.ts";
import { type Table, tableOf, tablesOf } from "./json.ts";

/** Refusals that no table of an operator says anything else of. */
export const OF_ROUTES = ["0x0A", "0x01", "0x66", "0xFF", "0x102", "0x0400"] as const;
const CLASSES = ["OTP", "TRANSACTIONAL", "MARKETING"] as const;

/** `connectionTo` draws a transceiver to a centre. Where there is an `aggregator`, the second route leads to that one. */
export function withRoutes(
  chance: Chance,
  operator: Table,
  centres: readonly CentrePlan[],
  aggregator: CentrePlan | null,
  connectionTo: (chance: Chance, centre: CentrePlan) => Table,
): Table & { readonly routes: Readonly<Record<string, Table>> } {
  const direct: readonly Table[] = tablesOf(operator.connections).map((one) => ({ ...one, route: "direct" }));
  const hosts = new Set(direct.map((one) => String(one.host)));
  const other = centres.filter(({ name }) => !hosts.has(`${name}.invalid`));
  const drawn = pick(chance, other.length > 0 ? other : centres);
  const centre = aggregator ?? drawn;
  const agg = Array.from({ length: between(chance, [1, 2]) }, () => ({
    ...connectionTo(chance, centre),
    route: "agg",
  }));
  const [first, second] = weighted<readonly [number, number]>(chance, [
    [6, [1, 2]],
    [1, [2, 1]],
    [3, [1, 1]],
  ]);
  // One of them carries everything, so that every class is carried.
  const some = happens(chance, 0.25)
    ? { classes: shuffled(chance, CLASSES).slice(0, between(chance, [1, 2])) }
    : {};
  const isFirst = happens(chance, 0.5);
  return {
    ...operator,
    routes: {
      direct: { order: first, ...drawRoute(chance), ...(isFirst ? some : {}) },
      agg: { order: second, ...drawRoute(chance), ...(isFirst ? {} : some) },
    },
    connections: [...direct, ...agg],
  };
}

/** Connections of second routes go at one pace together, whichever operator they are of. */
export function withSharedPace<Code>(
  chance: Chance,
  operators: readonly (readonly [Code, Table])[],
): readonly (readonly [Code, Table])[] {
  const throughput = weighted(chance, [
    [2, between(chance, [1, 8])],
    [3, between(chance, [5, 100])],
    [1, between(chance, [200, 1000])],
  ]);
  return operators.map(([code, operator]) => {
    const connections = tablesOf(operator.connections).map((one) =>
      one.route === "agg" ? { ...one, shared_pace: "agg", throughput } : one,
    );
    return [code, { ...operator, connections }] as const;
  });
}

/** How much less than usual a route has to deliver to be ill: mostly over as few messages as can be told. */
export function drawIllBelow(chance: Chance): Table {
  const messages = weighted(chance, [
    [3, 10],
    [1, 30],
  ]);
  return { ill_below: { points: oneOf(chance, [10, 30, 60]), messages } };
}

/** An OTP of which nothing is heard goes once more, well within its validity. */
export function drawSecond(chance: Chance): Table {
  return { second_after_seconds: between(chance, [30, 60]), accept_doubles: true };
}

/** The operators of a document that have routes, with the codes of these. */
export function routeCodesIn(
  document: Table,
): readonly { readonly code: string; readonly routes: readonly string[] }[] {
  return Object.entries(tableOf(document.operators)).flatMap(([code, operator]) => {
    const routes = Object.keys(tableOf(tableOf(operator).routes));
    return routes.length === 0 ? [] : [{ code, routes }];
  });
}

/** What a segment costs by a route; nothing where nobody knows. */
export function drawCost(chance: Chance): Table {
  return happens(chance, 0.8) ? { cost: oneOf(chance, ["9", "11.5", "0.125", "0", "7.01", "12"]) } : {};
}

/** After which answers another route is tried, both of refusals and of "later". */
export function drawRerouting(chance: Chance): Table {
  return { ...drawRefusals(chance), ...drawLater(chance) };
}

function drawRefusals(chance: Chance): Table {
  return { reroute_on: shuffled(chance, OF_ROUTES).slice(0, between(chance, [1, 4])) };
}

function drawLater(chance: Chance): Table {
  return { reroute_later: { OTP: between(chance, [0, 2]), TRANSACTIONAL: between(chance, [0, 3]) } };
}

export function drawRoute(chance: Chance): Table {
  return {
    share: oneOf(chance, [100, 100, 70, 30]),
    ...(happens(chance, 0.6) && drawRefusals(chance)),
    ...(happens(chance, 0.4) && drawLater(chance)),
    // Most are over within a run.
    yield_seconds: {
      OTP: between(chance, [0, 5]),
      TRANSACTIONAL: between(chance, [0, 30]),
      MARKETING: oneOf(chance, [0, 20, 60]),
    },
  };
}
