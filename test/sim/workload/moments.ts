/** When things happen: evenly over the run, or in the hot moments when messages are on their way. */
import type { Chance } from "../../../src/core/chance.ts";
import { between, happens } from "../chance.ts";
import { pick, weighted } from "./draw.ts";
import type { SubmitDraft } from "./draw-submission.ts";

/** Accounts are being set up until about then. */
export const FIRST_MS = 5000;

/** A moment of the run; most of them are hot. */
export function drawMoment(chance: Chance, spanMs: number, submits: readonly SubmitDraft[]): number {
  const evenly = Math.round((FIRST_MS + spanMs) * chance.fraction());
  const hot = soonAfter(chance, spanMs, submits.length > 0 ? pick(chance, submits) : null);
  return hot !== null && happens(chance, 0.65) ? hot : evenly;
}

/** Soon after a submission is made or its time comes; null without one. */
export function soonAfter(chance: Chance, spanMs: number, submit: SubmitDraft | null): number | null {
  const laterMs = weighted(chance, [
    [4, between(chance, [0, 300])],
    [3, between(chance, [300, 4000])],
    [2, between(chance, [4000, 30_000])],
  ]);
  const isScheduled = happens(chance, 0.5);
  if (submit === null) return null;
  const scheduledMs = submit.request.scheduledInMs ?? 0;
  const isLater = isScheduled && scheduledMs > 0 && scheduledMs < spanMs;
  const atMs = submit.atMs + laterMs + (isLater ? scheduledMs : 0);
  return Math.min(atMs, FIRST_MS + spanMs);
}
