/**
 * A run of torture as data, drawn from one seed: who takes part, and for each life what is done in it and how it ends. What really
 * happens depends on the machine, so a seed repeats the intentions, not the run.
 */
import type { Chance } from "../../src/core/chance.ts";
import { between, forked, happens, oneOf } from "../sim/chance.ts";
import type { PeoplesStep } from "../sim/workload/perform.ts";
import type { ReadStep } from "../sim/workload/reading.ts";
import { ACCOUNTS, CENTRES, RECEIVERS } from "./cast.ts";
import type { Moment, SeenMoment } from "./moment.ts";
import { submissionsOf } from "./torture-submissions.ts";

export type LifeEnd =
  | { readonly kind: "kill"; readonly moment: Moment }
  /** SIGTERM; then SIGKILL after so long, or never. */
  | { readonly kind: "stop"; readonly moment: Moment; readonly killedAfterMs: number | null };

/** What the world does; each ends by itself after its time. */
export type WorldsStep = { readonly atMs: number } & (
  | { readonly kind: "operator reset"; readonly centre: string; readonly how: "fin" | "rst" }
  /** Its links are reset, and nobody listens. */
  | { readonly kind: "operator killed"; readonly centre: string; readonly forMs: number }
  | { readonly kind: "receiver killed"; readonly receiver: string; readonly forMs: number }
  | { readonly kind: "disk filled"; readonly forMs: number }
);

export type LifePlan = {
  /** Of clients and administrators; times are from the start of the process. */
  readonly steps: readonly PeoplesStep[];
  readonly troubles: readonly WorldsStep[];
  readonly end: LifeEnd;
  /** Its end is awaited only when most of what the lives before left has been sent. */
  readonly isPatient: boolean;
  /** Nobody runs for so long afterwards. */
  readonly downMs: number;
  /** A command that a person types meanwhile. */
  readonly typed: string | null;
};

export type TorturePlan = { readonly seed: number; readonly lives: readonly LifePlan[] };

export type Wanted = {
  readonly seed: number;
  readonly kills: number;
  readonly messages: number;
  /** Whether the disk is one that can be filled. */
  readonly hasSmallDisk: boolean;
};

/** Some lives do not come to the end that was planned for them. */
const spare = (kills: number): number => Math.ceil(kills * 0.04);

/** Draws a run: so many lives end by SIGKILL at once, about one more in six by SIGTERM. */
export function drawTorture(wanted: Wanted): TorturePlan {
  const { seed, kills } = wanted;
  const ends: LifeEnd[] = [];
  for (let killed = 0; killed < kills + spare(kills); ) {
    const end = lifeEnd(forked(seed, "end", ends.length));
    ends.push(end);
    if (end.kind === "kill") killed += 1;
  }
  const submissions = submissionsOf(seed, ends.length, wanted.messages);
  const lives = ends.map((end, life) => {
    const chance = forked(seed, "life", life);
    const steps = [...(submissions[life] ?? []), ...readings(chance), ...administration(chance, life)];
    return {
      end: life > 0 && hasLarge(steps) && happens(chance, 0.5) ? duringStaging(chance, end) : end,
      steps: steps.map((step, index) => ({ ...step, index: life * 1000 + index }) as PeoplesStep),
      troubles: troublesOf(forked(seed, "troubles", life), wanted.hasSmallDisk),
      isPatient: end.moment.at !== "start" && happens(chance, 0.7),
      downMs: happens(chance, 0.8) ? 0 : between(chance, [1, 300]),
      typed: happens(chance, 0.04)
        ? oneOf(chance, ["ledger check", "operator unanswered", "audit list"])
        : null,
    };
  });
  return { seed, lives };
}

function lifeEnd(chance: Chance): LifeEnd {
  const moment = momentOf(chance);
  if (happens(chance, 0.85)) return { kind: "kill", moment };
  return { kind: "stop", moment, killedAfterMs: happens(chance, 0.5) ? between(chance, [0, 250]) : null };
}

function momentOf(chance: Chance): Moment {
  const drawn = chance.fraction();
  if (drawn < 0.12) return { at: "start", afterMs: between(chance, [0, 220]) };
  if (drawn < 0.4) return { at: "ready", afterMs: between(chance, [0, 1800]) };
  if (drawn < 0.7) return { at: "log write", count: between(chance, [1, 160]) };
  const what = oneOf<SeenMoment>(chance, ["accepted", "submit", "submit", "receipt taken", "event"]);
  const most = { accepted: 15, submit: 500, "receipt taken": 400, event: 200 }[what];
  return { at: "seen", what, count: between(chance, [1, most]) };
}

function duringStaging(chance: Chance, end: LifeEnd): LifeEnd {
  return { ...end, moment: { at: "large submission", afterMs: between(chance, [1, 250]) } };
}

/** A submission that is staged in steps. */
const LARGE = 400;

function hasLarge(steps: readonly Unnumbered[]): boolean {
  return steps.some((step) => step.kind === "submit" && step.request.recipients.length > LARGE);
}

/** A step without its number. */
export type Unnumbered = PeoplesStep extends infer One
  ? One extends PeoplesStep
    ? Omit<One, "index">
    : never
  : never;

function troublesOf(chance: Chance, hasSmallDisk: boolean): WorldsStep[] {
  const atMs = between(chance, [200, 1500]);
  const centre = oneOf(chance, CENTRES).name;
  const drawn = chance.fraction();
  if (drawn < 0.06)
    return [{ kind: "operator reset", atMs, centre, how: oneOf(chance, ["rst", "rst", "fin"]) }];
  if (drawn < 0.12) return [{ kind: "operator killed", atMs, centre, forMs: between(chance, [50, 2500]) }];
  if (drawn < 0.18)
    return [
      {
        kind: "receiver killed",
        atMs,
        receiver: oneOf(chance, RECEIVERS).name,
        forMs: between(chance, [50, 1500]),
      },
    ];
  if (drawn < 0.24 && hasSmallDisk) return [{ kind: "disk filled", atMs, forMs: between(chance, [50, 800]) }];
  return [];
}

function readings(chance: Chance): Unnumbered[] {
  const drawn: Unnumbered[] = [];
  for (const { name } of ACCOUNTS) {
    if (happens(chance, 0.3)) {
      drawn.push({ kind: "read", atMs: between(chance, [200, 1500]), account: name, what: "feed" });
    }
  }
  const what = oneOf<ReadStep["what"]>(chance, ["batches", "balance", "someone else's batch", "webhooks"]);
  drawn.push({
    kind: "read",
    atMs: between(chance, [200, 1200]),
    account: oneOf(chance, ACCOUNTS).name,
    what,
  });
  return drawn;
}

function administration(chance: Chance, life: number): Unnumbered[] {
  const atMs = between(chance, [150, 1200]);
  const account = oneOf(chance, ACCOUNTS).name;
  const drawn = chance.fraction();
  if (drawn < 0.15) return [{ kind: "cancel", atMs, account }];
  if (drawn < 0.25) return [{ kind: "suspend", atMs, account, forMs: between(chance, [50, 600]) }];
  if (drawn < 0.5) {
    return [{ kind: "top up", atMs, account, amount: between(chance, [1, 5000]), reference: `life ${life}` }];
  }
  return [];
}
