/** What is to be told now of what waits, so that whoever hears of it late hears the truth. Pure. */
import type { QueuedNotification, NotificationEvent } from "./letter-rows.ts";

/** One thing to tell, and the letters that are done with when it was. */
export type PendingDelivery = {
  /** The last of them is told; those before it are joined to it. */
  readonly letters: readonly QueuedNotification[];
  readonly last: QueuedNotification;
  readonly news: NotificationEvent;
  /** How often it started, as far as nobody was told. */
  readonly starts: number;
};

export type DeliveryPlan = {
  readonly due: readonly PendingDelivery[];
  /** Of alarms that are over, and whose end nobody is told either. */
  readonly dropped: readonly QueuedNotification[];
  /** When the next is due; null where none waits. */
  readonly nextMs: number | null;
};

export type DeliveryConditions = {
  readonly nowMs: number;
  /** Joined where people read; a program is told each, in order. */
  readonly isJoined: boolean;
  /** Until when nothing is told of a rule; 0 where it may be. */
  readonly silencedUntilMs: (rule: string) => number;
  /** Whether an alarm lasts, or its end is still to be told. */
  readonly isOpen: (news: NotificationEvent) => boolean;
};

/** What to do about the letters that wait for one channel, which stand in the order in which they were written. */
export function planDeliveries(waiting: readonly QueuedNotification[], now: DeliveryConditions): DeliveryPlan {
  const groups = Map.groupBy(waiting, ({ recipient, news }) =>
    JSON.stringify([recipient, news.rule, news.subject]),
  );
  const due: PendingDelivery[] = [];
  const dropped: QueuedNotification[] = [];
  let nextMs = Number.POSITIVE_INFINITY;
  for (const group of groups.values()) {
    const last = group.at(-1);
    if (!last) continue;
    const silencedMs = now.silencedUntilMs(last.news.rule);
    const isOver = last.news.state !== "end" && !now.isOpen(last.news);
    const letters = now.isJoined ? group : group.slice(0, 1);
    const dueMs = Math.max(silencedMs, Math.min(...letters.map(({ dueAtMs }) => dueAtMs)));
    if (isOver) dropped.push(...group);
    else if (dueMs <= now.nowMs) due.push(toPendingDelivery(letters));
    else nextMs = Math.min(nextMs, dueMs);
  }
  return { due, dropped, nextMs: Number.isFinite(nextMs) ? nextMs : null };
}

function toPendingDelivery(letters: readonly QueuedNotification[]): PendingDelivery {
  const last = letters.at(-1);
  const first = letters.find(({ news }) => news.state !== "end");
  if (!last) throw new Error("an errand without a letter");
  const starts = letters.filter(({ news }) => news.state === "start").length;
  const { news } = last;
  if (news.state !== "end") return { letters, last, starts, news: starts > 0 ? asStart(news) : news };
  return { letters, last, starts, news: { ...news, sinceMs: (first ?? last).news.sinceMs } };
}

/** Nobody heard of its start. */
function asStart(news: NotificationEvent): NotificationEvent {
  return { ...news, state: "start" };
}
