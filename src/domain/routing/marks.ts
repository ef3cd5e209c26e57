/**
 * Which routes are out for a message: those that are marked for it, and those that its sender is not registered for.
 *
 * The routes that are marked for a message, as its row has them: a set of bits, one of each route that refused it, and one of each that
 * said "later" too often. Which bit is a route's stands in a table (domain/messages/rerouting.ts). Pure.
 */
import { ALL_ROUTES, type SenderRoutes } from "../accounts/senders.ts";
import { MAX_ROUTE_BITS } from "../messages/rerouting.ts";

/** Why a route is marked for a message. */
type MarkKind = "refused" | "later";

/** The routes that are marked for a message, by name, and those that its sender is registered for. */
export type Marks = {
  readonly refused: readonly string[];
  readonly later: readonly string[];
  readonly senderRoutes: SenderRoutes;
};

export const NO_MARKS: Marks = { refused: [], later: [], senderRoutes: ALL_ROUTES };

/** Whether the sender of a message is registered for a route. */
export function isSenderOn({ senderRoutes }: Marks, route: string): boolean {
  return senderRoutes === ALL_ROUTES || senderRoutes.includes(route);
}

/** The set with one more mark. */
export function addMark(routesTried: number, bit: number, kind: MarkKind): number {
  return routesTried | (1 << (kind === "refused" ? bit : bit + MAX_ROUTE_BITS));
}

/** The marks of a set, by the bits of the routes; bits that are of no route any more are nobody's. */
export function readMarks(
  routesTried: number,
  bits: ReadonlyMap<string, number>,
  senderRoutes: SenderRoutes = ALL_ROUTES,
): Marks {
  if (routesTried === 0) return senderRoutes === ALL_ROUTES ? NO_MARKS : { ...NO_MARKS, senderRoutes };
  const marked = (shift: number) =>
    [...bits].flatMap(([route, bit]) => ((routesTried & (1 << (bit + shift))) === 0 ? [] : [route]));
  return { refused: marked(0), later: marked(MAX_ROUTE_BITS), senderRoutes };
}
