/** What is wrong with a data directory before anything is opened in it: owners, modes, whether it can be written. */
import { accessSync, constants, lstatSync, readdirSync, type Stats } from "node:fs";
import { dirname, join } from "node:path";
import { systemCode } from "../config/files.ts";
import { type Phrase, phrase, said } from "../i18n/phrase.ts";

export type DirectoryWarning = {
  readonly code:
    | "DIRECTORY_UNREADABLE"
    | "DIRECTORY_NOT_WRITABLE"
    | "DIRECTORY_MODE"
    | "FILE_MODE"
    | "FILE_OWNER";
  readonly detail: Phrase;
};

export type DirectorySurvey = {
  readonly state: "looked at" | "not there yet" | "cannot be read";
  readonly warnings: readonly DirectoryWarning[];
};

/** Files that one warning names. */
const MAX_NAMED = 5;

/** Looks at a data directory; changes nothing. */
export function surveyDirectory(directory: string): DirectorySurvey {
  let self: Stats;
  let names: string[];
  try {
    self = lstatSync(directory);
    names = readdirSync(directory);
  } catch (error) {
    return systemCode(error) === "ENOENT" ? notThereYet(directory) : unreadable(directory, systemCode(error));
  }
  const warnings: DirectoryWarning[] = [];
  const barred = writeFault(directory);
  if (barred !== null) {
    const detail =
      barred === "EROFS"
        ? phrase("config.warning.read_only", { directory })
        : phrase("config.warning.not_writable", { directory, uid: self.uid });
    warnings.push({ code: "DIRECTORY_NOT_WRITABLE", detail });
  }
  if (isOpenToOthers(self)) {
    const detail = phrase("config.warning.open_directory", { directory, mode: modeText(self) });
    warnings.push({ code: "DIRECTORY_MODE", detail });
  }
  const files = names.flatMap((name) => statOf(directory, name));
  const loose = files.filter(({ stat }) => isOpenToOthers(stat) && !keepsOthersOut(self));
  if (loose.length > 0) {
    const detail = phrase("config.warning.open_files", { files: listed(loose) });
    warnings.push({ code: "FILE_MODE", detail });
  }
  const foreign = files.filter(({ stat }) => stat.uid !== self.uid);
  if (foreign.length > 0) {
    const detail = phrase("config.warning.foreign_files", { files: listed(foreign), uid: self.uid });
    warnings.push({ code: "FILE_OWNER", detail });
  }
  return { state: "looked at", warnings };
}

type Found = { readonly name: string; readonly stat: Stats };

function statOf(directory: string, name: string): Found[] {
  try {
    return [{ name, stat: lstatSync(join(directory, name)) }];
  } catch {
    return []; // Gone since it was listed: a log that a server folded in.
  }
}

function notThereYet(directory: string): DirectorySurvey {
  let above = dirname(directory);
  while (codeAt(above) === "ENOENT" && dirname(above) !== above) above = dirname(above);
  if (writeFault(above) === null) return { state: "not there yet", warnings: [] };
  const detail = phrase("config.warning.not_creatable", { directory, above });
  return { state: "not there yet", warnings: [{ code: "DIRECTORY_NOT_WRITABLE", detail }] };
}

function unreadable(directory: string, code: string): DirectorySurvey {
  const detail = phrase("config.warning.unreadable", { directory, error: code });
  return { state: "cannot be read", warnings: [{ code: "DIRECTORY_UNREADABLE", detail }] };
}

/** Whether anybody but the owner may do anything with it. */
function isOpenToOthers({ mode }: Stats): boolean {
  return (mode & 0o077) !== 0;
}

/** A directory that nobody else enters keeps what is in it, whatever the modes there. */
function keepsOthersOut(directory: Stats): boolean {
  return (directory.mode & 0o011) === 0;
}

/** Why this user cannot create files in a directory: the system's code; null when it can. */
function writeFault(path: string): string | null {
  try {
    accessSync(path, constants.W_OK | constants.X_OK);
    return null;
  } catch (error) {
    return systemCode(error);
  }
}

function codeAt(path: string): string {
  try {
    lstatSync(path);
    return "";
  } catch (error) {
    return systemCode(error);
  }
}

function listed(found: readonly Found[]): Phrase {
  const named = found.slice(0, MAX_NAMED).map(({ name }) => name);
  const names = named.join(", ");
  return found.length > MAX_NAMED
    ? phrase("config.warning.files.more", { names, more: found.length - MAX_NAMED })
    : said(names);
}

function modeText({ mode }: Stats): string {
  return (mode & 0o7777).toString(8).padStart(4, "0");
}
