import type { Clock } from "../../base/clock.ts";
import { type HealthCheck, well } from "../../base/health.ts";
import type { Reader } from "../../store/read.ts";
import { alarmViews } from "../alarms/alarm-commands.ts";

/** What is somebody else's to mend makes the appliance no less well. */
const OF_CUSTOMERS: ReadonlySet<string> = new Set(["wallet_low", "endpoint"]);

/** Which alarms last. Those of customers and those that are silenced are told, and degrade nothing. */
export function alarmsCheck(read: Reader, clock: Clock): HealthCheck {
  return {
    name: "alarms",
    look: () => {
      const lasting = alarmViews(read, clock.nowMs()).filter(({ since }) => since !== null);
      if (lasting.length === 0) return well("none");
      const words = lasting.map(({ rule, subject, state }) =>
        [rule, ...(subject === null ? [] : [subject]), ...(state === "silenced" ? ["(silenced)"] : [])].join(
          " ",
        ),
      );
      const grave = lasting.filter(({ rule, state }) => state === "firing" && !OF_CUSTOMERS.has(rule));
      const detail = words.join("; ");
      if (grave.length === 0) return well(detail);
      return { status: "degraded", detail, action: '"alert list" says what to do about each' };
    },
  };
}
