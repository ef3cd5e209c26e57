/** A segment the operator accepted, under one id. A resend may give a part a second row. */
export type AcceptedPart = {
  readonly part: number;
  readonly state: "SENT" | "DELIVERED" | "FAILED";
  readonly remoteKey: string;
  readonly errorCode: string | null;
  readonly operatorCode: string | null;
};

/** Where the segments of a message stand together. */
export type Standing = {
  /** How many different segments the operator accepted. */
  readonly accepted: number;
  readonly verdict: "waiting" | "delivered" | "failed";
  /** The part that made it fail. */
  readonly failed: AcceptedPart | null;
};

/**
 * The state of a message as a pure function of its parts: delivered when every segment is, failed as soon as one
 * segment is lost under every id it was accepted under (docs/behaviour.md#receipts).
 */
export function standingOf(parts: readonly AcceptedPart[], segments: number): Standing {
  const best = new Map<number, AcceptedPart>();
  for (const part of parts) {
    const known = best.get(part.part);
    if (!known || rank(part) > rank(known) || (isSentBack(known) && rank(part) === rank(known)))
      best.set(part.part, part);
  }
  let delivered = 0;
  let failed: AcceptedPart | null = null;
  for (const part of best.values()) {
    if (part.state === "DELIVERED") delivered += 1;
    else if (part.state === "FAILED") failed ??= part;
  }
  const verdict = failed ? "failed" : delivered === segments ? "delivered" : "waiting";
  return { accepted: best.size, verdict, failed };
}

function rank(part: AcceptedPart): number {
  return part.state === "DELIVERED" ? 2 : part.state === "SENT" ? 1 : 0;
}

/** It was sent back to be tried again, and did not fail for good: what comes of that says why it does. */
export function isSentBack(part: AcceptedPart): boolean {
  return part.state === "FAILED" && part.errorCode === null;
}
