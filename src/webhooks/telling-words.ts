/** What the appliance and the thread that tells endpoints say to each other: values that can be copied. */
import type { LogFields, LogLevel } from "../core/log.ts";
import type { FollowedMessage, TraceFields } from "../core/steps.ts";
import type { DispatchFigures } from "./dispatcher.ts";
import type { WebhookNetworkRules } from "./outbound.ts";
import type { EndpointOutcome } from "./outcomes.ts";
import type { ClockSample } from "./told-clock.ts";

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
