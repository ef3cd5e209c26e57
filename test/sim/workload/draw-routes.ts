/** Routes of an operator of a run: its connections become the first, and another to a second centre, where there is one, the next. */
import type { Chance } from "../../../src/core/chance.ts";
import { between, happens, oneOf } from "../chance.ts";
import type { CentrePlan } from "../plan.ts";
import { pick, shuffled, weighted } from "./draw.ts";
import { type Table, tablesOf } from "./json.ts";

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
