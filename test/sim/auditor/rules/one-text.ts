import { finder, type Rule } from "../finding.ts";
import { carrying, type Group, joinsOf } from "../joins.ts";
import { shortTextOf } from "../short-text.ts";
import { mayHaveArrived, type Submit } from "../wire-submits.ts";

const found = finder(
  "one-text",
  "The parts of a text bear one reference, however often one of them is tried: else no handset puts them together.",
);

/** Of every text that arrived in parts, a whole one can be put together. */
export const oneText: Rule = (history) =>
  joinsOf(history).groups.flatMap((group) => {
    const [only] = group.messages;
    if (!only || group.messages.length > 1 || group.segments === 1) return [];
    const parts = Array.from({ length: group.segments }, (_, index) => referencesOf(group, index + 1));
    if (parts.some((references) => references.size === 0 || references.has(WHOLE))) return [];
    const [first = new Set<string>(), ...others] = parts;
    if ([...first].some((reference) => others.every((each) => each.has(reference)))) return [];
    const { batchId, msisdn } = only.message;
    const words = parts.map((references) => [...references].join(" or ")).join(", ");
    const lastMs = Math.max(...group.carried.map(({ submit }) => submit.writtenAtMs));
    return [
      found(lastMs, `the parts of the text to ${msisdn} of batch ${batchId} are of ${words}`, batchId ?? ""),
    ];
  });

/** Carried in one piece, as a payload. */
const WHOLE = "whole";

/** Under which references a part arrived. */
function referencesOf(group: Group, part: number): ReadonlySet<string> {
  return new Set(carrying(group, part).filter(mayHaveArrived).map(referenceOf));
}

/** The number alone: a connection may be told to write it otherwise in between. */
function referenceOf({ text }: Submit): string {
  return shortTextOf(text, "gsm").place.reference?.replace(/^.*:/, "") ?? WHOLE;
}
