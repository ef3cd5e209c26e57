/**
 * What a client is told of a change of its message, pure (docs/behaviour.md#callbacks). In Kannel's numbers: 8 the operator took it, 16
 * it did not, 1 delivered, 2 not delivered. A look at the feed sees the last status alone, so that 8 may be told late, before 1 or 2.
 */
export type CallbackEvent = 1 | 2 | 8 | 16;

export type CallbackProgress = {
  readonly status: string;
  readonly isFinal: boolean;
  /** An operator took it, or a part of it. */
  readonly isTaken: boolean;
};

/** What is new of a message, in order; `isSent`: that an operator took it was seen before. */
export function listCallbackEvents({ status, isFinal, isTaken }: CallbackProgress, isSent: boolean): CallbackEvent[] {
  const taken: CallbackEvent[] = isSent ? [] : [8];
  switch (status) {
    case "SENT":
      return taken;
    case "DELIVERED":
      return [...taken, 1];
    case "FAILED":
    case "CANCELLED":
      if (!isFinal) return [];
      return isSent || isTaken ? [...taken, 2] : [16];
    default:
      return [];
  }
}

/** Whether a client wants to be told: Kannel's mask has the number, Jasmin's level is 1 for the operator, 2 for the end, 3 for both. */
export function isWanted(protocol: "kannel" | "jasmin", mask: number, telling: CallbackEvent): boolean {
  if (protocol === "kannel") return (mask & telling) !== 0;
  return telling === 8 ? mask !== 2 : telling === 16 || mask !== 1;
}
