import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { systemChance } from "../../../src/core/chance.ts";
import { freePort } from "../../../test/torture/free-port.ts";
import { configure } from "../configuration.ts";
import type { Chapter, Year } from "../year.ts";

/** The executable puts itself on the machine, and the administrator says who the operators are. */
export const install: Chapter = async (year) => {
  const { story, machine } = year;
  const { files } = (await machine.install()) as { files: { path: string; done: string }[] };
  story.saw(files.map(({ path, done }) => `${path.slice(machine.root.length)} ${done}`).join(", "));
  const modes = [
    "usr/local/bin/bendre",
    "etc/bendre/config.toml",
    "etc/bendre/environment",
    "var/lib/bendre",
  ];
  const found = modes.map((path) => (statSync(join(machine.root, path)).mode & 0o777).toString(8));
  story.promise(found.join() === "755,640,600,700", "passwords and data are read by nobody else", found);
  verifyUnit(year);
  const unwritten = await machine.tried("config", "check");
  story.promise(
    unwritten.exitCode === 1 && String(unwritten.error.detail).includes("ORANGE_SMPP_PASSWORD"),
    "a password that nobody has entered is named before anything starts",
    unwritten,
  );
  story.typed(machine.name, "nano /etc/bendre/config.toml /etc/bendre/environment");
  configure(year, await freePort(systemChance));
  const written = await machine.tried("config", "check");
  story.promise(written.exitCode === 0, "the configuration is right", written);
  const again = (await machine.install()) as { files: { path: string; done: string }[] };
  const changed = again.files.filter(({ done }) => done !== "kept" && done !== "unchanged");
  story.promise(changed.length === 0, "said again, it keeps what was edited", changed);
};

/** What systemd says of the unit, where it is there to be asked. */
function verifyUnit({ story, machine }: Year): void {
  const unit = join(machine.root, "etc/systemd/system/bendre.service");
  const text = readFileSync(unit, "utf8");
  story.promise(
    text.includes("NoNewPrivileges=yes") && text.includes("RestartPreventExitStatus=3"),
    "the service is confined, and does not start again where that cannot help",
  );
  if (Bun.which("systemd-analyze") === null) return;
  // Below the root there is no system, whose user and executable it would look for.
  story.typed(machine.name, "systemd-analyze security --offline=true bendre.service");
  const done = Bun.spawnSync(["systemd-analyze", "security", "--offline=true", unit]);
  const told = `${done.stdout}${done.stderr}`.trim().split("\n").at(-1) ?? "";
  story.saw(told);
  const exposure = Number(/: ([\d.]+) /.exec(told)?.[1]);
  story.promise(exposure < 3, "its exposure is small, says systemd", told);
}
