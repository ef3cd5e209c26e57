import { at, finder, type Rule } from "../finding.ts";
import type { History } from "../history.ts";
import { type Carried, joinsOf } from "../joins.ts";
import { hasRoutes, nameOf, routesOf } from "../routes.ts";
import type { Submit } from "../wire-submits.ts";

const found = finder("one-route", "No other route ever completes a text.");

/** What a route was heard to accept of a text, the rest of it never leaves by another. */
export const oneRoute: Rule = (history) => {
  if (!hasRoutes(history)) return [];
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

/** The route that a submit left by; null where several, or none, may be the one. */
function routeOf(history: History, submit: Submit): string | null {
  const period = { fromMs: submit.writtenAtMs, toMs: submit.writtenAtMs };
  const [only, ...others] = routesOf(history, submit, period);
  return !only || others.length > 0 || only.route === "" ? null : nameOf(only);
}
