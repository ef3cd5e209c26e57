/** Second factors must be readable to compare codes, so they lie in the database sealed (`db/seal.ts`), each for its login. */
import { join } from "node:path";
import type { Chance } from "../../core/chance.ts";
import type { Reader } from "../../db/read.ts";
import { type Seal, sealWith } from "../../db/seal.ts";

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
