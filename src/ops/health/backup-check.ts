import type { Clock } from "../../core/clock.ts";
import { type Finding, type HealthCheck, well } from "../../core/health.ts";
import { readCreatedAtMs } from "../../db/born.ts";
import type { Reader } from "../../db/read.ts";
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import { lastDrill, newestBackup } from "../backup/backup-rows.ts";
import type { NightlyBackupStatus } from "../backup/nightly-backup.ts";

/** A backup is made every night: 24 hours after the one before, 25 where the clocks go back, and it takes its time. */
const OLDEST_BACKUP_MS = 26 * 3_600_000;

/** Whether there is a backup of last night, and whether the last trial of one found it sound. */
export function backupCheck(read: Reader, clock: Clock, standing: () => NightlyBackupStatus): HealthCheck {
  const bornMs = readCreatedAtMs(read);
  return {
    name: "backup",
    look: () => {
      const newest = newestBackup(read);
      const made = newest
        ? phrase("health.backup", { made: newest.madeAtMs })
        : phrase("health.backup.not_yet");
      const { failure } = standing();
      if (failure !== null) return bad(phrase("health.backup.failed", { newest: made, failure }), MAKE_ONE);
      if (clock.nowMs() - (newest?.madeAtMs ?? bornMs) > OLDEST_BACKUP_MS) {
        return bad(phrase("health.backup.missing", { newest: made }), MAKE_ONE);
      }
      const drill = lastDrill(read);
      if (drill?.failure) {
        const detail = phrase("health.backup.trial_failed", {
          newest: made,
          at: drill.drilledAtMs ?? drill.madeAtMs,
          failure: drill.failure,
        });
        return bad(detail, phrase("health.backup.trial_failed.action"), drill.drilledAtMs);
      }
      if (!drill?.drilledAtMs) return well(made);
      const at = drill.drilledAtMs;
      return well(
        newest
          ? phrase("health.backup.tried", { made: newest.madeAtMs, at })
          : phrase("health.backup.not_yet_tried", { at }),
      );
    },
  };
}

const MAKE_ONE = phrase("health.backup.action");

function bad(detail: Phrase, action: Phrase, sinceMs: number | null = null): Finding {
  return { status: "degraded", detail, action, sinceMs };
}
