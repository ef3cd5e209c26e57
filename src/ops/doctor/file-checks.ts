/** The configuration, the files of the data, and the room on their disk. */

import type { UnsetVariable } from "../../config/environment.ts";
import type { LoadedConfig } from "../../config/load-config.ts";
import { errorText } from "../../core/log.ts";
import { phrase } from "../../i18n/phrase.ts";
import type { DirectorySurvey } from "../directory-survey.ts";
import { deriveDiskLevel, megabytes, type SpaceOf } from "../disk-room.ts";
import { type DoctorCheck, fails, sound, warns } from "./doctor-check.ts";

/** A variable that is not set is a warning: whoever looks need not have the server's secrets. */
export function configurationCheck(path: string, loaded: LoadedConfig): DoctorCheck {
  const name = phrase("doctor.part.configuration");
  if (!loaded.ok)
    return fails(
      name,
      phrase("parts", { parts: loaded.faults }),
      phrase("doctor.configuration.faults.action"),
    );
  if (loaded.unset.length > 0)
    return warns(
      name,
      phrase("doctor.configuration.unset", { path, variables: variables(loaded.unset) }),
      phrase("doctor.configuration.unset.action"),
    );
  return sound(
    name,
    phrase("doctor.configuration", { path, operators: Object.keys(loaded.config.operators).length }),
  );
}

function variables(unset: readonly UnsetVariable[]): string {
  return [...new Set(unset.map(({ variable }) => variable))].join(", ");
}

/** `mode`: of the configuration file; null where it could not be looked at. */
export function configurationFileCheck(path: string, mode: number | null): DoctorCheck {
  const name = phrase("doctor.part.configuration_file");
  if (mode === null)
    return fails(
      name,
      phrase("doctor.configuration_file.unseen", { path }),
      phrase("doctor.configuration_file.unseen.action"),
    );
  const shown = (mode & 0o777).toString(8).padStart(4, "0");
  if ((mode & 0o022) !== 0)
    return fails(
      name,
      phrase("doctor.configuration_file.writable", { path, mode: shown }),
      phrase("doctor.configuration_file.action"),
    );
  if ((mode & 0o004) !== 0)
    return warns(
      name,
      phrase("doctor.configuration_file.readable", { path, mode: shown }),
      phrase("doctor.configuration_file.action"),
    );
  return sound(name, phrase("doctor.configuration_file", { path, mode: shown }));
}

const BARS_THE_SERVER: ReadonlySet<string> = new Set(["DIRECTORY_UNREADABLE", "DIRECTORY_NOT_WRITABLE"]);

/** Owner and mode of the data directory and of what is in it. */
export function filesCheck(directory: string, { state, warnings }: DirectorySurvey): DoctorCheck {
  const name = phrase("doctor.part.files");
  const detail = phrase("parts", { parts: warnings.map(({ detail }) => detail) });
  if (warnings.some(({ code }) => BARS_THE_SERVER.has(code)))
    return fails(name, detail, phrase("doctor.files.barred.action"));
  if (warnings.length > 0) return warns(name, detail, phrase("doctor.files.action"));
  if (state === "not there yet") return sound(name, phrase("doctor.files.not_yet", { directory }));
  return sound(name, phrase("doctor.files", { directory }));
}

/** What the disk of a directory has left against the reserve. */
export function spaceCheck(directory: string, spaceOf: SpaceOf, reserveMegabytes: number): DoctorCheck {
  const name = phrase("doctor.part.space");
  const action = phrase("doctor.space.action");
  let space: ReturnType<SpaceOf>;
  try {
    space = spaceOf(directory);
  } catch (error) {
    return fails(
      name,
      phrase("doctor.space.unmeasured", { directory, error: errorText(error) }),
      phrase("doctor.space.unmeasured.action"),
    );
  }
  const { freeBytes, totalBytes } = space;
  const room = { free: megabytes(freeBytes), total: megabytes(totalBytes), directory };
  switch (deriveDiskLevel(freeBytes, reserveMegabytes * 1024 * 1024)) {
    case "ample":
      return sound(name, phrase("doctor.space", room));
    case "scarce":
      return warns(name, phrase("doctor.space.scarce", { ...room, reserve: reserveMegabytes }), action);
    case "reserved":
    case "spent":
      return fails(name, phrase("doctor.space.reserved", room), action);
  }
}
