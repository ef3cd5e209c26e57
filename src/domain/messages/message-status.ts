/** The states of a message (docs/behaviour.md#states-of-a-message). */
export const STATUSES = ["QUEUED", "SUBMITTED", "SENT", "DELIVERED", "FAILED", "CANCELLED"] as const;

export type Status = (typeof STATUSES)[number];

/**
 * Every move there is; what is not here can't happen. `decide` looks each move up here, the database CHECKs
 * what follows from it, and a test walks every pair.
 *
 * SUBMITTED is committed before the first byte leaves, so a message there may be with the operator. It goes back
 * to QUEUED only when it is known not to be (not written, or the operator asked for later), or when its class is
 * resent for want of an answer. From QUEUED straight to SENT goes a message that waits to be resent when the
 * answer to an earlier attempt comes late after all, and through SENT to its end one that its channel had taken back and has delivered
 * all the same. From SENT to QUEUED goes a message of a channel that accepts, and then says that it has not sent it and may be asked
 * again.
 */
export const MOVES: Readonly<Record<Status, readonly Status[]>> = {
  QUEUED: ["SUBMITTED", "SENT", "FAILED", "CANCELLED"],
  SUBMITTED: ["QUEUED", "SENT", "FAILED"],
  SENT: ["QUEUED", "DELIVERED", "FAILED"],
  DELIVERED: [],
  FAILED: [],
  CANCELLED: [],
};
