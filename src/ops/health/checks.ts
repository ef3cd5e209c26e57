/**
 * What keeps the appliance well: what `GET /health` looks at, the watch over the clock, the nightly check, and the surveys that
 * `config check` makes of a directory and a database.
 *
 * A check is one file in `health/` and one line below. It looks, within milliseconds, and changes nothing but the readiness.
 */
import type { Settings } from "../../config/in-force.ts";
import type { Clock } from "../../core/clock.ts";
import { type HealthCheck, well } from "../../core/health.ts";
import type { Log } from "../../core/log.ts";
import type { Readiness } from "../../core/readiness.ts";
import type { Reader } from "../../db/read.ts";
import type { Store } from "../../db/store.ts";
import type { Delivery } from "../../dispatch/delivery.ts";
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import { type AlertView, toAlertViews } from "../alerts/alarm-commands.ts";
import type { NightlyBackup } from "../backup/nightly-backup.ts";
import type { DiskMonitor } from "../disk-room.ts";
import { backupCheck } from "./backup-check.ts";
import { booksCheck } from "./books-check.ts";
import { certificatesCheck } from "./certificates-check.ts";
import { clockCheck } from "./clock-check.ts";
import { databaseCheck } from "./database-check.ts";
import { diskCheck } from "./disk-check.ts";
import { operatorsCheck } from "./operators-check.ts";
import { queueCheck } from "./queue-check.ts";
import { webhooksCheck } from "./webhooks-check.ts";

export type HealthDeps = {
  readonly settings: Settings;
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly room: Pick<DiskMonitor, "measure">;
  readonly readiness: Readiness;
  readonly delivery: Pick<Delivery, "status" | "waitingElsewhere">;
  /** The PEM text of a file. @throws what the system says of one that cannot be read. */
  readonly readPem: (path: string) => string | null;
  readonly backup: Pick<NightlyBackup, "standing">;
};

/** What `GET /health` looks at, in the order that it tells of. A new check is a line here. */
export function healthChecks(deps: HealthDeps): HealthCheck[] {
  const { settings, store, clock, log, room, readiness, delivery, readPem } = deps;
  return [
    operatorsCheck(delivery.status, delivery.waitingElsewhere),
    queueCheck(store.read, clock),
    databaseCheck({ store, clock, log, readiness }),
    diskCheck(room),
    clockCheck(clock),
    booksCheck(store.read, clock),
    certificatesCheck(settings, clock, readPem),
    backupCheck(store.read, clock, deps.backup.standing),
    webhooksCheck(store.read),
    alarmsCheck(store.read, clock),
  ];
}

/** What is somebody else's to mend makes the appliance no less well. */
const OF_CUSTOMERS: ReadonlySet<string> = new Set(["wallet_low", "endpoint"]);

/** Which alarms last. Those of customers and those that are silenced are told, and degrade nothing. */
function alarmsCheck(read: Reader, clock: Clock): HealthCheck {
  return {
    name: "alarms",
    look: () => {
      const lasting = toAlertViews(read, clock.nowMs()).filter(({ since }) => since !== null);
      if (lasting.length === 0) return well(phrase("health.alarms"));
      const grave = lasting.filter(({ rule, state }) => state === "firing" && !OF_CUSTOMERS.has(rule));
      const detail = phrase("health.alarms.firing", { alarms: lasting.map(alarmPhrase) });
      if (grave.length === 0) return well(detail);
      return { status: "degraded", detail, action: phrase("health.alarms.action") };
    },
  };
}

function alarmPhrase({ rule, subject, state }: AlertView): Phrase {
  const isSilenced = state === "silenced";
  if (subject === null) return phrase(isSilenced ? "health.alarm.silenced" : "health.alarm", { rule });
  return phrase(isSilenced ? "health.alarm.of.silenced" : "health.alarm.of", { rule, subject });
}
