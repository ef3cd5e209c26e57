import type { Clock } from "../../core/clock.ts";
import { type HealthCheck, well } from "../../core/health.ts";
import { phrase } from "../../i18n/phrase.ts";
import { CLOCK_ACTION, describeClockDoubt } from "../clock-watch.ts";

/** Whether the machine's clock is believed. One that is not believed since the start keeps the appliance from being ready. */
export function clockCheck(clock: Pick<Clock, "doubt">): HealthCheck {
  return {
    name: "clock",
    look: () => {
      const doubt = clock.doubt();
      if (doubt === null) return well(phrase("health.clock"));
      return {
        status: doubt.kind === "jumped" ? "degraded" : "down",
        detail: describeClockDoubt(doubt),
        action: CLOCK_ACTION,
        sinceMs: doubt.sinceMs,
      };
    },
  };
}
