/** A recorded run, just made or kept from before: what a trial needs of it. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Files } from "./disk.ts";
import type { Medium } from "./fates.ts";
import { DISK, openLoggedDisk } from "./logged-disk.ts";
import { logOf, makePlace, type Place, placeAt } from "./recorded-appliance.ts";
import type { Told } from "./replay.ts";
import { type Load, recordRun } from "./scenario.ts";
import { type Fact, toldBy } from "./told.ts";
import { type Entry, readWriteLog } from "./write-log.ts";

export type Run = {
  readonly place: Place;
  readonly medium: Medium;
  readonly apiKey: string;
  /** What the disk held before. */
  readonly initial: Files;
  readonly entries: readonly Entry[];
  readonly told: readonly Told<Fact>[];
};

/** What is kept beside the log. */
type Kept = { readonly medium: Medium; readonly apiKey: string };

const keptIn = (path: string) => join(path, "run.json");
const initialIn = (path: string) => join(path, "initial");

/** Records a run of the executable under a load. */
export async function makeRun(executable: string, medium: Medium, load: Load): Promise<Run> {
  const made = makePlace();
  const disk = medium === "device" ? await openLoggedDisk(made.path, made.log) : null;
  // The disk below tells more than the recorder would: that one is left with what goes over sockets.
  const place = disk ? { ...made, data: disk.data, recorded: join(made.path, "nothing") } : made;
  const apiKey = await recordRun(executable, load, place).finally(() => disk?.close());
  const kept: Kept = { medium, apiKey };
  writeFileSync(keptIn(made.path), JSON.stringify(kept));
  if (disk) writeFileSync(initialIn(made.path), disk.initial.get(DISK) ?? "");
  return readRun(made.path);
}

/** A run that was kept. */
export function readRun(path: string): Run {
  const place = placeAt(path);
  const { medium, apiKey } = JSON.parse(readFileSync(keptIn(path), "utf8")) as Kept;
  const initial: Files = existsSync(initialIn(path))
    ? new Map([[DISK, readFileSync(initialIn(path))]])
    : new Map();
  const entries = readWriteLog(logOf(place), [...initial.keys()]);
  return { place, medium, apiKey, initial, entries, told: toldBy(entries) };
}
