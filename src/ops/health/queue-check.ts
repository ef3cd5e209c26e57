import type { Clock } from "../../core/clock.ts";
import { type HealthCheck, well } from "../../core/health.ts";
import type { Reader } from "../../db/read.ts";
import { accountById } from "../../domain/accounts/accounts.ts";
import { oldestWaiting } from "../../domain/messages/oldest-waiting.ts";
import { phrase } from "../../i18n/phrase.ts";

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
      if (late.length === 0) return well(phrase("health.queue"));
      return {
        status: "degraded",
        detail: phrase("health.queue.late", {
          parts: late.map(({ messageClass, sinceMs }) =>
            phrase("health.queue.late.class", {
              message_class: messageClass,
              seconds: Math.floor((nowMs - sinceMs) / 1000),
              since: sinceMs,
            }),
          ),
        }),
        action: phrase("health.queue.late.action"),
        sinceMs: Math.min(...late.map(({ sinceMs }) => sinceMs)),
      };
    },
  };
}
