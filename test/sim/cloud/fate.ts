/** What becomes of one post, drawn from its own chance. */
import type { Chance } from "../../../src/core/chance.ts";
import { between, happens } from "../chance.ts";
import type { CloudHabits } from "../plan.ts";

export type ToldStatus = {
  readonly status: "sent" | "delivered" | "read" | "failed";
  readonly code: number | null;
  /** From the post until it is told. */
  readonly afterMs: number;
  readonly times: number;
  /** Told with what we gave the post along. */
  readonly hasOpaque: boolean;
};

export type CloudFate = {
  readonly answer: "accepted" | "held" | "broken" | "silent" | { readonly code: number };
  readonly isTaken: boolean;
  readonly isBillable: boolean;
  readonly statuses: readonly ToldStatus[];
};

const CHANGED_MIND_MS: readonly [number, number] = [0, 10_000];
const LATE_MS: readonly [number, number] = [20_000, 180_000];

/** It draws the same number of times whatever happens, so that a changed habit shifts nothing. */
export function drawFate(habits: CloudHabits, chance: Chance): CloudFate {
  const isBroken = [happens(chance, habits.breakBefore), happens(chance, habits.breakAfter)];
  const isSilent = happens(chance, habits.silent);
  const isUnsure = happens(chance, habits.unsure);
  const unsure = drawn(chance, habits.unsures, 500);
  const isUnsureTaken = happens(chance, 0.5);
  const isRefused = happens(chance, habits.refuse);
  const refusal = drawn(chance, habits.refusals, 131026);
  const isHeld = happens(chance, habits.held);
  const isBillable = !happens(chance, habits.free);
  const statuses = drawStatuses(habits, chance);
  const fate = (answer: CloudFate["answer"], isTaken: boolean): CloudFate => ({
    answer,
    isTaken,
    isBillable,
    statuses: isTaken ? statuses : [],
  });
  if (isBroken[0]) return fate("broken", false);
  if (isRefused) return fate({ code: refusal }, false);
  if (isUnsure) return fate({ code: unsure }, isUnsureTaken);
  if (isBroken[1]) return fate("broken", true);
  if (isSilent) return fate("silent", true);
  return fate(isHeld ? "held" : "accepted", true);
}

function drawn(chance: Chance, list: readonly number[], other: number): number {
  return list[Math.floor(chance.fraction() * list.length)] ?? other;
}

function drawStatuses(habits: CloudHabits, chance: Chance): readonly ToldStatus[] {
  const isFailed = happens(chance, habits.fail);
  const ownCode = drawn(chance, habits.failures, 131026);
  const isRead = happens(chance, habits.read);
  const isReadAlone = happens(chance, 0.4);
  const isContradicted = happens(chance, habits.contradict);
  const isFailedFirst = happens(chance, 0.5);
  // What Meta calls failed for now may get there all the same, when it was posted anew.
  const code = happens(chance, 0.6) && isContradicted && isFailedFirst ? 130429 : ownCode;
  const changedMindMs = between(chance, CHANGED_MIND_MS);
  const good: readonly ToldStatus["status"][] = [
    ...(isReadAlone && isRead ? [] : (["delivered"] as const)),
    ...(isRead ? (["read"] as const) : []),
  ];
  const bad = ["failed"] as const;
  const ends = isContradicted
    ? isFailedFirst
      ? [...bad, ...good]
      : [...good, ...bad]
    : isFailed
      ? bad
      : good;
  let afterMs = 0;
  return (["sent", ...ends] as const).map((status, place): ToldStatus => {
    afterMs += between(chance, habits.statusMs) + (isContradicted && place > 1 ? changedMindMs : 0);
    const isLost = happens(chance, habits.loseStatus);
    const isDoubled = happens(chance, habits.doubleStatus);
    const lateMs = happens(chance, habits.lateStatus) ? between(chance, LATE_MS) : 0;
    const hasOpaque = !happens(chance, habits.bareStatus);
    const times = isLost ? 0 : isDoubled ? 2 : 1;
    return { status, code: status === "failed" ? code : null, afterMs: afterMs + lateMs, times, hasOpaque };
  });
}
