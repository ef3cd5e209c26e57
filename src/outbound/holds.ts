/**
 * Which claimed messages somebody in this process looks after: from before their claim is committed until the end of
 * the attempt is durable. A SUBMITTED message that is not here, and that does not wait for an overdue answer, has
 * nobody who looks after it.
 */
export type Holds = {
  readonly hold: (messageId: number) => void;
  readonly release: (messageId: number) => void;
  readonly has: (messageId: number) => boolean;
};

export function holds(): Holds {
  const held = new Set<number>();
  return {
    hold: (messageId) => {
      held.add(messageId);
    },
    release: (messageId) => {
      held.delete(messageId);
    },
    has: (messageId) => held.has(messageId),
  };
}
