import { at, finder, type Rule } from "../finding.ts";
import type { History } from "../history.ts";
import { type Carried, carrying, type Group, joinsOf } from "../joins.ts";
import { hasRoutes, isOfOwnText, onlyRouteOf, wasAcceptedBefore } from "../routes.ts";

const found = finder("one-route", "No other route ever completes a text.");

/** What a route was heard to accept of a text, the rest of it never leaves by another. */
export const oneRoute: Rule = (history) => {
  if (!hasRoutes(history)) return [];
  return joinsOf(history).groups.flatMap((group) => {
    const { segments, carried } = group;
    const [only, ...others] = group.messages;
    if (!only || others.length > 0 || segments === 1) return [];
    return carried.flatMap((rest) => {
      const begun = carried.find((part) => isBegunBy(history, group, part, rest));
      if (!begun) return [];
      const { msisdn, batchId } = only.message;
      const [first, second] = [onlyRouteOf(history, begun.submit), onlyRouteOf(history, rest.submit)];
      const what = `part ${rest.parts.join()} of the text to ${msisdn} left by ${second} at ${at(rest.submit.writtenAtMs)}, though ${first} had accepted part ${begun.parts.join()}`;
      return [found(rest.submit.writtenAtMs, what, batchId ?? "")];
    });
  });
};

/** Whether one route was heard to accept a part before another, which had begun none of its own, was given a different one, by the same process. */
function isBegunBy(history: History, group: Group, begun: Carried, rest: Carried): boolean {
  const [first, second] = [onlyRouteOf(history, begun.submit), onlyRouteOf(history, rest.submit)];
  if (first === null || second === null || first === second) return false;
  const isOther = rest.parts.every((part) => !begun.parts.includes(part));
  return (
    isOther &&
    begun.submit.life === rest.submit.life &&
    wasAcceptedBefore(begun.submit, rest.submit.writtenAtMs) &&
    !hasAllOf(history, group, first, rest.submit.writtenAtMs) &&
    !isOfOwnText(history, group, rest.submit)
  );
}

/** Whether a route was heard to accept a text as a whole: what leaves then is a second one, and no rest. */
function hasAllOf(history: History, group: Group, route: string, atMs: number): boolean {
  return Array.from({ length: group.segments }, (_, index) => carrying(group, index + 1)).every((submits) =>
    submits.some((submit) => onlyRouteOf(history, submit) === route && wasAcceptedBefore(submit, atMs)),
  );
}
