/** Signing secrets of endpoints: the newest, and those it replaced for as long as they still verify. */

import { join } from "node:path";
import type { Chance } from "../core/chance.ts";
import { type Seal, sealWith } from "../db/data-keys.ts";
import type { Reader } from "../db/reader.ts";
import type { Tx } from "../db/writer.ts";

/** Standard Webhooks asks for 24 to 64 random octets. */
const SECRET_OCTETS = 32;
/** How long a replaced secret still verifies (docs/public-api.md section 8). */
const PREVIOUS_SECRET_MS = 24 * 3_600_000;
/** What marks a signing secret as one (Standard Webhooks, "Signature scheme"). */
const PREFIX = "whsec_";

/** A secret as its receiver is shown it: `whsec_` and the base64 of its key. */
export function secretText(key: Uint8Array): string {
  return `${PREFIX}${Buffer.from(key).toString("base64")}`;
}

/** Signatures on one event, and so secrets of one endpoint (docs/behaviour.md#signature). */
const MAX_SECRETS = 5;

/** Which endpoint's secret it is: its row, and its public id, which the sealed secret is bound to. */
type SecretOwner = { readonly id: number; readonly ulid: string };

/** Draws a new secret. Its key is drawn before the transaction, because the writer may run a job twice. */
export function drawSecret(chance: Chance, seal: Seal, ownerUlid: string): DrawnSecret {
  const key = chance.bytes(SECRET_OCTETS);
  return { text: secretText(key), sealed: seal.close(key, ownerUlid) };
}

type DrawnSecret = {
  /** Shown to its receiver once, and kept nowhere. */
  readonly text: string;
  readonly sealed: Uint8Array;
};

/**
 * Gives an endpoint a new secret. The one it replaces verifies for another 24 hours: when that ends, or null when there
 * was none.
 */
export function issueSecret(tx: Tx, owner: SecretOwner, drawn: DrawnSecret, nowMs: number): number | null {
  const previousUntilMs = nowMs + PREVIOUS_SECRET_MS;
  const replaced = tx.run(
    "UPDATE webhook_secrets SET expires_at = ? WHERE endpoint_id = ? AND expires_at IS NULL",
    previousUntilMs,
    owner.id,
  );
  tx.insert(
    "INSERT INTO webhook_secrets (endpoint_id, sealed, created_at) VALUES (?, ?, ?)",
    owner.id,
    drawn.sealed,
    nowMs,
  );
  tx.run(
    `DELETE FROM webhook_secrets WHERE endpoint_id = ?1 AND (expires_at <= ?2 OR id NOT IN
       (SELECT id FROM webhook_secrets WHERE endpoint_id = ?1 ORDER BY id DESC LIMIT ?3))`,
    owner.id,
    nowMs,
    MAX_SECRETS,
  );
  return replaced > 0 ? previousUntilMs : null;
}

/** A secret that may sign, until it expires. */
export type SigningKey = { readonly key: Uint8Array; readonly expiresAtMs: number };

/**
 * The endpoint's secrets, the newest first; null when the newest cannot be opened, so that its receiver could not verify.
 * An older one that cannot is left out: rotating is the way back from a lost key file.
 */
export function readSigningKeys(
  read: Reader,
  seal: Pick<Seal, "open">,
  owner: SecretOwner,
): readonly SigningKey[] | null {
  const rows = read.all<{ sealed: Uint8Array; expiresAt: number | null }>(
    "SELECT sealed, expires_at AS expiresAt FROM webhook_secrets WHERE endpoint_id = ? ORDER BY id DESC",
    owner.id,
  );
  const keys: SigningKey[] = [];
  for (const { sealed, expiresAt } of rows) {
    const key = seal.open(sealed, owner.ulid);
    if (key) keys.push({ key, expiresAtMs: expiresAt ?? Number.POSITIVE_INFINITY });
    else if (expiresAt === null) return null;
  }
  return keys;
}

/** How many endpoints there are, and how many of them have a newest secret that cannot be opened. Reads all: for a check of a copy. */
export function countSecrets(
  read: Reader,
  seal: Pick<Seal, "open">,
): { readonly endpoints: number; readonly unreadable: number } {
  const owners = read.all<SecretOwner>("SELECT id, ulid FROM webhook_endpoints ORDER BY id");
  const unreadable = owners.filter((owner) => readSigningKeys(read, seal, owner) === null).length;
  return { endpoints: owners.length, unreadable };
}

// Signing secrets must be readable to sign, so the database holds them sealed (`db/data-keys.ts`).

export const KEY_FILE = "webhook-secrets.key";

/** Opens the seal for secrets of a data directory. */
export function openSecretSeal(directory: string, chance: Chance): Seal {
  return sealWith(join(directory, KEY_FILE), chance);
}
