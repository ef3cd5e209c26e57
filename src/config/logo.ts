/** The seller's logo: a picture in a file that `[seller] logo` names, checked by its content and not by its name. */
import { open, stat } from "node:fs/promises";
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

/** Why a file is no logo. */
export type NoLogo = "no regular file" | "too large" | "neither";

/** Reads a logo, or says why a file is none. @throws Error when the file cannot be read. */
export async function readLogo(path: string): Promise<Logo | NoLogo> {
  // A pipe and some devices have no end.
  if (!(await stat(path)).isFile()) return "no regular file";
  const bytes = await readBegin(path, MAX_LOGO_BYTES + 1);
  if (bytes.length > MAX_LOGO_BYTES) return "too large";
  if (PNG_SIGNATURE.every((octet, place) => bytes[place] === octet)) return { type: "image/png", bytes };
  const begin = new TextDecoder().decode(bytes.subarray(0, PROLOGUE_BYTES));
  return /<svg[\s>]/.test(begin) ? { type: "image/svg+xml", bytes } : "neither";
}

async function readBegin(path: string, octets: number): Promise<Uint8Array<ArrayBuffer>> {
  await using file = await open(path);
  const bytes = new Uint8Array(octets);
  let length = 0;
  while (length < octets) {
    const { bytesRead } = await file.read(bytes, length, octets - length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return bytes.slice(0, length);
}

/** The logo of a path; null where there is none, also where the file went away or was closed to us since the configuration was read. */
export async function findLogo(path: string): Promise<Logo | null> {
  if (path === "") return null;
  try {
    const logo = await readLogo(path);
    return typeof logo === "string" ? null : logo;
  } catch (error) {
    if (systemErrorCode(error) === "") throw error;
    return null;
  }
}
