/**
 * Which claimed messages somebody in this process looks after: from before their claim is committed until the end of
 * the attempt is durable. A SUBMITTED message that is not here, and that does not wait for an overdue answer, has
 * nobody who looks after it.
 */
export type Holds = {
  readonly hold: (messageId: number) => void;
  readonly release: (messageId: number) => void;
  readonly has: (messageId: number) => boolean;
  /** Released, though the operator accepted something of it that could not be written. */
  readonly abandon: (messageId: number) => void;
  /** Whether it was abandoned, and nobody found it since. */
  readonly isTaken: (messageId: number) => boolean;
  /** It was found, and what becomes of it is durable. */
  readonly settled: (messageId: number) => void;
};

export function holds(): Holds {
  const held = new Set<number>();
  const taken = new Set<number>();
  return {
    hold: (messageId) => {
      held.add(messageId);
    },
    release: (messageId) => {
      held.delete(messageId);
    },
    has: (messageId) => held.has(messageId),
    abandon: (messageId) => {
      held.delete(messageId);
      taken.add(messageId);
    },
    isTaken: (messageId) => taken.has(messageId),
    settled: (messageId) => {
      taken.delete(messageId);
    },
  };
}
