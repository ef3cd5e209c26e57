/** Takes back that rare characters of a text were replaced, also where it was written on since. Pure. */
import { findReplacement } from "../../../../text/rewrite.ts";
import { normalizeText } from "../../../../text/segments.ts";

/** A text as it was written, and as it was once its rare characters were replaced. */
export type Replacement = { readonly from: string; readonly to: string };

type Piece = { readonly from: string; readonly to: string };

/** The text as it is now with the characters again that were replaced; what was written since stays as it is. */
export function undoReplaced({ from, to }: Replacement, now: string): string {
  const pieces = piecesOf(from, to);
  const most = Math.min(to.length, now.length);
  const begin = sharedLength(most, (at) => to[at] === now[at]);
  const end = sharedLength(most - begin, (at) => to[to.length - 1 - at] === now[now.length - 1 - at]);
  const [head, headLength] = wholePieces(pieces, begin);
  const rest = pieces.slice(head.length).toReversed();
  const [tail, tailLength] = wholePieces(rest, end);
  const written = (some: readonly Piece[]) => some.map((piece) => piece.from).join("");
  return written(head) + now.slice(headLength, now.length - tailLength) + written(tail.toReversed());
}

/** Each character beside what stands for it in the other text. */
function piecesOf(from: string, to: string): readonly Piece[] {
  let at = 0;
  return [...normalizeText(from)].map((character) => {
    const isKept = to.startsWith(character, at);
    const piece = { from: character, to: isKept ? character : (findReplacement(character) ?? character) };
    at += piece.to.length;
    return piece;
  });
}

function sharedLength(most: number, isSame: (at: number) => boolean): number {
  let length = 0;
  while (length < most && isSame(length)) length += 1;
  return length;
}

/** The first pieces that are no longer than so many units together, and how long they are. */
function wholePieces(pieces: readonly Piece[], most: number): readonly [readonly Piece[], number] {
  let length = 0;
  const count = pieces.findIndex(({ to }) => {
    if (length + to.length > most) return true;
    length += to.length;
    return false;
  });
  return [count < 0 ? pieces : pieces.slice(0, count), length];
}
