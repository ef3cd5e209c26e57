/** What a running server says of itself, and what is made of it. */
import { versionLine } from "../../base/version.ts";
import { configChanges } from "../../config/changes.ts";
import { english } from "../../i18n/text.ts";
import type { AdminContext } from "../../operations/context.ts";
import { type AdminOutcome, done, serverNotRunning } from "../../operations/refusal.ts";
import { doubtPhrase } from "../clock-watch.ts";
import { type DoctorCheck, fails, sound, warns } from "./doctor-check.ts";
import { ownOpenFiles } from "./machine-facts.ts";
import type { SeenConnection } from "./network-checks.ts";

/** What only the running server knows. */
export type ServerView = {
  readonly version: string;
  /** Why it takes no submissions; nothing where it does. */
  readonly reasons: readonly string[];
  readonly open_files: number | null;
  /** Why it does not believe its clock, in words. */
  readonly doubt: string | null;
  /** Keys whose values in the file are not those in force; null where the file has faults. */
  readonly changed: readonly { readonly path: string; readonly restart: boolean }[] | null;
  readonly operators: readonly {
    readonly operator: string;
    readonly connections: readonly SeenConnection[];
  }[];
};

/** Asked by `doctor` over the control socket. Changes nothing. */
export async function serverView({ server, clock, store }: AdminContext): Promise<AdminOutcome<ServerView>> {
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
    reasons: server.notReady().map(english),
    open_files: ownOpenFiles(),
    doubt: doubt === null ? null : english(doubtPhrase(doubt)),
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

/** `view`: what the server said; null where none runs; a text where one is there and could not be asked. */
export function serverCheck(view: Pick<ServerView, "version" | "reasons"> | string | null): DoctorCheck {
  const name = "server";
  if (view === null)
    return warns(name, "no server runs on the data directory", 'start it: "bendre serve", or the service');
  if (typeof view === "string")
    return fails(name, view, "say this as the owner of the data, with the executable that the server runs");
  if (view.reasons.length > 0)
    return fails(
      name,
      `submissions are not taken: ${view.reasons.join("; ")}`,
      "see the other checks and the log",
    );
  return view.version === versionLine()
    ? sound(name, `${view.version} runs and takes submissions`)
    : warns(
        name,
        `${view.version} runs, and this executable is ${versionLine()}`,
        "restart the server: sudo systemctl restart bendre",
      );
}

const MOST_NAMED = 5;

/** The file against what the running server has in force. */
export function inForceCheck(changed: ServerView["changed"]): DoctorCheck {
  const name = "configuration in force";
  if (changed === null)
    return fails(name, "the file has faults: the server goes on with what it has", 'mend it: "config check"');
  if (changed.length === 0) return sound(name, "the server runs with what the file says");
  const named = changed.slice(0, MOST_NAMED).map(({ path }) => path);
  const rest = changed.length > MOST_NAMED ? ` and ${changed.length - MOST_NAMED} more` : "";
  const waitsForRestart = changed.every(({ restart }) => restart);
  return warns(
    name,
    `the file says otherwise than what is in force: ${named.join(", ")}${rest}`,
    waitsForRestart
      ? "restart the server: these settings need it"
      : '"config diff" shows what would change, "config reload" puts it in force',
  );
}
