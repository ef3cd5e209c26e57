/**
 * Whether a route is ill: it delivers much less than it usually does, or others took over from it again and again. Pure; what came of
 * messages and when are arguments, on a clock that never steps backwards.
 */

/** How a message ended by its receipt that a route had carried. */
export type RouteOutcome = { readonly isDelivered: boolean; readonly atMs: number };

/** How many ended so in one hour. */
export type HourlyOutcomes = { readonly delivered: number; readonly failed: number };

/** So many percentage points below its usual share, over so many messages; points 0: not judged by receipts. */
type IllBelow = { readonly points: number; readonly messages: number };

/** Why a route is ill. Shares are in percent. */
export type Illness =
  | { readonly kind: "deliveries"; readonly share: number; readonly usual: number; readonly messages: number }
  | { readonly kind: "take_overs"; readonly times: number };

/** So long a route stays ill. What is known of it then begins anew: it gets messages again, and they tell. */
export const ILLNESS_MS = 900_000;
/** The last messages tell of a route only where all of them ended within this. */
const RECENT_MS = 3_600_000;
/** Fewer receipts in the days before tell nothing of what is usual. */
const MIN_USUAL_RECEIPTS = 200;
/** So many times in so long others take over from a route that comes and goes. */
export const MAX_TAKE_OVERS = 3;
const TAKE_OVERS_MS = 300_000;

/** The median of the hourly delivered shares, in percent; null where too few receipts came. Hours without any do not count. */
export function usualShare(hours: readonly HourlyOutcomes[]): number | null {
  const all = hours.filter(({ delivered, failed }) => delivered + failed > 0);
  const receipts = all.reduce((sum, { delivered, failed }) => sum + delivered + failed, 0);
  if (receipts < MIN_USUAL_RECEIPTS) return null;
  const shares = all.map(({ delivered, failed }) => (100 * delivered) / (delivered + failed));
  const sorted = shares.sort((a, b) => a - b);
  const below = sorted[Math.ceil(sorted.length / 2) - 1] ?? 0;
  const above = sorted[Math.floor(sorted.length / 2)] ?? below;
  return (below + above) / 2;
}

/** What is known of a route. */
type Seen = {
  /** How the last messages ended, the oldest first; more than are judged do no harm. */
  readonly outcomes: readonly RouteOutcome[];
  /** Its usual share, in percent; null where it is not known. */
  readonly usual: number | null;
  /** When others took over from it, the oldest first. */
  readonly takeOversMs: readonly number[];
};

/** Why a route that is not ill becomes so at this moment; null where it does not. */
export function findIllness(
  { outcomes, usual, takeOversMs }: Seen,
  { points, messages }: IllBelow,
  nowMs: number,
): Illness | null {
  const times = takeOversMs.filter((atMs) => nowMs - atMs < TAKE_OVERS_MS).length;
  if (times >= MAX_TAKE_OVERS) return { kind: "take_overs", times };
  const last = outcomes.slice(-messages);
  const [oldest] = last;
  if (points === 0 || usual === null || oldest === undefined || last.length < messages) return null;
  if (nowMs - oldest.atMs > RECENT_MS) return null;
  const share = (100 * last.filter(({ isDelivered }) => isDelivered).length) / messages;
  return share <= usual - points ? { kind: "deliveries", share, usual, messages } : null;
}
