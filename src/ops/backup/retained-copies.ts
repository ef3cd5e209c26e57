/** What beside the database holds what it held: backups, and data that a restore put aside. */
import { existsSync, readdirSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { AdminContext } from "../../admin/operations/context.ts";
import { dataErase, type RetainedCopy } from "../../admin/operations/erasure/number-data.ts";
import { operation } from "../../admin/operations/operation.ts";
import { MSISDN, YES } from "../../admin/operations/parameters.ts";
import { isoOrNull, isoUtc } from "../../core/clock.ts";
import { lastRestore } from "../../domain/messages/restore-holds.ts";
import { backupDirectory, hasTimestampName } from "./backup-file.ts";
import { allBackups } from "./backup-records.ts";

const DAY_MS = 86_400_000;

type Held = { readonly file: string; readonly madeAtMs: number; readonly untilMs: number | null };

/** All of it, the newest first, and until when it is there. No file of it is opened. */
function listRetainedCopies({
  store,
  config,
  clock,
}: Pick<AdminContext, "store" | "config" | "clock">): RetainedCopy[] {
  const known = new Map(allBackups(store.read).map(({ file, madeAtMs }) => [file, madeAtMs]));
  const restored = lastRestore(store.read);
  if (restored !== null && !known.has(restored.file)) known.set(restored.file, restored.madeAtMs);
  const directories = [backupDirectory(config), config.backup.copy_to].filter((each) => each !== "");
  const held: Held[] = directories.flatMap((directory) => {
    const files = filesIn(directory, (name) => name.endsWith(".db"), known);
    const kept = files.filter(({ file }) => hasTimestampName(basename(file)));
    return files.map((each) => {
      const rank = kept.indexOf(each);
      // One is made every night, and as many as are kept push the oldest out.
      const nights = Math.max(1, config.backup.keep - rank);
      return { ...each, untilMs: rank < 0 ? null : clock.nowMs() + nights * DAY_MS };
    });
  });
  for (const [file, madeAtMs] of known)
    if (!directories.includes(dirname(file)) && existsSync(file))
      held.push({ file, madeAtMs, untilMs: null });
  const { directory } = config.storage;
  const isAside = (name: string) => name.startsWith(`${basename(directory)}.replaced-`);
  held.push(...filesIn(dirname(directory), isAside, known).map((each) => ({ ...each, untilMs: null })));
  return held
    .sort((one, other) => other.madeAtMs - one.madeAtMs)
    .map(({ file, madeAtMs, untilMs }) => ({
      file,
      made_at: isoUtc(madeAtMs),
      until: isoOrNull(untilMs),
    }));
}

/** Entries of a directory, the newest first: of those that nothing is known of, when they were last written. */
function filesIn(
  directory: string,
  isMeant: (name: string) => boolean,
  known: ReadonlyMap<string, number>,
): Omit<Held, "untilMs">[] {
  if (!existsSync(directory)) return [];
  return readdirSync(directory)
    .filter(isMeant)
    .map((name) => join(directory, name))
    .map((file) => ({ file, madeAtMs: known.get(file) ?? Math.floor(statSync(file).mtimeMs) }))
    .sort((one, other) => other.madeAtMs - one.madeAtMs);
}

export const DATA_ERASE_OPERATIONS = {
  "data erase": operation({
    params: { msisdn: MSISDN, cancel: YES, new_key: YES },
    run: (context, { msisdn, cancel, new_key }) =>
      dataErase(context, {
        msisdn,
        isCancelling: cancel,
        isWithNewKey: new_key,
        listRetainedCopies: () => listRetainedCopies(context),
      }),
  }),
};
