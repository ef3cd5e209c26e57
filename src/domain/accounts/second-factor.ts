/** Codes that an authenticator shows (RFC 6238): six digits, 30 seconds, SHA-1, as all of them take. */

import { join } from "node:path";
import { Secret, TOTP } from "otpauth";
import type { Chance } from "../../core/chance.ts";
import { type Seal, sealWith } from "../../db/data-keys.ts";
import type { Reader } from "../../db/reader.ts";
import type { Tx } from "../../db/writer.ts";
import type { LinkView } from "./link-view.ts";
import { hashOfSecret } from "./sessions.ts";

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
function totpUri(secret: string, login: string): string {
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
export function deriveCode(secret: string, nowMs: number): string {
  return totpOf(secret, "").generate({ timestamp: nowMs });
}

// Second factors must be readable to compare codes, so they lie in the database sealed (`db/data-keys.ts`), each for its login.

export const FACTORS_KEY_FILE = "second-factors.key";

/** Seals and opens second factors, which stand as base64 of what was sealed. */
export type FactorSeal = {
  /** @throws the runtime's error where the key file cannot be made. */
  readonly close: (factor: string, login: string) => string;
  /** Null: sealed with another key, or for another login. */
  readonly open: (sealed: string, login: string) => string | null;
};

/** The seal of a data directory: its key file is made with the first second factor. */
export function factorSeal(directory: string, chance: Chance): FactorSeal {
  const seal = sealWith(join(directory, FACTORS_KEY_FILE), chance);
  return {
    close: (factor, login) => Buffer.from(seal.close(Buffer.from(factor), login)).toString("base64"),
    open: (sealed, login) => opened(seal, sealed, login),
  };
}

function opened(seal: Pick<Seal, "open">, sealed: string, login: string): string | null {
  const plain = seal.open(Buffer.from(sealed, "base64"), login);
  return plain && Buffer.from(plain).toString();
}

/** How many users have a second factor that does not open. Reads all: for a check of a copy. */
export function countUnreadableFactors(read: Reader, seal: Pick<Seal, "open">): number {
  return read
    .all<{ login: string; sealed: string }>(
      "SELECT login, totp_secret AS sealed FROM users WHERE totp_secret IS NOT NULL ORDER BY id",
    )
    .filter(({ login, sealed }) => opened(seal, sealed, login) === null).length;
}

const CODES = 10;
/** 80 bits: a plain hash of as much chance cannot be tried out. */
const CODE_OCTETS = 10;

/** Draws new codes in place of those before. Each stands in for the second factor once. */
export function generateRecoveryCodes(tx: Tx, chance: Chance, userId: number): string[] {
  dropRecoveryCodes(tx, userId);
  return Array.from({ length: CODES }, () => {
    const code = base32(chance.bytes(CODE_OCTETS));
    tx.insert(
      "INSERT INTO user_recovery_codes (user_id, code_hash) VALUES (?, ?)",
      userId,
      hashOfSecret(code),
    );
    return code.match(/.{4}/g)?.join("-") ?? code;
  });
}

/** Uses a code up; false where it is none of this user's. */
export function useRecoveryCode(tx: Tx, userId: number, typed: string): boolean {
  const code = typed.replaceAll(/[\s-]/g, "").toUpperCase();
  return (
    tx.run(
      "DELETE FROM user_recovery_codes WHERE user_id = ? AND code_hash = ?",
      userId,
      hashOfSecret(code),
    ) === 1
  );
}

export function dropRecoveryCodes(tx: Tx, userId: number): void {
  tx.run("DELETE FROM user_recovery_codes WHERE user_id = ?", userId);
}

// A second factor before it is in an authenticator: drawn, shown, and kept nowhere until it comes back with a code of its own. What brings
// it back is sealed, so that nobody proposes one of their making, and nobody reads it again from where it was asked for.

const FACTOR_OCTETS = 20;

/** A second factor to be put into an authenticator; `proposal` brings it back. */
export type ProposedFactor = { readonly proposal: string; readonly totp: LinkView["totp"] };

type ProposedFor = {
  /** Only what was proposed under a label opens under it. */
  readonly label: string;
  /** What an authenticator shows beside the codes. */
  readonly name: string;
  readonly untilMs: number;
};

/** Draws a second factor. Changes nothing. @throws the runtime's error where the key file cannot be made. */
export function generateFactor(
  { chance, factors }: { readonly chance: Chance; readonly factors: FactorSeal },
  { label, name, untilMs }: ProposedFor,
): ProposedFactor {
  const secretBase32 = base32(chance.bytes(FACTOR_OCTETS));
  return {
    proposal: factors.close(`${untilMs} ${secretBase32}`, label),
    totp: { uri: totpUri(secretBase32, name), secretBase32 },
  };
}

/** The second factor that a proposal brings back; null where it was proposed for something else, or too long ago. */
export function openProposal(
  factors: Pick<FactorSeal, "open">,
  proposal: string,
  label: string,
  nowMs: number,
): string | null {
  const [untilMs, secret] = (factors.open(proposal, label) ?? "").split(" ");
  return secret === undefined || Number(untilMs) <= nowMs ? null : secret;
}
