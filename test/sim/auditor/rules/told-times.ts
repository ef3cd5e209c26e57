import { at, type Finding, finder } from "../finding.ts";
import type { History } from "../history.ts";
import { commandsOn } from "../in-force.ts";
import { list, text } from "../json.ts";
import { fundingOf } from "../money.ts";
import { clockAheadMs, wallClockOf } from "../wall-clock.ts";

const found = finder(
  "told-times",
  "What is dated bears the time at which it happened, and a clock that jumps ahead by hours is not believed.",
);

/** What a clock may be read before and after what it dates, and be slewed by. */
const SLACK_MS = 5_000;

type Dated = {
  readonly what: string;
  readonly saidMs: number;
  readonly fromMs: number;
  readonly toMs: number;
  readonly about: string;
};

/** Batches, looks at balances, and money that was paid in are dated by when they happened. */
export function toldTimes(history: History): readonly Finding[] {
  const clock = wallClockOf(history);
  if (clock === null) return [];
  return [...batches(history), ...balances(history), ...payments(history)].flatMap(
    ({ what, saidMs, fromMs, toMs, about }) => {
      const [ahead, later] = [clockAheadMs(history, fromMs), clockAheadMs(history, toMs)];
      if (ahead === null || later === null || Number.isNaN(saidMs)) return [];
      const earliestMs = clock.wallAtStartMs + fromMs + Math.min(ahead, later);
      const latestMs = clock.wallAtStartMs + toMs + Math.max(ahead, later);
      if (saidMs >= earliestMs - SLACK_MS && saidMs <= latestMs + SLACK_MS) return [];
      const words = `${what} happened by ${at(toMs)}, which was ${iso(latestMs)}, and is dated ${iso(saidMs)}`;
      return [found(toMs, words, about)];
    },
  );
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}

function batches({ batches: expected, sightings }: History): readonly Dated[] {
  const created = new Map(
    sightings.batchViews.map(({ batchId, json }) => [batchId, text(json, "created_at")] as const),
  );
  return expected.flatMap(({ batchId, acknowledged, acceptedFromMs }) => {
    const said = created.get(batchId ?? "") ?? null;
    const toMs = acknowledged?.answer?.atMs ?? null;
    if (said === null || toMs === null || batchId === null) return [];
    return [
      { what: `batch ${batchId}`, saidMs: Date.parse(said), fromMs: acceptedFromMs, toMs, about: batchId },
    ];
  });
}

function balances({ exchanges }: History): readonly Dated[] {
  return exchanges.flatMap(({ id, answer, askedAtMs, client }) => {
    const said = text(answer?.json, "data", "as_of");
    if (!answer || said === null) return [];
    const what = `the balance of request ${id}`;
    return [{ what, saidMs: Date.parse(said), fromMs: askedAtMs, toMs: answer.atMs, about: client }];
  });
}

/** Top-ups whose reference was used by one command alone, by the last statement. */
function payments(history: History): readonly Dated[] {
  return [...history.accounts.values()].flatMap((account) => {
    const statement = commandsOn(history, account, ["wallet statement"]).findLast(
      ({ outcome, args }) => outcome?.ok === true && args.batches === undefined,
    );
    const entries = list(statement?.outcome?.ok ? statement.outcome.data : null, "entries");
    return fundingOf(history, account).flatMap(({ kind, words, earliestMs, sureMs }) => {
      const entry = entries.find((each) => text(each, "cause")?.endsWith(`:${words}`) === true);
      const said = text(entry, "at");
      if (kind !== "TOPUP" || sureMs === null || said === null) return [];
      const what = `the top-up ${words} of ${account.name}`;
      return [{ what, saidMs: Date.parse(said), fromMs: earliestMs, toMs: sureMs, about: account.accountId }];
    });
  });
}
