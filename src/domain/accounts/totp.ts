/** Codes that an authenticator shows (RFC 6238): six digits, 30 seconds, SHA-1, as all of them take. */
import { Secret, TOTP } from "otpauth";

const STEP_MS = 30_000;
/** A code of the step before and after is taken too: clocks of telephones differ. */
const WINDOW = 1;

/** Octets as authenticators take a secret. */
export function base32(octets: Uint8Array): string {
  return new Secret({ buffer: new Uint8Array(octets).buffer }).base32;
}

function totpOf(secret: string, label: string): TOTP {
  return new TOTP({ issuer: "Bendre", label, algorithm: "SHA1", digits: 6, period: 30, secret });
}

/** What an authenticator reads from a picture. */
export function totpUri(secret: string, login: string): string {
  return totpOf(secret, login).toString();
}

/** The step of time whose code this is; null where it is none that counts now. */
export function stepOfCode(secret: string, code: string, nowMs: number): number | null {
  const token = code.replaceAll(/\s/g, "");
  if (!/^\d{6}$/.test(token)) return null;
  const delta = totpOf(secret, "").validate({ token, timestamp: nowMs, window: WINDOW });
  return delta === null ? null : Math.floor(nowMs / STEP_MS) + delta;
}

/** The code of an instant. */
export function codeAt(secret: string, nowMs: number): string {
  return totpOf(secret, "").generate({ timestamp: nowMs });
}
