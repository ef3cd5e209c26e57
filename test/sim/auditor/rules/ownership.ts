import type { Account } from "../accounts.ts";
import { at, type Finding, finder, type Rule } from "../finding.ts";
import type { History } from "../history.ts";
import { type Json, text } from "../json.ts";

const found = finder("ownership", "No answer, event or row of an account ever carries another's ids.");
const shown = finder(
  "not-found",
  "Another account's resource answers 404 NOT_FOUND, and cannot be told from one that is missing.",
);

/** Each id belongs to one account, whoever showed it; what is another's is not found. */
export const ownership: Rule = (history) => {
  const owners = ownersOf(history);
  return [...mixed(history, owners), ...fetched(history, owners)];
};

/** Ids that are surely somebody's: accounts, and the batches of acknowledged submissions. */
function ownersOf({ accounts, batches, exchanges }: History): ReadonlyMap<string, Account> {
  const owners = new Map<string, Account>();
  for (const account of accounts.values()) owners.set(account.accountId, account);
  for (const { batchId, acknowledged, account } of batches)
    if (batchId !== null && acknowledged) owners.set(batchId, account);
  for (const { client, method, path, answer } of exchanges) {
    if (method !== "POST" || path !== "/public/v1/webhooks") continue;
    const account = accounts.get(client);
    const webhookId = text(answer?.json, "data", "webhook_id");
    if (account && webhookId) owners.set(webhookId, account);
  }
  return owners;
}

function mixed(history: History, owners: ReadonlyMap<string, Account>): readonly Finding[] {
  const holders = new Map<string, string>();
  const seen = (id: string, account: string, atMs: number, where: string): readonly Finding[] => {
    const owner = owners.get(id)?.name ?? holders.get(id) ?? account;
    holders.set(id, owner);
    if (owner === account) return [];
    return [found(atMs, `${where} shows ${account} the id ${id}, which is ${owner}'s`, id)];
  };
  const answers = history.exchanges.flatMap(({ client, answer, id }) => {
    if (!answer || answer.status >= 400 || !history.accounts.has(client)) return [];
    return idsIn(answer.json).flatMap((each) =>
      seen(each, client, answer.atMs, `the answer to request ${id}`),
    );
  });
  const byId = new Map([...history.accounts.values()].map((account) => [account.accountId, account.name]));
  const events = history.events.flatMap(({ json, atMs, id }) => {
    const account = byId.get(text(json, "account_id") ?? "");
    if (account === undefined) return [];
    return idsIn(json).flatMap((each) => seen(each, account, atMs, `event ${id}`));
  });
  return [...answers, ...events];
}

const ID_NAMES = new Set(["account_id", "batch_id", "message_id", "webhook_id"]);

function idsIn(json: Json): readonly string[] {
  if (typeof json !== "object" || json === null) return [];
  return Object.entries(json).flatMap(([name, value]) =>
    ID_NAMES.has(name) && typeof value === "string" ? [value] : idsIn(value),
  );
}

/** A GET of what is another's, by its path or by the filter of the feed. */
function fetched({ exchanges }: History, owners: ReadonlyMap<string, Account>): readonly Finding[] {
  return exchanges.flatMap(({ client, method, path, query, answer, id, askedAtMs }) => {
    const named = /\/(?:batches|webhooks)\/([^/]+)/.exec(path)?.[1] ?? query.get("batch_id");
    const owner = named ? owners.get(named) : undefined;
    if (!answer || !owner || owner.name === client || client === "nobody") return [];
    const isHidden = answer.status === 404 && text(answer.json, "code") === "NOT_FOUND";
    if (isHidden || [401, 403, 429, 503].includes(answer.status)) return [];
    const what = `${client} asked ${method} ${path} at ${at(askedAtMs)}, which is ${owner.name}'s, and got ${answer.status}`;
    return [shown(answer.atMs, what, `request ${id}`, named ?? "")];
  });
}
