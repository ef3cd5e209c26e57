/** What the appliance and the thread that tells endpoints say to each other: values that can be copied. */

import type { Clock, ClockDoubt } from "../core/clock.ts";
import type { FollowedMessage, LogFields, LogLevel, TraceFields } from "../core/log.ts";
import { SAME_TIME_MS, trustedClock } from "../core/trusted-clock.ts";
import type { EndpointOutcome } from "./attempts.ts";
import type { DispatchFigures } from "./dispatcher.ts";
import type { WebhookNetworkRules } from "./endpoint-client.ts";

/** What the thread needs to begin. */
export type DeliveryWorkerStart = {
  readonly directory: string;
  readonly webhooks: WebhookNetworkRules;
  readonly time: ClockSample;
  /** What somebody who looks at single steps sees of them; null where nobody looks. */
  readonly steps: {
    readonly isEachShown: boolean;
    readonly followed: readonly (readonly [row: number, message: FollowedMessage])[];
  } | null;
};

/** What the thread is told. */
export type ToThread =
  | { readonly kind: "begin"; readonly beginning: DeliveryWorkerStart }
  | { readonly kind: "settings"; readonly webhooks: WebhookNetworkRules }
  | { readonly kind: "time"; readonly time: ClockSample }
  | { readonly kind: "wake" }
  /** The answer to its outcomes: what came of each. */
  | { readonly kind: "written"; readonly kept: readonly boolean[] }
  | { readonly kind: "unwritten"; readonly error: { readonly name: string; readonly message: string } }
  | { readonly kind: "stop"; readonly graceMs: number };

/** What the thread tells. Of outcomes there is one message, and then none until it is answered. */
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

/** Of a dispatcher that has not begun. */
export const NO_FIGURES: DispatchFigures = {
  endpoints: 0,
  inFlight: 0,
  delivered: 0,
  failed: 0,
  givenUp: 0,
  disabled: 0,
  attemptsMs: 0,
};

/** What the appliance thinks of the wall clock, and what that said then. */
type ClockSample = { readonly wallMs: number; readonly doubt: ClockDoubt | null };

/** A clock that doubts by itself, and is told how the appliance's clock doubts: so both show one time. */
export type MirroredClock = Clock & { readonly set: (told: ClockSample) => void };

/** What is told of a clock that doubts. */
export function sampleClock(clock: Clock): ClockSample {
  const doubt = clock.doubt();
  return { wallMs: doubt?.wallMs ?? clock.nowMs(), doubt };
}

export function createMirroredClock(clock: Clock, begin: ClockSample): MirroredClock {
  const own = trustedClock(clock);
  const set = ({ wallMs, doubt }: ClockSample): void => {
    // The clock was set since that was said: what is thought of it now is told as soon as it is seen there.
    if (Math.abs(clock.nowMs() - wallMs) > SAME_TIME_MS) return;
    if (doubt === null) own.accept();
    else own.doubtAs(doubt);
  };
  set(begin);
  return { ...own, set };
}
