/** Where an installation lies. `root` is in front of every path: packagers and tests put it elsewhere. */
import { join } from "node:path";

export type Layout = {
  readonly executable: string;
  readonly unit: string;
  /** The user, for systemd-sysusers(8). */
  readonly sysusers: string;
  readonly configDirectory: string;
  readonly config: string;
  readonly environment: string;
  readonly data: string;
  /** What a package of the system brings, and this must not stand over. */
  readonly packagedUnit: string;
};

export function layoutBelow(root: string): Layout {
  const below = (path: string): string => join(root, path);
  return {
    executable: below("/usr/local/bin/bendre"),
    unit: below("/etc/systemd/system/bendre.service"),
    sysusers: below("/etc/sysusers.d/bendre.conf"),
    configDirectory: below("/etc/bendre"),
    config: below("/etc/bendre/config.toml"),
    environment: below("/etc/bendre/environment"),
    data: below("/var/lib/bendre"),
    packagedUnit: below("/usr/lib/systemd/system/bendre.service"),
  };
}
