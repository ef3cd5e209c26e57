/**
 * A block device that writes down what is done to it, with a real file system on it: a file system of one file (FUSE,
 * logged-disk.c), over which a loop device lies. It needs Linux, root, /dev/fuse, loop devices, gcc and mkfs.ext4.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { going } from "../../scripts/rehearse/going.ts";
import type { Files } from "./disk.ts";
import type { Ground } from "./ground.ts";
import { judgeApart } from "./judge-apart.ts";

/** The name of the disk in the log. */
export const DISK = "disk";
const DISK_OCTETS = 32 * 1024 * 1024;
const TOOLS = ["gcc", "mkfs.ext4", "losetup", "mount", "umount", "truncate"];

/** Why there can be no such device on this machine; null where there can. */
export function whyNoDevice(): string | null {
  if (process.platform !== "linux") return "this is not Linux";
  if (process.geteuid?.() !== 0) return "only root can mount";
  for (const device of ["/dev/fuse", "/dev/loop-control"])
    if (!existsSync(device)) return `${device} is not there`;
  const missing = TOOLS.filter((tool) => pathOf(tool) === null);
  return missing.length === 0 ? null : `not installed: ${missing.join(", ")}`;
}

export type LoggedDisk = {
  /** The data directory on it, which nobody has made yet. */
  readonly data: string;
  /** What it held before anything was logged. */
  readonly initial: Files;
  readonly close: () => Promise<void>;
};

/** Makes a disk below `path`, formats it, and mounts it; what is done to it from now on is added to the log. */
export async function openLoggedDisk(path: string, log: string): Promise<LoggedDisk> {
  const [program, image] = [join(path, "logged-disk"), join(path, "image")];
  const [fuse, mounted] = [join(path, "fuse"), join(path, "mounted")];
  for (const directory of [fuse, mounted]) mkdirSync(directory);
  run("gcc", "-O2", "-o", program, join(import.meta.dir, "logged-disk.c"));
  run("truncate", "-s", String(DISK_OCTETS), image);
  run(
    ...(["mkfs.ext4", "-q", "-F", "-b", "4096", "-J", "size=4"] as const),
    ...["-E", "nodiscard,lazy_itable_init=0,lazy_journal_init=0", image],
  );
  const initial: Files = new Map([[DISK, readFileSync(image)]]);
  const server = going([program, fuse, image, log]);
  await server.line("serving");
  const device = run("losetup", "-f", "--show", join(fuse, DISK)).trim();
  run("mount", "-t", "ext4", device, mounted);
  return {
    data: join(mounted, "data"),
    initial,
    close: async () => {
      run("umount", mounted);
      run("losetup", "-d", device);
      run("umount", fuse);
      await server.stop();
    },
  };
}

/** Puts states of a disk below `path`: an image that is mounted, so that the file system mends itself first. */
export function deviceGround(path: string): Ground {
  const [image, mounted] = [join(path, "image"), join(path, "mounted")];
  mkdirSync(mounted, { recursive: true });
  return {
    data: join(mounted, "data"),
    put: (files) => {
      writeFileSync(image, files.get(DISK) ?? "");
      run("mount", "-t", "ext4", "-o", "loop", image, mounted);
    },
    judge: (promises) => judgeApart(join(mounted, "data"), promises),
    clear: () => {
      run("umount", mounted);
    },
  };
}

function pathOf(tool: string): string | null {
  return Bun.which(tool, { PATH: `${process.env.PATH}:/usr/sbin:/sbin` });
}

function run(tool: string, ...words: readonly string[]): string {
  const done = Bun.spawnSync([pathOf(tool) ?? tool, ...words]);
  if (done.exitCode !== 0) throw new Error(`${tool} ${words.join(" ")}: ${done.stderr.toString().trim()}`);
  return done.stdout.toString();
}
