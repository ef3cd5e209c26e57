/**
 * Which claimed messages somebody in this process looks after: from before their claim is committed until the end of the
 * attempt is durable. What is SUBMITTED and stands neither here nor waits for an overdue answer is looked after by nobody.
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
