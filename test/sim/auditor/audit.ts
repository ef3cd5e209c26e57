/**
 * Judges a run by what was seen from outside. It knows the specification and not the code: nothing of `src` is imported here.
 *
 * A rule is a small pure function over the history, a file each in `rules/`. Where the specification leaves several outcomes
 * open (a lost answer, a death in the middle, a race), a rule takes all of them and nothing else.
 */
import type { Observation } from "../observation.ts";
import { COVERAGE } from "./coverage.ts";
import type { Finding, Rule } from "./finding.ts";
import { type History, historyOf } from "./history.ts";
import { type RepeatFigures, repeatFigures } from "./repeats.ts";
import { linkLimits } from "./rules/link-limits.ts";
import { linkManners } from "./rules/link-manners.ts";
import { BOOKS } from "./rules/of-books.ts";
import { WIRES } from "./rules/of-wires.ts";
import { restoredHeld, restoresIn } from "./rules/restored-held.ts";
import { waitingAtRest } from "./waiting.ts";

export type Verdict = {
  /** In the order they happened. Empty: every promise was kept. */
  readonly findings: readonly Finding[];
  readonly figures: Figures;
  /** Messages that wait at the end for an answer, and are listed so, in a run that is cut short. */
  readonly waiting: number;
  /** What was reached and how often: transitions, reasons, codes, faults, by name. */
  readonly reached: ReadonlyMap<string, number>;
};

export type Figures = RepeatFigures & {
  readonly requests: number;
  readonly batches: number;
  readonly messages: number;
  readonly pdus: number;
  readonly events: number;
  readonly commands: number;
  readonly lives: number;
};

/** Every promise that is looked after. */
const RULES: readonly Rule[] = [...BOOKS, ...WIRES];

/** What is promised although a copy forgets what came after it: what is on the wire, and what a restore holds. */
const AFTER_A_RESTORE: readonly Rule[] = [restoredHeld, linkManners, linkLimits];

/**
 * Whether a run kept every promise, and what it reached. One that is cut short may end while messages wait that are listed as
 * unanswered, with what they have reserved; every other must have waited for them.
 */
export function audit(
  observations: readonly Observation[],
  asked: readonly Rule[] | null = null,
  isCutShort = false,
): Verdict {
  const history = historyOf(observations, isCutShort);
  const rules = asked ?? (restoresIn(history).length > 0 ? AFTER_A_RESTORE : RULES);
  const findings = rules.flatMap((rule) => rule(history));
  const reached = new Map<string, number>();
  const reach = (name: string, times = 1) => reached.set(name, (reached.get(name) ?? 0) + times);
  for (const coverage of COVERAGE) coverage(history, reach);
  return {
    findings: [...findings].sort((a, b) => a.atMs - b.atMs),
    figures: figuresOf(history),
    waiting: waitingAtRest(history).size,
    reached: new Map([...reached].sort(([a], [b]) => (a < b ? -1 : 1))),
  };
}

function figuresOf(history: History): Figures {
  const { exchanges, batches, pdus, events, commands, lives } = history;
  const known = batches.filter(({ batchId }) => batchId !== null);
  return {
    requests: exchanges.length,
    batches: known.length,
    messages: known.reduce((sum, { messages }) => sum + messages.length, 0),
    pdus: pdus.length,
    events: events.length,
    commands: commands.length,
    lives: lives.length,
    ...repeatFigures(history),
  };
}
