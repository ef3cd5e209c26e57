/** The configuration, the files of the data, and the room on their disk. */
import { errorText } from "../../base/log.ts";
import type { UnsetVariable } from "../../config/environment.ts";
import type { LoadedConfig } from "../../config/load-config.ts";
import type { DirectorySurvey } from "../directory-survey.ts";
import { levelOf, megabytes, type SpaceOf } from "../disk-room.ts";
import { type DoctorCheck, fails, sound, warns } from "./doctor-check.ts";

/** A variable that is not set is a warning: whoever looks need not have the server's secrets. */
export function configurationCheck(path: string, loaded: LoadedConfig): DoctorCheck {
  const name = "configuration";
  if (!loaded.ok)
    return fails(name, loaded.lines.join("; "), 'mend the file: "config check" tells every fault');
  if (loaded.unset.length > 0)
    return warns(
      name,
      `${path} asks for variables that are not set here: ${variables(loaded.unset)}`,
      "set them for the server: of a service they stand in /etc/bendre/environment",
    );
  return sound(name, `${path} is fine: ${Object.keys(loaded.config.operators).length} operator(s)`);
}

function variables(unset: readonly UnsetVariable[]): string {
  return [...new Set(unset.map(({ variable }) => variable))].join(", ");
}

/** `mode`: of the configuration file; null where it could not be looked at. */
export function configurationFileCheck(path: string, mode: number | null): DoctorCheck {
  const name = "configuration file";
  if (mode === null) return fails(name, `${path} cannot be looked at`, "name the file with --config");
  const shown = (mode & 0o777).toString(8).padStart(4, "0");
  if ((mode & 0o022) !== 0)
    return fails(name, `${path} can be changed by other users (mode ${shown})`, "chmod 640");
  if ((mode & 0o004) !== 0)
    return warns(name, `${path} can be read by every user (mode ${shown})`, "chmod 640");
  return sound(name, `${path} is its owner's (mode ${shown})`);
}

const BARS_THE_SERVER: ReadonlySet<string> = new Set(["DIRECTORY_UNREADABLE", "DIRECTORY_NOT_WRITABLE"]);

/** Owner and mode of the data directory and of what is in it. */
export function filesCheck(directory: string, { state, warnings }: DirectorySurvey): DoctorCheck {
  const name = "files";
  const detail = warnings.map((warning) => warning.detail).join("; ");
  if (warnings.some(({ code }) => BARS_THE_SERVER.has(code)))
    return fails(
      name,
      detail,
      "give the data to the user that the server runs as, and say this as that user",
    );
  if (warnings.length > 0) return warns(name, detail, "chmod and chown as it says");
  if (state === "not there yet") return sound(name, `${directory} is made at the first start`);
  return sound(name, `${directory} is its owner's alone`);
}

/** What the disk of a directory has left against the reserve. */
export function spaceCheck(directory: string, spaceOf: SpaceOf, reserveMegabytes: number): DoctorCheck {
  const name = "space";
  const action = "make room, or move the data to a larger disk";
  let space: ReturnType<SpaceOf>;
  try {
    space = spaceOf(directory);
  } catch (error) {
    return fails(
      name,
      `the disk of ${directory} cannot be measured: ${errorText(error)}`,
      "look at the disk",
    );
  }
  const { freeBytes, totalBytes } = space;
  const free = `${megabytes(freeBytes)} of ${megabytes(totalBytes)} MB are free for ${directory}`;
  switch (levelOf(freeBytes, reserveMegabytes * 1024 * 1024)) {
    case "ample":
      return sound(name, free);
    case "scarce":
      return warns(name, `${free}; the reserve is ${reserveMegabytes} MB`, action);
    case "reserved":
    case "spent":
      return fails(name, `${free}, which is below the reserve: nothing new is accepted`, action);
  }
}
