/** What a template's tags were filled in with, read back out of a text that was made of it. Pure. */
import { prepare } from "./segments.ts";
import type { Template } from "./template.ts";

/**
 * The value of each tag where the text can be taken apart in one way alone, as after "Bonjour " and before ", votre solde"; null where it
 * can't, or is not of this template: nobody is named by a guess.
 */
export function valuesIn({ pieces }: Template, text: string): Readonly<Record<string, string>> | null {
  const literals = pieces.filter((_, index) => index % 2 === 0).map(prepare);
  const tags = pieces.filter((_, index) => index % 2 === 1);
  const first = literals[0] ?? "";
  const last = literals.at(-1) ?? "";
  if (literals.length === 1) return text === first ? {} : null;
  if (!text.startsWith(first) || !text.endsWith(last)) return null;
  const span = { from: first.length, to: text.length - last.length };
  const between = literals.slice(1, -1);
  if (span.from > span.to || between.includes("")) return null;
  const places = placesOf(text, between, span);
  if (places === null) return null;
  const values = new Map<string, string>();
  let from = span.from;
  for (const [index, tag] of tags.entries()) {
    const value = text.slice(from, places[index] ?? span.to);
    if ((values.get(tag) ?? value) !== value) return null;
    values.set(tag, value);
    from = (places[index] ?? span.to) + (between[index] ?? "").length;
  }
  return Object.fromEntries(values);
}

type Span = { readonly from: number; readonly to: number };

/** Where literals stand one after the other: the earliest places are the latest ones too, or there is more than one way. */
function placesOf(text: string, literals: readonly string[], { from, to }: Span): readonly number[] | null {
  const places: number[] = [];
  let at = from;
  for (const literal of literals) {
    const place = text.indexOf(literal, at);
    if (place < 0 || place + literal.length > to) return null;
    places.push(place);
    at = place + literal.length;
  }
  let before = to;
  for (const [index, literal] of [...literals.entries()].reverse()) {
    const place = text.lastIndexOf(literal, before - literal.length);
    if (place !== places[index]) return null;
    before = place;
  }
  return places;
}
