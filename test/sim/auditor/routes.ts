/** By which route to its operator a submit left, as the configuration of the moment says (docs/administration.md#what-routes-cost). */
import type { History } from "./history.ts";
import { type Period, sameOperator, settingsIn } from "./in-force.ts";
import type { Group } from "./joins.ts";
import { once } from "./once.ts";
import { connectionRoutesTo, operatorOf, type Settings } from "./settings.ts";
import type { Submit } from "./wire-submits.ts";

/** A route of an operator, by the code that the operator had last. */
export type RouteTaken = {
  readonly operator: string;
  /** "" of an operator without routes, and of a connection without one. */
  readonly route: string;
};

/** Whether any operator ever had routes. */
export const hasRoutes = once(({ settings }) =>
  settings.some(({ operators }) => operators.some(({ routes }) => routes.length > 0)),
);

/** The routes by which a submit may have left, by the configurations of a period; none to a centre that is of another operator. */
export function routesOf(history: History, submit: Submit, period: Period): readonly RouteTaken[] {
  return known(history, submit, settingsIn(history, period));
}

/** The same by every configuration of the run. */
export function routesEver(history: History, submit: Submit): readonly RouteTaken[] {
  return known(history, submit, history.settings);
}

/** By configuration, operator's number and centre: the answer is the same for thousands of submits. */
const waysIn = new WeakMap<Settings, Map<string, readonly RouteTaken[]>>();

function known(
  history: History,
  { text, centre }: Submit,
  settings: readonly Settings[],
): readonly RouteTaken[] {
  const found = new Map<string, RouteTaken>();
  for (const each of settings) {
    const ways = waysIn.get(each) ?? new Map<string, readonly RouteTaken[]>();
    waysIn.set(each, ways);
    const code = operatorOf(each, text.destination)?.code ?? "";
    const key = `${code} ${centre}`;
    const taken =
      ways.get(key) ??
      connectionRoutesTo(each, code, centre).map((route) => ({ operator: lastCode(history, code), route }));
    ways.set(key, taken);
    for (const way of taken) found.set(nameOf(way), way);
  }
  return [...found.values()];
}

/** The one route that a submit left by, as `report margin` names it; null where several, or none, may be the one. */
export function onlyRouteOf(history: History, submit: Submit): string | null {
  const period = { fromMs: submit.writtenAtMs, toMs: submit.writtenAtMs };
  const [only, ...others] = routesOf(history, submit, period);
  return !only || others.length > 0 || only.route === "" ? null : nameOf(only);
}

/**
 * Whether a submit carries on a text that its own route was heard to accept another part of. Where two routes have accepted a part each, as
 * when the first answered late, one of them goes on with its own text, and the parts that the other has leave again.
 */
export function isOfOwnText(history: History, { carried }: Group, submit: Submit): boolean {
  const route = onlyRouteOf(history, submit);
  const own = carried.find((each) => each.submit === submit)?.parts ?? [];
  return carried.some(
    (begun) =>
      route !== null &&
      onlyRouteOf(history, begun.submit) === route &&
      begun.parts.every((part) => !own.includes(part)) &&
      wasAcceptedBefore(begun.submit, submit.writtenAtMs),
  );
}

/** Whether an acceptance was surely heard by a moment. Where a centre contradicts itself, its first answer counts. */
export function wasAcceptedBefore({ answers }: Submit, atMs: number): boolean {
  const first = answers.find(({ heardAtMs }) => heardAtMs !== null);
  if (!first || first.heardAtMs === null) return false;
  return first.status === 0 && first.isSure && first.heardAtMs < atMs;
}

/** How `report margin` names a route, with the code that its operator had last. */
export function nameOf({ operator, route }: RouteTaken): string {
  return route === "" ? operator : `${operator}/${route}`;
}

/** One code for all that an operator had. */
export function lastCode(history: History, code: string): string {
  return [...sameOperator(history, code)].sort().at(-1) ?? code;
}
