/** The directory of a run: configuration, data, logs, observations. */
import { mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TEST_AUTHORITY } from "../kit/certificates.ts";
import { tomlText } from "./toml-text.ts";

/** A disk of its own, which can be filled. */
export type Disk = { readonly fill: () => void; readonly empty: () => void };

export type Place = {
  readonly path: string;
  readonly data: string;
  readonly config: string;
  readonly log: string;
  readonly observations: string;
  /** Null where a file system may not be mounted. */
  readonly disk: Disk | null;
  readonly writeConfig: (document: Readonly<Record<string, unknown>>) => void;
  /** Whoever keeps it keeps the data too, moved off the disk that goes. */
  readonly close: (isKept: boolean) => void;
};

/** Room for the database of a long run, its log, and some more. */
const DISK_MIB = 3072;

/** Makes the directory; the certificate authority of the receivers lies in it. */
export function openPlace(): Place {
  const path = mkdtempSync(join(tmpdir(), "bendre-torture-"));
  const home = join(path, "disk");
  mkdirSync(home);
  const mounted = Bun.spawnSync(["mount", "-t", "tmpfs", "-o", `size=${DISK_MIB}m`, "bendre", home]);
  const isMounted = mounted.exitCode === 0;
  writeFileSync(join(path, "ca.pem"), TEST_AUTHORITY);
  const config = join(path, "config.toml");
  return {
    path,
    data: join(home, "data"),
    config,
    log: join(path, "appliance.log"),
    observations: join(path, "observations.jsonl"),
    disk: isMounted ? diskAt(home) : null,
    writeConfig: (document) => writeFileSync(config, tomlText(document)),
    close: (isKept) => {
      if (isKept && isMounted) Bun.spawnSync(["cp", "-r", join(home, "data"), join(path, "data")]);
      if (isMounted) Bun.spawnSync(["umount", "-l", home]);
      if (!isKept) rmSync(path, { recursive: true, force: true });
    },
  };
}

/** Made as small as what lies on it: that takes no time, whereas a filler would keep the machine busy. */
function diskAt(home: string): Disk {
  const resize = (size: string) => Bun.spawnSync(["mount", "-o", `remount,size=${size}`, home]);
  return {
    fill: () => {
      const { blocks, bfree, bsize } = statfsSync(home);
      resize(String((blocks - bfree) * bsize));
    },
    empty: () => resize(`${DISK_MIB}m`),
  };
}
