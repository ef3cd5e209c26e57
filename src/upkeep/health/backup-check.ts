import { type Clock, isoUtc } from "../../base/clock.ts";
import { type Finding, type HealthCheck, well } from "../../base/health.ts";
import { bornAtMs } from "../../store/born.ts";
import type { Reader } from "../../store/read.ts";
import { lastDrill, newestBackup } from "../backup/backup-rows.ts";
import type { NightlyStanding } from "../backup/nightly-backup.ts";

/** A backup is made every night: 24 hours after the one before, 25 where the clocks go back, and it takes its time. */
const OLDEST_BACKUP_MS = 26 * 3_600_000;

/** Whether there is a backup of last night, and whether the last trial of one found it sound. */
export function backupCheck(read: Reader, clock: Clock, standing: () => NightlyStanding): HealthCheck {
  const bornMs = bornAtMs(read);
  return {
    name: "backup",
    look: () => {
      const newest = newestBackup(read);
      const made = newest ? `the newest is of ${isoUtc(newest.madeAtMs)}` : "none was made yet";
      const { failure } = standing();
      if (failure !== null) return bad(`${made}; last night's failed: ${failure}`, MAKE_ONE);
      if (clock.nowMs() - (newest?.madeAtMs ?? bornMs) > OLDEST_BACKUP_MS) {
        return bad(`${made}: last night's is missing`, MAKE_ONE);
      }
      const drill = lastDrill(read);
      const tried = drill?.drilledAtMs ? `; one was restored for a trial ${isoUtc(drill.drilledAtMs)}` : "";
      if (drill?.failure) {
        const detail = `${made}; its trial ${isoUtc(drill.drilledAtMs ?? drill.madeAtMs)} failed: ${drill.failure}`;
        return bad(detail, 'say "backup create" and "backup drill"', drill.drilledAtMs);
      }
      return well(`${made}${tried}`);
    },
  };
}

const MAKE_ONE = 'say "backup create": what it answers says what is in the way';

function bad(detail: string, action: string, sinceMs: number | null = null): Finding {
  return { status: "degraded", detail, action, sinceMs };
}
