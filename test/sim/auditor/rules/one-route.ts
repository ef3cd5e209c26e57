import { at, finder, type Rule } from "../finding.ts";
import type { History } from "../history.ts";
import { type Carried, joinsOf } from "../joins.ts";
import { list, member, text } from "../json.ts";
import { once } from "../once.ts";
import type { Submit } from "../wire-submits.ts";

const found = finder("one-route", "No other route ever completes a text.");

/** What a route was heard to accept of a text, the rest of it never leaves by another. */
export const oneRoute: Rule = (history) => {
  if (routesOf(history).size === 0) return [];
  return joinsOf(history).groups.flatMap(({ messages: [only, ...others], segments, carried }) => {
    if (!only || others.length > 0 || segments === 1) return [];
    return carried.flatMap((rest) => {
      const begun = carried.find((part) => isBegunBy(history, part, rest));
      if (!begun) return [];
      const { msisdn, batchId } = only.message;
      const [first, second] = [routeOf(history, begun.submit), routeOf(history, rest.submit)];
      const what = `part ${rest.parts.join()} of the text to ${msisdn} left by ${second} at ${at(rest.submit.writtenAtMs)}, though ${first} had accepted part ${begun.parts.join()}`;
      return [found(rest.submit.writtenAtMs, what, batchId ?? "")];
    });
  });
};

/** Whether one route was heard to accept a part before another was given a different one, by the same process. */
function isBegunBy(history: History, begun: Carried, rest: Carried): boolean {
  const [first, second] = [routeOf(history, begun.submit), routeOf(history, rest.submit)];
  if (first === null || second === null || first === second) return false;
  const isOther = rest.parts.every((part) => !begun.parts.includes(part));
  const heardAtMs = begun.submit.answers.find(({ status, isSure }) => status === 0 && isSure)?.heardAtMs;
  return (
    isOther &&
    begun.submit.life === rest.submit.life &&
    heardAtMs !== undefined &&
    heardAtMs !== null &&
    heardAtMs < rest.submit.writtenAtMs
  );
}

/** The route that a submit left by; null where several, or none, lead to its centre. */
function routeOf(history: History, { centre }: Submit): string | null {
  return routesOf(history).get(centre) ?? null;
}

/** The one route to each centre, whatever the configuration of the moment; none for one that several lead to. */
const routesByCentre = once(() => ({ found: null as ReadonlyMap<string, string> | null }));

function routesOf(history: History): ReadonlyMap<string, string> {
  const kept = routesByCentre(history);
  kept.found ??= readRoutes(history);
  return kept.found;
}

function readRoutes({ settings }: History): ReadonlyMap<string, string> {
  const ways = new Map<string, Set<string>>();
  for (const { document } of settings) {
    for (const [operator, table] of Object.entries(member(document, "operators") ?? {})) {
      for (const connection of list(table, "connections")) {
        const centre = (text(connection, "host") ?? "").replace(/\.invalid$/, "");
        const route = text(connection, "route");
        const way = route === null || route === "" ? "" : `${operator}/${route}`;
        ways.set(centre, (ways.get(centre) ?? new Set()).add(way));
      }
    }
  }
  return new Map(
    [...ways].flatMap(([centre, [way = "", ...others]]) =>
      way === "" || others.length > 0 ? [] : [[centre, way]],
    ),
  );
}
