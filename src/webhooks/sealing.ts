/** Signing secrets must be readable to sign, so they lie in the database sealed (`db/seal.ts`). */
import { join } from "node:path";
import type { Chance } from "../core/chance.ts";
import { type Seal, sealWith } from "../db/seal.ts";

export const KEY_FILE = "webhook-secrets.key";

/** The seal of a data directory. */
export function openSecretSeal(directory: string, chance: Chance): Seal {
  return sealWith(join(directory, KEY_FILE), chance);
}
