/**
 * Which claimed messages this process has a lease of: from before their claim is committed until the end of the attempt is
 * durable. A SUBMITTED message that is not here, and that does not wait for an overdue answer, is to be recovered
 * (`lease-recovery.ts`). The end of one attempt may let the next begin before its lease is released, as where a message goes on
 * by another channel: leases of a message are counted.
 */
export type Holds = {
  readonly hold: (messageId: number) => void;
  readonly release: (messageId: number) => void;
  readonly has: (messageId: number) => boolean;
  /** Released, though the operator accepted something of it that could not be written. */
  readonly abandon: (messageId: number) => void;
  /** Whether it was abandoned, and not recovered since. */
  readonly isTaken: (messageId: number) => boolean;
  /** It was recovered, and what becomes of it is durable. */
  readonly settled: (messageId: number) => void;
};

export function holds(): Holds {
  /** How many leases each message has. */
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
