import { accepted, type Outcome, refused } from "../base/failures.ts";
import { parseInPieces } from "./json-pieces.ts";
import { advanceScan, newScan } from "./json-scan.ts";

/** Asked between stretches of work: undefined to go on at once, else a promise of the event loop's next turn. */
export type Pause = () => Promise<void> | undefined;

/** Deeper JSON than this is an attack: a submission has four levels. */
export const MOST_NESTING = 32;

/** A body up to this size is worked through in one go, in about a millisecond. */
export const SMALL_BYTES = 65_536;

/** How much of a large body is worked through between two pauses. */
const STRETCH = 262_144;

/**
 * Parses a body. A large one is decoded, scanned and parsed in stretches with pauses in between, so that 100,000
 * recipients don't hold up everybody else; what is accepted, and the value, are those of JSON.parse.
 */
export function parseJson(bytes: Uint8Array, pause: Pause): Outcome<unknown> | Promise<Outcome<unknown>> {
  return bytes.byteLength <= SMALL_BYTES ? parseSmall(bytes) : parseLarge(bytes, pause);
}

function parseSmall(bytes: Uint8Array): Outcome<unknown> {
  const text = decoded(() => decoder.decode(bytes));
  if (text === null) return NOT_UTF8;
  const scan = newScan();
  advanceScan(scan, text, text.length, MOST_NESTING);
  if (scan.depth > MOST_NESTING) return TOO_DEEP;
  return parsed(() => JSON.parse(text));
}

async function parseLarge(bytes: Uint8Array, pause: Pause): Promise<Outcome<unknown>> {
  const text = await decodeInStretches(bytes, pause);
  if (text === null) return NOT_UTF8;
  const scan = newScan();
  while (scan.at < text.length) {
    advanceScan(scan, text, Math.min(text.length, scan.at + STRETCH), MOST_NESTING);
    if (scan.depth > MOST_NESTING) return TOO_DEEP;
    await pause();
  }
  if (!/^\s*\{/.test(text)) return refused("VALIDATION_FAILED", "the request body must be a JSON object");
  const { longest } = scan;
  if (longest === null) return parsed(() => JSON.parse(text));
  const value = await parseInPieces(text, longest, pause);
  return value === null ? NOT_JSON : accepted(value);
}

async function decodeInStretches(bytes: Uint8Array, pause: Pause): Promise<string | null> {
  const streaming = new TextDecoder("utf-8", { fatal: true });
  const pieces: string[] = [];
  for (let at = 0; at < bytes.byteLength; at += STRETCH) {
    const piece = decoded(() => streaming.decode(bytes.subarray(at, at + STRETCH), { stream: true }));
    if (piece === null) return null;
    pieces.push(piece);
    await pause();
  }
  const last = decoded(() => streaming.decode());
  return last === null ? null : pieces.join("") + last;
}

const decoder = new TextDecoder("utf-8", { fatal: true });

const NOT_UTF8 = refused("VALIDATION_FAILED", "the request body is not UTF-8");
const NOT_JSON = refused("VALIDATION_FAILED", "the request body is not JSON");
const TOO_DEEP = refused(
  "VALIDATION_FAILED",
  `the request body is nested more than ${MOST_NESTING} levels deep`,
);

/** Null when the bytes are not UTF-8: a fatal TextDecoder has no other way to say so than to throw. */
function decoded(decode: () => string): string | null {
  try {
    return decode();
  } catch {
    return null;
  }
}

function parsed(parse: () => unknown): Outcome<unknown> {
  try {
    return accepted(parse());
  } catch {
    return NOT_JSON;
  }
}
