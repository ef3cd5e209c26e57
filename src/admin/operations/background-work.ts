/** Long work in the background: begun by an operation, with progress on request. One at a time. */
import { type Clock, isoOrNull, isoUtc } from "../../core/clock.ts";
import { toReason } from "../../core/phrased-error.ts";
import type { Phrase } from "../../i18n/phrase.ts";
import { type AdminOutcome, done, refuse } from "./refusal.ts";

/** What is to be done; `breakOff` is aborted when the server stops. */
export type BackgroundTask = {
  /** The command that does the same. */
  readonly kind: string;
  /** What it is done to. */
  readonly subject: string;
  /** Octets that it comes to, and those that there are; null where that is not known. */
  readonly totalBytes: number | null;
  readonly bytes: () => number | null;
  readonly run: (breakOff: AbortSignal) => Promise<AdminOutcome<unknown>>;
};

export type BackgroundWork = {
  /** Begins; refused while other work goes on. */
  readonly begin: (work: BackgroundTask) => AdminOutcome<WorkView>;
  /** The current work, else the last; null before the first. */
  readonly standing: () => WorkView | null;
  /** Aborts the current work. */
  readonly stop: () => void;
};

type Standing = {
  readonly work: BackgroundTask;
  readonly beganAtMs: number;
  endedAtMs: number | null;
  failure: Phrase | null;
};

export function createBackgroundWork(clock: Clock): BackgroundWork {
  const breakOff = new AbortController();
  let last: Standing | null = null;
  const end = (standing: Standing, failure: Phrase | null): void => {
    standing.endedAtMs = clock.nowMs();
    standing.failure = failure;
  };
  return {
    begin: (work) => {
      if (last !== null && last.endedAtMs === null) {
        return refuse("NOT_NOW.goes_on", { work: last.work.kind });
      }
      const standing: Standing = { work, beganAtMs: clock.nowMs(), endedAtMs: null, failure: null };
      last = standing;
      work.run(breakOff.signal).then(
        (outcome) => end(standing, outcome.ok ? null : outcome.refusal.detail),
        (error: unknown) => end(standing, toReason(error)),
      );
      return done(viewOf(standing));
    },
    standing: () => last && viewOf(last),
    stop: () => breakOff.abort(),
  };
}

/** Work as it is shown. */
export type WorkView = Readonly<ReturnType<typeof viewOf>>;

function viewOf({ work, beganAtMs, endedAtMs, failure }: Standing) {
  const { kind, subject, totalBytes } = work;
  return {
    kind,
    subject,
    /** Why it came to nothing. */
    failure,
    total_bytes: totalBytes,
    bytes: endedAtMs === null ? work.bytes() : totalBytes,
    began_at: isoUtc(beganAtMs),
    /** Null while it goes on. */
    ended_at: isoOrNull(endedAtMs),
  };
}
