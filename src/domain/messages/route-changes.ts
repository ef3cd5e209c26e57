/**
 * By which route the attempts of a message left, told by the changes from one route to another alone: a message that kept to one has
 * none, and costs nothing. Pure.
 */

/** After an attempt, counted from 1, a message left a route. */
export type RouteChange = {
  readonly attempt: number;
  readonly route: string;
  /** By which it went on; null where that was left open: then nothing that had left before counts. */
  readonly next: string | null;
};

/** The route of an attempt; null where no change tells it, which is the same for all such attempts. `changes` are in order. */
export function findRoute(changes: readonly RouteChange[], attempt: number): string | null {
  const left = changes.find((change) => change.attempt >= attempt);
  return left ? left.route : (changes.at(-1)?.next ?? null);
}
