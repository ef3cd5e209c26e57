import { connectionsTo, unansweredPolicies } from "../connections.ts";
import { deathThatUndid, handedOverMs } from "../durable.ts";
import { at, type Finding, finder } from "../finding.ts";
import type { History } from "../history.ts";
import { carrying, type Group, joinsOf } from "../joins.ts";
import { wasRefusedFirst } from "../repeats.ts";
import { hasRoutes, isOfOwnText, onlyRouteOf } from "../routes.ts";
import { mayBeSecond } from "../second-sms.ts";
import { mayHaveArrived, type Submit } from "../wire-submits.ts";
import { wiresOf } from "../wires.ts";

const found = finder(
  "never-twice",
  "A text reaches a handset once, except after a submit that nobody answered, where its class is sent again, three times at most.",
);
const foundWindow = finder(
  "one-window-in-doubt",
  "A crash leaves at most one window of a connection in doubt.",
);

const MAX_RESENDS = 3;
/** What timers and the network may be off by. */
const SLACK_MS = 50;
/** An end of a link that the appliance made is seen a moment later. */
const HANGING_UP_MS = 1_500;
/** So long a text that was claimed may wait for its turn on its link. */
const ON_ITS_WAY_MS = 2_000;
/** The same on a machine that others use as well. */
const BUSY_MS = 10_000;

/** No handset gets a text twice beyond what the specification allows. */
export function neverTwice(history: History): readonly Finding[] {
  const undone = new Map<string, Set<Submit>>();
  const findings = joinsOf(history).groups.flatMap((group) => twiceIn(history, group, undone));
  const windows = [...undone].flatMap(([key, submits]) => {
    const [submit] = submits;
    if (!submit) return [];
    const window = Math.max(
      0,
      ...connectionsTo(history, submit.centre).map((connection) => connection.window),
    );
    if (submits.size <= window) return [];
    const what = `${submits.size} submits of link ${submit.link} to ${submit.centre} (${key}) were answered and sent again, its window being ${window}`;
    return [foundWindow(submit.writtenAtMs, what)];
  });
  return [...findings, ...windows];
}

function twiceIn(history: History, group: Group, undone: Map<string, Set<Submit>>): readonly Finding[] {
  const findings: Finding[] = [];
  for (let part = 1; part <= group.segments; part++) {
    const arrived = carrying(group, part)
      .filter(mayHaveArrived)
      .sort((a, b) => a.writtenAtMs - b.writtenAtMs || a.pdu.order - b.pdu.order);
    const most = group.messages.length * (1 + MAX_RESENDS);
    const last = arrived.at(-1);
    const inDoubt = arrived.filter((submit) => !wasRefusedFirst(submit));
    if (last && inDoubt.length > most)
      findings.push(
        found(last.writtenAtMs, `${nameOf(group, part)} left ${inDoubt.length} times: ${listOf(inDoubt)}`),
      );
    if (group.messages.length > 1) continue;
    for (const [index, later] of arrived.entries()) {
      for (const earlier of arrived.slice(0, index)) {
        const why = whyUnfair(history, { group, part, earlier, later }, undone);
        if (why === null) continue;
        const what = `${nameOf(group, part)} left again at ${at(later.writtenAtMs)} on link ${later.link}, though it had left at ${at(earlier.writtenAtMs)} on link ${earlier.link}: ${why}`;
        findings.push(found(later.writtenAtMs, what, ...idsOf(group)));
      }
    }
  }
  return findings;
}

/** A part of a text that left, and left again. */
type Again = {
  readonly group: Group;
  readonly part: number;
  readonly earlier: Submit;
  readonly later: Submit;
};

/** Why a text may not leave again after an earlier submit of it; null where it may. */
function whyUnfair(
  history: History,
  { group, part, earlier, later }: Again,
  undone: Map<string, Set<Submit>>,
): string | null {
  const heard = heardBefore(earlier, later.writtenAtMs);
  if (heard !== null && heard.status !== 0) return null;
  if (heard !== null) {
    if (isLateAndClose(history, earlier, later, heard.heardAtMs)) return null;
    if (isOfAnotherText(history, group, earlier, later)) return null;
    if (isOfBegunClaim(history, group, later, heard.heardAtMs)) return null;
    if (mayBeSecond(history, group, part, later)) return null;
    const death = deathThatUndid(history, heard.heardAtMs);
    if (death === null || (death.endedAtMs ?? 0) > later.writtenAtMs)
      return `its answer (accepted as ${heard.messageId}) was there at ${at(heard.heardAtMs)}`;
    const key = `link ${earlier.link}, life ${death.life}`;
    undone.set(key, (undone.get(key) ?? new Set()).add(earlier));
  } else if (!isOverdue(history, earlier, later)) {
    return "its answer was still waited for, and its link was up";
  }
  const messageClass = group.messages[0]?.message.messageClass ?? "";
  if (unansweredPolicies(history, messageClass).has("resend")) return null;
  return `${messageClass} waits for a late answer and is not sent again`;
}

/** Whether two routes have accepted parts of it, and the later one goes on with its own, for want of an answer. */
function isOfAnotherText(history: History, group: Group, earlier: Submit, later: Submit): boolean {
  const [first, second] = [onlyRouteOf(history, earlier), onlyRouteOf(history, later)];
  return first !== null && second !== null && first !== second && isOfOwnText(history, group, later);
}

/**
 * Whether the claim that a part left by had begun when another was heard to be accepted: its parts leave at the pace of their link, and
 * what one route accepted late completes nothing that another has begun.
 */
function isOfBegunClaim(history: History, group: Group, later: Submit, heardAtMs: number): boolean {
  // Connections to one centre may wait for different times.
  const longestMs = Math.max(
    ...connectionsTo(history, later.centre).map(({ responseTimeoutMs }) => responseTimeoutMs),
  );
  return (
    hasRoutes(history) &&
    group.carried.some(
      ({ submit: begun }) =>
        begun !== later &&
        begun.link === later.link &&
        begun.writtenAtMs < heardAtMs &&
        later.writtenAtMs - begun.writtenAtMs < longestMs + ON_ITS_WAY_MS,
    )
  );
}

/** The first answer that the appliance surely had by then. */
function heardBefore(submit: Submit, atMs: number) {
  const heard = submit.answers.flatMap(({ heardAtMs, isSure, status, messageId }) =>
    heardAtMs !== null && isSure && heardAtMs < atMs ? [{ heardAtMs, status, messageId }] : [],
  );
  return heard.sort((a, b) => a.heardAtMs - b.heardAtMs)[0] ?? null;
}

/** Whether the appliance may call a submit unanswered by then: time is up, or its link or its process ended. */
function isOverdue(history: History, earlier: Submit, later: Submit): boolean {
  if (earlier.life !== later.life) return true;
  if (earlier.linkEndedAtMs !== null && earlier.linkEndedAtMs - HANGING_UP_MS <= later.writtenAtMs)
    return true;
  const handedOver = handedOverMs(history, earlier.writtenAtMs);
  return later.writtenAtMs - handedOver >= patienceMs(history, earlier) - SLACK_MS;
}

/** Whether an answer came when its time was over, and the next submit was on its way already. */
function isLateAndClose(history: History, earlier: Submit, later: Submit, heardAtMs: number): boolean {
  const isLate = heardAtMs - earlier.writtenAtMs >= patienceMs(history, earlier) - SLACK_MS;
  return isLate && later.writtenAtMs - heardAtMs <= (wiresOf(history).isWatched ? ON_ITS_WAY_MS : BUSY_MS);
}

function patienceMs(history: History, { centre }: Submit): number {
  return Math.min(...connectionsTo(history, centre).map(({ responseTimeoutMs }) => responseTimeoutMs));
}

function nameOf({ messages, segments }: Group, part: number): string {
  const message = messages[0]?.message;
  return `part ${part} of ${segments} to ${message?.msisdn} of batch ${message?.batchId}, place ${message?.index} (${message?.messageClass}),`;
}

function idsOf({ messages }: Group): string[] {
  return messages.flatMap(({ message: { batchId } }) => batchId ?? []);
}

function listOf(submits: readonly Submit[]): string {
  return submits.map(({ writtenAtMs, link }) => `${at(writtenAtMs)} on link ${link}`).join(", ");
}
