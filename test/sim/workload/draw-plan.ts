import { between, forked } from "../chance.ts";
import type { Plan, Step } from "../plan.ts";
import { pick } from "./draw.ts";
import { drawAccounts, drawReceivers } from "./draw-accounts.ts";
import { cloudDocument, drawCloud, drawCloudSteps, drawSilence, knownNumbers } from "./draw-cloud.ts";
import { type DeedsScene, drawDeeds } from "./draw-deeds.ts";
import { drawNetwork } from "./draw-document.ts";
import { drawTemper } from "./draw-habits.ts";
import { drawSmppDocument, drawSmppSteps, drawSmppUsers } from "./draw-smpp.ts";
import { drawSubmissions, type Scene, type Undated } from "./draw-submission.ts";
import { drawTroubles } from "./draw-troubles.ts";
import { switchesOf } from "./switches.ts";

export type DrawOptions = {
  /** Recipients of the whole run, about; 1,000 unless told. Batches above 10,000 are drawn only where they fit. */
  readonly messages?: number;
  /** Names of `FAULTS` that may be drawn; none at all with an empty list, all without. */
  readonly faults?: readonly string[] | null;
};

const USUAL_MESSAGES = 1000;

/** An ordinary morning, minutes before midnight, before a week's end, before a year's end. */
const STARTS = [
  "2026-03-04T10:03:00Z",
  "2026-03-04T23:52:00Z",
  "2026-03-08T23:50:00Z",
  "2026-12-31T23:51:00Z",
];

/** A minute after the last step has ended, faults end. */
const CALM_MS = 60_000;

/** Everything that a run will do. The same seed and options give the same plan, to the byte. */
export function drawPlan(seed: number, { messages = USUAL_MESSAGES, faults = null }: DrawOptions = {}): Plan {
  const switches = switchesOf(seed, faults);
  const chance = forked(seed, "plan");
  const isFaulty = (kind: "habits" | "receiver habits") => faults === null || faults.includes(kind);
  const spanMs = between(chance, [5 * 60_000, 18 * 60_000]);
  const wallStartMs = Date.parse(pick(chance, STARTS));
  const network = drawNetwork(
    seed,
    switches,
    drawTemper(forked(seed, "temper of centres"), isFaulty("habits")),
  );
  const temper = drawTemper(forked(seed, "temper of receivers"), isFaulty("receiver habits"));
  const receivers = drawReceivers(seed, temper);
  const accounts = drawAccounts(seed, switches, network, receivers, wallStartMs);
  const base: Scene = { seed, switches, network, accounts, spanMs };
  const submits = drawSubmissions(base, messages);
  const scene: DeedsScene = { ...base, submits, receivers };
  const drafts = [...submits, ...drawDeeds(scene), ...drawTroubles(scene)];
  const cloud = switches("whatsapp") ? drawCloud(seed) : null;
  // Their numbers come after those of all others, which draw by theirs.
  const steps = inOrder([
    ...numbered(drafts),
    ...(cloud ? drawCloudSteps(scene, messages) : []).map(
      (draft, place): Step => ({ ...draft, index: drafts.length + place }),
    ),
  ]);
  const smppUsers = switches("smpp clients") ? drawSmppUsers(seed, accounts) : null;
  const all = inOrder([
    ...steps,
    ...(smppUsers ? drawSmppSteps(scene, smppUsers) : []).map(
      (draft, place): Step => ({ ...draft, index: steps.length + place }),
    ),
  ]);
  const inside = smppUsers ? { ...network.document, ...drawSmppDocument(seed) } : network.document;
  const document = cloud ? { ...inside, ...cloudDocument(seed, cloud) } : inside;
  return {
    seed,
    document,
    overrides: cloud ? { ...network.overrides, ...drawSilence(seed) } : network.overrides,
    ...(cloud && { cloud }),
    ...(smppUsers && { smppUsers }),
    wallStartMs,
    accounts: cloud
      ? accounts.map((each) => ({ ...each, numbers: knownNumbers(seed, document, each) }))
      : accounts,
    centres: network.centres,
    receivers,
    steps: all,
    calmAtMs: all.reduce((last, step) => Math.max(last, endOf(step)), 0) + CALM_MS,
  };
}

/** The plan with some of its steps, by their indices; whatever else was drawn stays as it was. */
export function withOnly(plan: Plan, indices: readonly number[]): Plan {
  const kept = new Set(indices);
  return { ...plan, steps: plan.steps.filter(({ index }) => kept.has(index)) };
}

/** In the order of their times; of equal ones, as they were drawn. */
function numbered(drafts: readonly Undated[]): readonly Step[] {
  return inOrder(drafts).map((draft, index): Step => ({ ...draft, index }));
}

function inOrder<T extends { readonly atMs: number }>(steps: readonly T[]): readonly T[] {
  return [...steps].sort((one, other) => one.atMs - other.atMs);
}

function endOf(step: Step): number {
  if ("forMs" in step) return step.atMs + step.forMs;
  if (step.kind === "restore") {
    const thought = step.decisions.reduce((sum, { thenMs }) => sum + thenMs, 0);
    return step.atMs + step.lostMs + step.downMs + step.undecidedMs + thought;
  }
  if ("downMs" in step) return step.atMs + step.downMs;
  if (step.kind === "clock") return step.atMs + (step.backAfterMs ?? 0);
  return step.atMs;
}
