/**
 * `doctor`: checks every part of an installation, whether the server runs or not. This file gathers the facts; the checks here and in
 * the files beside it judge them. Nothing is changed, and secrets are read only to report that one is missing.
 */
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { findCodeWarnings } from "../../admin/operations/operator-codes.ts";
import { type ProbeDial, probeConnection } from "../../channels/sms/operator-session.ts";
import type { Config } from "../../config/config.ts";
import { shadowedPhrase } from "../../config/console-file.ts";
import type { UnsetVariable } from "../../config/environment.ts";
import { parseListen } from "../../config/listen.ts";
import { type LoadedConfig, unopenedIn } from "../../config/load-config.ts";
import type { Clock } from "../../core/clock.ts";
import type { Serve } from "../../core/http-server.ts";
import { errorText } from "../../core/log.ts";
import { readClockMark } from "../../db/clock-marks.ts";
import { DATABASE_FILE } from "../../db/connections.ts";
import { isCorruption } from "../../db/errors.ts";
import { type Inspected, inspectDatabase } from "../../db/inspect.ts";
import { INTERMEDIATE_BUILD } from "../../db/migrate.ts";
import { openPseudonyms } from "../../db/pseudonyms.ts";
import type { Reader } from "../../db/reader.ts";
import { isErasureKeyMissing } from "../../domain/accounts/suppressions.ts";
import { type BooksCheck, deriveCheckStanding, lastCheck } from "../../domain/ledger/books-check.ts";
import type { HttpsNetwork } from "../../https/address-guard.ts";
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import { readEnabledUrls } from "../../webhooks/endpoints.ts";
import { type BackupRow, lastDrill, MAX_BACKUP_AGE_MS, newestBackup } from "../backup/backup-records.ts";
import { nearestDirectory, readPassphrase } from "../backup/backups.ts";
import { certificateEnds } from "../certificates.ts";
import { type DirectorySurvey, surveyDirectory } from "../directory-survey.ts";
import { deriveDiskLevel, megabytes, type SpaceOf } from "../disk-monitor.ts";
import {
  addressCheck,
  availableMemory,
  certificatesCheck,
  clockCheck,
  type DoctorCheck,
  fails,
  isClockSynchronised,
  limitsCheck,
  memoryCheck,
  operatorCheck,
  ownOpenFiles,
  resolverCheck,
  serviceCheck,
  serviceFacts,
  sound,
  warns,
} from "./environment-checks.ts";
import { inForceCheck, type ServerView, serverCheck, type UnreachableServer } from "./server-checks.ts";

export type DoctorDeps = {
  readonly clock: Clock;
  readonly machine: {
    readonly dial: ProbeDial;
    readonly serve: Serve;
    readonly https: Pick<HttpsNetwork, "resolve">;
    readonly spaceOf: SpaceOf;
  };
};

/** The answer of the server on the data directory; null where none runs. */
export type ServerReply = ServerView | UnreachableServer | null;

/** Runs all checks. `askServer` is called once the data directory is known. */
export async function doctor(
  path: string,
  loaded: LoadedConfig,
  askServer: (directory: string) => Promise<ServerReply>,
  deps: DoctorDeps,
): Promise<DoctorCheck[]> {
  const begin = [configurationCheck(path, loaded), configurationFileCheck(path, modeOf(path))];
  if (!loaded.ok)
    return [
      ...begin,
      limitsCheck(ownOpenFiles()),
      memoryCheck(availableMemory()),
      serviceCheck(serviceFacts(false)),
    ];
  const { config, pems } = loaded;
  const { directory, reserve_megabytes: reserve } = config.storage;
  const server = await askServer(directory);
  const view = server === null || "refused" in server ? null : server;
  const isRunning = server !== null;
  return [
    ...begin,
    filesCheck(directory, surveyDirectory(directory)),
    spaceCheck(nearestDirectory(directory), deps.machine.spaceOf, reserve),
    ...(await checksOfData(config, isRunning, view?.doubt ?? null, deps)),
    certificatesCheck(
      certificateEnds(config, (file) => pems.get(file) ?? null),
      deps.clock.nowMs(),
    ),
    backupKeysCheck(readPassphrase(config) !== null),
    limitsCheck(view ? view.open_files : ownOpenFiles()),
    memoryCheck(availableMemory()),
    serviceCheck(serviceFacts(isRunning)),
    serverCheck(server),
    ...(view ? [inForceCheck(view.changed)] : []),
    ...(isRunning ? [] : [addressCheck(config.server.listen, listenFault(config, deps.machine.serve))]),
    ...(view ? view.operators.map((one) => operatorCheck(one.operator, one.connections, "bound")) : []),
    ...(isRunning ? [] : await reached(config, (file) => pems.get(file) ?? null, deps)),
  ];
}

/** The checks of the database, where it can be read. */
async function checksOfData(
  config: Config,
  isRunning: boolean,
  doubt: Phrase | null,
  deps: DoctorDeps,
): Promise<DoctorCheck[]> {
  const { directory } = config.storage;
  const nowMs = deps.clock.nowMs();
  const inspected = inspectDatabase(directory);
  const clock = (markMs: number | null) =>
    clockCheck({ nowMs, markMs, doubt, isKept: isClockSynchronised() });
  if (inspected.kind !== "current") {
    return [databaseCheck(directory, { inspected, bytes: 0, faults: null }), clock(null)];
  }
  const { read, close } = inspected;
  const bytes = statSync(join(directory, DATABASE_FILE)).size;
  try {
    const newest = newestBackup(read);
    return [
      databaseCheck(directory, { inspected, bytes, faults: checkPages(read, bytes) }),
      clock(readClockMark(read)),
      waitingCheck((await findCodeWarnings(read, config, deps.clock)).map(({ detail }) => detail)),
      booksCheck(lastCheck(read), isRunning, nowMs),
      backupCheck({ newest, isThere: newest !== null && existsSync(newest.file), nowMs }),
      drillCheck(lastDrill(read)),
      erasedNumbersCheck(isErasureKeyMissing(read, openPseudonyms(directory).of("") !== null)),
      resolverCheck(await resolved(read, deps)),
    ];
  } catch (error) {
    const kind: Inspected["kind"] = isCorruption(error) ? "damaged" : "unreadable";
    const found = { kind, detail: errorText(error) };
    return [databaseCheck(directory, { inspected: found, bytes, faults: null }), clock(null)];
  } finally {
    close();
  }
}

/** The most endpoint hosts that are resolved. */
const MAX_NAMES = 20;

async function resolved(read: Reader, { machine }: DoctorDeps): Promise<ReadonlyMap<string, boolean>> {
  const hosts = new Set(readEnabledUrls(read, MAX_NAMES).map((url) => new URL(url).hostname));
  const found = await Promise.all(
    [...hosts].map(async (host): Promise<[string, boolean]> => {
      const addresses = await machine.https.resolve(host).catch(() => []);
      return [host, addresses.length > 0];
    }),
  );
  return new Map(found);
}

async function reached(
  { operators }: Config,
  readPem: (file: string) => string | null,
  { clock, machine }: DoctorDeps,
): Promise<DoctorCheck[]> {
  return Promise.all(
    Object.entries(operators).map(async ([operator, { connections }]) => {
      const seen = await Promise.all(
        connections.map(async (connection) => {
          const lastError = await probeConnection(machine.dial, clock, connection, readPem);
          return { isUp: lastError === null, lastError, pause: null };
        }),
      );
      return operatorCheck(operator, seen, "reachable");
    }),
  );
}

/** Why the configured address cannot be listened on; null where it can, or the port is any free one. */
function listenFault({ server }: Config, serve: Serve): string | null {
  const at = parseListen(server.listen);
  if (at === null || at.port === 0) return null;
  try {
    serve({ at, maxRequestBodySize: 0, fetch: () => new Response(null, { status: 503 }) }).stop(true);
    return null;
  } catch (error) {
    return errorText(error);
  }
}

function modeOf(path: string): number | null {
  try {
    return statSync(path).mode;
  } catch {
    return null;
  }
}

// Checks of the configuration, the data files, and the room on their disk.

/**
 * An unset variable is only a warning: whoever runs the check need not have the server's secrets. A sealed password that does not open
 * stops the next start.
 */
export function configurationCheck(path: string, loaded: LoadedConfig): DoctorCheck {
  if (!loaded.ok) return fails("doctor.configuration.faults", { faults: loaded.faults });
  const kept = loaded.console;
  if (kept && kept.unopened.length > 0) return fails("doctor.configuration.unopened", unopenedIn(kept));
  if (loaded.unset.length > 0)
    return warns("doctor.configuration.unset", { path, variables: variables(loaded.unset) });
  if (kept?.isUnseen) {
    return warns("doctor.configuration.unseen", {
      parts: [phrase("config.warning.console_unseen", { path: kept.path })],
    });
  }
  if (kept && kept.shadowed.length > 0)
    return warns("doctor.configuration.shadowed", {
      parts: kept.shadowed.map((one) => shadowedPhrase(path, kept.path, one)),
    });
  return sound("doctor.configuration", { path, operators: Object.keys(loaded.config.operators).length });
}

function variables(unset: readonly UnsetVariable[]): string {
  return [...new Set(unset.map(({ variable }) => variable))].join(", ");
}

/** `mode`: of the configuration file; null where it could not be looked at. */
export function configurationFileCheck(path: string, mode: number | null): DoctorCheck {
  if (mode === null) return fails("doctor.configuration_file.unseen", { path });
  const shown = (mode & 0o777).toString(8).padStart(4, "0");
  if ((mode & 0o022) !== 0) return fails("doctor.configuration_file.writable", { path, mode: shown });
  if ((mode & 0o004) !== 0) return warns("doctor.configuration_file.readable", { path, mode: shown });
  return sound("doctor.configuration_file", { path, mode: shown });
}

const BARS_THE_SERVER: ReadonlySet<string> = new Set(["DIRECTORY_UNREADABLE", "DIRECTORY_NOT_WRITABLE"]);

/** Owner and mode of the data directory and of what is in it. */
export function filesCheck(directory: string, { state, warnings }: DirectorySurvey): DoctorCheck {
  const parts = warnings.map(({ detail }) => detail);
  if (warnings.some(({ code }) => BARS_THE_SERVER.has(code))) return fails("doctor.files.barred", { parts });
  if (warnings.length > 0) return warns("doctor.files.open", { parts });
  if (state === "not there yet") return sound("doctor.files.not_yet", { directory });
  return sound("doctor.files", { directory });
}

/** The free space of a directory's disk against the reserve. */
export function spaceCheck(directory: string, spaceOf: SpaceOf, reserveMegabytes: number): DoctorCheck {
  let space: ReturnType<SpaceOf>;
  try {
    space = spaceOf(directory);
  } catch (error) {
    return fails("doctor.space.unmeasured", { directory, error: errorText(error) });
  }
  const { freeBytes, totalBytes } = space;
  const room = { free: megabytes(freeBytes), total: megabytes(totalBytes), directory };
  switch (deriveDiskLevel(freeBytes, reserveMegabytes * 1024 * 1024)) {
    case "ample":
      return sound("doctor.space", room);
    case "scarce":
      return warns("doctor.space.scarce", { ...room, reserve: reserveMegabytes });
    case "reserved":
    case "spent":
      return fails("doctor.space.reserved", room);
  }
}

// Checks of the database: pages, backups, ledger, codes that are not configured.

/** Above this size pages are not read here: the verification of a backup proves as much without load. */
const QUICKLY_READ_BYTES = 512 * 1024 * 1024;

/** Faults of the database pages; empty where sound, null where not read. */
function checkPages(read: Reader, bytes: number): readonly string[] | null {
  if (bytes > QUICKLY_READ_BYTES) return null;
  const rows = read.all<{ quick_check: string }>("PRAGMA quick_check(3)");
  return rows.map(({ quick_check: said }) => said).filter((said) => said !== "ok");
}

type DatabaseFacts = {
  readonly inspected: Pick<Inspected, "kind"> & { readonly detail?: string; readonly schema?: number };
  readonly bytes: number;
  /** As `checkPages` found them. */
  readonly faults: readonly string[] | null;
};

export function databaseCheck(directory: string, { inspected, bytes, faults }: DatabaseFacts): DoctorCheck {
  const schema = inspected.schema ?? 0;
  switch (inspected.kind) {
    case "absent":
      return sound("doctor.database.absent", { directory });
    case "restored":
      return warns("doctor.database.restored", { directory });
    case "unreadable":
      return fails("doctor.database.unreadable", { error: inspected.detail ?? "" });
    case "damaged":
      return fails("doctor.database.damaged", { error: inspected.detail ?? "" });
    case "foreign":
      return fails("doctor.database.foreign", { directory });
    case "newer":
      return fails("doctor.database.newer", { schema });
    case "unsupported":
      return fails("doctor.database.unsupported", { schema, ...INTERMEDIATE_BUILD });
    case "older":
      return warns("doctor.database.older", { schema });
    case "current":
      if (faults !== null && faults.length > 0)
        return fails("doctor.database.damaged", { error: faults.join("; ") });
      return sound(faults === null ? "doctor.database.unchecked" : "doctor.database", {
        megabytes: megabytes(bytes),
        schema,
      });
  }
}

type NewestBackup = {
  readonly newest: BackupRow | null;
  readonly isThere: boolean;
  readonly nowMs: number;
};

export function backupCheck({ newest, isThere, nowMs }: NewestBackup): DoctorCheck {
  if (newest === null) return warns("doctor.backup.none");
  const made = newest.madeAtMs;
  if (!isThere) return fails("doctor.backup.gone", { made, file: newest.file });
  if (nowMs - newest.madeAtMs > MAX_BACKUP_AGE_MS) return warns("doctor.backup.old", { made });
  return sound("doctor.backup", { made, file: newest.file });
}

/** Whether the last restore drill found a sound backup. */
export function drillCheck(drill: BackupRow | null): DoctorCheck {
  if (drill === null) return sound("doctor.drill.none");
  const at = drill.drilledAtMs ?? drill.madeAtMs;
  if (drill.failure !== null) return fails("doctor.drill.failed", { at, failure: drill.failure });
  return sound("doctor.drill", { at });
}

/** Signing secrets of endpoints are sealed with keys beside the database: a copy without them loses the secrets. */
export function backupKeysCheck(isSealed: boolean): DoctorCheck {
  return isSealed ? sound("doctor.backup_keys") : warns("doctor.backup_keys.left_out");
}

/** `isMissing`: numbers that were erased stay suppressed by a hash, and the key of it is not beside the database. */
export function erasedNumbersCheck(isMissing: boolean): DoctorCheck {
  return isMissing ? fails("doctor.erased_numbers.key_missing") : sound("doctor.erased_numbers");
}

/** `isRunning`: nights without a server have no check. */
export function booksCheck(check: BooksCheck | null, isRunning: boolean, nowMs: number): DoctorCheck {
  const at = check?.checkedAtMs ?? 0;
  switch (deriveCheckStanding(check, isRunning && check !== null ? 0 : nowMs, nowMs)) {
    case "not checked yet":
      return sound("doctor.books.not_yet");
    case "agrees":
      return sound("doctor.books", { at });
    case "differs":
      return fails("doctor.books.differ", { at, differences: check?.differences ?? 0 });
    case "failed":
      return warns("doctor.books.failed", { at, failure: check?.failure ?? "" });
    case "overdue":
      return warns("doctor.books.overdue", { at });
  }
}

/** `warnings`: what waits, is registered or priced for codes that are not configured, each in words. */
export function waitingCheck(warnings: readonly Phrase[]): DoctorCheck {
  if (warnings.length === 0) return sound("doctor.waiting");
  return warns("doctor.waiting.codes", { parts: warnings });
}
