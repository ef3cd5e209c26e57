/** The seller's logo: a picture in a file that `[seller] logo` names, checked by its content and not by its name. */
import { readFile, stat } from "node:fs/promises";
import { systemErrorCode } from "../core/log.ts";

/** The largest picture that is shown, in bytes. */
export const MAX_LOGO_BYTES = 262_144;

export type Logo = {
  readonly type: "image/png" | "image/svg+xml";
  readonly bytes: Uint8Array<ArrayBuffer>;
};

const PNG_SIGNATURE = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
/** How far into a file the root element of an SVG may begin, behind its prologue and comments. */
const PROLOGUE_BYTES = 2048;

/** Reads a logo; null where there is none, or what is there is too large or neither PNG nor SVG. @throws Error when the file cannot be read. */
export async function readLogo(path: string): Promise<Logo | null> {
  if (path === "" || (await stat(path)).size > MAX_LOGO_BYTES) return null;
  const bytes = new Uint8Array(await readFile(path));
  if (PNG_SIGNATURE.every((octet, place) => bytes[place] === octet)) return { type: "image/png", bytes };
  const begin = new TextDecoder().decode(bytes.subarray(0, PROLOGUE_BYTES));
  return /<svg[\s>]/.test(begin) ? { type: "image/svg+xml", bytes } : null;
}

/** The same, null also where the file went away or was closed to us since the configuration was read. */
export async function findLogo(path: string): Promise<Logo | null> {
  try {
    return await readLogo(path);
  } catch (error) {
    if (systemErrorCode(error) === "") throw error;
    return null;
  }
}
