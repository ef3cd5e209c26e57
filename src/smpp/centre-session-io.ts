import type { BindKind } from "./command.ts";
import type { Decoded } from "./pdu.ts";
import type { SessionOutput } from "./session-output.ts";
import type { ShortMessage } from "./short-message.ts";
import type { BindFields } from "./wire-fields.ts";

/* What goes into a centre's session and what comes out of it. */

/** Read whenever a time is set, so that it may change while the link stands. */
export type SmscSessionSettings = {
  /** What has not bound by then is closed. */
  readonly bindWithinMs: number;
  /** How often the client is asked whether it is there; one that has not answered by the next time is closed. */
  readonly enquireLinkMs: number;
  /** After which a deliver_sm counts as unanswered; Infinity waits as long as the link stands. */
  readonly responseTimeoutMs: number;
};

/** A bind as it came. */
export type BindRequest = {
  readonly kind: BindKind;
  readonly sequence: number;
  readonly fields: BindFields;
};

export type SubmitCommand = "submit_sm" | "data_sm";
export type DeliveryCommand = "deliver_sm" | "data_sm";

export type SmscInput =
  | { readonly kind: "connected" }
  | { readonly kind: "received"; readonly decoded: Decoded }
  /** The time that `smscDeadlineMs` named has come. */
  | { readonly kind: "tick" }
  /** The answer to the bind that was asked for; `scInterfaceVersion` null leaves it out. */
  | {
      readonly kind: "bind_answer";
      readonly status: number;
      readonly systemId: string;
      readonly scInterfaceVersion: number | null;
    }
  /** The answer to a submit; a null id leaves the body out. */
  | {
      readonly kind: "answer";
      readonly to: SubmitCommand;
      readonly sequence: number;
      readonly status: number;
      readonly messageId: string | null;
    }
  /** Only while `canDeliver`. `ref` is the caller's. */
  | {
      readonly kind: "deliver";
      readonly command: DeliveryCommand;
      readonly ref: number;
      readonly message: ShortMessage;
    }
  /** Asks the client to leave. */
  | { readonly kind: "unbind" }
  | { readonly kind: "closed" };

export type SmscOutput =
  | SessionOutput
  /** To be answered by a "bind_answer". */
  | { readonly kind: "bind_asked"; readonly bind: BindRequest }
  | { readonly kind: "bound"; readonly bind: BindRequest }
  | { readonly kind: "bind_refused"; readonly bind: BindRequest; readonly status: number }
  /** To be answered by an "answer". One that is misplaced has been refused already. */
  | {
      readonly kind: "submit" | "misplaced_submit";
      readonly command: SubmitCommand;
      readonly sequence: number;
      readonly message: ShortMessage;
    }
  /** The client answered a deliver_sm; `late` when it was told as timed out before. */
  | {
      readonly kind: "delivered";
      readonly ref: number;
      readonly status: number;
      readonly late: boolean;
    }
  | { readonly kind: "timed_out"; readonly refs: readonly number[] }
  /** The link went away with these unanswered. */
  | { readonly kind: "lost"; readonly refs: readonly number[] };
