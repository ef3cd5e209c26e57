import type { Account } from "../accounts.ts";
import { cancelsByBatch } from "../cancels.ts";
import { connectionsTo } from "../connections.ts";
import { finalStateOf } from "../final-states.ts";
import { at, finder, type Rule } from "../finding.ts";
import type { History } from "../history.ts";
import { commandsOn } from "../in-force.ts";
import { type Group, joinsOf } from "../joins.ts";
import { once } from "../once.ts";
import type { Submit } from "../wire-submits.ts";
import { wiresOf } from "../wires.ts";

const found = finder(
  "called-off",
  "From the commit that cancels a batch or suspends its account on, none of its messages is claimed.",
);

/** What may lie between a claim and the first octet at the centre on a link that works, ms. */
const ON_THE_WAY_MS = 30_000;
/** The same where the appliance's own end is watched, beside what the pace of its connection asks for. */
const TO_THE_SOCKET_MS = 8_000;
/** What a link that goes on after a stall takes to bring what waited, ms. */
const BURST_MS = 2_000;

type Stop = { readonly fromMs: number; readonly toMs: number; readonly why: string };

/** No text leaves for the first time long after it was called off, or on a link that was opened after that. */
export const calledOff: Rule = (history) => {
  const opened = new Map(history.links.map(({ link, openedAtMs }) => [link, openedAtMs]));
  return joinsOf(history).groups.flatMap((group) => {
    const [only] = group.messages;
    const first = firstSubmit(group);
    if (!only || group.messages.length > 1 || !first) return [];
    const { batch, message } = only;
    const late = stopsOf(history, batch.account.name, batch.batchId).find(
      ({ fromMs, toMs }) =>
        first.writtenAtMs > fromMs &&
        first.writtenAtMs < toMs &&
        ((opened.get(first.link) ?? 0) > fromMs || isLongAfter(history, first, fromMs)),
    );
    if (!late) return [];
    const state = finalStateOf(history, message);
    const what = `${late.why} at ${at(late.fromMs)}, and message ${state?.messageId ?? message.index} of batch ${batch.batchId} to ${message.msisdn} left for the first time at ${at(first.writtenAtMs)} on link ${first.link}`;
    return [found(first.writtenAtMs, what, batch.batchId ?? "", state?.messageId ?? "")];
  });
};

/** Whether a text left for the first time so long after a moment that it was not claimed before. */
export function wasClaimedAfter(
  history: History,
  group: Pick<Group, "carried">,
  fromMs: number,
): Submit | null {
  const first = firstSubmit(group);
  if (first === undefined || first.writtenAtMs <= fromMs) return null;
  const link = history.links.find((each) => each.link === first.link);
  return (link?.openedAtMs ?? 0) > fromMs || isLongAfter(history, first, fromMs) ? first : null;
}

/** A link that stalls brings late what was written long before, all at once: octets that came shortly before show that it did not. */
function isLongAfter(history: History, first: Submit, fromMs: number): boolean {
  const sinceMs = fromMs + claimedForMs(history, first);
  const untilMs = first.writtenAtMs - BURST_MS;
  return (wiresOf(history).byLink.get(first.link) ?? []).some(
    ({ from, centreAtMs }) =>
      from === "appliance" && centreAtMs !== null && centreAtMs > sinceMs && centreAtMs < untilMs,
  );
}

/** How long a claimed message may wait to be written: a window of them leaves at the pace of the connection. */
function claimedForMs(history: History, { centre }: Submit): number {
  if (!wiresOf(history).isWatched) return ON_THE_WAY_MS;
  const paces = connectionsTo(history, centre).map(({ window, throughput }) => (window / throughput) * 1000);
  return TO_THE_SOCKET_MS + Math.max(0, ...paces);
}

function firstSubmit({ carried }: Pick<Group, "carried">) {
  return carried.map(({ submit }) => submit).sort((a, b) => a.writtenAtMs - b.writtenAtMs)[0];
}

/** When nothing of a batch may be claimed: after its cancellation, and between suspensions and what may end them. */
export function stopsOf(history: History, accountName: string, batchId: string | null): readonly Stop[] {
  const account = history.accounts.get(accountName);
  const cancels = (cancelsByBatch(history).get(batchId ?? "") ?? []).map(({ doneAtMs, by }) => ({
    fromMs: doneAtMs,
    toMs: Infinity,
    why: `${by} was done`,
  }));
  return account ? [...cancels, ...(suspensions(history).get(account) ?? [])] : cancels;
}

/** When each account was surely suspended. */
const suspensions = once(
  (history) =>
    new Map([...history.accounts.values()].map((account) => [account, suspensionsOf(history, account)])),
);

function suspensionsOf(history: History, account: Account): readonly Stop[] {
  const changes = commandsOn(history, account, ["account suspend", "account resume"]);
  return changes.flatMap(({ name, wasDone, endedAtMs, id }) => {
    if (name !== "account suspend" || wasDone !== "yes" || endedAtMs === null) return [];
    const resumes = changes.filter(
      (each) => each.name === "account resume" && (each.endedAtMs ?? Infinity) > endedAtMs,
    );
    const toMs = Math.min(Infinity, ...resumes.map(({ askedAtMs }) => askedAtMs));
    return [{ fromMs: endedAtMs, toMs, why: `account suspend (command ${id}) was done` }];
  });
}
