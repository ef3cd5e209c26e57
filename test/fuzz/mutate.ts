import type { Dice } from "./dice.ts";
import { octetsOf, type Target } from "./target.ts";

const OCTETS = [
  0x00, 0x01, 0x09, 0x0a, 0x0d, 0x1b, 0x20, 0x22, 0x2c, 0x5c, 0x7f, 0x80, 0xc3, 0xed, 0xf4, 0xff,
];
const NUMBERS = ["0", "-1", "1", "255", "256", "65535", "65536", "2147483648", "4294967296"];
const LARGE_NUMBERS = ["9007199254740993", "1e999", "-0", "0.1", "00", "1e-7", "99999999999999999999"];
const PIECES = [
  "\0",
  "\u{feff}",
  "é",
  "e\u0301",
  "€",
  "😀",
  "\u202e",
  "\u2028",
  "ﬁ",
  "İ",
  "日本",
  "%00",
  "../",
];

type Change = (input: Uint8Array, other: Uint8Array, rolls: Dice, words: readonly string[]) => Uint8Array;

/** An input made of another: one to eight changes, some of which know what the target's inputs are made of. */
export function mutated(target: Target, input: Uint8Array, other: Uint8Array, rolls: Dice): Uint8Array {
  let changed = input;
  for (let times = 1 << rolls.below(4); times > 0; times--) {
    const aware = target.change && rolls.below(2) === 0 ? target.change(changed, other, rolls) : null;
    changed = aware ?? rolls.pick(CHANGES)(changed, other, rolls, target.words);
  }
  return changed.subarray(0, target.longest);
}

/** A piece of an input repeated until the whole is `length` long. */
export function pumped(input: Uint8Array, length: number, rolls: Dice): Uint8Array {
  if (input.length === 0) return input;
  const from = rolls.below(input.length);
  const piece = input.subarray(from, from + 1 + rolls.below(Math.min(24, input.length - from)));
  const long = new Uint8Array(Math.max(length, input.length + piece.length));
  long.set(input.subarray(0, from));
  const end = long.length - (rolls.below(2) === 0 ? input.length - from : 0);
  for (let at = from; at < end; at += piece.length) long.set(piece.subarray(0, end - at), at);
  long.set(input.subarray(input.length - (long.length - end)), end);
  return long;
}

/** What stands from `from` to `to` gives way to `piece`. */
function replaced(input: Uint8Array, from: number, to: number, piece: Uint8Array): Uint8Array {
  const changed = new Uint8Array(from + piece.length + input.length - to);
  changed.set(input.subarray(0, from));
  changed.set(piece, from);
  changed.set(input.subarray(to), from + piece.length);
  return changed;
}

/** A stretch of an input, most often a short one. */
function stretch(input: Uint8Array, { below, pick }: Dice): readonly [from: number, to: number] {
  const from = below(input.length + 1);
  return [from, Math.min(input.length, from + below(pick([4, 16, 64, 1024])))];
}

const insertWord: Change = (input, _other, rolls, words) => {
  const word = octetsOf(words.length > 0 ? rolls.pick(words) : rolls.pick(PIECES));
  const [from, to] = stretch(input, rolls);
  return replaced(input, from, rolls.below(2) === 0 ? from : to, word);
};

const CHANGES: readonly Change[] = [
  function flipBit(input, _other, { below }) {
    const changed = Uint8Array.from(input);
    const at = below(input.length);
    if (input.length > 0) changed[at] = (changed[at] ?? 0) ^ (1 << below(8));
    return changed;
  },
  function setOctet(input, _other, { below, pick }) {
    const changed = Uint8Array.from(input);
    if (input.length > 0) changed[below(input.length)] = pick(OCTETS);
    return changed;
  },
  function insertNoise(input, _other, { below, bytes }) {
    const at = below(input.length + 1);
    return replaced(input, at, at, bytes(1 + below(6)));
  },
  function insertPiece(input, _other, { below, pick }) {
    const at = below(input.length + 1);
    return replaced(input, at, at, octetsOf(pick(PIECES)));
  },
  insertWord,
  insertWord,
  function takeOut(input, _other, rolls) {
    const [from, to] = stretch(input, rolls);
    return replaced(input, from, to, new Uint8Array());
  },
  function double(input, _other, rolls) {
    const [from, to] = stretch(input, rolls);
    return replaced(input, to, to, input.subarray(from, to));
  },
  function move(input, _other, rolls) {
    const [from, to] = stretch(input, rolls);
    const piece = input.slice(from, to);
    const rest = replaced(input, from, to, new Uint8Array());
    const at = rolls.below(rest.length + 1);
    return replaced(rest, at, at, piece);
  },
  function splice(input, other, { below }) {
    return replaced(other, 0, below(other.length + 1), input.subarray(0, below(input.length + 1)));
  },
  function graft(input, other, rolls) {
    const [from, to] = stretch(other, rolls);
    const [begin, end] = stretch(input, rolls);
    return replaced(input, begin, end, other.subarray(from, to));
  },
  function changeNumber(input, _other, { below, pick }) {
    const begin = below(input.length + 1);
    const isDigit = (at: number) => (input[at] ?? 0) >= 0x30 && (input[at] ?? 0) <= 0x39;
    let from = begin;
    while (from < input.length && !isDigit(from)) from++;
    let to = from;
    while (to < input.length && isDigit(to)) to++;
    return replaced(input, from, to, octetsOf(pick(pick([NUMBERS, NUMBERS, LARGE_NUMBERS]))));
  },
];
