/** The page "Backups": what there is and where, what was proved; make one, prove one, restore one for a trial. */
import { type Static, Type as t } from "typebox";
import type { Phrase } from "../../i18n/phrase.ts";
import { type AdminOutcome, done } from "../../operations/refusal.ts";
import type { WorkView } from "../../operations/work-desk.ts";
import {
  type BackupOverview,
  type BackupStanding,
  backupOverview,
  beginBackup,
  beginDrill,
  beginVerifying,
} from "../../upkeep/backup/backup-overview.ts";
import type { Asked } from "./asked.ts";
import { route } from "./route.ts";

const BACKUP = t.Object({ file: t.String({ minLength: 1, maxLength: 1000 }) });

type Standing = Omit<BackupStanding, "failure"> & { readonly failure: string | null };
type Drill = Omit<NonNullable<BackupOverview["last_drill"]>, "failure"> & { readonly failure: string | null };
/** Work as the page shows it. */
type WorkShown = Omit<WorkView, "failure"> & { readonly failure: string | null };

/** The same in the words of whoever looks. */
type BackupsPage = Omit<BackupOverview, "backups" | "last_drill" | "work"> & {
  readonly backups: readonly Standing[];
  readonly last_drill: Drill | null;
  readonly work: WorkShown | null;
};

function backupsPage(asked: Asked): AdminOutcome<BackupsPage> {
  const { context, inTheirWords } = asked;
  const found = backupOverview(context);
  if (!found.ok) return found;
  const told = (words: Phrase | null) => words && inTheirWords(words);
  const { backups, last_drill: drill, work, ...rest } = found.value;
  return done({
    ...rest,
    backups: backups.map((backup) => ({ ...backup, failure: told(backup.failure) })),
    last_drill: drill && { ...drill, failure: told(drill.failure) },
    work: work && workShown(asked, work),
  });
}

function workShown({ inTheirWords }: Asked, work: WorkView): WorkShown {
  return { ...work, failure: work.failure && inTheirWords(work.failure) };
}

/** How far what goes on is: asked once a second, so it opens no file. */
function workPage(asked: Asked): AdminOutcome<{ readonly work: WorkShown | null }> {
  const work = asked.context.server?.works?.standing() ?? null;
  return done({ work: work && workShown(asked, work) });
}

export const BACKUP_ROUTES = {
  "GET /backups": route({ operation: "backups.read" }, backupsPage),
  "GET /backups/work": route({ operation: "backups.read" }, workPage),
  "POST /backups": route({ operation: "backups.change" }, ({ context }) => beginBackup(context)),
  "POST /backups/verify": route(
    { operation: "backups.change", body: BACKUP },
    ({ context }, { body }: { readonly body: Static<typeof BACKUP> }) => beginVerifying(context, body.file),
  ),
  "POST /backups/drill": route({ operation: "backups.change" }, ({ context }) => beginDrill(context)),
};
