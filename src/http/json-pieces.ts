import type { LongArray } from "./json-scan.ts";
import type { Pause } from "./json-text.ts";

/** Stands for the long array's items while the rest is parsed without them. */
const PLACEHOLDER = "\u0000items\u0000";

/**
 * Parses the JSON text of an object whose longest array is parsed piece by piece, with pauses in between: the value
 * JSON.parse would give, or null where it would throw. Each piece is a list of whole items, and the text around them
 * is parsed with a placeholder in their stead, so nothing malformed gets through that one parse would refuse.
 */
export async function parseInPieces(text: string, array: LongArray, pause: Pause): Promise<unknown> {
  try {
    const around: unknown = JSON.parse(
      `${text.slice(0, array.start)}${JSON.stringify(PLACEHOLDER)}${text.slice(array.end)}`,
    );
    const items: unknown[] = [];
    let start = array.start;
    for (const end of [...array.cuts, array.end]) {
      const piece: unknown = JSON.parse(`[${text.slice(start, end)}]`);
      if (!Array.isArray(piece)) return null;
      // Between two commas, and after one, there must be an item.
      if (piece.length === 0 && array.cuts.length > 0) return null;
      for (const item of piece) items.push(item);
      start = end + 1;
      await pause();
    }
    return filled(around, items);
  } catch {
    return null;
  }
}

function filled(around: unknown, items: unknown[]): unknown {
  if (typeof around !== "object" || around === null) return null;
  for (const [name, value] of Object.entries(around)) {
    if (Array.isArray(value) && value.length === 1 && value[0] === PLACEHOLDER) {
      Object.defineProperty(around, name, {
        value: items,
        enumerable: true,
        writable: true,
        configurable: true,
      });
    }
  }
  return around;
}
