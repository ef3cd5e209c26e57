/** Deaths, and what the world does to the appliance. */
import type { Chance } from "../../../src/core/chance.ts";
import { between, forked, happens, oneOf } from "../chance.ts";
import type { Blow, Step } from "../plan.ts";
import { pick, weighted } from "./draw.ts";
import { drawAimed } from "./draw-aimed.ts";
import type { DeedsScene } from "./draw-deeds.ts";
import { drawCentreMood, drawReceiverMood } from "./draw-habits.ts";
import { drawRouteChanges, drawRouteTroubles } from "./draw-route-troubles.ts";
import type { Undated } from "./draw-submission.ts";
import { drawMoment } from "./moments.ts";
import { anyOf, drawRegular } from "./numbers.ts";
import type { Fault } from "./switches.ts";

type Draft = Undated<Step>;
type Timeless<S> = S extends Step ? Omit<S, "index" | "atMs"> : never;
type Drawn = Timeless<Step> | null;

type Recipe = {
  readonly fault: Fault;
  readonly count: readonly [number, number];
  readonly draw: (scene: DeedsScene, chance: Chance) => Drawn;
};

/** Each kind, how often it happens where it is switched on, and what it is. */
const RECIPES: readonly Recipe[] = [
  { fault: "stop", count: [1, 2], draw: drawStop },
  { fault: "kill", count: [1, 4], draw: drawKill },
  {
    fault: "sync fails",
    count: [1, 2],
    draw: (_, chance) => ({ kind: "sync fails", forMs: between(chance, [1000, 60_000]) }),
  },
  { fault: "habits", count: [1, 5], draw: drawMood },
  { fault: "drop", count: [1, 6], draw: drawDrop },
  { fault: "half open", count: [1, 3], draw: drawHalfOpen },
  { fault: "slow link", count: [1, 3], draw: drawSlowLink },
  { fault: "stall", count: [1, 3], draw: (scene, chance) => ({ kind: "stall", ...lasting(scene, chance) }) },
  {
    fault: "unreachable",
    count: [1, 3],
    draw: (scene, chance) => ({ kind: "unreachable", ...lasting(scene, chance) }),
  },
  {
    fault: "unbind",
    count: [1, 3],
    draw: (scene, chance) => ({ kind: "unbind", centre: centreIn(scene, chance) }),
  },
  {
    fault: "garbage",
    count: [1, 3],
    draw: (scene, chance) => ({ kind: "garbage", centre: centreIn(scene, chance) }),
  },
  { fault: "mo", count: [2, 12], draw: drawMo },
  { fault: "receiver habits", count: [1, 4], draw: drawReceiverTrouble },
  { fault: "disk", count: [1, 2], draw: drawDisk },
  { fault: "short of room", count: [1, 3], draw: drawShortOfRoom },
];

/** The troubles of a run, without those that change what operators there are. */
export function drawTroubles(scene: DeedsScene): readonly Draft[] {
  const single = RECIPES.filter(({ fault }) => scene.switches(fault)).flatMap(({ fault, count, draw }) =>
    Array.from(
      { length: between(forked(scene.seed, "troubles", fault), count) },
      (_, place): readonly Draft[] => {
        const chance = forked(scene.seed, "trouble", fault, place);
        const drawn = draw(scene, chance);
        return drawn === null ? [] : [{ ...drawn, atMs: momentIn(scene, chance) }];
      },
    ).flat(),
  );
  return [
    ...single,
    ...drawAimedKills(scene),
    ...drawAimedAtLogs(scene),
    ...drawClock(scene),
    ...drawOperatorsThatLeave(scene),
    ...drawRestore(scene),
    ...drawAimed(scene),
    ...drawRouteTroubles(scene),
    ...drawRouteChanges(scene),
  ];
}

function momentIn({ spanMs, submits }: DeedsScene, chance: Chance): number {
  return drawMoment(chance, spanMs, submits);
}

function centreIn({ network }: DeedsScene, chance: Chance): string {
  return pick(chance, network.centres).name;
}

function lasting(scene: DeedsScene, chance: Chance) {
  const forMs = weighted(chance, [
    [3, between(chance, [200, 5000])],
    [3, between(chance, [5000, 40_000])],
    [1, between(chance, [40_000, 180_000])],
  ]);
  return { centre: centreIn(scene, chance), forMs };
}

function downMs(chance: Chance): number {
  return weighted(chance, [
    [3, between(chance, [50, 1000])],
    [3, between(chance, [1000, 20_000])],
    [1, between(chance, [20_000, 120_000])],
    // Schedules are missed, and what is validated later fails.
    [0.3, between(chance, [31 * 60_000, 40 * 60_000])],
  ]);
}

function drawStop(_: DeedsScene, chance: Chance): Drawn {
  const isCutShort = happens(chance, 0.35);
  return { kind: "stop", downMs: downMs(chance), ...(isCutShort && { blow: drawBlow(chance, [1, 6]) }) };
}

function drawKill(_: DeedsScene, chance: Chance): Drawn {
  const most = oneOf(chance, [5, 60]);
  const blow = drawBlow(chance, [1, most]);
  const next = happens(chance, 0.35) && { next: drawBlow(chance, [1, 6]) };
  return { kind: "kill", ...blow, downMs: downMs(chance), ...next };
}

/** Inside a commit more often than not: there the tail of the log is what nobody knows. */
function drawBlow(chance: Chance, commits: readonly [number, number]): Blow {
  const how = oneOf<Blow["how"]>(chance, ["process", "power", "power"]);
  const inMs = between(chance, [0, 500]);
  const at = { how, commits: between(chance, commits) };
  return weighted<Blow>(chance, [
    [2, { ...at, where: "before" }],
    [5, { ...at, where: "inside" }],
    [2, { ...at, where: "after" }],
    [2, { ...at, where: "in a checkpoint" }],
    [4, { how, where: "between two commits", inMs }],
  ]);
}

/** Deaths in the few commits that accept a submission and claim its messages: what is promised last is forgotten first. */
function drawAimedKills(scene: DeedsScene): readonly Draft[] {
  const { seed, submits, switches } = scene;
  if (!switches("kill") || submits.length === 0) return [];
  const count = between(forked(seed, "troubles", "aimed kill"), [0, 2]);
  return Array.from({ length: count }, (_, place): Draft => {
    const chance = forked(seed, "trouble", "aimed kill", place);
    const { atMs } = pick(chance, submits);
    return {
      kind: "kill",
      how: oneOf(chance, ["process", "power"]),
      commits: between(chance, [1, 4]),
      where: oneOf(chance, ["before", "inside", "after"]),
      downMs: downMs(chance),
      atMs,
    };
  });
}

/** Checkpoints that go wrong, at a stop and at the start after a death, and the power cut where a log was emptied or not kept. */
function drawAimedAtLogs({ seed, spanMs, submits, switches }: DeedsScene): readonly Draft[] {
  const chance = forked(seed, "trouble", "logs");
  const moment = () => drawMoment(chance, spanMs, submits);
  const how = () => oneOf<Blow["how"]>(chance, ["process", "power"]);
  const stop = (atMs: number, more: object): Draft => ({
    kind: "stop",
    downMs: downMs(chance),
    ...more,
    atMs,
  });
  const isCutAfter = true;
  const drafts: readonly (readonly [Fault, Fault, () => readonly Draft[]])[] = [
    ["stop", "stop", () => [stop(moment(), { isCutAfter })]],
    ["stop", "kill", () => [stop(moment(), { blow: { how: how(), where: "in a checkpoint", commits: 0 } })]],
    ["sync fails", "sync fails", () => [{ kind: "sync fails", forMs: 30_000, isCutAfter, atMs: moment() }]],
    [
      "sync fails",
      "stop",
      () => {
        const atMs = moment();
        return [{ kind: "sync fails", at: "a checkpoint", forMs: 30_000, atMs }, stop(atMs, {})];
      },
    ],
    [
      "kill",
      "kill",
      () => {
        const first = { how: how(), where: "inside", commits: between(chance, [1, 60]) } as const;
        const next = oneOf<Blow>(chance, [
          { how: how(), where: "in a checkpoint", commits: 0 },
          { how: "power", where: "before", commits: 1 },
        ]);
        return [{ kind: "kill", ...first, downMs: downMs(chance), next, atMs: moment() }];
      },
    ],
  ];
  return drafts.flatMap(([one, other, draw]) => {
    const drawn = happens(chance, 0.6) ? draw() : [];
    return switches(one) && switches(other) ? drawn : [];
  });
}

function drawMood(scene: DeedsScene, chance: Chance): Drawn {
  // For longer than many a message is worth delivering: what was to be tried later is given up.
  if (happens(chance, 0.06)) {
    const habits = { refuse: 1, refusals: [pick(chance, [0x58, 0x14])] };
    const forMs = between(chance, [3 * 60_000, 12 * 60_000]);
    return { kind: "habits", centre: centreIn(scene, chance), forMs, habits };
  }
  return { kind: "habits", ...lasting(scene, chance), habits: drawCentreMood(chance) };
}

function drawDrop(scene: DeedsScene, chance: Chance): Drawn {
  return {
    kind: "drop",
    centre: centreIn(scene, chance),
    how: oneOf(chance, ["fin", "rst"]),
    afterOctets: happens(chance, 0.3) ? 0 : between(chance, [1, 4000]),
    direction: oneOf(chance, ["to centre", "to appliance"]),
  };
}

function drawHalfOpen(scene: DeedsScene, chance: Chance): Drawn {
  const direction = oneOf(chance, ["to centre", "to appliance", "both"] as const);
  return { kind: "half open", ...lasting(scene, chance), direction };
}

function drawSlowLink(scene: DeedsScene, chance: Chance): Drawn {
  return { kind: "slow link", ...lasting(scene, chance), latencyMs: between(chance, [50, 4000]) };
}

function drawMo(scene: DeedsScene, chance: Chance): Drawn {
  const { prefixes } = scene.network;
  const senders = scene.accounts.flatMap((account) => account.senders).filter((name) => /^\d+$/.test(name));
  return {
    kind: "mo",
    centre: centreIn(scene, chance),
    from: happens(chance, 0.8) ? drawRegular(chance, scene.seed, prefixes) : anyOf(chance, prefixes),
    to: pick(chance, ["7777", ...senders]),
    text: weighted<"hello" | "STOP" | "like a receipt">(chance, [
      [2, "hello"],
      [4, "STOP"],
      [2, "like a receipt"],
    ]),
  };
}

function drawReceiverTrouble(scene: DeedsScene, chance: Chance): Drawn {
  if (scene.receivers.length === 0) return null;
  const receiver = pick(chance, scene.receivers).name;
  return {
    kind: "receiver habits",
    receiver,
    forMs: between(chance, [1000, 240_000]),
    habits: drawReceiverMood(chance),
  };
}

function drawDisk(_: DeedsScene, chance: Chance): Drawn {
  return { kind: "disk", state: oneOf(chance, ["full", "read only"]), forMs: between(chance, [200, 30_000]) };
}

function drawShortOfRoom(_: DeedsScene, chance: Chance): Drawn {
  return {
    kind: "disk",
    state: oneOf(chance, ["reserved", "spent"]),
    forMs: between(chance, [200, 120_000]),
  };
}

/**
 * The wall clock is set, and put right again or not. Where it is left wrong by much, an administrator says some minutes later that
 * it is right, without which the appliance would doubt it for long.
 */
function drawClock(scene: DeedsScene): readonly Draft[] {
  if (!scene.switches("clock")) return [];
  const counted = forked(scene.seed, "troubles", "clock");
  return Array.from({ length: between(counted, [1, 3]) }, (_, place): readonly Draft[] => {
    const chance = forked(scene.seed, "trouble", "clock", place);
    const sign = happens(chance, 0.5) ? 1 : -1;
    const atMs = momentIn(scene, chance);
    const backAfterMs = happens(chance, 0.6) ? between(chance, [1000, 90_000]) : null;
    // What is dated in a believed future ends only then: a clock that is put back was not ahead by many hours, or was not believed, not
    // even by a process that starts in between.
    const isLarge = place === 0;
    const byMs = weighted(chance, [
      [3, sign * between(chance, [500, 20_000])],
      [3, sign * between(chance, [60_000, 15 * 60_000])],
      [isLarge ? 2 : 0, backAfterMs === null ? between(chance, [1, 5]) * 3_600_000 : 40 * 60_000],
      [isLarge ? 2 : 0, between(chance, backAfterMs === null ? [7, 72] : [7, 8]) * 3_600_000],
      [isLarge && backAfterMs !== null ? 1 : 0, between(chance, [401, 4000]) * 24 * 3_600_000],
    ]);
    const step: Draft = { kind: "clock", atMs, byMs, backAfterMs };
    if (backAfterMs !== null || Math.abs(byMs) < 4 * 60_000) return [step];
    const acceptMs = atMs + between(chance, [5000, 240_000]);
    return [step, { kind: "command", name: "clock accept", args: {}, atMs: acceptMs }];
  }).flat();
}

/** One restore of a run, decided in one go or by class, after some time in which nobody decides. */
function drawRestore(scene: DeedsScene): readonly Draft[] {
  if (!scene.switches("restore")) return [];
  const chance = forked(scene.seed, "trouble", "restore");
  const waiting = () => oneOf(chance, ["policy", "send", "give-up"] as const);
  const thenMs = () => between(chance, [1000, 300_000]);
  const first = happens(chance, 0.5) ? [{ args: { waiting: "hold" }, thenMs: thenMs() }] : [];
  const byClass = happens(chance, 0.5)
    ? (["OTP", "TRANSACTIONAL", "MARKETING"] as const).map((name) => ({
        args: { waiting: waiting(), class: name },
        thenMs: thenMs(),
      }))
    : [{ args: { waiting: waiting() }, thenMs: thenMs() }];
  return [
    {
      kind: "restore",
      atMs: momentIn(scene, chance),
      lostMs: weighted(chance, [
        [2, between(chance, [500, 20_000])],
        [2, between(chance, [20_000, 300_000])],
      ]),
      downMs: downMs(chance),
      undecidedMs: between(chance, [10_000, 900_000]),
      // What was validated only since the first is decided by the last.
      decisions: [...first, ...byClass, { args: { waiting: "send" }, thenMs: 0 }],
    },
  ];
}

/** At most one operator gets another code, and at most one of several is given up. */
function drawOperatorsThatLeave(scene: DeedsScene): readonly Draft[] {
  const { codes } = scene.network;
  const chance = forked(scene.seed, "operators that leave");
  const [first = "", ...others] = codes;
  const atMs = momentIn(scene, chance);
  const isRenamed = scene.switches("rename operator");
  const isRetired = scene.switches("retire operator") && others.length > 0;
  const rename: Draft = {
    kind: "rename operator",
    from: first,
    to: `${first}2`,
    downMs: downMs(chance),
    atMs,
  };
  const code = others.at(-1) ?? "";
  const retire: Draft = {
    kind: "retire operator",
    code,
    downMs: downMs(chance),
    atMs: momentIn(scene, chance),
  };
  return [...(isRenamed ? [rename] : []), ...(isRetired ? [retire] : [])];
}
