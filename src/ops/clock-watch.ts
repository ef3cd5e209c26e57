/**
 * The clock watch: compares the clock at start with the stored time, logs when it becomes untrusted and trusted again,
 * and stores the trusted time for the next start.
 */
import { isoUtc, type UntrustedClock } from "../core/clock.ts";
import type { Readiness } from "../core/health.ts";
import type { Log } from "../core/log.ts";
import type { ClockChange, TrustedClock } from "../core/trusted-clock.ts";
import { readClockMark, saveClockMark } from "../db/clock-marks.ts";
import type { Store } from "../db/store.ts";
import { type Phrase, phrase } from "../i18n/phrase.ts";
import { english } from "../i18n/text.ts";

type ClockWatchDeps = {
  readonly store: Pick<Store, "read" | "write">;
  readonly clock: TrustedClock;
  readonly log: Log;
  readonly readiness: Pick<Readiness, "hold">;
};

/** What to do about an untrusted clock. */
export const CLOCK_ACTION = phrase("health.clock.action");

/** Why a clock is untrusted. */
export function describeUntrustedClock({ kind, believedMs, wallMs }: UntrustedClock): Phrase {
  switch (kind) {
    case "jumped":
      return phrase("health.clock.jumped", {
        wall: wallMs,
        believed: believedMs,
      });
    case "behind":
      return phrase("health.clock.behind", { wall: wallMs });
    case "ahead":
      return phrase("health.clock.ahead", { wall: wallMs });
  }
}

/** Starts watching; must run before anything that asks for the time is started. `note` stores the time once more. */
export function watchClock({ store, clock, log, readiness }: ClockWatchDeps): {
  readonly note: () => Promise<void>;
} {
  let release = (): void => {};
  const note = (): Promise<void> =>
    store.write((tx) => {
      if (clock.doubt() === null) saveClockMark(tx, clock.nowMs());
    }, "with the next");
  const noteSoon = (): void => {
    note().catch(() => log.warn("the time could not be noted for the next start"));
  };
  const hold = (doubt: UntrustedClock): void => {
    release();
    if (doubt.kind !== "jumped")
      release = readiness.hold(
        phrase("readiness.clock", { doubt: describeUntrustedClock(doubt), action: CLOCK_ACTION }),
      );
  };
  const take = (change: ClockChange): void => {
    switch (change.kind) {
      case "stepped":
        log.warn("the clock was set", { by_seconds: Math.round(change.byMs / 1000) });
        break;
      case "doubted":
        hold(change.doubt);
        log.error(`the clock is doubted: ${english(describeUntrustedClock(change.doubt))}`, {
          waits: waitsFor(change.doubt),
          action: english(CLOCK_ACTION),
        });
        break;
      case "believed":
        release();
        log.info("the clock is believed", { clock: isoUtc(clock.nowMs()), accepted: change.isAccepted });
        break;
    }
    noteSoon();
  };
  clock.watch(take);
  clock.begin(readClockMark(store.read));
  const doubt = clock.doubt();
  if (doubt !== null) hold(doubt);
  else noteSoon();
  return { note };
}

function waitsFor({ kind }: UntrustedClock): string {
  return kind === "jumped"
    ? "what time alone would start or end; a time that lasts ten minutes is believed"
    : "nothing is accepted or sent until the clock agrees";
}
