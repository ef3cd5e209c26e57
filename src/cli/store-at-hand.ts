import type { Does } from "../admin/command.ts";
import { type Clock, wait } from "../core/clock.ts";
import { openToRead } from "../db/read-only.ts";
import { openStore, type Store, type StoreOptions } from "../db/store.ts";
import { StoreError } from "../db/store-error.ts";
import type { Phrase } from "../i18n/phrase.ts";

/** What came of one try to open the data directory. */
export type OpenAttempt =
  | { readonly kind: "open"; readonly store: Store }
  /** Another process has it: a server that starts or stops, or another command. */
  | { readonly kind: "held" }
  | { readonly kind: "unusable"; readonly detail: Phrase };

/** Tries once to open the data directory for a command that does so much to it. */
export function tryOpen(
  directory: string,
  clock: Clock,
  does: Does,
  options: Pick<StoreOptions, "openDatabase" | "beforeMigrating">,
): OpenAttempt {
  try {
    if (does === "reads") {
      return { kind: "open", store: openToRead(directory, clock) ?? openStore(directory, clock, options) };
    }
    const written = openedToWrite(directory, clock, options);
    if (written instanceof StoreError && does === "notes" && written.kind === "unusable") {
      const read = openToRead(directory, clock);
      if (read !== null) return { kind: "open", store: read };
    }
    if (written instanceof StoreError) throw written;
    return { kind: "open", store: written };
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return error.kind === "locked" ? { kind: "held" } : { kind: "unusable", detail: error.told };
  }
}

function openedToWrite(
  directory: string,
  clock: Clock,
  options: Pick<StoreOptions, "openDatabase" | "beforeMigrating">,
): Store | StoreError {
  try {
    return openStore(directory, clock, options);
  } catch (error) {
    if (error instanceof StoreError) return error;
    throw error;
  }
}

/** Between two looks at a directory that another process has, and how long all of them last. */
const RETRY_MS = 100;
const PATIENCE_MS = 5000;

/** Repeats `attempt` until it gives something or patience ends; then null. */
export async function withPatience<T>(clock: Clock, attempt: () => Promise<T | null>): Promise<T | null> {
  const untilMs = clock.steadyMs() + PATIENCE_MS;
  for (;;) {
    const result = await attempt();
    if (result !== null || clock.steadyMs() >= untilMs) return result;
    await wait(clock, RETRY_MS);
  }
}
