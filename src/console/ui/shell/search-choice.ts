/** Decides what Enter opens of the search results: never silently one person out of several. Pure. */
import type { SearchHit } from "../api/contract.ts";

/** Counts the people found: a number or a row is one, however many texts they had. */
function people(hits: readonly SearchHit[]): number {
  return new Set(hits.flatMap(({ kind, title }) => (kind === "sent" || kind === "row" ? [title] : []))).size;
}

/** Whether a hit of a part of a number leads to a list of results, and is no note about what is wrong with the number. */
export function opensList(hits: readonly SearchHit[]): boolean {
  return hits.some(({ kind }) => kind === "sent") || people(hits) > 1;
}

/** Sorts hits for display: where a part of a number fits several people, the list of them all comes first. */
export function sortHits(hits: readonly SearchHit[]): readonly SearchHit[] {
  const list = hits.find(({ kind }) => kind === "no number");
  return list === undefined || people(hits) < 2 ? hits : [list, ...hits.filter((hit) => hit !== list)];
}
