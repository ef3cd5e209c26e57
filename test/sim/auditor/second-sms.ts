/** The second SMS of an OTP of which nothing was heard (docs/administration.md#a-second-sms). */
import { isKept } from "./evidence.ts";
import type { History } from "./history.ts";
import { settingsIn } from "./in-force.ts";
import { carrying, type Group } from "./joins.ts";
import { receiptMatchesOf } from "./receipt-matches.ts";
import { hasRoutes, routesOf } from "./routes.ts";
import { operatorOf } from "./settings.ts";
import { wallClockOf } from "./wall-clock.ts";
import type { Submit } from "./wire-submits.ts";

/** What timers may be off by, ms. */
const SLACK_MS = 50;

/**
 * Whether a submit of a part may be the second SMS: by another route than one that was heard to accept the part, for so long before as that
 * one says, with no receipt that surely counts meanwhile. Once only.
 */
export function mayBeSecond(history: History, group: Group, part: number, later: Submit): boolean {
  if (group.messages[0]?.message.messageClass !== "OTP" || !hasRoutes(history)) return false;
  const hasJumps = wallClockOf(history)?.jumps ?? true;
  const before = carrying(group, part).filter(({ writtenAtMs }) => writtenAtMs < later.writtenAtMs);
  if (group.carried.some(({ submit }) => wasReceipted(history, submit, later.writtenAtMs))) return false;
  return before.some((first) => {
    const heardAtMs = acceptedAt(first);
    const afterMs = secondAfterMs(history, first, later);
    if (heardAtMs === null || afterMs === null) return false;
    const dueAtMs = hasJumps ? heardAtMs : heardAtMs + afterMs - SLACK_MS;
    const isThird = before.some(({ writtenAtMs }) => writtenAtMs >= dueAtMs);
    return later.writtenAtMs >= dueAtMs && !isThird;
  });
}

function acceptedAt({ answers }: Submit): number | null {
  return answers.find(({ status, isSure }) => status === 0 && isSure)?.heardAtMs ?? null;
}

/** The shortest time that a route of the first has for it, where another than that may have carried the later one. */
function secondAfterMs(history: History, first: Submit, later: Submit): number | null {
  const at = (submit: Submit) => ({ fromMs: submit.writtenAtMs, toMs: submit.writtenAtMs });
  const others = routesOf(history, later, at(later));
  const routes = routesOf(history, first, at(first)).filter(({ route }) =>
    others.some((other) => other.route !== route),
  );
  const period = { fromMs: first.writtenAtMs, toMs: later.writtenAtMs };
  const times = settingsIn(history, period).flatMap((settings) =>
    (operatorOf(settings, first.text.destination)?.routes ?? []).flatMap((one) =>
      routes.some(({ route }) => route === one.name) && one.secondAfterMs !== null ? [one.secondAfterMs] : [],
    ),
  );
  return times.length === 0 ? null : Math.min(...times);
}

/** Whether a receipt that is surely its own, and that the centre was told is kept, came by a moment. */
function wasReceipted(history: History, submit: Submit, atMs: number): boolean {
  return (receiptMatchesOf(history).get(submit) ?? []).some((match) => {
    const heardAtMs = match.deliver.pdu.applianceAtMs;
    return isKept(match) && heardAtMs !== null && heardAtMs < atMs - SLACK_MS;
  });
}
