import { sending } from "../../words/send.ts";
import { figures } from "../../words/words.ts";

/** As many as somebody looks up by hand. */
const MOST_LINES = 12;

/** `3, 14, 22 and 5 more`: the first lines of so many; a dash where none is known. */
export function linesText(lines: readonly number[], count: number): string {
  const { check: words } = sending.value;
  if (lines.length === 0) return "–";
  const shown = lines.slice(0, MOST_LINES).map(figures.number).join(", ");
  const more = count - Math.min(lines.length, MOST_LINES);
  return more > 0 ? `${shown} ${words.leftMore(figures.number(more))}` : shown;
}
