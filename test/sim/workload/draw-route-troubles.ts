/**
 * What happens to routes of operators: one dies, stops reading, refuses with a code that speaks of it, puts off, flaps, leaves submits
 * unanswered, and comes back; and they are added, removed, renamed and put in another order while it runs.
 */
import type { Chance } from "../../../src/core/chance.ts";
import { between, forked, happens, oneOf } from "../chance.ts";
import type { CentreHabits, Step } from "../plan.ts";
import { pick, shuffled, weighted } from "./draw.ts";
import { leavingMs } from "./draw-aimed.ts";
import type { DeedsScene } from "./draw-deeds.ts";
import { drawCost, drawRoute, OF_ROUTES } from "./draw-routes.ts";
import type { SubmitDraft, Undated } from "./draw-submission.ts";
import { type Table, tableOf, tablesOf, textOf } from "./json.ts";
import { FIRST_MS } from "./moments.ts";
import { FAULTS } from "./switches.ts";

type Draft = Undated<Step>;

/** An operator with routes, as the document has it. */
type Routed = { readonly code: string; readonly operator: Table; readonly routes: readonly RouteOf[] };

type RouteOf = {
  readonly name: string;
  readonly order: number;
  readonly centre: string;
  /** Refusals that speak of it. */
  readonly rerouteOn: readonly number[];
  /** After how many seconds its connections give up an answer. */
  readonly timeout: number;
  /** How long better ones are away before it takes over, in seconds, by class. */
  readonly yields: Table;
};

function routedIn({ network }: DeedsScene): readonly Routed[] {
  return Object.entries(tableOf(network.document.operators)).flatMap(([code, table]) => {
    const operator = tableOf(table);
    const connections = tablesOf(operator.connections);
    const routes = Object.entries(tableOf(operator.routes)).flatMap(([name, each]): readonly RouteOf[] => {
      const own = connections.filter(({ route }) => route === name);
      const { order, reroute_on, yield_seconds } = tableOf(each);
      const [first] = own;
      if (!first) return [];
      return [
        {
          name,
          order: Number(order),
          centre: (textOf(first.host) ?? "").replace(/\.invalid$/, ""),
          rerouteOn: Array.isArray(reroute_on) ? reroute_on.map(Number) : [],
          timeout: Math.max(...own.map((connection) => Number(connection.response_timeout_seconds))),
          yields: tableOf(yield_seconds),
        },
      ];
    });
    const inOrder = routes.toSorted((one, other) => one.order - other.order);
    return inOrder.length < 2 ? [] : [{ code, operator, routes: inOrder }];
  });
}

/** What a trouble is aimed at: a submission that leaves by the better of two routes, unless that is in trouble. */
type Aim = { readonly better: RouteOf; readonly worse: RouteOf; readonly atMs: number };

type Recipe = {
  readonly weight: number;
  /** The submissions that it is about. */
  readonly isAim: (submit: SubmitDraft, scene: DeedsScene) => boolean;
  readonly draw: (chance: Chance, aim: Aim) => readonly Draft[];
};

const RECIPES: readonly Recipe[] = [
  { weight: 4, isAim: isAny, draw: drawRefusal },
  { weight: 3, isAim: isLong, draw: drawRefusedParts },
  { weight: 3, isAim: isLong, draw: drawBegun },
  { weight: 4, isAim: isPutOffSoon, draw: drawLater },
  { weight: 2, isAim: isAny, draw: drawDeath },
  { weight: 2, isAim: isAny, draw: drawDeafness },
  { weight: 1, isAim: isAny, draw: drawFlapping },
  { weight: 4, isAim: isSentAgain, draw: drawDoubt },
  { weight: 4, isAim: isSentAgain, draw: drawTwoAcceptances },
];

/** The troubles of the routes of a run; more where it is for them. */
export function drawRouteTroubles(scene: DeedsScene): readonly Draft[] {
  const { seed, submits, switches } = scene;
  const routed = routedIn(scene);
  if (!switches("route troubles") || routed.length === 0 || submits.length === 0) return [];
  const isFew = FAULTS.filter(switches).length <= 3;
  const rests = isFew ? drawRests(scene, routed) : [];
  const others = submits.filter((submit) => rests.every((rest) => rest.submit !== submit));
  const length = between(forked(seed, "route troubles"), isFew ? [15, 35] : [1, 4]);
  return Array.from({ length }, (_, place) => {
    const chance = forked(seed, "route trouble", place);
    const { isAim, draw } = weighted(
      chance,
      RECIPES.map((recipe) => [recipe.weight, recipe] as const),
    );
    const { operator, routes } = pick(chance, routed);
    const [better, worse] = routes;
    const own = others.filter((submit) => goesTo(operator, submit));
    const meant = own.filter((each) => isAim(each, scene));
    const submit = pick(chance, [meant, own, submits].find(({ length }) => length > 0) ?? submits);
    const atMs = Math.max(0, leavingMs(scene, submit) - between(chance, [0, 1500]));
    return better && worse ? draw(chance, { better, worse, atMs }) : [];
  })
    .flat()
    .concat(drawHalves({ ...scene, submits: others }, routed), drawIllness(scene, routed))
    .concat(rests.flatMap(({ drafts }) => drafts));
}

/** A route delivers much less than it did. */
function drawIllness(scene: DeedsScene, routed: readonly Routed[]): readonly Draft[] {
  const { seed, spanMs, switches } = scene;
  if (!switches("ill routes")) return [];
  const chance = forked(seed, "illness");
  const [better] = pick(chance, routed).routes;
  if (!better || happens(chance, 0.4)) return [];
  const atMs = FIRST_MS + between(chance, [Math.floor(spanMs / 3), spanMs]);
  const habits = {
    undelivered: 0.95,
    undeliveredAs: ["UNDELIV"],
    noReceipt: 0,
    receiptMs: [100, 3000],
  } as const;
  return [during(better.centre, atMs, between(chance, [60_000, 300_000]), habits)];
}

/** Two routes accept one text of several parts, the better one too late, and a part of each is lost on its way to the handset. */
function drawHalves(scene: DeedsScene, routed: readonly Routed[]): readonly Draft[] {
  const { seed, submits, switches } = scene;
  const isFew = FAULTS.filter(switches).length <= 3;
  const length = between(forked(seed, "halves"), isFew ? [2, 5] : [0, 1]);
  return Array.from({ length }, (_, place) => {
    const chance = forked(seed, "half", place);
    const { operator, routes } = pick(chance, routed);
    const [better, worse] = routes;
    const meant = submits.filter(
      (each) => goesTo(operator, each) && isLong(each) && isSentAgain(each, scene),
    );
    const [submit] = shuffled(chance, meant);
    if (!better || !worse || !submit) return [];
    const atMs = Math.max(0, leavingMs(scene, submit) - between(chance, [0, 1500]));
    // By then the other has taken over.
    const awaySeconds = Math.max(better.timeout, Number(worse.yields[submit.request.message_class] ?? 0));
    const answeredMs = awaySeconds * 1000 + between(chance, [2000, 6000]);
    const forMs = between(chance, [5000, 40_000]);
    // Receipts come after both have accepted it.
    const receiptMs = [answeredMs + 2000, answeredMs + 10_000] as const;
    const well = { ignore: 0, swallow: 0, refuse: 0, earlyReceipt: 0, noReceipt: 0 };
    const halves = { ...well, receiptMs, undelivered: 0.5, undeliveredAs: ["UNDELIV", "EXPIRED"] } as const;
    return [
      during(better.centre, atMs, forMs, { ...halves, responseMs: [answeredMs, answeredMs + 500] }),
      during(worse.centre, atMs, forMs + awaySeconds * 1000, halves),
    ];
  }).flat();
}

/** A submission whose text is left half sent, and what makes it so. */
type Rest = { readonly submit: SubmitDraft; readonly drafts: readonly Draft[] };

/**
 * A route accepts some parts of a text and puts off the others, and is gone then for longer than the next one waits, which is well. A
 * submission that is meant so is in no other trouble.
 */
function drawRests(scene: DeedsScene, routed: readonly Routed[]): readonly Rest[] {
  const chance = forked(scene.seed, "rests");
  // The others are for the other troubles of long texts.
  const meant = scene.submits.filter((submit) => isLong(submit) && happens(chance, 0.5));
  return meant.flatMap((submit) => {
    const { routes } = routed.find(({ operator }) => goesTo(operator, submit)) ?? {};
    const [better, worse] = routes ?? [];
    // Where its route is taken out of the configuration too, the rest of a text waits its validity out.
    if (!better || !worse || validityOf(scene, submit) > MAX_WAITED_MINUTES) return [];
    const { centre } = better;
    const atMs = Math.max(0, leavingMs(scene, submit) - between(chance, [0, 500]));
    const putOffMs = between(chance, [1500, 5000]);
    const goneMs = atMs + putOffMs + 1;
    const yieldMs = Number(worse.yields[submit.request.message_class] ?? 0) * 1000;
    const forMs = yieldMs + between(chance, [15_000, 40_000]);
    const well = { ignore: 0, swallow: 0, contradict: 0, doubleResponse: 0, responseMs: [20, 300] } as const;
    const refusals = [oneOf(chance, [0x14, 0x64])];
    const drafts: readonly Draft[] = [
      during(centre, atMs, putOffMs, { ...well, refuse: 0.6, refusals }),
      { kind: "unreachable", centre, atMs: goneMs, forMs },
      dropped(chance, centre, goneMs),
      during(worse.centre, atMs, putOffMs + forMs, { ...well, refuse: 0 }),
    ];
    return [{ submit, drafts }];
  });
}

/** A run ends well within a day. */
const MAX_WAITED_MINUTES = 60;

function validityOf({ network }: DeedsScene, { request }: SubmitDraft): number {
  const { validity_minutes } = tableOf(network.document.delivery);
  return Number(tableOf(validity_minutes)[request.message_class] ?? 0);
}

/** Whether some of it leaves to an operator. */
function goesTo({ prefixes }: Table, { request }: SubmitDraft): boolean {
  const owned = Array.isArray(prefixes) ? prefixes.map(String) : [];
  return request.recipients.some(({ msisdn }) => {
    const digits = `226${msisdn.replace(/\D/g, "").slice(-8)}`;
    return owned.some((prefix) => digits.startsWith(prefix));
  });
}

function isAny(): boolean {
  return true;
}

/** It leaves in several parts. */
function isLong({ request }: SubmitDraft): boolean {
  return request.body.length > 160;
}

/** "Later" may lead to another route. */
function isPutOffSoon({ request }: SubmitDraft): boolean {
  return request.message_class !== "MARKETING";
}

/** No answer leads to another submit. */
function isSentAgain({ request }: SubmitDraft, { network }: DeedsScene): boolean {
  const { unanswered } = tableOf(network.document.delivery);
  return tableOf(unanswered)[request.message_class] === "resend";
}

function during(centre: string, atMs: number, forMs: number, habits: Partial<CentreHabits>): Draft {
  return { kind: "habits", centre, atMs, forMs, habits };
}

/** Codes that speak of a route. */
function refusalsOf(chance: Chance, { rerouteOn }: RouteOf): readonly number[] {
  const [own] = shuffled(chance, rerouteOn);
  return [own ?? Number(oneOf(chance, OF_ROUTES))];
}

/** A route refuses what is about itself; the next takes it, or refuses too. */
function drawRefusal(chance: Chance, { better, worse, atMs }: Aim): readonly Draft[] {
  const refusing = (route: RouteOf): Draft =>
    during(route.centre, atMs, between(chance, [3000, 60_000]), {
      refuse: oneOf(chance, [0.5, 1, 1]),
      refusals: refusalsOf(chance, route),
    });
  return [refusing(better), ...(happens(chance, 0.3) ? [refusing(worse)] : [])];
}

/** Of texts that leave in parts some of the parts are refused. */
function drawRefusedParts(chance: Chance, { better, atMs }: Aim): readonly Draft[] {
  const forMs = between(chance, [3000, 40_000]);
  const habits = { refuse: oneOf(chance, [0.3, 0.5]), refusals: refusalsOf(chance, better) };
  return [during(better.centre, atMs, forMs, habits)];
}

/** Of texts that leave in parts some of the parts are put off, and then their route is gone. */
function drawBegun(chance: Chance, { better, atMs }: Aim): readonly Draft[] {
  const putOffMs = between(chance, [1500, 6000]);
  const { centre } = better;
  const goneMs = atMs + putOffMs + 1;
  return [
    during(centre, atMs, putOffMs, { refuse: 0.5, refusals: [oneOf(chance, [0x14, 0x58, 0x64])] }),
    { kind: "unreachable", centre, atMs: goneMs, forMs: between(chance, [20_000, 60_000]) },
    dropped(chance, centre, goneMs),
  ];
}

/** A route puts everything off, or both do, and one is well before the other: the second for longer than a message waits between two tries. */
function drawLater(chance: Chance, { better, worse, atMs }: Aim): readonly Draft[] {
  const later = (route: RouteOf, forMs: number): Draft =>
    during(route.centre, atMs, forMs, { refuse: 1, refusals: [oneOf(chance, [0x14, 0x58, 0x64])] });
  const forMs = between(chance, [5000, 90_000]);
  const isBoth = happens(chance, 0.6);
  return [later(better, forMs), ...(isBoth ? [later(worse, between(chance, [5000, 90_000]))] : [])];
}

function drawDeath(chance: Chance, { better, atMs }: Aim): readonly Draft[] {
  const forMs = between(chance, [4000, 90_000]);
  return [{ kind: "unreachable", centre: better.centre, atMs, forMs }, dropped(chance, better.centre, atMs)];
}

function dropped(chance: Chance, centre: string, atMs: number): Draft {
  return {
    kind: "drop",
    centre,
    how: oneOf(chance, ["fin", "rst"]),
    afterOctets: 0,
    direction: "to centre",
    atMs,
  };
}

/** A route reads nothing, or nobody hears it. */
function drawDeafness(chance: Chance, { better, atMs }: Aim): readonly Draft[] {
  const forMs = between(chance, [2000, 60_000]);
  const { centre } = better;
  if (happens(chance, 0.5)) return [{ kind: "stall", centre, atMs, forMs }];
  return [{ kind: "half open", centre, atMs, forMs, direction: oneOf(chance, ["to centre", "both"]) }];
}

function drawFlapping(chance: Chance, { better, atMs }: Aim): readonly Draft[] {
  const { centre } = better;
  const drafts: Draft[] = [];
  let nowMs = atMs;
  for (let times = between(chance, [3, 6]); times > 0; times--) {
    const forMs = between(chance, [300, 3000]);
    drafts.push({ kind: "unreachable", centre, atMs: nowMs, forMs }, dropped(chance, centre, nowMs));
    nowMs += forMs + between(chance, [1000, 8000]);
  }
  return drafts;
}

/** A route answers nothing, so that what it may have leaves by the next, which refuses it: nobody knows then who has it. */
function drawDoubt(chance: Chance, { better, worse, atMs }: Aim): readonly Draft[] {
  const silentMs = (better.timeout + between(chance, [1, 8])) * 1000;
  const forMs = silentMs + between(chance, [5000, 30_000]);
  return [
    during(better.centre, atMs, silentMs, { [oneOf(chance, ["swallow", "ignore"])]: 1 }),
    during(worse.centre, atMs, forMs, { refuse: 1, refusals: refusalsOf(chance, worse) }),
  ];
}

/** A route answers when its time is just over, and the next has taken the same message meanwhile. */
function drawTwoAcceptances(chance: Chance, { better, atMs }: Aim): readonly Draft[] {
  const leastMs = better.timeout * 1000 + between(chance, [200, 9000]);
  const responseMs = [leastMs, leastMs + between(chance, [0, 5000])] as const;
  return [during(better.centre, atMs, between(chance, [5000, 40_000]), { responseMs })];
}

/** Other routes for an operator, each with the connections that it needs. */
export function drawRouteChanges(scene: DeedsScene): readonly Draft[] {
  const { seed, switches, spanMs } = scene;
  const routed = routedIn(scene);
  if (!switches("route changes") || routed.length === 0) return [];
  const isFew = FAULTS.filter(switches).length <= 3;
  const length = between(forked(seed, "route changes"), isFew ? [3, 9] : [1, 4]);
  const changes = Array.from({ length }, (_, place): Draft => {
    const chance = forked(seed, "route change", place);
    const { code, operator } = pick(chance, routed);
    const routes = drawOthers(chance, scene, operator);
    const atMs = FIRST_MS + between(chance, [0, spanMs]);
    return changed(code, routes, happens(chance, 0.8) ? "now" : "next start", atMs);
  });
  return [...changes, ...drawLeftAlone(scene, routed)];
}

function changed(
  code: string,
  { routes, connections }: Routes,
  when: "now" | "next start",
  atMs: number,
): Draft {
  const changes = { [`operators.${code}.routes`]: routes, [`operators.${code}.connections`]: connections };
  return { kind: "settings", when, changes, atMs };
}

/** A route refuses what the other, which is away, is to carry, and then that one is taken out of the configuration. */
function drawLeftAlone(scene: DeedsScene, routed: readonly Routed[]): readonly Draft[] {
  const { seed, submits } = scene;
  const chance = forked(seed, "left alone");
  const { code, operator, routes } = pick(chance, routed);
  const [better, worse] = routes;
  const own = submits.filter((submit) => goesTo(operator, submit));
  if (!better || !worse || own.length === 0 || happens(chance, 0.3)) return [];
  const submit = pick(chance, own);
  const atMs = Math.max(0, leavingMs(scene, submit) - between(chance, [0, 1500]));
  const forMs = between(chance, [2000, 8000]);
  return [
    { kind: "unreachable", centre: worse.centre, atMs: Math.max(0, atMs - 500), forMs: forMs + 20_000 },
    dropped(chance, worse.centre, Math.max(0, atMs - 500)),
    during(better.centre, atMs, forMs, { refuse: 1, refusals: refusalsOf(chance, better) }),
    changed(code, onlyRoute(chance, operator, better.name), "now", atMs + forMs + between(chance, [0, 5000])),
  ];
}

type Routes = { readonly routes: Table; readonly connections: readonly Table[] };

function drawOthers(chance: Chance, scene: DeedsScene, operator: Table): Routes {
  const routes = tableOf(operator.routes);
  const connections = tablesOf(operator.connections);
  const by = (name: string) => connections.filter(({ route }) => route === name);
  const all = (order: number) => drawRules(chance, order);
  const [first, second] = oneOf<readonly [number, number]>(chance, [
    [1, 2],
    [2, 1],
    [1, 1],
  ]);
  return weighted<() => Routes>(chance, [
    [2, () => ({ routes, connections })],
    [4, () => ({ routes: { direct: all(first), agg: all(second) }, connections })],
    [2, () => onlyRoute(chance, operator, "direct")],
    [1, () => onlyRoute(chance, operator, "agg")],
    [1, () => ({ routes: {}, connections: by("direct").map(({ route: _, ...one }) => one) })],
    [1, () => renamed({ routes: { direct: all(first), agg: all(second) }, connections }, "agg", "agg2")],
    [
      1,
      () => ({
        routes: { direct: all(first), agg: all(second), third: all(oneOf(chance, [1, 2, 3])) },
        connections: [...connections, third(chance, scene, by("agg"))],
      }),
    ],
  ])();
}

/** A route that carries every class. */
function drawRules(chance: Chance, order: number): Table {
  return { order, ...drawRoute(chance), ...drawCost(chance) };
}

function onlyRoute(chance: Chance, { connections }: Table, name: string): Routes {
  return {
    routes: { [name]: drawRules(chance, 1) },
    connections: tablesOf(connections).filter(({ route }) => route === name),
  };
}

function renamed({ routes, connections }: Routes, from: string, to: string): Routes {
  return {
    routes: Object.fromEntries(
      Object.entries(routes).map(([name, route]) => [name === from ? to : name, route]),
    ),
    connections: connections.map((one) => (one.route === from ? { ...one, route: to } : one)),
  };
}

/** A connection like that of another route, to any centre. */
function third(chance: Chance, { network }: DeedsScene, [like = {}]: readonly Table[]): Table {
  const { name, habits } = pick(chance, network.centres);
  const unmarked_receipts = habits.marks === "none" ? "always" : "auto";
  return { ...like, host: `${name}.invalid`, unmarked_receipts, route: "third" };
}
