/** Troubles that are aimed at what people do, and that hit nothing when they come at any other moment. */
import type { Chance } from "../../../src/core/chance.ts";
import { between, forked, happens } from "../chance.ts";
import type { Step } from "../plan.ts";
import { pick } from "./draw.ts";
import type { DeedsScene } from "./draw-deeds.ts";
import type { SubmitDraft, Undated } from "./draw-submission.ts";
import { FIRST_MS } from "./moments.ts";
import { FAULTS, type Fault } from "./switches.ts";

type Draft = Undated<Step>;

type Recipe = {
  readonly fault: Fault;
  readonly count: readonly [number, number];
  /** As often where it is the only fault, so that the run is for it. */
  readonly alone?: readonly [number, number];
  /** What it is aimed at: the submissions that it may be. */
  readonly isAim: (submit: SubmitDraft) => boolean;
  readonly draw: (scene: DeedsScene, chance: Chance, at: SubmitDraft) => readonly Draft[];
};

const RECIPES: readonly Recipe[] = [
  { fault: "busy", count: [3, 8], alone: [25, 50], isAim: isOfMany, draw: drawStopOnABusyMachine },
  { fault: "filling", count: [1, 3], isAim: isStaged, draw: drawFillingDisk },
  { fault: "late answers", count: [1, 3], isAim: isLong, draw: drawLateAnswers },
  { fault: "silence", count: [1, 2], isAim: isUrgent, draw: drawSilence },
  { fault: "outage", count: [1, 2], isAim: isUrgent, draw: drawOutage },
];

/** The aimed troubles of a run; at any submission where it has none of the kind. */
export function drawAimed(scene: DeedsScene): readonly Draft[] {
  const { seed, submits, switches } = scene;
  if (submits.length === 0) return [];
  const isAlone = FAULTS.filter(switches).length === 1;
  return RECIPES.filter(({ fault }) => switches(fault)).flatMap(({ fault, count, alone, isAim, draw }) => {
    const meant = submits.filter(isAim);
    const length = between(forked(seed, "aimed", fault), isAlone ? (alone ?? count) : count);
    return Array.from({ length }, (_, place) => {
      const chance = forked(seed, "aimed", fault, place);
      return draw(scene, chance, pick(chance, meant.length > 0 ? meant : submits));
    }).flat();
  });
}

/** It takes a while to leave. */
function isOfMany({ request }: SubmitDraft): boolean {
  return request.recipients.length >= 15;
}

/** It is written in several commits. */
function isStaged({ request }: SubmitDraft): boolean {
  return request.recipients.length > 250;
}

/** It leaves in several parts. */
function isLong({ request }: SubmitDraft): boolean {
  return request.body.length > 300;
}

/** Its validity is over within the run. */
function isUrgent({ request }: SubmitDraft): boolean {
  return request.message_class === "OTP";
}

/** When a submission's messages may leave, within the run. */
export function leavingMs({ spanMs }: DeedsScene, { atMs, request }: SubmitDraft): number {
  return Math.min(atMs + Math.max(0, request.scheduledInMs ?? 0), FIRST_MS + spanMs);
}

/** A batch is called off, or its account suspended, while claims wait behind one another for the writer. */
function drawStopOnABusyMachine(scene: DeedsScene, chance: Chance, submit: SubmitDraft): readonly Draft[] {
  const { account } = submit;
  const atMs = leavingMs(scene, submit) + between(chance, [30, happens(chance, 0.6) ? 1500 : 10_000]);
  const forMs = between(chance, [700, 1500]);
  const busy: Draft = { kind: "busy", atMs: Math.max(0, atMs - between(chance, [20, 400])), forMs };
  const suspension = between(chance, [2000, 30_000]);
  return [
    busy,
    happens(chance, 0.6)
      ? { kind: "cancel", account, atMs }
      : { kind: "suspend", account, atMs, forMs: suspension },
  ];
}

/** The disk fills while a submission is being written, for less time than its client has patience. */
function drawFillingDisk(_: DeedsScene, chance: Chance, { atMs }: SubmitDraft): readonly Draft[] {
  const forMs = between(chance, [300, 6000]);
  return [{ kind: "disk", state: "full", atMs, forMs, afterCommits: between(chance, [1, 5]) }];
}

/** Answers come when they were just given up, and what is sent again is on its way. */
function drawLateAnswers(scene: DeedsScene, chance: Chance, submit: SubmitDraft): readonly Draft[] {
  const { network } = scene;
  const centre = pick(chance, centresWithConnections(scene));
  const timeouts = timeoutsAt(network.document, centre.name);
  const leastMs = Math.min(...timeouts) * 1000 + between(chance, [50, 2500]);
  const responseMs = [leastMs, leastMs + between(chance, [0, 3000])] as const;
  const forMs = between(chance, [20_000, 90_000]);
  const atMs = Math.max(0, leavingMs(scene, submit) - between(chance, [0, 1000]));
  return [{ kind: "habits", centre: centre.name, atMs, forMs, habits: { responseMs } }];
}

/** No answer comes, for longer than anything is sent again. */
function drawSilence(scene: DeedsScene, chance: Chance, submit: SubmitDraft): readonly Draft[] {
  const centre = pick(chance, centresWithConnections(scene));
  const forMs = 8 * Math.max(...timeoutsAt(scene.network.document, centre.name)) * 1000;
  const atMs = Math.max(0, leavingMs(scene, submit) - between(chance, [0, 1000]));
  const habits = { swallow: 1, noReceipt: 1 };
  return [{ kind: "habits", centre: centre.name, atMs, forMs, habits }];
}

/** An operator is away for longer than a message is worth delivering. */
function drawOutage(scene: DeedsScene, chance: Chance, submit: SubmitDraft): readonly Draft[] {
  const { network } = scene;
  const delivery = network.document.delivery as {
    readonly validity_minutes: Readonly<Record<string, number>>;
  };
  const minutes = Math.min(10, delivery.validity_minutes[submit.request.message_class] ?? 10);
  const forMs = minutes * 60_000 + between(chance, [10_000, 120_000]);
  const atMs = Math.max(0, leavingMs(scene, submit) - between(chance, [200, 20_000]));
  return [{ kind: "unreachable", centre: pick(chance, network.centres).name, atMs, forMs }];
}

/** After how many seconds the connections to a centre give up an answer. */
/** The centres that the first configuration leads to: others come with a change of routes. */
function centresWithConnections({ network }: DeedsScene): DeedsScene["network"]["centres"] {
  return network.centres.filter(({ name }) => timeoutsAt(network.document, name).length > 0);
}

function timeoutsAt(document: DeedsScene["network"]["document"], centre: string): readonly number[] {
  const operators = Object.values(document.operators as Readonly<Record<string, Operator>>);
  return operators.flatMap(({ connections }) =>
    connections
      .filter(({ host }) => host === `${centre}.invalid`)
      .map((connection) => connection.response_timeout_seconds),
  );
}

type Operator = {
  readonly connections: readonly { readonly host: string; readonly response_timeout_seconds: number }[];
};
