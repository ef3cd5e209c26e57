import { connectionsTo } from "../connections.ts";
import { carriedStateOf, type FinalState } from "../final-states.ts";
import { at, finder, type Rule } from "../finding.ts";
import type { History } from "../history.ts";
import { idleOn, overlap } from "../idle-links.ts";
import { type Group, joinsOf } from "../joins.ts";
import { text } from "../json.ts";
import { commandsNamed, once } from "../once.ts";
import { pausesOf, type Stretch, without } from "../pauses.ts";
import { hoursIn, periodOf } from "../planned-time.ts";
import { wallClockOf } from "../wall-clock.ts";
import type { Submit } from "../wire-submits.ts";

const found = finder(
  "tried-again",
  "A message waits 1 s after the first such answer, then twice as long each time, 30 s at most, until its validity is over.",
);

/** The longest back-off, and what a link rests for after it was throttled. */
const BACK_OFF_MS = 30_000 + 15_000;
/** A link that could have carried it was left alone for so long. */
export const IDLE_MS = 100_000;
/** How a message ends that nobody sent again. */
const WAITED_OUT = ["OPERATOR_THROTTLED", "EXPIRED_IN_QUEUE"];

/** None that an operator put off waits its validity out beside a connection of that operator that is bound and has nothing to do. */
export const triedAgain: Rule = (history) => {
  const clock = wallClockOf(history);
  if (clock === null || clock.jumps) return [];
  return joinsOf(history).groups.flatMap((group) => {
    const waiting = waitOf(history, group, clock.wallAtStartMs);
    if (waiting === null) return [];
    const { state, last, stretch } = waiting;
    const idle = idleStretches(history, last.centre).find((each) => overlap(each, stretch) >= IDLE_MS);
    if (!idle) return [];
    const what = `message ${state.messageId} was put off at ${at(last.writtenAtMs)} and ended ${state.errorCode} at ${at(stretch.toMs)}, though a connection to ${last.centre} was bound and idle from ${at(idle.fromMs)} to ${at(idle.toMs)}`;
    return [found(stretch.toMs, what, state.messageId)];
  });
};

type Wait = { readonly state: FinalState; readonly last: Submit; readonly stretch: Stretch };

/** From when on a message was due again until it was given up; null of one that something else may have held. */
export function waitOf(history: History, group: Group, wallAtStartMs: number): Wait | null {
  const [only] = group.messages;
  if (!only || group.messages.length > 1 || mayBeHeld(history, only)) return null;
  const state = carriedStateOf(history, only.message);
  const endedMs = Date.parse(text(state?.view.json, "finalized_at") ?? "") - wallAtStartMs;
  if (!state || Number.isNaN(endedMs) || !WAITED_OUT.includes(state.errorCode ?? "")) return null;
  const submits = group.carried.map(({ submit }) => submit);
  const last = submits.sort((a, b) => a.writtenAtMs - b.writtenAtMs).at(-1);
  const heardMs = Math.max(
    ...submits.flatMap(({ answers }) => answers.map(({ heardAtMs }) => heardAtMs ?? 0)),
  );
  if (!last || submits.some((submit) => !isPutOff(submit))) return null;
  return { state, last, stretch: { fromMs: heardMs + BACK_OFF_MS, toMs: endedMs } };
}

/** It was answered once, in the life that it left in, and was not accepted. */
function isPutOff({ answers }: Submit): boolean {
  return answers.length === 1 && answers.every(({ status, heardAtMs }) => status !== 0 && heardAtMs !== null);
}

/** Its account may have been suspended, or its class not be sent at this hour. */
function mayBeHeld(history: History, { message, batch }: Group["messages"][number]): boolean {
  if (commandsNamed(history, "account suspend").some(({ args }) => args.ACCOUNT === message.account.name))
    return true;
  if (message.messageClass !== "MARKETING") return false;
  return hoursIn(history, batch.account, periodOf(batch)).some((hours) => hours !== "00:00-24:00");
}

const idleAt = once(() => new Map<string, readonly Stretch[]>());

/** When a link to a centre that one operator has was bound and carried no submit, nothing of the operator being paused. */
function idleStretches(history: History, centre: string): readonly Stretch[] {
  const known = idleAt(history).get(centre);
  if (known) return known;
  const operators = new Set(connectionsTo(history, centre).map(({ operator }) => operator));
  // Who has routes may send by another: rules/routes-tried.ts.
  const isRouted = history.settings.some((settings) =>
    settings.operators.some(({ code, routes }) => operators.has(code) && routes.length > 0),
  );
  const isOneWay = operators.size < 2 && !isRouted;
  const links = !isOneWay ? [] : history.links.filter((link) => link.centre === centre);
  const paused = pausesOf(history)
    .filter(({ operator }) => operators.has(operator))
    .map(({ possible }) => possible);
  const stretches = links
    .flatMap((link) => idleOn(history, link))
    .flatMap((stretch) => without(stretch, paused));
  idleAt(history).set(centre, stretches);
  return stretches;
}
