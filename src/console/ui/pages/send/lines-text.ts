import { sending } from "../../words/send.ts";
import { figures } from "../../words/words.ts";

/** `3, 14, 22 and 5 more`: the first lines of so many; a dash where none is known. */
export function linesText(lines: readonly number[], count: number): string {
  const { check: words } = sending.value;
  if (lines.length === 0) return "–";
  const shown = lines.map(figures.number).join(", ");
  const more = count - lines.length;
  return more > 0 ? `${shown} ${words.leftMore({ more: figures.number(more) })}` : shown;
}
