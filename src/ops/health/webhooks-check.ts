import { type HealthCheck, well } from "../../core/health.ts";
import type { Reader } from "../../db/read.ts";
import { phrase } from "../../i18n/phrase.ts";
import { readFailingEndpoints } from "../../webhooks/insight.ts";

/** Whether endpoints take their events: one that failed three times in a row is asked only now and then. */
export function webhooksCheck(read: Reader): HealthCheck {
  return {
    name: "webhooks",
    look: () => {
      const { enabled, failing, first } = readFailingEndpoints(read);
      if (failing === 0) return well(phrase("health.webhooks", { count: enabled }));
      return {
        status: "degraded",
        detail: phrase("health.webhooks.failing", {
          failing,
          enabled,
          endpoint: first,
        }),
        action: phrase("health.webhooks.failing.action", { id: first }),
      };
    },
  };
}
