import type { BindKind } from "./command.ts";
import type { SessionHistory } from "./liveness.ts";
import type { Decoded } from "./pdu.ts";
import type { SessionOutput } from "./session-output.ts";
import type { ShortMessage } from "./short-message.ts";
import type { BindFields } from "./wire-fields.ts";

/* What goes into a client's session and what comes out of it. */

export type EsmeSettings = {
  readonly kind: BindKind;
  readonly bind: BindFields;
  /** submit_sm that may wait for a response at once. */
  readonly window: number;
  readonly responseTimeoutMs: number;
  /** Silence from the operator after which we ask whether it is there. */
  readonly enquireLinkMs: number;
  /** What the links before this one taught. */
  readonly experience: SessionHistory;
};

export type EsmeInput =
  | { readonly kind: "connected" }
  | { readonly kind: "received"; readonly decoded: Decoded }
  /** The time that `deadlineMs` named has come. */
  | { readonly kind: "tick" }
  /** Only while there is one of `openSlots`. `ref` is the caller's. */
  | { readonly kind: "submit"; readonly ref: number; readonly message: ShortMessage }
  | {
      readonly kind: "answer";
      readonly to: DeliverCommand;
      readonly sequence: number;
      readonly status: number;
    }
  /**
   * Submits nothing more; unbinds once every submit is answered, after `graceMs` at the latest, and closes after
   * `longestMs` whatever is missing. Said again, the earlier times count.
   */
  | { readonly kind: "leave"; readonly graceMs: number; readonly longestMs: number }
  /** From now on it goes by these; those of the bind count for the next one. */
  | { readonly kind: "settings"; readonly settings: EsmeSettings }
  /** Submits that never left, taken back as a "halt" asked. */
  | { readonly kind: "withdrawn"; readonly refs: readonly number[] }
  | { readonly kind: "closed" };

export type DeliverCommand = "deliver_sm" | "data_sm";

export type EsmeOutput =
  | SessionOutput
  /** Nothing new may leave: submits that have not begun to are to be taken back. */
  | { readonly kind: "halt" }
  | { readonly kind: "bound" }
  | { readonly kind: "bind_refused"; readonly status: number }
  /** More submits may wait than before, though none was answered or given up. */
  | { readonly kind: "resumed" }
  | {
      readonly kind: "response";
      readonly ref: number;
      readonly status: number;
      readonly messageId: string | null;
      /** The submit was reported as timed out before. */
      readonly late: boolean;
    }
  /** No response in time. Its response, should it come, is reported as late. */
  | { readonly kind: "timed_out"; readonly refs: readonly number[] }
  /** The link went away with these unanswered. */
  | { readonly kind: "lost"; readonly refs: readonly number[] }
  | {
      readonly kind: "deliver";
      readonly command: DeliverCommand;
      readonly sequence: number;
      readonly message: ShortMessage;
    };
