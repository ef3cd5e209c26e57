/**
 * What keeps the appliance well: what `GET /health` looks at, the watch over the clock, the nightly check, and the surveys that
 * `config check` makes of a directory and a database.
 *
 * A check is one file in `health/` and one line below. It looks, within milliseconds, and changes nothing but the readiness.
 */

import type { Settings } from "../../config/in-force.ts";
import type { Clock } from "../../core/clock.ts";
import type { HealthCheck } from "../../core/health.ts";
import type { Log } from "../../core/log.ts";
import type { Readiness } from "../../core/readiness.ts";
import type { Store } from "../../db/store.ts";
import type { Delivery } from "../../dispatch/delivery.ts";
import type { NightlyBackup } from "../backup/nightly-backup.ts";
import type { DiskRoom } from "../disk-room.ts";
import { alarmsCheck } from "./alarms-check.ts";
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
  readonly room: Pick<DiskRoom, "measure">;
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
