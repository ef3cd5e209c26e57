/** All commands of the executable: those of the administration, and its own. */
import type { AdminCommand } from "../admin/command.ts";
import { ADMIN_COMMANDS } from "../admin/commands.ts";
import { BACKUP_RESTORE } from "./backup-restore.ts";
import { completionCommands } from "./completion.ts";
import { CONFIG_CHECK } from "./config-check.ts";
import { CONFIG_MANUAL } from "./config-manual.ts";
import { DOCTOR } from "./doctor.ts";
import { INSTALL } from "./install.ts";
import { LICENCES } from "./licences.ts";
import type { LocalCommand } from "./local-command.ts";
import { LONG_RUNNING_COMMANDS } from "./long-running.ts";
import { METRICS_COMMANDS } from "./metrics.ts";

export type CliCommand = LocalCommand | (AdminCommand & { readonly kind: "admin" });

/** Every command of the executable, in the order that help lists them. */
export const COMMANDS: readonly CliCommand[] = [
  ...LONG_RUNNING_COMMANDS,
  INSTALL,
  LICENCES,
  ...completionCommands(() => COMMANDS),
  CONFIG_CHECK,
  CONFIG_MANUAL,
  DOCTOR,
  BACKUP_RESTORE,
  ...METRICS_COMMANDS,
  ...ADMIN_COMMANDS.map((command) => ({ ...command, kind: "admin" as const })),
];
