import { connectionsTo } from "../connections.ts";
import { handedOverMs } from "../durable.ts";
import { at, type Finding, finder } from "../finding.ts";
import type { History, Life } from "../history.ts";
import { once } from "../once.ts";
import type { Submit } from "../wire-submits.ts";
import { type WirePdu, wiresOf } from "../wires.ts";

const sends = finder(
  "stop-claims-nothing",
  "From the moment a stop is asked for nothing is claimed, and what was claimed and not written goes back.",
);
const leaves = finder("stop-waits", "A stop waits for the answers to what was written.");

const ends = finder("stop-ends", "A stop ends within 10 s, in order, whatever others do meanwhile.");

/** An end by itself after so long is one of a stop that did not come to its own end. */
const MAX_MS = 9_000;

/** From the signal to the process, and from it to the wire. */
const SLACK_MS = { watched: 50, unwatched: 2_000 };
/** Of the ten seconds that a stop may take; the others are for unbinding and for writing down. */
const WAITED_MS = 4_000;

/** What a timer may be off by. */
const TIMER_MS = 50;

/** A stop that was asked for sends nothing any more, and hangs up on nobody who is about to answer. */
export function orderlyStop(history: History): readonly Finding[] {
  const wires = wiresOf(history);
  const slackMs = wires.isWatched ? SLACK_MS.watched : SLACK_MS.unwatched;
  return history.lives.flatMap((life) => {
    if (life.stoppingAtMs === null) return [];
    const own = wires.submits.filter((submit) => submit.life === life.life);
    return [
      ...tooLong(life, life.stoppingAtMs),
      ...tooLate(life, life.stoppingAtMs + slackMs, own),
      ...tooEarly(history, life, life.stoppingAtMs, own),
    ];
  });
}

function tooLong({ life, end, endedAtMs }: Life, stoppingAtMs: number): readonly Finding[] {
  if (end !== "failed" || endedAtMs === null || endedAtMs - stoppingAtMs < MAX_MS) return [];
  const what = `life ${life} was to stop at ${at(stoppingAtMs)} and was not done at ${at(endedAtMs)}`;
  return [ends(endedAtMs, what)];
}

function tooLate(life: Life, fromMs: number, own: readonly Submit[]): readonly Finding[] {
  const late = own.filter(({ writtenAtMs }) => writtenAtMs > fromMs);
  const [first] = late;
  if (!first) return [];
  const what = `life ${life.life} was to stop at ${at(life.stoppingAtMs ?? 0)} and wrote ${late.length} submits after that, the first at ${at(first.writtenAtMs)} on link ${first.link} to ${first.text.destination}`;
  return [sends(first.writtenAtMs, what)];
}

function tooEarly(
  history: History,
  life: Life,
  stoppingAtMs: number,
  own: readonly Submit[],
): readonly Finding[] {
  const unbinds = unbindsOf(history).filter(
    (pdu) => leftAtMs(pdu) >= stoppingAtMs && leftAtMs(pdu) < stoppingAtMs + WAITED_MS,
  );
  return unbinds.flatMap((unbind) => {
    const untilMs = leftAtMs(unbind);
    const waiting = own.filter(
      (submit) => submit.link === unbind.link && isAwaited(history, submit, untilMs),
    );
    const [first] = waiting;
    if (!first) return [];
    const what = `life ${life.life} was to stop at ${at(stoppingAtMs)} and unbound link ${unbind.link} at ${at(untilMs)}, with ${waiting.length} submits to be answered, the first of them written at ${at(first.writtenAtMs)}`;
    return [leaves(untilMs, what)];
  });
}

const unbindsOf = once((history) =>
  wiresOf(history).pdus.filter(({ from, pdu }) => from === "appliance" && pdu.kind === "unbind"),
);

function leftAtMs({ applianceAtMs, centreAtMs }: WirePdu): number {
  return applianceAtMs ?? centreAtMs ?? 0;
}

/** No answer of it was there by then, and its time was not over. */
function isAwaited(history: History, { centre, writtenAtMs, answers }: Submit, untilMs: number): boolean {
  const patienceMs = Math.min(
    ...connectionsTo(history, centre).map(({ responseTimeoutMs }) => responseTimeoutMs),
  );
  const fromMs = handedOverMs(history, writtenAtMs);
  if (writtenAtMs > untilMs || untilMs - fromMs >= patienceMs - TIMER_MS) return false;
  return !answers.some(({ heardAtMs }) => heardAtMs !== null && heardAtMs <= untilMs);
}
