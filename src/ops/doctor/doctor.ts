/**
 * `doctor`: checks every part of an installation, whether the server runs or not. This file gathers the facts; the checks here and in
 * the files beside it judge them. Nothing is changed, and secrets are read only to report that one is missing.
 */
import { existsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { findCodeWarnings } from "../../admin/operations/operator-codes.ts";
import { type ProbeDial, probeConnection } from "../../channels/sms/open-session.ts";
import type { Config } from "../../config/config.ts";
import type { UnsetVariable } from "../../config/environment.ts";
import { parseListen } from "../../config/listen.ts";
import type { LoadedConfig } from "../../config/load-config.ts";
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
import type { HttpsNetwork } from "../../https/resolve.ts";
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import { readEnabledUrls } from "../../webhooks/endpoints.ts";
import { type BackupRow, lastDrill, newestBackup } from "../backup/backup-records.ts";
import { readPassphrase } from "../backup/backups.ts";
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
  isClockKept,
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
    spaceCheck(existing(directory), deps.machine.spaceOf, reserve),
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
  const clock = (markMs: number | null) => clockCheck({ nowMs, markMs, doubt, isKept: isClockKept() });
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

/** The directory, or its nearest existing parent. */
function existing(directory: string): string {
  return existsSync(directory) || dirname(directory) === directory ? directory : existing(dirname(directory));
}

// Checks of the configuration, the data files, and the room on their disk.

/** An unset variable is only a warning: whoever runs the check need not have the server's secrets. */
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

/** The free space of a directory's disk against the reserve. */
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

const RESTORE = phrase("doctor.database.damaged.action");

export function databaseCheck(directory: string, { inspected, bytes, faults }: DatabaseFacts): DoctorCheck {
  const name = phrase("doctor.part.database");
  const schema = inspected.schema ?? 0;
  switch (inspected.kind) {
    case "absent":
      return sound(name, phrase("doctor.database.absent", { directory }));
    case "restored":
      return warns(
        name,
        phrase("doctor.database.restored", { directory }),
        phrase("doctor.database.restored.action"),
      );
    case "unreadable":
      return fails(
        name,
        phrase("doctor.database.unreadable", { error: inspected.detail ?? "" }),
        phrase("doctor.database.unreadable.action"),
      );
    case "damaged":
      return fails(name, phrase("doctor.database.damaged", { error: inspected.detail ?? "" }), RESTORE);
    case "foreign":
      return fails(
        name,
        phrase("doctor.database.foreign", { directory }),
        phrase("doctor.database.foreign.action"),
      );
    case "newer":
      return fails(name, phrase("doctor.database.newer", { schema }), phrase("doctor.database.newer.action"));
    case "unsupported":
      return fails(
        name,
        phrase("doctor.database.unsupported", { schema }),
        phrase("doctor.database.unsupported.action", INTERMEDIATE_BUILD),
      );
    case "older":
      return warns(name, phrase("doctor.database.older", { schema }), phrase("doctor.database.older.action"));
    case "current":
      if (faults !== null && faults.length > 0)
        return fails(name, phrase("doctor.database.damaged", { error: faults.join("; ") }), RESTORE);
      return sound(
        name,
        faults === null
          ? phrase("doctor.database.unchecked", { megabytes: megabytes(bytes), schema })
          : phrase("doctor.database", { megabytes: megabytes(bytes), schema }),
      );
  }
}

/** The age above which the nightly backup is overdue. */
const OLDEST_BACKUP_MS = 26 * 3_600_000;

type NewestBackup = {
  readonly newest: BackupRow | null;
  readonly isThere: boolean;
  readonly nowMs: number;
};

export function backupCheck({ newest, isThere, nowMs }: NewestBackup): DoctorCheck {
  const name = phrase("doctor.part.backup");
  const action = phrase("doctor.backup.action");
  if (newest === null) return warns(name, phrase("doctor.backup.none"), action);
  const made = newest.madeAtMs;
  if (!isThere) return fails(name, phrase("doctor.backup.gone", { made, file: newest.file }), action);
  if (nowMs - newest.madeAtMs > OLDEST_BACKUP_MS)
    return warns(name, phrase("doctor.backup.old", { made }), action);
  return sound(name, phrase("doctor.backup", { made, file: newest.file }));
}

/** Whether the last restore drill found a sound backup. */
export function drillCheck(drill: BackupRow | null): DoctorCheck {
  const name = phrase("doctor.part.backup_drill");
  if (drill === null) return sound(name, phrase("doctor.drill.none"));
  const at = drill.drilledAtMs ?? drill.madeAtMs;
  if (drill.failure !== null)
    return fails(
      name,
      phrase("doctor.drill.failed", { at, failure: drill.failure }),
      phrase("doctor.drill.failed.action"),
    );
  return sound(name, phrase("doctor.drill", { at }));
}

/** Signing secrets of endpoints are sealed with keys beside the database: a copy without them loses the secrets. */
export function backupKeysCheck(isSealed: boolean): DoctorCheck {
  const name = phrase("doctor.part.backup_keys");
  return isSealed
    ? sound(name, phrase("doctor.backup_keys"))
    : warns(name, phrase("doctor.backup_keys.left_out"), phrase("doctor.backup_keys.left_out.action"));
}

/** `isMissing`: numbers that were erased stay suppressed by a hash, and the key of it is not beside the database. */
export function erasedNumbersCheck(isMissing: boolean): DoctorCheck {
  const name = phrase("doctor.part.erased_numbers");
  return isMissing
    ? fails(
        name,
        phrase("doctor.erased_numbers.key_missing"),
        phrase("doctor.erased_numbers.key_missing.action"),
      )
    : sound(name, phrase("doctor.erased_numbers"));
}

/** `isRunning`: nights without a server have no check. */
export function booksCheck(check: BooksCheck | null, isRunning: boolean, nowMs: number): DoctorCheck {
  const name = phrase("doctor.part.books");
  const at = check?.checkedAtMs ?? 0;
  switch (deriveCheckStanding(check, isRunning && check !== null ? 0 : nowMs, nowMs)) {
    case "not checked yet":
      return sound(name, phrase("doctor.books.not_yet"));
    case "agrees":
      return sound(name, phrase("doctor.books", { at }));
    case "differs":
      return fails(
        name,
        phrase("doctor.books.differ", { at, differences: check?.differences ?? 0 }),
        phrase("doctor.books.differ.action"),
      );
    case "failed":
      return warns(
        name,
        phrase("doctor.books.failed", { at, failure: check?.failure ?? "" }),
        phrase("doctor.books.action"),
      );
    case "overdue":
      return warns(name, phrase("doctor.books.overdue", { at }), phrase("doctor.books.action"));
  }
}

/** `warnings`: what waits, is registered or priced for codes that are not configured, each in words. */
export function waitingCheck(warnings: readonly Phrase[]): DoctorCheck {
  const name = phrase("doctor.part.waiting");
  if (warnings.length === 0) return sound(name, phrase("doctor.waiting"));
  return warns(name, phrase("parts", { parts: warnings }), phrase("doctor.waiting.action"));
}
