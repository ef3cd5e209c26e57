/**
 * Which claimed messages somebody in this process looks after: from before their claim is committed until the end of
 * the attempt is durable. A SUBMITTED message that is not here, and that does not wait for an overdue answer, has
 * nobody who looks after it. The end of one attempt may let the next begin before it lets go itself, as where a message
 * goes on by another channel: a message is held as often as it was taken.
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
  /** How often each is held. */
  const held = new Map<number, number>();
  const release = (messageId: number): void => {
    const others = (held.get(messageId) ?? 0) - 1;
    if (others > 0) held.set(messageId, others);
    else held.delete(messageId);
  };
  const taken = new Set<number>();
  return {
    hold: (messageId) => {
      held.set(messageId, (held.get(messageId) ?? 0) + 1);
    },
    release,
    has: (messageId) => held.has(messageId),
    abandon: (messageId) => {
      release(messageId);
      taken.add(messageId);
    },
    isTaken: (messageId) => taken.has(messageId),
    settled: (messageId) => {
      taken.delete(messageId);
    },
  };
}
