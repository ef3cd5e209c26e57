import type { Dice } from "./dice.ts";

/** Runs inputs one after the other, each as if it were the first. */
export type Trial = {
  /**
   * What came of the input in a few words, alike for inputs that took the same way: the signature of its outcome.
   * @throws when something is not true that must be true of any input.
   */
  readonly run: (input: Uint8Array) => string | Promise<string>;
  readonly close: () => Promise<void> | void;
  /** Milliseconds of work that no input takes; left out: 300. */
  readonly maxMs?: number;
};

/** Something that takes whatever anybody sends, and what must be true of it. */
export type Target = {
  /** The name of its folder of kept inputs. */
  readonly name: string;
  /** What holds for every input. */
  readonly promise: string;
  /** How inputs are kept in files: as they are, or as digits in hexadecimal. */
  readonly form: "text" | "hex";
  /** What an input of this kind is made of. */
  readonly words: readonly string[];
  readonly draw: (rolls: Dice) => Uint8Array;
  /** A change that knows what inputs are made of; null where this input is none of those. */
  readonly change?: (input: Uint8Array, other: Uint8Array, rolls: Dice) => Uint8Array | null;
  /** Longer inputs are cut. */
  readonly longest: number;
  /** Whether a piece of an input is now and then repeated until it is long, to see that time grows with length only. */
  readonly isPumped: boolean;
  readonly open: () => Promise<Trial> | Trial;
};

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** A text as an input. */
export const octetsOf = (text: string): Uint8Array => encoder.encode(text);

/** An input as a text; what is no UTF-8 reads U+FFFD. */
export const textOf = (input: Uint8Array): string => decoder.decode(input);

type TextTarget = Omit<Target, "form" | "draw" | "change" | "open" | "longest" | "isPumped"> & {
  readonly draw: (rolls: Dice) => string;
  readonly change?: (text: string, other: string, rolls: Dice) => string | null;
  readonly run: (text: string) => string | Promise<string>;
  readonly longest?: number;
  readonly isPumped?: boolean;
};

/** A target that takes a text, and keeps nothing between two. */
export function textTarget({ draw, change, run, ...rest }: TextTarget): Target {
  return {
    longest: 4096,
    isPumped: true,
    ...rest,
    form: "text",
    draw: (rolls) => octetsOf(draw(rolls)),
    ...(change && {
      change: (input, other, rolls) => {
        const changed = change(textOf(input), textOf(other), rolls);
        return changed === null ? null : octetsOf(changed);
      },
    }),
    open: () => ({ run: (input) => run(textOf(input)), close: () => {} }),
  };
}

/** Words about an outcome without what differs from input to input: quoted pieces, numbers and ids. */
export function kindOf(words: string): string {
  return words
    .replace(/"(?:[^"\\]|\\.)*"/g, '"…"')
    .replace(/\b[0-9A-HJKMNP-TV-Z]{26}\b/g, "ID")
    .replace(/\d+/g, "#")
    .slice(0, 120);
}

/** How large something is, to the power of four: a signature tells sizes no finer. */
export function sizeOf(count: number): number {
  return count === 0 ? 0 : 1 + Math.floor(Math.log2(count) / 2);
}
