import type { Clock } from "../../core/clock.ts";
import { type HealthCheck, well } from "../../core/health.ts";
import type { Reader } from "../../db/read.ts";
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import { type AlarmView, alarmViews } from "../alerts/alarm-commands.ts";

/** What is somebody else's to mend makes the appliance no less well. */
const OF_CUSTOMERS: ReadonlySet<string> = new Set(["wallet_low", "endpoint"]);

/** Which alarms last. Those of customers and those that are silenced are told, and degrade nothing. */
export function alarmsCheck(read: Reader, clock: Clock): HealthCheck {
  return {
    name: "alarms",
    look: () => {
      const lasting = alarmViews(read, clock.nowMs()).filter(({ since }) => since !== null);
      if (lasting.length === 0) return well(phrase("health.alarms"));
      const grave = lasting.filter(({ rule, state }) => state === "firing" && !OF_CUSTOMERS.has(rule));
      const detail = phrase("health.alarms.firing", { alarms: lasting.map(alarmPhrase) });
      if (grave.length === 0) return well(detail);
      return { status: "degraded", detail, action: phrase("health.alarms.action") };
    },
  };
}

function alarmPhrase({ rule, subject, state }: AlarmView): Phrase {
  const isSilenced = state === "silenced";
  if (subject === null) return phrase(isSilenced ? "health.alarm.silenced" : "health.alarm", { rule });
  return phrase(isSilenced ? "health.alarm.of.silenced" : "health.alarm.of", { rule, subject });
}
