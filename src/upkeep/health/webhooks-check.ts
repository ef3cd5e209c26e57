import { type HealthCheck, well } from "../../base/health.ts";
import type { Reader } from "../../store/read.ts";
import { failingEndpoints } from "../../webhooks/insight.ts";

/** Whether endpoints take their events: one that failed three times in a row is asked only now and then. */
export function webhooksCheck(read: Reader): HealthCheck {
  return {
    name: "webhooks",
    look: () => {
      const { enabled, failing, first } = failingEndpoints(read);
      if (failing === 0) return well(`${enabled} endpoints, none failing`);
      return {
        status: "degraded",
        detail: `${failing} of ${enabled} endpoints fail again and again, ${first} among them`,
        action: `"webhook show ${first}" tells why`,
      };
    },
  };
}
