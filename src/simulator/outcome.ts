/**
 * Decides how the simulated SMSC answers a submit_sm and what becomes of the message: by quirks, chance, and the last digits
 * of the number.
 */
import { type Chance, jitter } from "../core/chance.ts";
import { STATUS } from "../smpp/status.ts";
import type { Stat } from "./message-states.ts";
import type { Quirks } from "./quirks.ts";

/** What the decision needs to know about a submit_sm and its history. */
export type SubmitSeen = {
  readonly destination: string;
  /** registered_delivery (SMPP 3.4 section 5.2.17). */
  readonly registeredDelivery: number;
  /** How many submit_sm to the same number came before this one, refused ones included. */
  readonly earlierToNumber: number;
  /** Its place among the submit_sm of its session, from 1. */
  readonly placeOnLink: number;
  /** Its place among all submit_sm since the start, from 1. */
  readonly place: number;
  /** Sessions that the quirks have dropped so far. */
  readonly dropped: number;
  /** Whether it exceeds the rate of its system_id at this moment. */
  readonly isTooMuch: boolean;
};

/** What becomes of an accepted message: its final state, when it is reached, how many receipts tell so. */
export type Fate = { readonly stat: Stat; readonly afterMs: number; readonly receipts: number };

/** Delays count from the submit_sm. */
export type Plan = {
  readonly status: number;
  /** Null: no response, ever. */
  readonly responseAfterMs: number | null;
  /** Null for a refused message. */
  readonly fate: Fate | null;
  /** The session is cut at once. */
  readonly isLinkCut: boolean;
};

type Step = (plan: Plan, submit: SubmitSeen, quirks: Quirks, chance: Chance) => Plan;

/** Each step changes the plan of those before it. A new quirk is a new line here and a function below. */
const STEPS: readonly Step[] = [
  misfortune,
  magic,
  refused,
  notAskedFor,
  lostAndDoubled,
  swallowed,
  overtaken,
  throttle,
  cutLink,
];

/** What this operator does with a well-formed submit_sm. Pure but for the chance it is handed. */
export function planSubmit(submit: SubmitSeen, quirks: Quirks, chance: Chance): Plan {
  const responseAfterMs = spread(quirks.responseDelayMs, quirks.responseJitterMs, chance);
  const afterMs = responseAfterMs + spread(quirks.receiptDelayMs, quirks.receiptJitterMs, chance);
  const plain: Plan = {
    status: STATUS.ROK,
    responseAfterMs,
    fate: { stat: "DELIVRD", afterMs, receipts: 1 },
    isLinkCut: false,
  };
  return STEPS.reduce((plan, step) => step(plan, submit, quirks, chance), plain);
}

/** A delay of `least` plus up to `more`, evenly distributed. */
function spread(least: number, more: number, chance: Chance): number {
  return more === 0 ? least : jitter(chance, least + more / 2, more / 2 / (least + more / 2));
}

function happens(percent: number, chance: Chance): boolean {
  return percent > 0 && chance.fraction() * 100 < percent;
}

function withFate(plan: Plan, change: Partial<Fate>): Plan {
  return plan.fate === null ? plan : { ...plan, fate: { ...plan.fate, ...change } };
}

function refusedWith(plan: Plan, status: number): Plan {
  return { ...plan, status, fate: null };
}

function misfortune(plan: Plan, _submit: SubmitSeen, quirks: Quirks, chance: Chance): Plan {
  return happens(100 - quirks.deliveredPercent, chance) ? withFate(plan, { stat: "UNDELIV" }) : plan;
}

function magic(plan: Plan, submit: SubmitSeen): Plan {
  const asked = findMagicNumber(submit.destination);
  if (asked === undefined) return plan;
  const isFirst = submit.earlierToNumber === 0;
  if (asked.refusal && (isFirst || !asked.refusal.first)) return refusedWith(plan, asked.refusal.status);
  const fated = withFate(plan, {
    stat: asked.stat ?? "DELIVRD",
    receipts: asked.receipts ?? 1,
  });
  if (!isFirst || asked.first === undefined) return fated;
  return { ...fated, responseAfterMs: null, isLinkCut: asked.first === "dropped" };
}

function refused(plan: Plan, _submit: SubmitSeen, quirks: Quirks, chance: Chance): Plan {
  return happens(quirks.refusePercent, chance) && plan.fate !== null
    ? {
        ...refusedWith(plan, quirks.refuseStatus),
        responseAfterMs: plan.responseAfterMs ?? 0,
        isLinkCut: false,
      }
    : plan;
}

/** registered_delivery: 1 every end, 2 failures only, 3 success only (SMPP 5.0 section 4.7.21). */
function notAskedFor(plan: Plan, submit: SubmitSeen, quirks: Quirks): Plan {
  const asked = submit.registeredDelivery & 0x03;
  const isDelivered = plan.fate?.stat === "DELIVRD";
  const isWanted = asked === 1 || (asked === 2 && !isDelivered) || (asked === 3 && isDelivered);
  return isWanted && !quirks.noReceipts ? plan : withFate(plan, { receipts: 0 });
}

function lostAndDoubled(plan: Plan, _submit: SubmitSeen, quirks: Quirks, chance: Chance): Plan {
  if (plan.fate?.receipts !== 1) return plan;
  if (happens(quirks.lostReceiptPercent, chance)) return withFate(plan, { receipts: 0 });
  return happens(quirks.duplicateReceiptPercent, chance) ? withFate(plan, { receipts: 2 }) : plan;
}

function swallowed(plan: Plan, submit: SubmitSeen, quirks: Quirks): Plan {
  const isSwallowed = quirks.swallowEvery > 0 && submit.place % quirks.swallowEvery === 0;
  return isSwallowed && plan.fate !== null ? { ...plan, responseAfterMs: null } : plan;
}

function overtaken(plan: Plan, _submit: SubmitSeen, quirks: Quirks): Plan {
  if (!quirks.receiptBeforeResponse || plan.responseAfterMs === null) return plan;
  return withFate({ ...plan, responseAfterMs: Math.max(1, plan.responseAfterMs) }, { afterMs: 0 });
}

function throttle(plan: Plan, submit: SubmitSeen, quirks: Quirks): Plan {
  if (!submit.isTooMuch) return plan;
  return {
    ...refusedWith(plan, quirks.throttleStatus),
    responseAfterMs: plan.responseAfterMs ?? 0,
    isLinkCut: false,
  };
}

function cutLink(plan: Plan, submit: SubmitSeen, quirks: Quirks): Plan {
  const isDue = quirks.dropAfter > 0 && submit.placeOnLink >= quirks.dropAfter;
  const isLeft = quirks.dropTimes === 0 || submit.dropped < quirks.dropTimes;
  return isDue && isLeft && plan.fate !== null ? { ...plan, responseAfterMs: null, isLinkCut: true } : plan;
}

/** The outcome that a number's last five digits choose. "First" is the first submit_sm to that number since the start. */
type MagicNumber = {
  /** In place of DELIVRD. */
  readonly stat?: Stat;
  /** Refused with this status, always or the first time only. */
  readonly refusal?: { readonly status: number; readonly first?: true };
  /** How often the receipt is sent, in place of once. */
  readonly receipts?: 0 | 2;
  /** Accepted without an answer, or with the session cut, the first time only. */
  readonly first?: "unanswered" | "dropped";
};

/** The endings that choose an outcome; every other number is answered by the quirks alone. */
export const MAGIC_NUMBERS: ReadonlyMap<string, MagicNumber> = new Map<string, MagicNumber>([
  ["99001", { stat: "UNDELIV" }],
  ["99002", { stat: "EXPIRED" }],
  ["99003", { stat: "REJECTD" }],
  ["99004", { receipts: 0 }],
  ["99005", { refusal: { status: STATUS.RINVDSTADR } }],
  ["99006", { refusal: { status: STATUS.RTHROTTLED, first: true } }],
  ["99007", { refusal: { status: STATUS.RMSGQFUL, first: true } }],
  ["99008", { first: "unanswered" }],
  ["99009", { receipts: 2 }],
  ["99010", { stat: "UNKNOWN" }],
  ["99011", { refusal: { status: STATUS.RSYSERR } }],
  ["99012", { first: "dropped" }],
]);

/** The outcome that a number chooses, if it chooses one. */
export function findMagicNumber(destination: string): MagicNumber | undefined {
  return MAGIC_NUMBERS.get(destination.slice(-5));
}
