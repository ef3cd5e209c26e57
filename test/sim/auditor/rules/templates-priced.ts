/** Deliveries that Meta bills as another category than that of their class stop their template until a person lets it go on. */
import { cloudMessages, cloudOf, isDelivery, type Post, postsFor } from "../cloud.ts";
import type { Commanded } from "../exchanges.ts";
import type { ExpectedMessage } from "../expected.ts";
import { carrierOf, finalStateOf } from "../final-states.ts";
import { at, type Finding, finder, type Rule } from "../finding.ts";
import type { History } from "../history.ts";
import { list, member, text } from "../json.ts";
import { commandsNamed } from "../once.ts";
import { CATEGORY_OF, templatesOf } from "../templates.ts";

const found = finder(
  "templates-priced",
  "Two deliveries that Meta priced under another category than the class stop the template, with an alarm, until a person says so.",
);

/** From the status that stops it until what was claimed before has left. */
const CLAIMED_MS = 10_000;
const MOST = 2;

export const templatesPriced: Rule = (history) =>
  [...templatesOf(history).keys()].flatMap((name) => {
    const releases = commandsNamed(history, "whatsapp release").filter(
      ({ args, wasDone }) => args.NAME === name && wasDone !== "no",
    );
    const dear = dearDeliveries(history, ({ template }) => template === name);
    return [...sentAnyway(history, name, dear, releases), ...toldAtRest(history, name, dear, releases)];
  });

/** A delivery that was surely counted: when it was posted, and by when it was known. */
export type Dear = { readonly postedAtMs: number; readonly knownAtMs: number };

/** Of the posts that are meant, in the order in which they were known. */
export function dearDeliveries(
  history: History,
  isMeant: (post: Post, message: ExpectedMessage) => boolean,
): readonly Dear[] {
  return cloudMessages(history)
    .flatMap(({ message }): readonly Dear[] => {
      const last = postsFor(history, message)?.at(-1);
      const state = finalStateOf(history, message);
      if (last === undefined || !isMeant(last, message) || state?.status !== "DELIVERED") return [];
      // Beside an SMS a delivery may decide nothing.
      if (carrierOf(state, message) !== "WHATSAPP" || list(state.view.json, "channels").length > 1) return [];
      const knownAtMs = knownFromMs(history, last, message);
      return knownAtMs === null ? [] : [{ postedAtMs: last.atMs, knownAtMs }];
    })
    .sort((one, other) => one.knownAtMs - other.knownAtMs);
}

/** Null where it was not billed, not otherwise, or where nobody can tell by when it was known. */
function knownFromMs(
  { lives }: History,
  { isBillable, told, heardAtMs }: Post,
  { messageClass }: ExpectedMessage,
): number | null {
  const deliveries = told.filter(isDelivery);
  const [first] = deliveries;
  const right = CATEGORY_OF[messageClass]?.toLowerCase();
  if (!isBillable || first === undefined || deliveries.some(({ category }) => category === right))
    return null;
  const times = deliveries.map(({ takenAtMs, hasOpaque }) =>
    takenAtMs === null ? Infinity : hasOpaque ? takenAtMs : Math.max(takenAtMs, heardAtMs ?? Infinity),
  );
  const knownAtMs = Math.min(...times);
  const isLost = lives.some(
    ({ end, endedAtMs }) => end !== "stopped" && Math.abs((endedAtMs ?? 0) - knownAtMs) < 5_000,
  );
  return Number.isFinite(knownAtMs) && !isLost ? knownAtMs : null;
}

/** When what they are of was surely stopped, and until when: what was posted before somebody let it go on counts no more. */
export function stopsOf(dear: readonly Dear[], releases: readonly Commanded[]) {
  const spans = [{ fromMs: -1, toMs: releases[0]?.askedAtMs ?? Infinity }].concat(
    releases.map((release, place) => ({
      fromMs: release.endedAtMs ?? Infinity,
      toMs: releases[place + 1]?.askedAtMs ?? Infinity,
    })),
  );
  return spans.flatMap(({ fromMs, toMs }) => {
    const counted = dear.filter(({ postedAtMs, knownAtMs }) => postedAtMs > fromMs && knownAtMs < toMs);
    const last = counted[MOST - 1];
    return last === undefined ? [] : [{ fromMs: last.knownAtMs, toMs }];
  });
}

function sentAnyway(
  history: History,
  name: string,
  dear: readonly Dear[],
  releases: readonly Commanded[],
): readonly Finding[] {
  return stopsOf(dear, releases).flatMap(({ fromMs, toMs }) => {
    const wrong = cloudOf(history).posts.find(
      ({ template, atMs }) => template === name && atMs > fromMs + CLAIMED_MS && atMs < toMs,
    );
    if (wrong === undefined) return [];
    const what = `two deliveries of ${name} were billed as another category by ${at(fromMs)}, and post ${wrong.id} was made with it at ${at(wrong.atMs)}`;
    return [found(wrong.atMs, what, wrong.messageId ?? "")];
  });
}

/** Lists and alarms at rest. */
function toldAtRest(
  history: History,
  name: string,
  dear: readonly Dear[],
  releases: readonly Commanded[],
): readonly Finding[] {
  const { restAtMs, endAtMs } = history;
  const last = (command: string) =>
    commandsNamed(history, command).findLast(
      ({ outcome, askedAtMs }) => outcome?.ok && restAtMs !== null && askedAtMs >= restAtMs,
    )?.outcome;
  const [shown, alarms] = [last("whatsapp template"), last("alert list")];
  if (!shown?.ok || !alarms?.ok) return [];
  const row = list(shown.data, "templates").find((each) => text(each, "name") === name);
  const waits = member(row, "waits_for_release") === true;
  const isFiring = list(alarms.data, "alerts").some(
    (each) =>
      text(each, "rule") === "template_stopped" &&
      text(each, "state") === "firing" &&
      (text(each, "subject") ?? "").startsWith(`${name} `),
  );
  const isStopped = stopsOf(dear, releases).some(({ toMs }) => toMs === Infinity);
  const what = `${name} at rest ${waits ? "waits" : "does not wait"} for a release, and its alarm is ${isFiring ? "" : "not "}firing`;
  if (isStopped && (!waits || !isFiring))
    return [found(endAtMs, `${what}, though two deliveries were billed otherwise`)];
  const isEverDear = cloudOf(history).posts.some(
    ({ template, told, category }) =>
      template === name && told.some((each) => isDelivery(each) && each.category !== category),
  );
  const wasMoved = new Set((templatesOf(history).get(name) ?? []).map(({ category }) => category)).size > 1;
  if (waits && !isEverDear && !wasMoved)
    return [found(endAtMs, `${what}, though nothing was billed otherwise`)];
  return [];
}
