/** A package for Debian and its kin. */
import { spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { sysusersText, unitText } from "../../src/ops/install/install.ts";

export type DebianAsked = {
  readonly executable: string;
  readonly example: string;
  readonly licences: string;
  readonly version: string;
  readonly architecture: "amd64" | "arm64";
  /** Seconds since 1970 that every file in it was last changed at. */
  readonly epoch: number;
  /** A directory to put it together in; it is emptied first. */
  readonly scratch: string;
  readonly file: string;
};

const AFTER = `#!/bin/sh
# Brings what a package may not overwrite; below another root (DPKG_ROOT) no user is made and nothing is started.
set -e
[ "$1" = configure ] || exit 0
root="$DPKG_ROOT"
own() {
  if [ -z "$root" ]; then chown "$1" "$2"; fi
}
if [ -z "$root" ] && ! getent passwd bendre >/dev/null; then
  systemd-sysusers bendre.conf 2>/dev/null || useradd --system --user-group --home-dir /var/lib/bendre --shell /usr/sbin/nologin bendre
fi
if [ ! -e "$root/etc/bendre/config.toml" ]; then
  (umask 077 && sed 's#^directory = "./data"$#directory = "/var/lib/bendre"#' "$root/usr/share/bendre/config.example.toml" >"$root/etc/bendre/config.toml")
  own root:bendre "$root/etc/bendre/config.toml"
  chmod 0640 "$root/etc/bendre/config.toml"
fi
if [ ! -e "$root/etc/bendre/environment" ]; then
  (umask 077 && echo '# Passwords that config.toml asks for as "\${NAME}", a line each: NAME=value' >"$root/etc/bendre/environment")
fi
if [ ! -e "$root/var/lib/bendre" ]; then
  mkdir -p "$root/var/lib"
  mkdir -m 0700 "$root/var/lib/bendre"
  own bendre:bendre "$root/var/lib/bendre"
fi
if [ -z "$root" ] && [ -d /run/systemd/system ]; then
  systemctl daemon-reload
  if [ -n "$2" ]; then systemctl try-restart bendre.service; fi
fi
if [ -z "$2" ]; then
  echo "Next: edit /etc/bendre/config.toml and /etc/bendre/environment, then: systemctl enable --now bendre"
fi
`;

const BEFORE_REMOVAL = `#!/bin/sh
set -e
if [ "$1" = remove ] && [ -z "$DPKG_ROOT" ] && [ -d /run/systemd/system ]; then
  systemctl disable --now bendre.service
fi
`;

const AFTER_REMOVAL = `#!/bin/sh
# Purged, the configuration goes. The data stay: they hold money.
set -e
if [ "$1" = purge ]; then
  rm -f "$DPKG_ROOT/etc/bendre/config.toml" "$DPKG_ROOT/etc/bendre/environment"
  rmdir "$DPKG_ROOT/etc/bendre" 2>/dev/null || true
fi
if [ -z "$DPKG_ROOT" ] && [ -d /run/systemd/system ]; then systemctl daemon-reload; fi
`;

/** Makes the package, the same to the octet from the same files. @throws what dpkg-deb says. */
export function debianPackage(asked: DebianAsked): void {
  const { scratch, epoch, file } = asked;
  rmSync(scratch, { recursive: true, force: true });
  const put = (path: string, mode: number, text: string): void => {
    const to = join(scratch, path);
    makeAbove(scratch, path);
    writeFileSync(to, text);
    chmodSync(to, mode);
  };
  put("DEBIAN/control", 0o644, control(asked));
  put("DEBIAN/postinst", 0o755, AFTER);
  put("DEBIAN/prerm", 0o755, BEFORE_REMOVAL);
  put("DEBIAN/postrm", 0o755, AFTER_REMOVAL);
  put("usr/lib/systemd/system/bendre.service", 0o644, unitText("/usr/bin/bendre", "bendre"));
  put("usr/lib/sysusers.d/bendre.conf", 0o644, sysusersText("bendre"));
  put("usr/share/bendre/config.example.toml", 0o644, asked.example);
  put("usr/share/doc/bendre/copyright", 0o644, asked.licences);
  makeAbove(scratch, "etc/bendre/config.toml");
  makeAbove(scratch, "usr/bin/bendre");
  copyFileSync(asked.executable, join(scratch, "usr/bin/bendre"));
  chmodSync(join(scratch, "usr/bin/bendre"), 0o755);
  const done = spawnSync("dpkg-deb", ["--root-owner-group", "-Zgzip", "-z9", "--build", scratch, file], {
    encoding: "utf8",
    env: { ...process.env, SOURCE_DATE_EPOCH: String(epoch) },
  });
  if (done.status !== 0) throw new Error(done.error?.message ?? done.stderr);
}

function control({ version, architecture }: DebianAsked): string {
  return `Package: bendre
Version: ${version}
Architecture: ${architecture}
Maintainer: Bendre <root@localhost>
Section: net
Priority: optional
Depends: libc6
Recommends: systemd
Description: bulk SMS appliance in one executable
 HTTP API in, SMPP out, receipts and money squared.
`;
}

/** The directories above a file, as a system has them, whatever the umask is. */
function makeAbove(scratch: string, path: string): void {
  let directory = scratch;
  for (const name of ["", ...dirname(path).split("/")]) {
    directory = join(directory, name);
    mkdirSync(directory, { recursive: true });
    chmodSync(directory, 0o755);
  }
}
