/** Signing secrets must be readable to sign, so they lie in the database sealed (`store/seal.ts`). */
import { join } from "node:path";
import type { Chance } from "../base/chance.ts";
import { type Seal, sealWith } from "../store/seal.ts";

export const KEY_FILE = "webhook-secrets.key";

/** The seal of a data directory. */
export function sealIn(directory: string, chance: Chance): Seal {
  return sealWith(join(directory, KEY_FILE), chance);
}
