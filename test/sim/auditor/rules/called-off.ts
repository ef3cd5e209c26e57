import { finalStateOf } from "../final-states.ts";
import { at, finder, type Rule } from "../finding.ts";
import type { History } from "../history.ts";
import { commandsOn } from "../in-force.ts";
import type { Group } from "../joins.ts";
import { joinsOf } from "../joins.ts";

const found = finder(
  "called-off",
  "From the commit that cancels a batch or suspends its account on, none of its messages is claimed.",
);

/** What may lie between a claim and the first octet at the centre on a link that works, ms. */
const ON_THE_WAY_MS = 30_000;

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
        ((opened.get(first.link) ?? 0) > fromMs || first.writtenAtMs > fromMs + ON_THE_WAY_MS),
    );
    if (!late) return [];
    const state = finalStateOf(history, message);
    const what = `${late.why} at ${at(late.fromMs)}, and message ${state?.messageId ?? message.index} of batch ${batch.batchId} to ${message.msisdn} left for the first time at ${at(first.writtenAtMs)} on link ${first.link}`;
    return [found(first.writtenAtMs, what, batch.batchId ?? "", state?.messageId ?? "")];
  });
};

function firstSubmit({ carried }: Group) {
  return carried.map(({ submit }) => submit).sort((a, b) => a.writtenAtMs - b.writtenAtMs)[0];
}

/** When nothing of a batch may be claimed: after its cancellation, and between suspensions and what may end them. */
function stopsOf(history: History, accountName: string, batchId: string | null): readonly Stop[] {
  const account = history.accounts.get(accountName);
  const cancels = history.commands.flatMap(({ name, args, wasDone, endedAtMs, id }) =>
    name === "batch cancel" && args.BATCH === batchId && wasDone === "yes" && endedAtMs !== null
      ? [{ fromMs: endedAtMs, toMs: Infinity, why: `batch cancel (command ${id}) was done` }]
      : [],
  );
  if (!account) return cancels;
  const changes = commandsOn(history, account, ["account suspend", "account resume"]);
  const suspensions = changes.flatMap(({ name, wasDone, endedAtMs, id }) => {
    if (name !== "account suspend" || wasDone !== "yes" || endedAtMs === null) return [];
    const resumes = changes.filter(
      (each) => each.name === "account resume" && (each.endedAtMs ?? Infinity) > endedAtMs,
    );
    const toMs = Math.min(Infinity, ...resumes.map(({ askedAtMs }) => askedAtMs));
    return [{ fromMs: endedAtMs, toMs, why: `account suspend (command ${id}) was done` }];
  });
  return [...cancels, ...suspensions];
}
