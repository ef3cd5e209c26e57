/**
 * What an earlier version purged without telling first: as many messages stay told as are gone, and the rest is told as it is now. Which
 * of them are gone is not known. Only what was over was purged, the oldest first, and so it is taken for those. Pure.
 */
import { type DayFigures, isNothing, NO_FIGURES, nameOf, type Outcomes, sumOf } from "./figures.ts";

type Counted = Iterable<Pick<DayFigures, "zone" | "messages">>;

/** Whether messages of a block are gone that it told figures of. */
export function areSomeGone(told: Counted, now: Counted): boolean {
  return messagesOf(now) < messagesOf(told);
}

function messagesOf(figures: Counted): number {
  let messages = 0;
  for (const each of figures) if (each.zone === 0) messages += each.messages;
  return messages;
}

/** The changes of the days from what a block told to what its messages say, some of which are gone. */
export function changesBesideGone(
  told: readonly DayFigures[],
  now: readonly DayFigures[],
): readonly DayFigures[] {
  const changes = new Map<string, DayFigures>();
  const change = (each: DayFigures, sign: 1 | -1): void => {
    const { zone, day, facet } = each;
    const name = placeOf(each);
    changes.set(name, { zone, day, facet, ...sumOf(changes.get(name) ?? NO_FIGURES, each, sign) });
  };
  for (const each of told) change(each, -1);
  for (const each of [...now, ...goneOf(told, now)]) change(each, 1);
  return [...changes.values()].filter((each) => !isNothing(each));
}

function placeOf({ zone, day, facet }: DayFigures): string {
  return `${zone} ${day} ${nameOf(facet)}`;
}

/** What was told of messages that are gone, by account; on the account's own days too, as of those that are purged today. */
function goneOf(told: readonly DayFigures[], now: readonly DayFigures[]): readonly DayFigures[] {
  const nowAt = new Map(now.map((each) => [placeOf(each), each]));
  return [...new Set(told.map(({ facet }) => facet.accountId))].flatMap((accountId) => {
    const [all, own] = [0, 1].map((zone) =>
      told.filter((each) => each.zone === zone && each.facet.accountId === accountId),
    );
    const left = messagesOf(now.filter(({ facet }) => facet.accountId === accountId));
    const count = Math.max(0, messagesOf(all ?? []) - left);
    const gone = likeliest(all ?? [], nowAt, count);
    const isOwnTold = own !== undefined && own.length > 0;
    return [
      ...gone,
      ...(isOwnTold ? likeliest(own, nowAt, count) : gone.map((each) => ({ ...each, zone: 1 as const }))),
    ];
  });
}

/** Statuses of messages that are not over. Some that are sent are over too, but without a receipt. */
const UNDER_WAY: ReadonlySet<string> = new Set(["QUEUED", "SUBMITTED", "SENT"]);

/** So many of those that were told as are likeliest gone: first those of which fewer are there now, last those that were under way. */
function likeliest(
  told: readonly DayFigures[],
  nowAt: ReadonlyMap<string, DayFigures>,
  count: number,
): readonly DayFigures[] {
  const inOrder = told.toSorted((one, other) => (one.day < other.day ? -1 : one.day > other.day ? 1 : 0));
  const [underWay, over] = [true, false].map((is) =>
    inOrder.filter(({ facet }) => UNDER_WAY.has(facet.status) === is),
  );
  const gone: DayFigures[] = [];
  let left = count;
  const take = (of: DayFigures, most: number): DayFigures => {
    const taken = shareOf(of, Math.min(left, most));
    left -= taken.messages;
    if (taken.messages > 0) gone.push(taken);
    return { ...of, ...sumOf(of, taken, -1) };
  };
  const rest = (over ?? []).map((each) => {
    const missing = sumOf(each, nowAt.get(placeOf(each)) ?? NO_FIGURES, -1);
    if (!isWhole(missing) || missing.messages > left) return take(each, missing.messages);
    left -= missing.messages;
    if (missing.messages > 0) gone.push({ ...each, ...missing });
    return { ...each, ...sumOf(each, missing, -1) };
  });
  for (const each of [...rest, ...(underWay ?? [])]) take(each, each.messages);
  return gone;
}

/** Whether messages may have such figures. */
function isWhole({ messages, sent, segments, charged, times }: Outcomes): boolean {
  return [messages, sent, segments, charged, ...Object.values(times)].every((count) => count >= 0);
}

/** What some messages of those have, taken for alike. */
function shareOf(of: DayFigures, messages: number): DayFigures {
  const share = messages <= 0 ? 0 : messages / of.messages;
  const part = (count: number): number => Math.round(count * share);
  const times = Object.entries(of.times).flatMap(([bucket, count]) =>
    part(count) === 0 ? [] : [[bucket, part(count)] as const],
  );
  const { sent, segments, charged } = of;
  return {
    ...of,
    messages: Math.max(0, messages),
    sent: part(sent),
    segments: part(segments),
    charged: part(charged),
    times: Object.fromEntries(times),
  };
}
