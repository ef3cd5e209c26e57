/**
 * Single steps, for whoever looks for a fault: claims, PDUs, facts, attempts, slow statements. Whoever takes a step writes
 * `log.steps?.tell("sms", "claimed", { … })`. Where nobody looks there is no log of steps, so that nothing is built.
 */

/** Rooms that tell steps. */
export const TRACE_AREAS = ["messages", "smpp", "sms", "store", "webhooks"] as const;
export type TraceArea = (typeof TRACE_AREAS)[number];

/** Fields of a step; `message`: the row of the message it happened to, told as its id. Never a text or a whole number. */
export type TraceFields = Readonly<Record<string, string | number | boolean | null | undefined>> & {
  readonly message?: number | undefined;
};

/** A message whose steps are told whatever the level is. */
export type FollowedMessage = { readonly messageId: string; readonly msisdn: string };

export type TraceLog = {
  /** Tells a step, if its room is told or it happened to a message that is followed. */
  readonly tell: (room: TraceArea, what: string, fields: TraceFields) => void;
  /** Whether every step of a room is told. */
  readonly shows: (room: TraceArea) => boolean;
  /** Messages that are followed, by row. */
  readonly followed: ReadonlyMap<number, FollowedMessage>;
};
