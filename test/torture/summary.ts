import type { Verdict } from "../sim/auditor/audit.ts";
import type { Outcome } from "./run-torture.ts";

/** Findings that are told in full; the others are counted. */
const MAX_TOLD = 20;

/** What a run came to, in lines for people. */
export function summary(
  { story, seconds, place }: Outcome,
  { findings, figures, waiting }: Verdict,
): string[] {
  const kills = Object.values(story.kills).reduce((sum, one) => sum + one, 0);
  const row = (name: string, value: string | number) => `${name.padEnd(34)} ${value}`;
  return [
    row("lives", story.lives),
    row("killed", kills),
    ...Object.entries(story.kills)
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([when, times]) => row(`  at: ${when}`, times)),
    row("stopped in order", story.stops),
    row(
      "not started on a full disk",
      place.disk === null ? "the disk was not filled: none of its own could be mounted" : story.refusedStarts,
    ),
    row("longest stop, ms", longest(story.stopsMs)),
    row(
      "from start to ready, ms",
      `${average(story.startsMs)} on average, ${longest(story.startsMs)} at most`,
    ),
    row("requests, commands", `${figures.requests}, ${figures.commands}`),
    row("batches, messages", `${figures.batches}, ${figures.messages}`),
    row("PDUs, events", `${figures.pdus}, ${figures.events}`),
    row("submits that repeat another", figures.repeats),
    row("  the earlier listed as unanswered", figures.repeatsListed),
    row("  the earlier not listed", figures.repeatsUnlisted),
    row("  the earlier refused at first", figures.repeatsRefused),
    row("seconds, until rest", `${seconds.lives.toFixed(1)}, ${seconds.all.toFixed(1)}`),
    row("messages a second", (figures.messages / seconds.lives).toFixed(0)),
    row("in doubt and listed at the end", waiting),
    row("findings", findings.length + story.mishaps.length),
  ];
}

/** What was found, each with its rule. */
export function stories(mishaps: Outcome["story"]["mishaps"], { findings }: Verdict): string[] {
  const byRule = Map.groupBy(findings, ({ rule }) => rule);
  return [
    ...mishaps.map(({ life, what }) => `life ${life}: ${what}`),
    ...[...byRule].map(([rule, all]) => `${all.length} times: ${rule}`),
    ...findings
      .slice(0, MAX_TOLD)
      .map(
        ({ rule, promise, what, atMs }) =>
          `${(atMs / 1000).toFixed(3)} s  ${rule}: ${what}\n    (${promise})`,
      ),
  ];
}

const longest = (times: readonly number[]): number =>
  Math.round(times.reduce((most, one) => Math.max(most, one), 0));

function average(times: readonly number[]): number {
  return Math.round(times.reduce((sum, one) => sum + one, 0) / Math.max(1, times.length));
}
