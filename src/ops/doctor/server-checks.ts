/** What a running server reports of itself, and the checks of it. */

import type { AdminContext } from "../../admin/operations/context.ts";
import { operation } from "../../admin/operations/operation.ts";
import { type AdminOutcome, done, serverNotRunning } from "../../admin/operations/refusal.ts";
import { configChanges } from "../../config/changes.ts";
import { versionLine } from "../../core/version.ts";
import { type Phrase, phrase, said } from "../../i18n/phrase.ts";
import { describeUntrustedClock } from "../clock-watch.ts";
import {
  type DoctorCheck,
  fails,
  ownOpenFiles,
  type SeenConnection,
  sound,
  warns,
} from "./environment-checks.ts";

/** What only the running server knows. */
export type ServerView = {
  readonly version: string;
  /** Why it takes no submissions; nothing where it does. */
  readonly reasons: readonly Phrase[];
  readonly open_files: number | null;
  /** Why its clock is untrusted. */
  readonly doubt: Phrase | null;
  /** Keys whose values in the file are not those in force; null where the file has faults. */
  readonly changed: readonly { readonly path: string; readonly restart: boolean }[] | null;
  readonly operators: readonly {
    readonly operator: string;
    readonly connections: readonly SeenConnection[];
  }[];
};

/** Asked by `doctor` over the control socket. Changes nothing. */
async function serverView({ server, clock, store }: AdminContext): Promise<AdminOutcome<ServerView>> {
  if (!server) return serverNotRunning(store.directory);
  const doubt = clock.doubt();
  const file = await server.configuration.read();
  const changed = file.ok
    ? configChanges(server.configuration.inForce(), file).map(({ path, effect }) => ({
        path,
        restart: effect === "restart",
      }))
    : null;
  return done({
    version: versionLine(),
    reasons: server.notReady(),
    open_files: ownOpenFiles(),
    doubt: doubt === null ? null : describeUntrustedClock(doubt),
    changed,
    operators: server.operatorStatus().map(({ operator, connections }) => ({
      operator,
      connections: connections.map(({ state, lastError, paused }) => ({
        isUp: state === "BOUND",
        lastError,
        pause: paused?.reason ?? null,
      })),
    })),
  });
}

/** Why a server that is there could not be asked. */
export type UnreachableServer = { readonly refused: Phrase };

/** `view`: what the server said; null where none runs. */
export function serverCheck(
  view: Pick<ServerView, "version" | "reasons"> | UnreachableServer | null,
): DoctorCheck {
  if (view === null) return warns("doctor.server.none");
  if ("refused" in view) return fails("doctor.server.unasked", { why: view.refused });
  if (view.reasons.length > 0) return fails("doctor.server.closed", { reasons: view.reasons });
  return view.version === versionLine()
    ? sound("doctor.server", { version: view.version })
    : warns("doctor.server.other", { version: view.version, own: versionLine() });
}

const MAX_NAMED = 5;

/** The file against what the running server has in force. */
export function inForceCheck(changed: ServerView["changed"]): DoctorCheck {
  if (changed === null) return fails("doctor.in_force.faults");
  if (changed.length === 0) return sound("doctor.in_force");
  const named = changed.slice(0, MAX_NAMED).map(({ path }) => path);
  const keys = named.join(", ");
  const more = changed.length - MAX_NAMED;
  const waitsForRestart = changed.every(({ restart }) => restart);
  const told = more > 0 ? phrase("doctor.in_force.more", { keys, more }) : said(keys);
  return warns(waitsForRestart ? "doctor.in_force.restart" : "doctor.in_force.reload", { keys: told });
}

/** What `doctor` asks a running server, and nobody types. */
export const SERVER_OPERATIONS = {
  "server view": operation({
    needsServer: true,
    params: {},
    run: serverView,
  }),
};
