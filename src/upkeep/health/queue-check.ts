import { accountById } from "../../accounts/accounts.ts";
import { type Clock, isoUtc } from "../../base/clock.ts";
import { type HealthCheck, well } from "../../base/health.ts";
import { oldestWaiting } from "../../messages/oldest-waiting.ts";
import type { Reader } from "../../store/read.ts";

/** How long a message of a class may wait to leave before somebody should look. MARKETING waits for hours of its own. */
const PATIENCE_MS = [
  ["OTP", 60_000],
  ["TRANSACTIONAL", 900_000],
] as const;

/** Whether urgent messages leave in time. */
export function queueCheck(read: Reader, clock: Clock): HealthCheck {
  const look = oldestWaiting(read);
  return {
    name: "queue",
    look: () => {
      const suspended = new Map<number, boolean>();
      const isHeld = (accountId: number): boolean => {
        const known = suspended.get(accountId) ?? accountById(read, accountId)?.status === "SUSPENDED";
        suspended.set(accountId, known);
        return known;
      };
      const oldest = look(isHeld);
      const nowMs = clock.nowMs();
      const late = PATIENCE_MS.flatMap(([messageClass, patienceMs]) => {
        const sinceMs = oldest.get(messageClass);
        return sinceMs !== undefined && nowMs - sinceMs > patienceMs ? [{ messageClass, sinceMs }] : [];
      });
      if (late.length === 0) return well("nothing urgent waits for long");
      return {
        status: "degraded",
        detail: late
          .map(
            ({ messageClass, sinceMs }) =>
              `the oldest ${messageClass} waits for ${Math.floor((nowMs - sinceMs) / 1000)} s, since ${isoUtc(sinceMs)}`,
          )
          .join("; "),
        action: '"operator status" tells which operator is away or slow',
        sinceMs: Math.min(...late.map(({ sinceMs }) => sinceMs)),
      };
    },
  };
}
