/** API keys that expire soon, or did lately: without a new key their programs are refused from one request to the next. Pure. */
import type { KeyView } from "../../admin/operations/keys.ts";

const DAY_MS = 86_400_000;
/** How long before and after its expiry a key is reported. */
export const KEY_EXPIRY_NOTICE_MS = 14 * DAY_MS;

type ExpiringKey = {
  readonly key_id: string;
  readonly name: string;
  readonly ends_at: string;
  readonly is_over: boolean;
};

type Key = Pick<KeyView, "key_id" | "name" | "expires_at" | "revoked_at">;

/** The keys to report, the first to expire first. Revoked keys are left out: whoever revoked them knows of it. */
export function findExpiringKeys(keys: readonly Key[], nowMs: number): readonly ExpiringKey[] {
  return keys
    .flatMap(({ key_id, name, expires_at: ends_at, revoked_at }): ExpiringKey[] => {
      if (ends_at === null || revoked_at !== null) return [];
      const leftMs = Date.parse(ends_at) - nowMs;
      return Math.abs(leftMs) > KEY_EXPIRY_NOTICE_MS ? [] : [{ key_id, name, ends_at, is_over: leftMs <= 0 }];
    })
    .toSorted((a, b) => a.ends_at.localeCompare(b.ends_at));
}
