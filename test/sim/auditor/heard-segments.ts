import type { ExpectedMessage } from "./expected.ts";
import type { History } from "./history.ts";
import { carrying, type Group, joinsOf } from "./joins.ts";
import { firstAnswer } from "./wire-submits.ts";

const known = new WeakMap<History, ReadonlyMap<ExpectedMessage, number>>();

/**
 * How many segments of a message the appliance surely knew to be accepted before anything of it was refused: 0 where a death, a
 * disk, a contradiction or another message with the same words leaves that open.
 */
export function heardSegments(history: History, message: ExpectedMessage): number {
  const found = known.get(history) ?? readHeard(history);
  known.set(history, found);
  return found.get(message) ?? 0;
}

function readHeard(history: History): ReadonlyMap<ExpectedMessage, number> {
  const heard = new Map<ExpectedMessage, number>();
  const isCalm =
    history.lives.every(({ end }) => end === null || end === "stopped") &&
    history.observations.every((seen) => seen.kind !== "disk" && seen.kind !== "clock");
  if (!isCalm) return heard;
  for (const group of joinsOf(history).groups) {
    const [only] = group.messages;
    if (only && group.messages.length === 1) heard.set(only.message, segmentsOf(group));
  }
  return heard;
}

function segmentsOf(group: Group): number {
  if (group.carried.some(({ submit }) => submit.answers.length > 1)) return 0;
  const refusals = group.carried.flatMap(({ submit }) => firstAnswer(submit, "refused")?.heardAtMs ?? []);
  const firstRefusalMs = Math.min(Infinity, ...refusals);
  const parts = Array.from({ length: group.segments }, (_, index) => carrying(group, index + 1));
  return parts.filter((submits) =>
    submits.some((submit) => {
      const answer = firstAnswer(submit, "accepted");
      return answer?.isSure && answer.heardAtMs !== null && answer.heardAtMs < firstRefusalMs;
    }),
  ).length;
}
