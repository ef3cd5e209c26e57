/** What the appliance's wall clock says of true time: the answers to reads of a balance carry both. */
import { clockSetsOf } from "./circumstances.ts";
import type { History } from "./history.ts";
import { list, text } from "./json.ts";
import { commandsNamed, once } from "./once.ts";

export type WallClock = {
  /** Epoch milliseconds when the run began, by the clock as it was then; right to the way of an answer. */
  readonly wallAtStartMs: number;
  /** It was set during the run, so that later times mean something else. */
  readonly jumps: boolean;
};

/** The clock of the run; null when nobody read a time while it was still the first. */
export const wallClockOf = once(readClock);

function readClock(history: History): WallClock | null {
  const jump = history.observations.find(({ kind }) => kind === "clock");
  const first = [...balancesRead(history), ...accountsMade(history)].find(
    ({ atMs }) => !jump || atMs < jump.atMs,
  );
  return first ? { wallAtStartMs: first.saidMs - first.atMs, jumps: jump !== undefined } : null;
}

type Told = { readonly atMs: number; readonly saidMs: number };

function balancesRead({ exchanges }: History): readonly Told[] {
  return exchanges.flatMap(({ answer }) => {
    const said = text(answer?.json, "data", "as_of");
    return answer && said !== null ? [{ atMs: answer.atMs, saidMs: Date.parse(said) }] : [];
  });
}

/** Accounts are made at the beginning, and when that was stands in the list of recorded changes. */
function accountsMade(history: History): readonly Told[] {
  const audit = commandsNamed(history, "audit list").findLast(({ outcome }) => outcome?.ok)?.outcome;
  const entries = list(audit?.ok ? audit.data : null, "entries");
  return commandsNamed(history, "account create").flatMap(({ outcome, endedAtMs }) => {
    const accountId = outcome?.ok ? text(outcome.data, "account_id") : null;
    const entry = entries.find(
      (each) => text(each, "action") === "account create" && text(each, "subject") === accountId,
    );
    const said = text(entry, "at");
    return accountId !== null && said !== null && endedAtMs !== null
      ? [{ atMs: endedAtMs, saidMs: Date.parse(said) }]
      : [];
  });
}

/** By how much a moment told by the wall clock may lie elsewhere in true time, for all that the clock was set. */
export const clockSetMs = once(({ observations }: History): number =>
  observations.reduce((sum, seen) => sum + (seen.kind === "clock" ? Math.abs(seen.byMs) : 0), 0),
);

/** A forward jump beyond this is not believed before it has lasted. */
const DOUBTED_MS = 6 * 3_600_000;
/** A doubted time is believed after ten minutes at the earliest. */
const DOUBTED_FOR_MS = 9 * 60_000;
/** A start that is so far behind what is stored believes what is stored. */
const BEHIND_MS = 5 * 60_000;

type ClockSet = { readonly atMs: number; readonly byMs: number };

/**
 * What the appliance's time may be ahead of that of the run's beginning at a moment, apart from the time that has passed; null where
 * it may be one thing or another.
 */
export function clockAheadMs(history: History, atMs: number): number | null {
  const sets = clockSetsOf(history).flatMap((seen): readonly ClockSet[] =>
    seen.atMs <= atMs ? [{ atMs: seen.atMs, byMs: seen.byMs }] : [],
  );
  const doubted = sets.find(({ byMs }) => byMs > DOUBTED_MS);
  const before = doubted ? sets.slice(0, sets.indexOf(doubted)) : sets;
  if (mayHaveStartedBehind(history, before, atMs)) return null;
  const aheadMs = before.reduce((sum, { byMs }) => sum + byMs, 0);
  if (!doubted) return aheadMs;
  const isDoubtedStill = sets.at(-1) === doubted && atMs < doubted.atMs + DOUBTED_FOR_MS;
  const isAccepted = [
    ...history.lives.map(({ startedAtMs }) => startedAtMs),
    ...history.commands.flatMap(({ name, askedAtMs }) => (name === "clock accept" ? [askedAtMs] : [])),
  ].some((acceptedAtMs) => acceptedAtMs >= doubted.atMs && acceptedAtMs <= atMs);
  return isDoubtedStill && !isAccepted ? aheadMs : null;
}

/** A process that starts on a clock that was set back may go on by the times that are stored. */
function mayHaveStartedBehind({ lives }: History, sets: readonly ClockSet[], atMs: number): boolean {
  if (sets.length === 0) return false;
  const backMs = (untilMs: number) =>
    sets.reduce((sum, set) => sum + (set.atMs <= untilMs && set.byMs < 0 ? -set.byMs : 0), 0);
  return lives.some(({ startedAtMs }) => startedAtMs <= atMs && backMs(startedAtMs) > BEHIND_MS - 60_000);
}

/** By how much a clock that was put forward may have ended a wait too early. */
export function clockForwardMs({ observations }: History): number {
  return observations.reduce((sum, seen) => sum + (seen.kind === "clock" ? Math.max(0, seen.byMs) : 0), 0);
}
