import type { Account, ApiKey } from "../accounts.ts";
import type { Exchange } from "../exchanges.ts";
import { at, type Finding, finder, type Rule } from "../finding.ts";
import type { History } from "../history.ts";
import { changeOpenAccount, commandsOn } from "../in-force.ts";
import { type Change, possible } from "../possible.ts";

const letIn = finder(
  "barred",
  "A key that is unknown, revoked or of a suspended account gets 401, whatever it asks.",
);
const keptOut = finder("kept-out", "A good key of an account that is not suspended is let in.");

type Standing = "good" | "bad";

/** Who may ask is let in, and who may not is not; where a change runs at the same moment, either. */
export const keys: Rule = (history) => {
  const known = new Map(
    [...history.accounts.values()].flatMap((account) =>
      account.keys.map(
        (key) => [key.apiKey, { account, key, changes: changesOf(history, account) }] as const,
      ),
    ),
  );
  return history.exchanges.flatMap((exchange) => {
    const { answer, path, apiKey } = exchange;
    if (answer === null || !path.startsWith("/public/v1/") || answer.status === 503) return [];
    const owner = apiKey === null ? undefined : known.get(apiKey);
    const standings: readonly Standing[] = owner ? standing(exchange, owner.key, owner.changes) : ["bad"];
    return judge(exchange, standings, owner?.account ?? null);
  });
};

function judge(
  exchange: Exchange,
  standings: readonly Standing[],
  account: Account | null,
): readonly Finding[] {
  const { answer, id, client, path, askedAtMs } = exchange;
  if (answer === null) return [];
  const is = answer.status === 401 ? "bad" : "good";
  if (standings.includes(is)) return [];
  const who = `${client}'s request ${id} (${path}) of ${at(askedAtMs)}`;
  const about = [`request ${id}`, ...(account ? [account.accountId] : [])];
  return is === "good"
    ? [letIn(answer.atMs, `${who} came with a key that must be refused, and got ${answer.status}`, ...about)]
    : [keptOut(answer.atMs, `${who} came with a good key, and got 401`, ...about)];
}

function standing(
  { askedAtMs, answer }: Exchange,
  { revoked, madeAtMs }: ApiKey,
  changes: readonly Change<Standing>[],
): readonly Standing[] {
  const toMs = answer?.atMs ?? askedAtMs;
  if (toMs < madeAtMs) return ["bad", "good"];
  if (revoked && revoked.latestMs !== null && revoked.latestMs <= askedAtMs) return ["bad"];
  const standings = possible<Standing>("good", changes, askedAtMs, toMs);
  return revoked && revoked.earliestMs <= toMs ? [...standings, "bad"] : standings;
}

/** Suspensions and their ends, as changes of what the account's keys are worth. */
function changesOf(history: History, account: Account): readonly Change<Standing>[] {
  return commandsOn(history, account, ["account suspend", "account resume"]).map((command) =>
    changeOpenAccount(history, command, command.name === "account suspend" ? "bad" : "good"),
  );
}
