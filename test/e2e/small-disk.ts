import { mkdirSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { scratch } from "./executable.ts";

/** A disk of its own in memory, which can be filled up. */
export type SmallDisk = {
  readonly path: string;
  /** Fills it but for so many bytes. */
  readonly fillBut: (bytes: number) => void;
  readonly makeRoom: () => void;
  readonly remove: () => void;
};

/** Mounts a disk of so many MiB; null where that is not allowed, which takes root, and is said. */
export function smallDisk(mib: number): SmallDisk | null {
  const place = scratch();
  const path = join(place.path, "disk");
  mkdirSync(path);
  const mounted = Bun.spawnSync(["mount", "-t", "tmpfs", "-o", `size=${mib}m`, "bendre", path]);
  if (mounted.exitCode !== 0) {
    process.stderr.write(`SKIPPED: a small disk cannot be mounted here: ${mounted.stderr.toString()}`);
    place.remove();
    return null;
  }
  const filler = join(path, "filler");
  return {
    path,
    fillBut: (bytes) => {
      const { bavail, bsize } = statfsSync(path);
      writeFileSync(filler, Buffer.alloc(Math.max(0, bavail * bsize - bytes)));
    },
    makeRoom: () => rmSync(filler),
    remove: () => {
      Bun.spawnSync(["umount", "-l", path]);
      place.remove();
    },
  };
}
