import type { Chance } from "../../../src/core/chance.ts";
import { between, happens, oneOf } from "../chance.ts";
import type { CentreHabits, Undelivered } from "../plan.ts";
import { INTERMEDIATE_STATS, type Stat, UNDELIVERED_STATS } from "./stat.ts";

/** Which of the ids of an accepted text something carries. A text has a second one when it is answered with two. */
export type Which = "first" | "second";

export type PlannedResponse = {
  readonly afterMs: number;
  /** Accepted under an id, or refused with a command_status. */
  readonly words: { readonly accepts: Which } | { readonly refuses: number };
};

export type PlannedReceipt = {
  readonly afterMs: number;
  readonly stat: Stat;
  readonly id: Which | "never given";
  readonly number: "own" | "somebody else's";
};

/** All that will become of one submit, drawn when it arrives. Times count from its arrival. */
export type SubmitFate = {
  readonly responses: readonly PlannedResponse[];
  readonly receipts: readonly PlannedReceipt[];
  /** What a good centre would not have done, by the names that faults are counted under. */
  readonly oddities: readonly string[];
};

/** Draws what becomes of a submit. It draws the same number of times whatever comes out. */
export function submitFate(habits: CentreHabits, chance: Chance): SubmitFate {
  const answered = responsesOf(habits, chance);
  const receipts = receiptsOf(habits, chance, answered);
  return {
    responses: answered.responses,
    receipts: answered.isAccepted ? receipts.planned : [],
    oddities: [...answered.oddities, ...(answered.isAccepted ? receipts.oddities : [])],
  };
}

type Answered = {
  readonly isAccepted: boolean;
  /** When it is, or would have been, answered first. */
  readonly atMs: number;
  readonly id: Which;
  readonly responses: readonly PlannedResponse[];
  readonly oddities: readonly string[];
};

function responsesOf(habits: CentreHabits, chance: Chance): Answered {
  const atMs = Math.max(1, between(chance, habits.responseMs));
  const againMs = atMs + Math.max(1, between(chance, habits.responseMs));
  const refusal = habits.refusals[Math.floor(chance.fraction() * habits.refusals.length)];
  const isIgnored = happens(chance, habits.ignore);
  const isSwallowed = happens(chance, habits.swallow);
  const isRefused = happens(chance, habits.refuse) && refusal !== undefined;
  const isContradicted = happens(chance, habits.contradict);
  const isDoubled = happens(chance, habits.doubleResponse);
  const contradiction = oneOf(chance, ["two ids", "accept, refuse", "refuse, accept"] as const);
  const id = oneOf(chance, ["first", "second"] as const);

  const accepts = (afterMs: number, which: Which = "first") => ({ afterMs, words: { accepts: which } });
  const refuses = (afterMs: number) => ({ afterMs, words: { refuses: refusal ?? 0x08 } });
  const good = { isAccepted: true, atMs, id: "first" } as const;
  const doubled = isDoubled ? ["centre: response doubled"] : [];
  if (isIgnored) return { ...good, isAccepted: false, responses: [], oddities: ["centre: submit ignored"] };
  if (isSwallowed) return { ...good, responses: [], oddities: ["centre: response swallowed"] };
  if (isRefused) {
    const responses = isDoubled ? [refuses(atMs), refuses(againMs)] : [refuses(atMs)];
    return { ...good, isAccepted: false, responses, oddities: ["centre: submit refused", ...doubled] };
  }
  if (isContradicted) {
    const oddities = [`centre: response contradicted (${contradiction})`];
    const two = { ...good, id, responses: [accepts(atMs), accepts(againMs, "second")], oddities };
    if (contradiction === "two ids") return two;
    const isFirst = contradiction === "accept, refuse";
    const pair = isFirst ? [accepts(atMs), refuses(againMs)] : [refuses(atMs), accepts(againMs)];
    return { ...good, responses: pair, oddities };
  }
  return {
    ...good,
    responses: isDoubled ? [accepts(atMs), accepts(againMs)] : [accepts(atMs)],
    oddities: doubled,
  };
}

type Receipted = { readonly planned: readonly PlannedReceipt[]; readonly oddities: readonly string[] };

function receiptsOf(habits: CentreHabits, chance: Chance, { atMs, id }: Answered): Receipted {
  const lateMs = atMs + between(chance, habits.receiptMs);
  const againMs = between(chance, habits.receiptMs);
  const share = chance.fraction();
  const isLost = happens(chance, habits.noReceipt);
  const isEarly = happens(chance, habits.earlyReceipt);
  const isDoubled = happens(chance, habits.doubleReceipt);
  const isForeign = happens(chance, habits.foreignReceipt);
  const isAnnounced = happens(chance, habits.intermediateReceipt);
  const isUndelivered = happens(chance, habits.undelivered);
  const bad = oneOf<Undelivered>(chance, habits.undeliveredAs ?? UNDELIVERED_STATS);
  const early = oneOf(chance, INTERMEDIATE_STATS);
  const stranger = oneOf(chance, ["never given", "somebody else's"] as const);
  const strange = oneOf(chance, ["DELIVRD", "UNDELIV"] as const);
  const foreignMs = between(chance, habits.receiptMs);
  const isContradicted = happens(chance, habits.contradictReceipt ?? 0);
  const contraryMs = between(chance, habits.receiptMs);

  const own = { id, number: "own" } as const;
  const stat: Stat = isUndelivered ? bad : "DELIVRD";
  const afterMs = isEarly ? Math.floor(share * atMs) : lateMs;
  const planned: PlannedReceipt[] = [];
  const oddities: string[] = [];
  if (isAnnounced) {
    planned.push({ ...own, afterMs: Math.floor(share * afterMs), stat: early });
    oddities.push("centre: receipt announced");
  }
  if (isLost) oddities.push("centre: receipt never sent");
  else {
    planned.push({ ...own, afterMs, stat });
    if (isEarly) oddities.push("centre: receipt early");
    if (isDoubled) {
      planned.push({ ...own, afterMs: afterMs + againMs, stat });
      oddities.push("centre: receipt doubled");
    }
    if (isContradicted) {
      planned.push({ ...own, afterMs: afterMs + contraryMs, stat: isUndelivered ? "DELIVRD" : bad });
      oddities.push("centre: receipt contradicted");
    }
    if (isUndelivered) oddities.push(`centre: ${bad}`);
  }
  if (isForeign) {
    const ofOwn = stranger === "never given" ? ({ id: stranger, number: "own" } as const) : null;
    planned.push({
      ...(ofOwn ?? { id, number: "somebody else's" }),
      afterMs: atMs + foreignMs,
      stat: strange,
    });
    oddities.push(`centre: receipt foreign (${stranger === "never given" ? "id" : "number"})`);
  }
  return { planned, oddities };
}
