import { inFrench } from "../words/in-french.ts";

const FIRST_LINK =
  "Nobody can sign in to the console yet. This link makes its owner, once and within 30 minutes:";

const LATER = "When it has run out, start again, or make the owner by their address:";

/**
 * What a start prints while nobody can sign in, in both languages: whose language this is nobody knows yet. The link and the command stand
 * alone in their lines, the command last.
 */
export function firstLinkLines(link: string, later: string): readonly string[] {
  return [...inBoth(FIRST_LINK), link, ...inBoth(LATER), later];
}

function inBoth(english: string): readonly string[] {
  return [inFrench(english) ?? english, english];
}
