/**
 * `doctor`: every part of an installation looked at, whether the server runs or not. This file gathers the facts; what each of them
 * comes to stands in the checks beside it. Nothing is changed, and no secret is read but to be told that it is missing.
 */

import { existsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { findCodeWarnings } from "../../admin/operations/operator-codes.ts";
import { type ProbeDial, probeConnection } from "../../channels/sms/reach.ts";
import type { Config } from "../../config/config.ts";
import { parseListen } from "../../config/listen.ts";
import type { LoadedConfig } from "../../config/load-config.ts";
import type { Clock } from "../../core/clock.ts";
import { errorText } from "../../core/log.ts";
import type { Serve } from "../../core/serving.ts";
import { readClockMark } from "../../db/clock-mark.ts";
import { type Inspected, inspectDatabase } from "../../db/inspect.ts";
import { openPseudonyms } from "../../db/keyed-names.ts";
import { DATABASE_FILE } from "../../db/open.ts";
import type { Reader } from "../../db/read.ts";
import { isCorruption } from "../../db/sqlite-error.ts";
import { isErasureKeyMissing } from "../../domain/accounts/erased-numbers.ts";
import { lastCheck } from "../../domain/ledger/checks.ts";
import type { HttpsNetwork } from "../../https/resolve.ts";
import type { Phrase } from "../../i18n/phrase.ts";
import { readEnabledUrls } from "../../webhooks/enabled-endpoints.ts";
import { lastDrill, newestBackup } from "../backup/backup-rows.ts";
import { readPassphrase } from "../backup/backups.ts";
import { certificateEnds } from "../certificates.ts";
import { surveyDirectory } from "../directory-survey.ts";
import type { SpaceOf } from "../disk-room.ts";
import {
  backupCheck,
  backupKeysCheck,
  booksCheck,
  databaseCheck,
  drillCheck,
  erasedNumbersCheck,
  checkPages,
  waitingCheck,
} from "./data-checks.ts";
import type { DoctorCheck } from "./doctor-check.ts";
import { configurationCheck, configurationFileCheck, filesCheck, spaceCheck } from "./file-checks.ts";
import { clockCheck, limitsCheck, memoryCheck, serviceCheck } from "./machine-checks.ts";
import { availableMemory, isClockKept, ownOpenFiles, serviceFacts } from "./machine-facts.ts";
import { addressCheck, certificatesCheck, operatorCheck, resolverCheck } from "./network-checks.ts";
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

/** Looks at everything. `askServer` is asked once it is known where the data are. */
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

/** What stands in the database, where it can be read. */
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

/** Names of endpoints that are looked up. */
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

/** Why nobody could listen on the configured address; null where somebody could, or it is any free port. */
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

/** The directory, or the one above it that is there. */
function existing(directory: string): string {
  return existsSync(directory) || dirname(directory) === directory ? directory : existing(dirname(directory));
}
