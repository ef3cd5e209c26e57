/** The backup that is made before a database is migrated (docs/administration.md#upgrades). */
import { existsSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import type { AdminContext } from "../../admin/operations/context.ts";
import type { Chance } from "../../core/chance.ts";
import type { Clock } from "../../core/clock.ts";
import { version } from "../../core/version.ts";
import type { BeforeMigrating } from "../../db/connections.ts";
import { copyBytes } from "../../db/copy.ts";
import { StoreError } from "../../db/errors.ts";
import { phrase } from "../../i18n/phrase.ts";
import { backupDirectory } from "./backup-file.ts";
import { runBackupWork, SEAL_SEED_OCTETS } from "./backup-work.ts";
import { checkBackupSpace, listBackupFiles, readPassphrase } from "./backups.ts";

type BeforeUpgradeDeps = {
  readonly config: AdminContext["config"];
  readonly clock: Clock;
  readonly chance: Chance;
  readonly machine: Pick<AdminContext["machine"], "spaceOf">;
};

/** How many of them stay; the backups of the nights do not count. */
const KEPT = 2;
const NAME = /^before-\d+\.\d+\.\d+(-\d+)?\.db$/;

/**
 * Makes a backup of a database before it is migrated, so that the older executable can have it back. Nothing runs on it yet, so it is
 * made here and now. Without room for it nothing is written, and nothing is migrated.
 */
export function createUpgradeBackup({ config, clock, chance, machine }: BeforeUpgradeDeps): BeforeMigrating {
  return (directory, read) => {
    const into = backupDirectory(config);
    const full = checkBackupSpace({ config, machine }, into, copyBytes(read));
    if (full !== null) {
      throw new StoreError("unusable", phrase("backup.before_upgrade.no_room", { why: full }));
    }
    const file = freeName(into);
    const made = runBackupWork({
      kind: "create",
      directory,
      file,
      madeAtMs: clock.nowMs(),
      version: version(),
      passphrase: readPassphrase(config),
      seed: chance.bytes(SEAL_SEED_OCTETS),
    });
    if (made.kind !== "done") {
      const why = made.kind === "failed" ? made.why : phrase("backup.in_the_way");
      throw new StoreError("unusable", phrase("backup.before_upgrade.failed", { why }));
    }
    const all = listBackupFiles(into).filter(({ file: each }) => NAME.test(basename(each)));
    for (const { file: old } of all.slice(KEPT)) rmSync(old, { force: true });
    return { executable: version(), backup: file };
  };
}

/** `before-X.Y.Z.db`, and with a number where a start before this one came as far. */
function freeName(directory: string): string {
  for (let n = 1; ; n++) {
    const path = join(directory, `before-${version()}${n === 1 ? "" : `-${n}`}.db`);
    if (!existsSync(path)) return path;
  }
}
