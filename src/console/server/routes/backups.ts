/** The page "Backups": what there is and where, what was proved; make one, prove one, restore one for a trial. */
import { done } from "../../../admin/operations/refusal.ts";
import { BACKUP_WORKS, backupOverview } from "../../../ops/backup/backup-overview.ts";
import { type PageContext, told } from "./asked.ts";
import { operationRoutes } from "./doing.ts";
import { route } from "./route.ts";

/** How far what goes on is: asked once a second, so it opens no file. */
function workPage(asked: PageContext) {
  return told(asked, done({ work: asked.context.server?.works?.standing() ?? null }));
}

export const BACKUP_ROUTES = {
  "GET /backups": route({ operation: "backups.read" }, (asked) => told(asked, backupOverview(asked.context))),
  "GET /backups/work": route({ operation: "backups.read" }, workPage),
  ...operationRoutes({
    "POST /backups": BACKUP_WORKS["begin backup"],
    "POST /backups/verify": BACKUP_WORKS["begin verifying"],
    "POST /backups/drill": BACKUP_WORKS["begin drill"],
  }),
};
