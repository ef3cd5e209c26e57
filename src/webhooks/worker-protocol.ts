/** The messages between the appliance and the delivery thread: values that can be copied. */

import type { Clock, UntrustedClock } from "../core/clock.ts";
import type { FollowedMessage, LogFields, LogLevel, TraceFields } from "../core/log.ts";
import { SAME_TIME_MS, trustedClock } from "../core/trusted-clock.ts";
import type { EndpointOutcome } from "./attempts.ts";
import type { DispatchFigures } from "./dispatcher.ts";
import type { WebhookNetworkRules } from "./endpoint-client.ts";

/** What the thread needs to start. */
export type DeliveryWorkerStart = {
  readonly directory: string;
  readonly webhooks: WebhookNetworkRules;
  readonly time: ClockSample;
  /** What the trace shows of single steps; null where nothing is traced. */
  readonly steps: {
    readonly isEachShown: boolean;
    readonly followed: readonly (readonly [row: number, message: FollowedMessage])[];
  } | null;
};

/** Messages to the thread. */
export type ToThread =
  | { readonly kind: "begin"; readonly beginning: DeliveryWorkerStart }
  | { readonly kind: "settings"; readonly webhooks: WebhookNetworkRules }
  | { readonly kind: "time"; readonly time: ClockSample }
  | { readonly kind: "wake" }
  /** The answer to its outcomes: whether each was kept. */
  | { readonly kind: "written"; readonly kept: readonly boolean[] }
  | { readonly kind: "unwritten"; readonly error: { readonly name: string; readonly message: string } }
  | { readonly kind: "stop"; readonly graceMs: number };

/** Messages from the thread. After one with outcomes there is no other with outcomes until it is answered. */
export type FromThread =
  | { readonly kind: "outcomes"; readonly outcomes: readonly EndpointOutcome[] }
  | { readonly kind: "figures"; readonly figures: DispatchFigures }
  | {
      readonly kind: "line";
      readonly level: LogLevel;
      readonly message: string;
      readonly fields: LogFields;
    }
  | { readonly kind: "step"; readonly what: string; readonly fields: TraceFields }
  | { readonly kind: "stopped" };

/** The figures of a dispatcher that has not started. */
export const NO_FIGURES: DispatchFigures = {
  endpoints: 0,
  inFlight: 0,
  delivered: 0,
  failed: 0,
  givenUp: 0,
  disabled: 0,
  attemptsMs: 0,
};

/** Whether the appliance trusts the wall clock, and the clock's time then. */
type ClockSample = { readonly wallMs: number; readonly doubt: UntrustedClock | null };

/** A clock that mirrors whether the appliance's clock is trusted, beside its own checks: so both show one time. */
export type MirroredClock = Clock & { readonly set: (told: ClockSample) => void };

/** Samples a clock that may be untrusted, to send to the thread. */
export function sampleClock(clock: Clock): ClockSample {
  const doubt = clock.doubt();
  return { wallMs: doubt?.wallMs ?? clock.nowMs(), doubt };
}

export function createMirroredClock(clock: Clock, begin: ClockSample): MirroredClock {
  const own = trustedClock(clock);
  const set = ({ wallMs, doubt }: ClockSample): void => {
    // The clock was set after the sample was taken: the appliance sends a new one as soon as it notices.
    if (Math.abs(clock.nowMs() - wallMs) > SAME_TIME_MS) return;
    if (doubt === null) own.accept();
    else own.adopt(doubt);
  };
  set(begin);
  return { ...own, set };
}
