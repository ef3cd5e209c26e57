import type { SmscEvent, SmscStats } from "../../src/simulator/events.ts";

/** What the simulated operator saw of one part of one message. */
type PartSeen = {
  accepted: number;
  /** Accepted again although an earlier one was answered on a link that still stood. */
  repeatedAnswered: number;
};

/** As they stand in the document of the last event. */
type Stats = Omit<SmscStats, "broken"> & { readonly violationsByKind: Readonly<Record<string, number>> };
/** An event as its line has it. */
type Told = Exclude<SmscEvent, { kind: "stopped" }> | { readonly kind: "stopped"; readonly stats: Stats };

export type OperatorAccount = {
  readonly stats: Stats;
  /** By number, then by part. */
  readonly parts: ReadonlyMap<string, ReadonlyMap<number, PartSeen>>;
  /** Receipts promised, by number: what they tell, and how many. */
  readonly receipts: ReadonlyMap<string, readonly { readonly stat: string; readonly receipts: number }[]>;
  readonly texts: ReadonlyMap<string, readonly string[]>;
  /** Accepted and never answered. */
  readonly unanswered: number;
  /** Times that a link was no longer read, so that what it had been sent was answered late, if at all. */
  readonly stalls: number;
  /** Bound links that ended otherwise than by the appliance's own wish. */
  readonly linksLost: number;
};

/** Reads what `bendre smsc --json` printed, to its end. */
export function operatorAccount(lines: readonly string[]): OperatorAccount {
  const parts = new Map<string, Map<number, PartSeen>>();
  const receipts = new Map<string, { stat: string; receipts: number }[]>();
  const texts = new Map<string, string[]>();
  /** The links on which a part was answered, by number and part. */
  const answeredOn = new Map<string, number[]>();
  const gone = new Set<number>();
  /** Links that the operator asked to unbind. */
  const asked = new Set<number>();
  let stats: Stats | null = null;
  let unanswered = 0;
  let linksLost = 0;
  let stalls = 0;

  for (const line of lines) {
    const event = JSON.parse(line) as Told;
    switch (event.kind) {
      case "submit": {
        if (event.id === null) break;
        const key = `${event.to}/${event.part}`;
        const answers = answeredOn.get(key) ?? [];
        const ofNumber = parts.get(event.to) ?? new Map<number, PartSeen>();
        const seen = ofNumber.get(event.part) ?? { accepted: 0, repeatedAnswered: 0 };
        parts.set(event.to, ofNumber.set(event.part, seen));
        seen.accepted += 1;
        if (answers.some((link) => !gone.has(link))) seen.repeatedAnswered += 1;
        if (event.status === null) unanswered += 1;
        else answeredOn.set(key, [...answers, event.link]);
        break;
      }
      case "outcome": {
        const { to, stat, receipts: count } = event;
        receipts.set(to, [...(receipts.get(to) ?? []), { stat, receipts: count }]);
        break;
      }
      case "text":
        texts.set(event.to, [...(texts.get(event.to) ?? []), event.text]);
        break;
      case "closed":
        gone.add(event.link);
        if (event.systemId !== null && (!event.isUnbound || asked.has(event.link))) linksLost += 1;
        break;
      case "quirk":
        // A dropped link may stay open to the eye, and one that asked to unbind is given up.
        gone.add(event.link);
        if (event.how === "asked to unbind") asked.add(event.link);
        if (event.how === "stalled") stalls += 1;
        break;
      case "garbage":
        gone.add(event.link);
        break;
      case "stopped":
        stats = event.stats;
        break;
      default:
        break;
    }
  }
  if (stats === null) throw new Error("the simulated operator did not say what it counted");
  return { stats, parts, receipts, texts, unanswered, linksLost, stalls };
}
