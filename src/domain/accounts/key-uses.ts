/** When keys were last used: remembered with each request, written down now and then, so that no request waits for it. */
import type { Store } from "../../db/store.ts";
import type { Tx } from "../../db/write.ts";

/** Keys that one transaction writes down. */
const STEP = 250;

export type KeyUses = {
  /** A request came with the key of a row. */
  readonly note: (apiKeyId: number, nowMs: number) => void;
  /** The last use that is not written down yet; null: there is none. */
  readonly usedAtMs: (apiKeyId: number) => number | null;
  /** Writes down what was noted since, in steps. Nothing is written where no key was used. */
  readonly keep: (store: Pick<Store, "write">) => Promise<void>;
};

export function keyUses(): KeyUses {
  const noted = new Map<number, number>();
  return {
    note: (apiKeyId, nowMs) => {
      noted.set(apiKeyId, nowMs);
    },
    usedAtMs: (apiKeyId) => noted.get(apiKeyId) ?? null,
    keep: async ({ write }) => {
      while (noted.size > 0) {
        const step = [...noted].slice(0, STEP);
        await write((tx) => {
          for (const [id, atMs] of step) keepUse(tx, id, atMs);
        });
        // What was noted while this was written stays.
        for (const [id, atMs] of step) if (noted.get(id) === atMs) noted.delete(id);
      }
    },
  };
}

function keepUse(tx: Tx, apiKeyId: number, atMs: number): void {
  tx.run("UPDATE api_keys SET last_used_at = ? WHERE id = ?", atMs, apiKeyId);
}
