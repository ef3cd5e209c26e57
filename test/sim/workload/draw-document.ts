/** The configuration of a run: operators over centres, connections, policies, and delays that end within the run. */
import type { Chance } from "../../../src/core/chance.ts";
import { between, forked, happens, oneOf } from "../chance.ts";
import type { CentrePlan, Plan } from "../plan.ts";
import { pick, shuffled, sometimes, weighted } from "./draw.ts";
import { drawCentreHabits, type Temper } from "./draw-habits.ts";
import {
  drawCost,
  drawIllBelow,
  drawRerouting,
  drawSecond,
  withRoutes,
  withSharedPace,
} from "./draw-routes.ts";
import type { Table } from "./json.ts";
import { NETWORKS } from "./numbers.ts";
import type { Deed, Switches } from "./switches.ts";

/** What later draws know of the document. */
export type Network = {
  readonly document: Plan["document"];
  readonly overrides: Plan["overrides"];
  readonly centres: readonly CentrePlan[];
  readonly codes: readonly string[];
  /** First digits of numbers that some operator owns. */
  readonly prefixes: readonly string[];
};

/** The document of the first life. */
export function drawNetwork(seed: number, switches: Switches, temper: Temper): Network {
  const chance = forked(seed, "network");
  const names = Object.keys(NETWORKS);
  const codes = shuffled(chance, names).slice(
    0,
    weighted(chance, [
      [3, 1],
      [4, 2],
      [3, 3],
    ]),
  );
  const isReseller = codes.length > 1 && happens(chance, 0.3);
  const owned = codes
    .slice(0, isReseller ? between(chance, [1, codes.length - 1]) : codes.length)
    .map((_, place) => drawCentre(seed, `centre${place + 1}`, temper, switches));
  const aggregators = drawAggregators(seed, codes.length, temper, switches);
  const operators = codes.map((code, place) => {
    const own = owned[place % owned.length] ?? pick(chance, owned);
    const operator = drawOperator(forked(seed, "operator", code), code, own, owned, place > 0);
    if (!switches("routes")) return [code, operator] as const;
    const aggregator = aggregators[place % aggregators.length] ?? null;
    return [code, addRoutes(seed, code, operator, owned, { aggregator, switches })] as const;
  });
  const paced = switches("shared pace") ? withSharedPace(forked(seed, "shared pace"), operators) : operators;
  const times = forked(seed, "times");
  return {
    document: {
      ...drawRules(forked(seed, "rules"), switches),
      ...drawDelays(times),
      webhooks: drawWebhooks(times),
      operators: Object.fromEntries(paced),
    },
    overrides: {
      "delivery.receipt_timeout_hours": between(times, [6, 25]) / 60,
      "delivery.unanswered.wait_hours": between(times, [2, 10]) / 60,
      ...drawRetention(forked(seed, "retention")),
    },
    centres: [...owned, ...aggregators],
    codes,
    prefixes: codes.flatMap((code) => prefixesOf(code)),
  };
}

/** Where routes are in trouble, each second route has a centre that is in none when the first is; some have one in common. */
function drawAggregators(
  seed: number,
  operators: number,
  temper: Temper,
  switches: Switches,
): readonly CentrePlan[] {
  if (!switches("routes") || !(switches("route troubles") || switches("route changes"))) return [];
  const isShared = happens(forked(seed, "aggregators"), 0.3);
  return Array.from({ length: isShared ? 1 : operators }, (_, place) =>
    drawCentre(seed, `aggregator${place + 1}`, temper, switches),
  );
}

function addRoutes(
  seed: number,
  code: string,
  operator: Table,
  centres: readonly CentrePlan[],
  { aggregator, switches }: { readonly aggregator: CentrePlan | null; readonly switches: Switches },
): Table {
  const chance = forked(seed, "routes", code);
  if (happens(chance, 0.25)) return operator;
  const pace = oneOf<Pace>(chance, ["slow", "mixed", "fast"]);
  const routed = withRoutes(chance, operator, centres, aggregator, (own, centre) =>
    drawConnection(own, "transceiver", centre, pace),
  );
  const routes = Object.entries(routed.routes).map(([name, route]) => {
    const rules = aggregator === null ? {} : drawRerouting(forked(seed, "re-routing", code, name));
    // Both are decided by receipts.
    const has = (kind: Deed) => switches(kind) && operator.receipts !== false;
    const ill = has("ill routes") ? drawIllBelow(forked(seed, "ill", code, name)) : {};
    const second = has("second SMS") ? drawSecond(forked(seed, "second SMS", code, name)) : {};
    const cost = drawCost(forked(seed, "cost of a route", code, name));
    return [name, { ...rules, ...route, ...cost, ...ill, ...second }] as const;
  });
  return { ...routed, routes: Object.fromEntries(routes) };
}

/** In some runs texts are over within minutes: each start purges those of what has ended, and nothing of what still has to leave. */
function drawRetention(chance: Chance): Readonly<Record<string, number>> {
  if (!happens(chance, 0.5)) return {};
  const minutes = () => between(chance, [1, 10]);
  return { "retention.otp_text_hours": minutes() / 60, "retention.text_days": minutes() / (24 * 60) };
}

function prefixesOf(code: string): readonly string[] {
  return (NETWORKS[code] ?? []).map((digits) => `226${digits}`);
}

function drawCentre(seed: number, name: string, temper: Temper, switches: Switches): CentrePlan {
  const dataReceipt = weighted(forked(seed, "data_sm", name), [
    [7, 0],
    [1, 0.3],
    [1, 1],
  ]);
  const masks = switches("masked numbers") && { masksNumbers: true };
  return {
    name,
    habits: { ...drawCentreHabits(forked(seed, "centre", name), temper), dataReceipt, ...masks },
  };
}

function drawOperator(
  chance: Chance,
  code: string,
  own: CentrePlan,
  centres: readonly CentrePlan[],
  isOneOfSeveral: boolean,
): Table {
  const isSilent = happens(chance, 0.08);
  const pace = oneOf<Pace>(chance, ["slow", "mixed", "fast"]);
  // Receipts belong to a centre, so an operator over two of them has two kinds of ids.
  const second = happens(chance, 0.15) ? pick(chance, centres) : own;
  // Without one, only accounts with a price of their own can send there.
  const price = weighted(chance, [
    [16, between(chance, [5, 40])],
    [2, 0],
    [2, 1],
    [isOneOfSeveral ? 2 : 0, null],
  ]);
  return {
    prefixes: prefixesOf(code),
    ...(price !== null && { price }),
    ...(isSilent && { receipts: false }),
    ...sometimes(chance, 0.2, "responses", () => ({
      "0x45": oneOf(chance, ["retry", "pause", "fail"]),
      "0x0B": "retry",
    })),
    connections: drawBinds(chance).map((bind, place) =>
      drawConnection(chance, bind, place === 0 ? own : second, pace),
    ),
  };
}

function drawBinds(chance: Chance): readonly string[] {
  return weighted(chance, [
    [5, ["transceiver"]],
    [2, ["transceiver", "transceiver"]],
    [1, ["transceiver", "transceiver", "transceiver"]],
    [3, ["transmitter", "receiver"]],
    [1, ["transmitter", "transmitter", "receiver"]],
    [1, ["transceiver", "receiver"]],
  ]);
}

/** How many messages wait at a time: in slow runs a queue for most of it. */
type Pace = "slow" | "mixed" | "fast";

const THROUGHPUTS: Readonly<Record<Pace, (chance: Chance) => number>> = {
  slow: (chance) => between(chance, [1, 8]),
  mixed: (chance) => between(chance, [5, 200]),
  fast: (chance) => between(chance, [200, 1000]),
};

function drawConnection(chance: Chance, bind: string, { name, habits }: CentrePlan, pace: Pace): Table {
  return {
    host: `${name}.invalid`,
    port: 2775,
    system_id: "bendre",
    password: "secret",
    bind,
    window: weighted(chance, [
      [1, 1],
      [3, between(chance, [2, 10])],
      [3, between(chance, [10, 50])],
    ]),
    throughput: THROUGHPUTS[pace](chance),
    response_timeout_seconds: between(chance, [2, 12]),
    reconnect_seconds: between(chance, [1, 6]),
    enquire_link_seconds: between(chance, [3, 40]),
    long_messages: weighted(chance, [
      [4, "udh"],
      [2, "sar"],
      [2, "payload"],
    ]),
    unmarked_receipts: habits.marks === "none" ? "always" : "auto",
    ...sometimes(chance, 0.1, "default_alphabet", () => oneOf(chance, ["latin1", "ascii"])),
    ...sometimes(chance, 0.1, "max_segments", () =>
      weighted(chance, [
        [1, 1],
        [4, between(chance, [2, 4])],
      ]),
    ),
    ...sometimes(chance, 0.2, "send_validity", () => false),
    ...sometimes(chance, 0.05, "interface_version", () => "3.3"),
    ...sometimes(chance, 0.15, "service_type", () => "SMS"),
  };
}

/** Policies that hold for every account; accounts may have others. */
function drawRules(chance: Chance, switches: Switches): Table {
  const isLow = switches("policies");
  return {
    api: {
      requests_per_second: weighted(chance, [
        [1, 5],
        [4, 50],
      ]),
      burst: weighted(chance, [
        [1, 20],
        [4, 100],
      ]),
      max_lookback_hours: 8760,
    },
    policy: {
      recipients_per_minute: isLow
        ? weighted(chance, [
            [8, 0],
            [1, between(chance, [20, 300])],
          ])
        : 0,
      recipients_per_day: isLow
        ? weighted(chance, [
            [6, 1_000_000],
            [1, between(chance, [40, 600])],
          ])
        : 0,
      marketing_hours: weighted(chance, [
        [8, "00:00-24:00"],
        [1, "08:00-20:00"],
        [1, "20:00-06:00"],
      ]),
      marketing_per_day: isLow
        ? between(chance, [1, 3])
        : weighted(chance, [
            [1, 2],
            [2, 0],
          ]),
      marketing_per_week: isLow
        ? between(chance, [1, 6])
        : weighted(chance, [
            [1, 6],
            [2, 0],
          ]),
    },
    billing: { charge_on: oneOf(chance, ["accepted", "delivered"]) },
  };
}

function drawDelays(chance: Chance): Table {
  const answer = () =>
    weighted(chance, [
      [3, "resend"],
      [2, "wait"],
    ]);
  return {
    delivery: {
      validity_minutes: {
        OTP: between(chance, [1, 10]),
        TRANSACTIONAL: weighted(chance, [
          [3, between(chance, [2, 20])],
          [2, 1440],
        ]),
        MARKETING: weighted(chance, [
          [3, between(chance, [3, 30])],
          [2, 2880],
        ]),
      },
      unanswered: { OTP: answer(), TRANSACTIONAL: answer(), MARKETING: answer() },
    },
  };
}

function drawWebhooks(chance: Chance): Table {
  const delays = (most: number) =>
    Array.from({ length: between(chance, [2, 6]) }, () => between(chance, [1, most]));
  return {
    timeout_seconds: between(chance, [1, 10]),
    retry_seconds: delays(40),
    probe_seconds: delays(15),
  };
}
